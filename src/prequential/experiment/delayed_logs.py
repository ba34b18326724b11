"""Two logs of a deployed model, or of several: what was predicted, and the labels that came later.

Each log is a file or a table with a row an event, more or less in the order of time. Neither is ever held in memory
as a whole: both are read side by side, and what is held is what one of them is ahead of the other.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prequential.errors import DataError, InputError, checked_list, listing, suggestion
from prequential.experiment.settings import MOST_CLASSES
from prequential.experiment.spelling import Classes
from prequential.streams.merged import Timed, merged
from prequential.streams.readers.events import open_table
from prequential.streams.readers.identifier import ACCEPTED, all_whole, identifiers
from prequential.streams.readers.inference import in_order
from prequential.streams.readers.number import NotANumberError, first, numbers, seconds
from prequential.streams.readers.table_stream import TableStream
from prequential.streams.schema import Schema
from prequential.types import FloatArray, IntArray, Label

MOST_MODELS = 1000
_SCORE = "score_"
_MOST_TIME = 1e300
"""Times beyond it have differences that are no numbers."""
_NONE, _UNKNOWN = -1, -2


class UnseenClassWarning(UserWarning):
    """A class was predicted that no label has: it may be misspelt, in one log or the other."""


@dataclass(frozen=True, slots=True)
class Events:
    """Some consecutive events of both logs, in the order of their times.

    Parameters
    ----------
    known
        1 where the label of a record comes, 0 where something is predicted for it.
    time
        Seconds, or whatever the logs count in.
    id
        Whole numbers or text.
    code
        The class, predicted or true; -1 where the model gave none.
    model
        The number of the model that predicted; -1 for labels.
    """

    known: npt.NDArray[np.uint8]
    time: FloatArray
    id: npt.NDArray[Any]
    code: IntArray
    model: IntArray

    def __len__(self) -> int:
        return len(self.time)


class DelayedLogs:
    """Predictions and labels, tied together by the ids of the records.

    Parameters
    ----------
    predictions, labels
        Paths of CSV, Parquet or ARFF files (or directories of Parquet files), data frames or Arrow tables.
    id, time
        Columns of both logs. Ids are whole numbers or text; times are numbers, dates or text of dates.
    label
        The column of the labels.
    prediction, model
        Columns of the predictions; those of that name by default. Without a model, all predictions are of one.
    scores
        Which column has the scores of which class; by default the columns named ``score_CLASS``. Where there is no
        prediction, the highest score decides.
    classes
        All classes in the order of their codes; by default those that appear, sorted.
    disorder
        By how much an event may bear an earlier time than one before it in its log, and still be put in order.
    """

    def __init__(
        self,
        predictions: object,
        labels: object,
        *,
        id: str = "id",
        time: str = "time",
        label: str = "label",
        prediction: str | None = None,
        model: str | None = None,
        scores: Mapping[str, str] | None = None,
        classes: Sequence[Label] | None = None,
        disorder: float = 0.0,
    ) -> None:
        self._predictions = open_table(predictions, "predictions", "score_delayed")
        self._labels = open_table(labels, "labels", "score_delayed")
        self._disorder = float(disorder)
        names = self._predictions.column_names
        self._id, self._time, self._label = id, time, label
        self._prediction = _role(self._predictions, "prediction", prediction)
        self._model = _role(self._predictions, "model", model)
        if scores is None:
            scores = {n.removeprefix(_SCORE): n for n in names if n.startswith(_SCORE)}
        self._scores = dict(scores)
        if self._prediction is None and not self._scores:
            raise InputError(
                f"{self._predictions.source}: neither a column 'prediction' nor any 'score_CLASS'. "
                f"The columns are: {listing(names)}. Say which column it is."
            )
        for log, parts in (
            (self._predictions, {"id": id, "time": time, "scores": None}),
            (self._labels, {"id": id, "time": time, "label": label}),
        ):
            for part, name in parts.items():
                for column in self._scores.values() if name is None else (name,):
                    _check_column(log, part, column)
        self._whole = all_whole(log.column_type(id) for log in (self._predictions, self._labels))
        self.models, self._model_codes = self._find_models()
        self.schema = self._find_classes(classes)

    @property
    def name(self) -> str:
        """What the predictions are called."""
        return self._predictions.name

    @property
    def n_events(self) -> int | None:
        """The rows of both logs, where it is known without reading."""
        counts = [log.n_records for log in (self._predictions, self._labels)]
        return None if None in counts else sum(n for n in counts if n is not None)

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of these logs."""

        def told(log: TableStream) -> dict[str, object]:
            path = getattr(log, "path", None)
            return {"name": log.name, "n_records": log.n_records, "path": None if path is None else str(path)}

        return {
            "name": self.name,
            "n_records": self.n_events,
            "predictions": told(self._predictions),
            "labels": told(self._labels),
            "disorder": self._disorder,
        }

    def events(self, size: int) -> Iterator[Events]:
        """Read both logs side by side, some ``size`` rows at a time; at one time, predictions come before labels."""
        sources = (self._predicted(size), self._labelled(size))
        for source, rows in merged(*sources, disorder=self._disorder):
            yield Events(source.astype(np.uint8), rows.time, *rows.columns)

    def _predicted(self, size: int) -> Iterator[Timed]:
        for at, batch in self._rows(self._predictions, size, self._prediction, self._model, *self._scores.values()):
            yield from _up_to_fault(self._predictions_of, batch, at)

    def _labelled(self, size: int) -> Iterator[Timed]:
        for at, batch in self._rows(self._labels, size, self._label):
            yield from _up_to_fault(self._labels_of, batch, at)

    def _predictions_of(self, batch: pa.RecordBatch, at: int) -> Timed:
        log = self._predictions
        model = np.zeros(batch.num_rows, dtype=np.int64)
        if self._model is not None:
            model = self._coded(log, batch, at, self._model, self._model_codes, "the name of a model")
            missing = first(model == _NONE)
            if missing is not None:
                raise log.fault("no model", at + missing, self._model, None, "the name of a model in every row")
        if self._prediction is not None:
            code = self._coded(log, batch, at, self._prediction, self._prediction_codes, self._accepted)
        else:
            code = self._highest(batch, at)
        return Timed(self._clock(log, batch, at), (self._ids(log, batch, at), code, model))

    def _labels_of(self, batch: pa.RecordBatch, at: int) -> Timed:
        log = self._labels
        code = self._coded(log, batch, at, self._label, self._label_codes, self._accepted)
        missing = first(code == _NONE)
        if missing is not None:
            accepted = "a label in every row; leave out the rows of labels that are not known yet"
            raise log.fault("no label", at + missing, self._label, None, accepted)
        model = np.full(batch.num_rows, -1, dtype=np.int64)
        return Timed(self._clock(log, batch, at), (self._ids(log, batch, at), code, model))

    def _rows(self, log: TableStream, size: int, *names: str | None) -> Iterator[tuple[int, pa.RecordBatch]]:
        wanted = list(dict.fromkeys(n for n in (self._id, self._time, *names) if n is not None))
        for start, batch in log.raw(wanted):
            for at in range(0, batch.num_rows, size):
                yield start + at, batch.slice(at, size)

    def _clock(self, log: TableStream, batch: pa.RecordBatch, start: int) -> FloatArray:
        column = batch.column(self._time)
        accepted = "a number of seconds or a date such as 2024-05-01 12:30:00"
        try:
            values = seconds(column)
        except NotANumberError as error:
            raise log.fault("not a time", start + error.at, self._time, error.value, accepted) from None
        at = first(~(np.abs(values) <= _MOST_TIME))
        if at is not None:
            raise log.fault("no time", start + at, self._time, column[at].as_py(), accepted)
        return values

    def _ids(self, log: TableStream, batch: pa.RecordBatch, start: int) -> npt.NDArray[Any]:
        try:
            return identifiers(batch.column(self._id), whole=self._whole, trim=log.trim)
        except NotANumberError as error:
            problem = "no id" if error.value is None else "not an id"
            raise log.fault(problem, start + error.at, self._id, error.value, ACCEPTED) from None

    def _coded(
        self, log: TableStream, batch: pa.RecordBatch, start: int, name: str, codes: Mapping[Any, int], accepted: str
    ) -> IntArray:
        """Return the codes of a column's values, -1 where one is missing."""
        column = batch.column(name)
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        values = column.dictionary.to_pylist()
        table = np.array([*(_NONE if _missing(v) else codes.get(v, _UNKNOWN) for v in values), _NONE])
        indices = column.indices.fill_null(len(values)) if column.null_count else column.indices
        found: IntArray = table[indices.to_numpy(zero_copy_only=False)]
        at = first(found == _UNKNOWN)
        if at is not None:
            raise log.fault("not a class", start + at, name, column[at].as_py(), accepted)
        return found

    def _highest(self, batch: pa.RecordBatch, start: int) -> IntArray:
        """Return the class of the highest score, the first of several; -1 where no score is above 0, or one is none."""
        scores = np.zeros((batch.num_rows, self.schema.n_classes))
        for code, name in self._score_columns.items():
            column = batch.column(name)
            try:
                scores[:, code] = numbers(column)
            except NotANumberError as error:
                raise self._predictions.fault(
                    "not a score", start + error.at, name, error.value, "a number of at least 0"
                ) from None
            wrong = first(scores[:, code] < 0) if not self._complement else first(np.abs(scores[:, code] - 0.5) > 0.5)
            if wrong is not None:
                accepted = "a number from 0 to 1" if self._complement else "a number of at least 0"
                raise self._predictions.fault("not a score", start + wrong, name, column[wrong].as_py(), accepted)
            if self._complement:
                scores[:, 1 - code] = 1 - scores[:, code]
        usable = np.isfinite(scores).all(axis=1) & (scores > 0).any(axis=1)
        return np.where(usable, scores.argmax(axis=1), _NONE)

    def _find_models(self) -> tuple[list[str], dict[Any, int]]:
        if self._model is None:
            return [self.name], {}
        found = _distinct(self._predictions, self._model, MOST_MODELS, "a column with the names of a few models")
        if not found:
            raise DataError("no model at all", source=self._predictions.source, column=self._model)
        names = Classes(sorted({str(value).strip() for value in found}))
        codes = names.codes(found, self._predictions.source)
        return [str(name) for name in names.values], dict(zip(found, codes.tolist(), strict=True))

    def _remark(self, unseen: Sequence[Label], labels: Classes) -> None:
        """Say that some predictions cannot be right: a class may be misspelt."""
        if unseen:
            near = suggestion(str(unseen[0]), [str(label) for label in labels.values])
            warnings.warn(
                f"{self._predictions.source}: predicted, but not once a label: {listing(unseen)}.{near} "
                f"The labels are: {listing(labels.values)}.",
                UnseenClassWarning,
                stacklevel=5,
            )

    def _find_classes(self, declared: Sequence[Label] | None) -> Schema:
        """Bring labels, predictions and score columns to one list of classes."""
        source = self._predictions.source
        labels = _classes(self._labels, self._label)
        predicted = [] if self._prediction is None else _classes(self._predictions, self._prediction)
        given = [*predicted, *self._scores]
        if declared is None:
            known = Classes(labels)
            known.check_common(given, source)
            self._remark(known.others(map(_trimmed, predicted)), known)
            known = Classes(_sorted([*known.values, *known.others(map(_trimmed, given))]))
        else:
            known = Classes(checked_list(declared, "classes", "score_delayed", "classes"), declared=True)
        if not known.values:
            raise DataError("no label at all", source=self._labels.source, column=self._label)
        self._accepted = listing(known.values)
        self._label_codes, self._prediction_codes = _by_value(known, labels), _by_value(known, predicted)
        scored = known.codes(self._scores, source)
        self._score_columns = dict(zip(scored.tolist(), self._scores.values(), strict=True))
        without = [c for i, c in enumerate(known.values) if i not in self._score_columns]
        self._complement = len(known.values) == 2 and len(self._scores) == 1
        if self._prediction is None and without and not self._complement:
            raise InputError(
                f"{source}: no scores for the classes {listing(without)}. One column of scores a class is needed, "
                "or for two classes one column of probabilities."
            )
        if len(self._score_columns) < len(self._scores):
            raise InputError(f"{source}: two columns hold the scores of one class: {listing(self._scores.values())}.")
        return Schema((), tuple(str(c) for c in known.values), self._label)


def _up_to_fault(decode: Callable[[pa.RecordBatch, int], Timed], batch: pa.RecordBatch, at: int) -> Iterator[Timed]:
    """Give the rows of a batch; where one is at fault, those before it, found by halving, and then its fault."""
    try:
        rows = decode(batch, at)
    except DataError:
        if batch.num_rows < 2:
            raise
        half = batch.num_rows // 2
        yield from _up_to_fault(decode, batch.slice(0, half), at)
        yield from _up_to_fault(decode, batch.slice(half), at + half)
    else:
        yield rows


def _role(log: TableStream, part: str, named: str | None) -> str | None:
    """Return the column for a part: the one that is named, else the one of that name, if there is one."""
    if named is not None:
        _check_column(log, part, named)
        return named
    return part if part in log.column_names else None


def _check_column(log: TableStream, part: str, name: str) -> None:
    names = log.column_names
    if name not in names:
        raise InputError(
            f"{log.source}: there is no column {name!r} ({part}=).{suggestion(name, names)} "
            f"The columns are: {listing(names)}."
        )


def _distinct(log: TableStream, name: str, most: int, accepted: str) -> list[Any]:
    """Return the values of a column, each once."""
    kind = log.column_type(name)
    if pa.types.is_nested(kind) or pa.types.is_binary(kind):
        raise DataError(f"a column of type {kind}", source=log.source, column=name, accepted=accepted)
    found: dict[Any, None] = {}
    for _, batch in log.raw([name]):
        found.update(dict.fromkeys(v for v in pc.unique(batch.column(name)).to_pylist() if not _missing(v)))
        if len(found) > most:
            raise DataError(f"more than {most:,} distinct values", source=log.source, column=name, accepted=accepted)
    return list(found)


def _classes(log: TableStream, name: str) -> list[Label]:
    """Return the classes in a column; refuse numbers that measure something."""
    accepted = "classes: text, truth values or whole numbers; scores go into columns named score_CLASS"
    found: list[Label] = _distinct(log, name, MOST_CLASSES, accepted)
    fractions = [v for v in found if isinstance(v, float) and not v.is_integer()]
    if fractions:
        raise DataError("not a class", source=log.source, column=name, value=fractions[0], accepted=accepted)
    return found


def _by_value(known: Classes, values: Iterable[Label]) -> dict[Label, int]:
    return {value: code for value in values if (code := known.code(value)) is not None}


def _missing(value: object) -> bool:
    return value is None or value != value


def _trimmed(value: Label) -> Label:
    return value.strip() if isinstance(value, str) else value


def _sorted(values: Iterable[Label]) -> Sequence[Label]:
    values = [_trimmed(value) for value in values]
    try:
        return in_order(values)
    except TypeError:  # text and numbers together
        return sorted(values, key=lambda v: (type(v).__name__, str(v)))
