"""Predictions made elsewhere, in any language: from arrays, or from files of a label and prediction a row."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.errors import InputError, ParameterError, listing
from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.readers import CsvStream, ParquetStream, from_arrays, read
from prequential.streams.readers.inference import in_order
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream
from prequential.types import FloatArray, IntArray, Label, Labels


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
        id: npt.ArrayLike | None,  # noqa: A002
        task: str,
        name: str,
    ) -> None:
        if prediction is None and scores is None:
            raise ParameterError("prediction", "score", "given, or else 'scores'", None)
        labels = np.asarray(y)
        nothing = np.empty((len(labels), 0))
        extra = {"weight": weight, "time": time, "id": id}
        self.name = name
        if classes is None and task != "regression":
            found = from_arrays(nothing, labels, task=task).schema
            if found.classes is not None:
                known = set(found.classes)
                if prediction is not None:
                    known |= set(from_arrays(nothing, prediction, task="classification").schema.classes or ())
                classes = in_order(known)
        task = "regression" if classes is None else "classification"
        self._labels = from_arrays(nothing, labels, classes=classes, task=task, name=name, **extra)  # type: ignore[arg-type]
        self.schema = self._labels.schema
        self.n_records = len(labels)
        self.has_scores = scores is not None
        self._scores = None if scores is None else np.ascontiguousarray(scores, dtype=np.float64)
        self._prediction: Labels | None = None
        if prediction is not None:
            coded = from_arrays(nothing, prediction, classes=classes, task=task, name=f"{name} (prediction)")
            self._prediction = next(coded.chunks(max(1, len(labels))), _empty(coded)).y
        if task == "regression":
            numbers = self._prediction if self._scores is None else self._scores
            self._scores = np.ascontiguousarray(numbers, dtype=np.float64).reshape(-1, 1)
            self._prediction = None
        self._check()

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

    Parameters
    ----------
    path
        The file.
    label, prediction
        Names of these columns. The prediction may be absent if there are scores.
    scores
        Which column holds the score of which class; by default, the columns named ``score_CLASS``.
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
        id: str | None = None,  # noqa: A002
        task: str = "auto",
        classes: Sequence[Label] | None = None,
    ) -> None:
        self.path = Path(path)
        probe = read(self.path)
        if not isinstance(probe, CsvStream | ParquetStream):
            raise InputError(f"{path}: predictions are read from CSV or Parquet files.")
        names = probe.column_names
        self.name = probe.name
        self._roles = {
            role: name or (role if role in names else None)
            for role, name in (("time", time), ("weight", weight), ("id", id))
        }
        self._prediction = prediction or ("prediction" if "prediction" in names else None)
        if scores is None:
            scores = {n.removeprefix("score_"): n for n in names if n.startswith("score_")}
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
            task = read(self.path, target=label, ignore=others).schema.task
        options["task"] = task
        if task == "classification" and self._prediction:
            options["nominal"] = [self._prediction]
        if self._columns:
            options["numeric"] = list(self._columns.values())
        self._stream = read(self.path, **options)
        self.n_records = self._stream.n_records
        self._settle(label, classes)

    def _settle(self, label: str, classes: Sequence[Label] | None) -> None:
        """Bring labels, predictions and score columns to one list of classes."""
        found = self._stream.schema
        self._position = {f.name: j for j, f in enumerate(found.features)}
        if found.classes is None:
            self.schema = Schema((), None, label)
            self._label_codes = self._prediction_codes = np.empty(0, dtype=np.int64)
            return
        labels = [str(c) for c in found.classes]
        predicted: list[str] = []
        if self._prediction is not None:
            predicted = [str(v) for v in found.features[self._position[self._prediction]].values or ()]
        if classes is None:
            rest = [c for c in in_order({*predicted, *self._columns}) if c not in labels]
            known = [*labels, *rest]
        else:
            known = [str(c) for c in classes]
            for value in [*labels, *predicted, *self._columns]:
                if value not in known:
                    raise InputError(f"{self.path}: {value!r} is not among the classes. Accepted: {listing(known)}.")
        code = {c: i for i, c in enumerate(known)}
        self.schema = Schema((), tuple(known), label)
        self._label_codes = np.array([code[c] for c in labels], dtype=np.int64)
        self._prediction_codes = np.array([code[c] for c in predicted], dtype=np.int64)
        self._score_codes = {code[c]: self._position[column] for c, column in self._columns.items()}

    def pieces(self, size: int) -> Iterator[Predicted]:
        """Read the file, some rows at a time."""
        for chunk in self._stream.chunks(size):
            bare = replace(chunk, schema=self.schema, X=np.empty((len(chunk), 0)))
            if self.schema.classes is None:
                column = chunk.X[:, [self._position[self._prediction or ""]]]
                yield Predicted(bare, np.ascontiguousarray(column), None)
                continue
            labels = np.where(chunk.y == UNLABELLED, UNLABELLED, self._label_codes[chunk.y])
            prediction = scores = None
            if self._prediction is not None:
                given = chunk.X[:, self._position[self._prediction]]
                codes = np.where(np.isnan(given), 0, given).astype(np.int64)
                prediction = np.where(np.isnan(given), UNLABELLED, self._prediction_codes[codes])
            if self._columns:
                scores = np.zeros((len(chunk), self.schema.n_classes))
                for code, position in self._score_codes.items():
                    scores[:, code] = chunk.X[:, position]
            yield Predicted(replace(bare, y=labels), scores, prediction)

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this source."""
        return {"learner": "predictions made elsewhere", "source": self._stream.describe()}


def _empty(stream: Stream) -> Chunk:
    return Chunk(stream.schema, 0, np.empty((0, 0)), np.empty(0, dtype=np.int64))
