"""Predictions made elsewhere, in any language: from arrays, or from files of a label and prediction a row."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from prequential.errors import DataError, InputError, ParameterError, checked_list, checked_path, listing
from prequential.experiment.spelling import Classes
from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.readers import CsvStream, ParquetStream, from_arrays, read
from prequential.streams.readers.arrays import NO_NUMBERS
from prequential.streams.readers.inference import in_order, looks_like_classes
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream
from prequential.types import FloatArray, IntArray, Label, Labels

_SCORE = "score_"
"""How the columns of scores begin; the class follows."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """Some consecutive records with what was predicted of them; their feature matrix is empty."""

    chunk: Chunk
    scores: FloatArray | None
    prediction: IntArray | None


class Predictions(ABC):
    """A source of predictions."""

    name: str
    schema: Schema
    n_records: int | None
    has_scores: bool
    """Whether there is a score for each class, and not only a prediction."""

    @abstractmethod
    def pieces(self, size: int) -> Iterator[Predicted]:
        """Read some records at a time."""

    @abstractmethod
    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this source."""


class ArrayPredictions(Predictions):
    """Labels, predictions and scores in memory."""

    def __init__(
        self,
        y: npt.ArrayLike,
        prediction: npt.ArrayLike | None,
        scores: npt.ArrayLike | None,
        *,
        classes: Sequence[Label] | None,
        weight: npt.ArrayLike | None,
        time: npt.ArrayLike | None,
        id: npt.ArrayLike | None,
        task: str,
        name: str,
    ) -> None:
        if prediction is None and scores is None:
            raise ParameterError("prediction", "score", "given, or else 'scores'", None)
        for what, values in (("y", y), ("prediction", prediction)):
            if (what == "y" or values is not None) and not _one_a_record(values):
                raise ParameterError(what, "score", "a list or array of one label a record", values)
        self.name = str(name)
        self.n_records = len(y)  # type: ignore[arg-type]  # array-like includes scalars, which were refused
        self.has_scores = scores is not None
        self._scores = None if scores is None else _matrix(scores)
        self._prediction: IntArray | None = None
        labels = _distinct(y)
        if classes is not None:
            task = "classification"
        elif task == "auto":
            fractions = prediction is not None and _measured(_distinct(prediction)) and _numeric(labels)
            task = "regression" if fractions or _measured(labels) else "classification"
        nothing = np.empty((self.n_records, 0))
        self._labels = from_arrays(
            nothing, y, classes=labels or classes, weight=weight, time=time, id=id, task=task, name=name
        )
        if self._labels.schema.classes is None:
            self.schema = self._labels.schema
            if prediction is not None and self._scores is None:
                self._scores = _column(prediction, [], "regression", f"{name} (prediction)")
            self._check_numbers()
            return
        predicted = [] if prediction is None else _distinct(prediction)
        known = Classes(labels)
        if classes is None:
            known.check_common(predicted, name)
            known = Classes(_sorted([*known.values, *known.others(predicted)]))
        else:
            known = Classes(checked_list(classes, "classes", "score", "classes"), declared=True)
        self.schema = self._labels.schema.with_classes(known.values)
        self._label_codes = known.codes(labels, name)
        if prediction is not None:
            given = _column(prediction, predicted, task, f"{name} (prediction)")
            self._prediction = _recoded(given, known.codes(predicted, f"{name} (prediction)"))
        self._check()

    def _check_numbers(self) -> None:
        """Take one number a record for the scores of a regression."""
        assert self._scores is not None
        if self._scores.shape not in ((self.n_records,), (self.n_records, 1)):
            what = "scores" if self.has_scores else "prediction"
            wanted = f"one number for each of the {self.n_records} labels"
            raise ParameterError(what, "score", wanted, self._scores.shape)
        self._scores = self._scores.reshape(-1, 1)

    def _check(self) -> None:
        for what, array in (("scores", self._scores), ("prediction", self._prediction)):
            if array is not None and len(array) != self.n_records:
                raise ParameterError(what, "score", f"one row for each of the {self.n_records} labels", array.shape)
        if self._scores is not None and self.schema.classes is not None:
            n_classes = self.schema.n_classes
            if self._scores.ndim != 2 or self._scores.shape[1] != n_classes:
                raise ParameterError(
                    "scores",
                    "score",
                    f"a matrix with one column for each of the {n_classes} classes ({listing(self.schema.classes)}); "
                    "say classes= if labels and predictions do not show them all",
                    self._scores.shape,
                )

    def pieces(self, size: int) -> Iterator[Predicted]:
        """Give out views of the arrays."""
        for chunk in self._labels.chunks(size):
            part = slice(chunk.start, chunk.start + len(chunk))
            if self.schema.classes is not None:
                chunk = replace(chunk, schema=self.schema, y=_recoded(chunk.y, self._label_codes))
            yield Predicted(
                chunk,
                None if self._scores is None else self._scores[part],
                None if self._prediction is None else self._prediction[part],
            )

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this source."""
        return {"learner": "predictions made elsewhere", "source": "arrays"}


class FilePredictions(Predictions):
    """A CSV or Parquet file with a label, and a prediction or one score a class, in every row.

    Labels, predictions and the names of score columns may be spelt differently: see ``Classes``.

    Parameters
    ----------
    path
        The file, or a directory of Parquet files. A class that has no column of scores in some of them scores 0 there.
    label, prediction
        Names of these columns. The prediction may be absent if there are scores.
    scores
        Which column holds the score of which class; by default, the columns named ``score_CLASS``. Of two classes, one
        column of probabilities will do.
    time, weight, id
        Names of these columns; by default those of that name, where there are any.
    task
        As for the readers.
    classes
        All classes in the order of their codes, if more are known than appear.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        label: str = "label",
        prediction: str | None = None,
        scores: Mapping[str, str] | None = None,
        time: str | None = None,
        weight: str | None = None,
        id: str | None = None,
        task: str = "auto",
        classes: Sequence[Label] | None = None,
    ) -> None:
        self.path = checked_path(path, "paths", "score_files")
        probe = self._read()
        if not isinstance(probe, CsvStream | ParquetStream):
            raise InputError(f"{path}: predictions are read from CSV or Parquet files.")
        names = probe.column_names
        self.name = unquote(self.path.name) if self.path.is_dir() else probe.name
        self._roles = {
            role: name or (role if role in names else None)
            for role, name in (("time", time), ("weight", weight), ("id", id))
        }
        self._prediction = prediction or ("prediction" if "prediction" in names else None)
        if scores is None:
            scores = {n.removeprefix(_SCORE): n for n in names if n.startswith(_SCORE)}
        self._columns = dict(scores)
        self.has_scores = bool(self._columns)
        if self._prediction is None and not self._columns:
            raise InputError(
                f"{path}: neither a column 'prediction' nor any 'score_CLASS'. The columns are: {listing(names)}. "
                "Say which column it is."
            )
        options: dict[str, Any] = {"target": label, **{k: v for k, v in self._roles.items() if v is not None}}
        used = {label, *self._columns.values(), *(v for v in (self._prediction, *self._roles.values()) if v)}
        options["ignore"] = [n for n in names if n not in used]
        if self._columns:
            task = "classification"
        if task == "auto":
            others = [n for n in names if n != label]
            task = self._read(target=label, ignore=others).schema.task
            if task == "classification" and self._prediction is not None and self._fractions(label, names):
                task = "regression"
        options["task"] = task
        if task == "classification" and self._prediction:
            options["nominal"] = [self._prediction]
        if self._columns:
            options["numeric"] = list(self._columns.values())
        self._stream = self._read(**options)
        self.n_records = self._stream.n_records
        self._settle(label, classes)

    def _fractions(self, label: str, names: Sequence[str]) -> bool:
        """Whether labels are whole numbers and predictions broken ones: then they are no names of classes."""
        assert self._prediction is not None
        try:
            labels = self._read(target=label, ignore=[n for n in names if n != label], task="regression")
            for _ in labels.chunks():
                pass
        except InputError:  # they are no numbers
            return False
        guess = self._read(target=self._prediction, ignore=[n for n in names if n != self._prediction])
        return guess.schema.task == "regression"

    def _read(self, **options: Any) -> Stream:
        return _Parts(self.path, **options) if self.path.is_dir() else read(self.path, **options)

    def _settle(self, label: str, classes: Sequence[Label] | None) -> None:
        """Bring labels, predictions and score columns to one list of classes."""
        found = self._stream.schema
        self._position = {f.name: j for j, f in enumerate(found.features)}
        if found.classes is None:
            self.schema = Schema((), None, label)
            self._label_codes = self._prediction_codes = np.empty(0, dtype=np.int64)
            return
        predicted: Sequence[Label] = ()
        if self._prediction is not None:
            predicted = found.features[self._position[self._prediction]].values or ()
        if classes is None:
            known = Classes(found.classes)
            known.check_common(self._columns, str(self.path))
            scored = Classes([*known.values, *self._columns])
            scored.check_common(predicted, str(self.path))
            known = Classes([*known.values, *_sorted(known.others([*self._columns, *predicted]))])
        else:
            known = Classes(checked_list(classes, "classes", "score_files", "classes"), declared=True)
        self.schema = Schema((), tuple(str(c) for c in known.values), label)
        self._label_codes = known.codes(found.classes, str(self.path))
        self._prediction_codes = known.codes(predicted, str(self.path))
        score_codes = known.codes(self._columns, str(self.path))
        positions = (self._position[column] for column in self._columns.values())
        self._score_codes = dict(zip(score_codes.tolist(), positions, strict=True))
        if len(self._score_codes) < len(self._columns):
            raise InputError(
                f"{self.path}: two columns hold the scores of one class: {listing(self._columns.values())}."
            )
        without = [c for i, c in enumerate(known.values) if i not in self._score_codes]
        self._complement = len(without) == 1 and len(known.values) == 2 and len(self._columns) == 1
        if self._columns and without and not self._complement:
            raise InputError(
                f"{self.path}: no scores for the classes {listing(without)}. One column of scores a class is needed, "
                "or for two classes one column of probabilities."
            )

    def pieces(self, size: int) -> Iterator[Predicted]:
        """Read the file, some rows at a time."""
        for chunk in self._stream.chunks(size):
            bare = replace(chunk, schema=self.schema, X=np.empty((len(chunk), 0)))
            if self.schema.classes is None:
                column = chunk.X[:, [self._position[self._prediction or ""]]]
                yield Predicted(bare, np.ascontiguousarray(column), None)
                continue
            labels = _recoded(chunk.y, self._label_codes)
            prediction = scores = None
            if self._prediction is not None:
                given = chunk.X[:, self._position[self._prediction]]
                codes = np.where(np.isnan(given), UNLABELLED, given).astype(np.int64)
                prediction = _recoded(codes, self._prediction_codes)
            if self._columns:
                scores = np.zeros((len(chunk), self.schema.n_classes))
                for code, position in self._score_codes.items():
                    scores[:, code] = chunk.X[:, position]
                    if self._complement:
                        scores[:, 1 - code] = 1 - self._probability(chunk, position)
            yield Predicted(replace(bare, y=labels), scores, prediction)

    def _probability(self, chunk: Chunk, position: int) -> FloatArray:
        """Return the only column of scores of two classes, which must then be a probability."""
        column: FloatArray = chunk.X[:, position]
        wrong = np.flatnonzero((column < 0) | (column > 1))
        if len(wrong):
            raise DataError(
                "not a probability",
                source=self.path,
                row=chunk.start + int(wrong[0]),
                row_kind="record",
                column=next(iter(self._columns.values())),
                value=float(column[wrong[0]]),
                accepted="a number from 0 to 1, or one column of scores for each of the two classes",
            )
        return column

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this source."""
        return {"learner": "predictions made elsewhere", "source": self._stream.describe()}


class _Parts(ParquetStream):
    """Predictions in parts, where a class that appeared late has a column of scores in the later parts only."""

    def _lacking(self, name: str) -> float | None:
        return 0.0 if name.startswith(_SCORE) else None


def _sorted(values: Sequence[Label]) -> Sequence[Label]:
    try:
        return in_order(values)
    except TypeError:  # text and numbers together
        return sorted(values, key=lambda v: (type(v).__name__, str(v)))


def _one_a_record(values: object) -> bool:
    """Whether something is several values in a row: text is one, a dictionary is none."""
    in_a_row = hasattr(values, "__len__") and not isinstance(values, str | bytes | Mapping)
    return in_a_row and getattr(values, "ndim", 1) == 1


def _matrix(scores: npt.ArrayLike) -> FloatArray:
    try:
        return np.ascontiguousarray(scores, dtype=np.float64)
    except NO_NUMBERS:
        raise ParameterError("scores", "score", "numbers, one row a record and one column a class", scores) from None


def _distinct(values: npt.ArrayLike) -> list[Label]:
    """Return the values there are; None and NaN are none."""
    raw: npt.NDArray[Any] = np.asarray(values, dtype=object) if isinstance(values, list | tuple) else np.asarray(values)
    found = dict.fromkeys(raw.ravel().tolist()) if raw.dtype.kind == "O" else np.unique(raw).tolist()
    return [v for v in found if isinstance(v, str) or str(v) not in ("None", "nan", "<NA>", "NaT")]


def _measured(values: Sequence[Label]) -> bool:
    """Whether labels are numbers to predict rather than the names of classes."""
    return _numeric(values) and not looks_like_classes(values)


def _numeric(values: Sequence[Label]) -> bool:
    return all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)


def _column(values: npt.ArrayLike, classes: Sequence[Label], task: str, name: str) -> Labels:
    """Return the codes of values in their own classes, or the numbers of a regression."""
    n = len(values)  # type: ignore[arg-type]  # as above
    # Where all are missing, there is no class: any will do.
    stream = from_arrays(np.empty((n, 0)), values, classes=classes or ("",), task=task, name=name)
    return np.concatenate(
        [
            np.empty(0, dtype=np.int64 if task == "classification" else np.float64),
            *(chunk.y for chunk in stream.chunks(max(1, n))),
        ]
    )


def _recoded(codes: IntArray, table: IntArray) -> IntArray:
    """Return codes of other classes, as the table says; what is missing stays so."""
    return np.append(table, UNLABELLED)[codes]  # the missing have code -1: the last
