"""Files of predictions that were made elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from prequential.arguments import checked_list, checked_path
from prequential.errors import DataError, InputError
from prequential.scoring.predicted import Predicted
from prequential.scoring.predictions import Predictions, recoded, sorted_classes
from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.readers import ArffStream, ParquetStream, read
from prequential.streams.readers.table_stream import TableStream
from prequential.streams.schema import Schema
from prequential.streams.spelling import Classes
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.types import FloatArray, Label
from prequential.wording import listing, suggestion

_SCORE = "score_"
"""Prefix of the columns with scores, before the class."""


class FilePredictions(Predictions):
    """A CSV, JSON Lines or Parquet file whose rows have a label, and a prediction or one score per class.

    Labels, predictions and the names of score columns may be spelt differently: see ``Classes``.

    Parameters
    ----------
    path
        The file; or several, as in ``pq.read``: a list, a directory, a pattern. In a directory of Parquet files, a
        class without a column of scores in some of them scores 0 there.
    name
        The name of the learner; by default that of the file.
    label, prediction
        Columns with the label and the prediction. The prediction may be missing if there are scores.
    scores
        Columns with the scores, by class; by default the columns named ``score_CLASS``. For two classes, one column of
        probabilities is enough.
    time, weight, id
        Columns with the time, weight and id; by default those with these names, if they exist.
    task
        As in the readers.
    classes
        All classes in the order of their codes; by default those that appear.
    """

    where_scores = "scores=… (--score CLASS=COLUMN)"

    def __init__(
        self,
        path: str | Path | Sequence[str | Path],
        *,
        name: str | None = None,
        label: str = "label",
        prediction: str | None = None,
        scores: Mapping[str, str] | None = None,
        time: str | None = None,
        weight: str | None = None,
        id: str | None = None,
        task: str = "auto",
        classes: Sequence[Label] | None = None,
    ) -> None:
        several = [checked_path(one, "y_true", "score") for one in (path if isinstance(path, list | tuple) else [path])]
        self.path = several if len(several) != 1 else several[0]
        probe = self._read()
        if isinstance(probe, ArffStream) or not isinstance(probe, TableStream):
            raise InputError(f"{path}: predictions can only be read from CSV, JSON Lines or Parquet files.")
        names = probe.column_names
        own = unquote(self.path.name) if isinstance(self.path, Path) and self.path.is_dir() else probe.name
        self._roles = {
            role: column or (role if role in names else None)
            for role, column in (("time", time), ("weight", weight), ("id", id))
        }
        self._prediction = prediction or ("prediction" if "prediction" in names else None)
        if scores is None:
            scores = {n.removeprefix(_SCORE): n for n in names if n.startswith(_SCORE)}
        self._columns = dict(scores)
        self.rename(own if name is None else str(name))
        if self._prediction is None and not self._columns:
            raise InputError(
                f"{path} has no column 'prediction' and no 'score_CLASS'. Name one with prediction= (--prediction) or "
                f"scores= (--score CLASS=COLUMN). Its columns: {listing(names)}."
            )
        self._check_columns(label, names)
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
        self._unify_classes(label, classes)

    def rename(self, name: str) -> None:
        """Give the learner another name."""
        self.name, self.learners = name, (name,)
        self.unscored = () if self._columns else (name,)

    def _check_columns(self, label: str, names: Sequence[str]) -> None:
        """Raise an error for a column that does not exist or is given for two roles."""
        options = [("label", label), ("prediction", self._prediction), *self._roles.items()]
        given = [(f"{role} (--{role})", column) for role, column in options if column is not None]
        given += [("scores (--score)", column) for column in dict.fromkeys(self._columns.values())]
        for role, column in given:
            if column not in names:
                raise InputError(
                    f"{self.path} has no column {column!r} for {role}.{suggestion(column, names)} "
                    f"Its columns: {listing(names)}."
                )
            roles = [one for one, other in given if other == column]
            if len(roles) > 1:
                raise InputError(f"{self.path}: column {column!r} has more than one role: {' and '.join(roles)}.")

    def _fractions(self, label: str, names: Sequence[str]) -> bool:
        """Return whether labels are whole numbers and predictions are not: then the task is regression."""
        assert self._prediction is not None
        try:
            labels = self._read(target=label, ignore=[n for n in names if n != label], task="regression")
            for _ in labels.chunks():
                pass
        except InputError:  # labels are not numbers
            return False
        guess = self._read(target=self._prediction, ignore=[n for n in names if n != self._prediction])
        return guess.schema.task == "regression"

    def _read(self, **options: Any) -> Stream:
        if isinstance(self.path, Path) and self.path.is_dir() and any(self.path.glob("*.parquet")):
            return _Parts(self.path, **options)
        return read(self.path, **options)

    def _unify_classes(self, label: str, classes: Sequence[Label] | None) -> None:
        """Find the classes of labels, predictions and score columns, and their codes."""
        found = self._stream.schema
        self._position = {f.name: j for j, f in enumerate(found.features)}
        if found.classes is None:
            self._schema = Schema((), None, label)
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
            known = Classes([*known.values, *sorted_classes(known.others([*self._columns, *predicted]))])
        else:
            known = Classes(checked_list(classes, "classes", "score", "classes"), declared=True)
        self._schema = Schema((), tuple(str(c) for c in known.values), label)
        self._label_codes = known.codes(found.classes, str(self.path))
        self._prediction_codes = known.codes(predicted, str(self.path))
        score_codes = known.codes(self._columns, str(self.path))
        positions = (self._position[column] for column in self._columns.values())
        self._score_codes = dict(zip(score_codes.tolist(), positions, strict=True))
        if len(self._score_codes) < len(self._columns):
            raise InputError(
                f"{self.path}: two columns have the scores of one class: {listing(self._columns.values())}."
            )
        without = [c for i, c in enumerate(known.values) if i not in self._score_codes]
        self._complement = len(without) == 1 and len(known.values) == 2 and len(self._columns) == 1
        if self._columns and without and not self._complement:
            raise InputError(
                f"{self.path}: no scores for the classes {listing(without)}. Accepted: one column of scores per class, "
                "or for two classes one column of probabilities."
            )

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Predicted]:
        """Read from row ``start`` on, in chunks of ``size`` rows."""
        for chunk in self._stream.chunks(size, start):
            if self.schema.classes is None:
                column = chunk.X[:, [self._position[self._prediction or ""]]]
                yield self._predicted(chunk, chunk.y, {self.name: np.ascontiguousarray(column)}, {})
                continue
            labels = recoded(chunk.y, self._label_codes)
            prediction, scores = {}, {}
            if self._prediction is not None:
                given = chunk.X[:, self._position[self._prediction]]
                codes = np.where(np.isnan(given), UNLABELLED, given).astype(np.int64)
                prediction[self.name] = recoded(codes, self._prediction_codes)
            if self._columns:
                matrix = scores[self.name] = np.zeros((len(chunk), self.schema.n_classes))
                for code, position in self._score_codes.items():
                    matrix[:, code] = chunk.X[:, position]
                    if self._complement:
                        matrix[:, 1 - code] = 1 - self._probability(chunk, position)
            yield self._predicted(chunk, labels, scores, prediction)

    def _probability(self, chunk: Chunk, position: int) -> FloatArray:
        """Return the only column of scores of two classes, which must have probabilities."""
        column: FloatArray = chunk.X[:, position]
        wrong = np.flatnonzero((column < 0) | (column > 1))
        if len(wrong):
            raise DataError(
                "not a probability",
                source=str(self.path),
                row=chunk.start + int(wrong[0]),
                row_kind="record",
                column=next(iter(self._columns.values())),
                value=float(column[wrong[0]]),
                accepted="a number from 0 to 1, or one column of scores for each of the two classes",
            )
        return column

    def descriptions(self) -> dict[str, dict[str, Any]]:
        """Return the entry of the learner in the manifest."""
        columns = {"prediction": self._prediction, "scores": self._columns, **self._roles}
        source = self._stream.describe()
        return {self.name: {"learner": "predictions made elsewhere", "source": source, "columns": columns}}


class _Parts(ParquetStream):
    """A directory of Parquet files, of which the first may lack the column of scores of a class that appeared late."""

    def _lacking(self, name: str) -> float | None:
        return 0.0 if name.startswith(_SCORE) else None
