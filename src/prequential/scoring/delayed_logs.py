"""Two logs of one deployed model or several: predictions, and the labels that arrived later.

Each log is a file or a table with one row per event, roughly in order of time. Both logs are read in parallel; only
the events by which one log is ahead of the other are in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prequential.arguments import checked_list
from prequential.errors import DataError, InputError
from prequential.evaluation.settings import MOST_CLASSES
from prequential.scoring.logged import LoggedEvents
from prequential.scoring.logged_scores import highest, logged_scores
from prequential.scoring.time_scale import TimeScale
from prequential.streams.chunk import UNLABELLED
from prequential.streams.merged import Timed, merged
from prequential.streams.readers.events import open_table
from prequential.streams.readers.identifier import ACCEPTED, all_whole, identifiers
from prequential.streams.readers.inference import in_order
from prequential.streams.readers.number import NotANumberError, first, seconds
from prequential.streams.readers.table_stream import TableStream
from prequential.streams.schema import Schema
from prequential.streams.spelling import Classes
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.types import FloatArray, IntArray, Label
from prequential.user_warning import warn_user
from prequential.wording import listing, suggestion

MOST_MODELS = 1000
_SCORE = "score_"
_MOST_TIME = 1e300
"""Largest time; the difference of two larger ones could overflow."""
_NONE, _UNKNOWN = -1, -2


class UnseenClassWarning(UserWarning):
    """A class was predicted but is never a label; it may be misspelt in one of the logs.

    Examples
    --------
    >>> import warnings
    >>> import prequential as pq
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", pq.UnseenClassWarning)  # an error instead of a warning
    """


class DelayedLogs(Stream):
    """A stream of events from two logs: predictions and labels, tied together by the ids of the records.

    Parameters
    ----------
    predictions, labels
        Paths of CSV, JSON Lines, Parquet or ARFF files (or lists, directories or patterns of several), data frames or
        Arrow tables.
    id, time
        Columns of both logs. Ids are whole numbers or text; times are numbers, dates or text of dates.
    label
        Column of the labels.
    prediction, model
        Columns of the predictions; by default those with these names, if they exist. Without a column for the model,
        all predictions are of one model.
    scores
        Columns with the scores, by class; by default the columns named ``score_CLASS``. Without a prediction, the class
        with the highest score is predicted.
    classes
        All classes in the order of their codes; by default those that appear, sorted.
    disorder
        Largest time by which events of a log may be out of order and are still sorted.
    """

    events = True
    keeps_scores = False
    """Whether chunks have the scores of predictions, which metrics such as AUC need."""

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
        self._scale = TimeScale()
        """The first time that was read, and whether it is a date."""
        names = self._predictions.column_names
        self._id, self._time, self._label = id, time, label
        self._prediction = _role(self._predictions, "prediction", prediction)
        self._model = _role(self._predictions, "model", model)
        if scores is None:
            scores = {n.removeprefix(_SCORE): n for n in names if n.startswith(_SCORE)}
        self._scores = dict(scores)
        if self._prediction is None and not self._scores:
            raise InputError(
                f"{self._predictions.source} has no column 'prediction' and no 'score_CLASS'. Name one with "
                f"prediction= (--prediction) or scores= (--score CLASS=COLUMN). Its columns: {listing(names)}."
            )
        for log, roles in (
            (self._predictions, {"id": id, "time": time, "scores": None}),
            (self._labels, {"id": id, "time": time, "label": label}),
        ):
            for role, name in roles.items():
                for column in self._scores.values() if name is None else (name,):
                    _check_column(log, role, column)
        self._whole = all_whole(log.column_type(id) for log in (self._predictions, self._labels))
        self.name = self._predictions.name
        counts = [log.n_records for log in (self._predictions, self._labels)]
        self.n_records = None if None in counts else sum(n for n in counts if n is not None)
        self.models, self._model_codes = self._find_models()
        self._schema = self._find_classes(classes)

    @property
    def n_counted(self) -> int | None:
        """Number of labels, if known without reading."""
        return self._labels.n_records

    @property
    def schema(self) -> Schema:
        """The target and the classes; there are no features."""
        return self._schema

    def describe(self) -> dict[str, Any]:
        """Return the entry of the manifest."""

        def described(log: TableStream) -> dict[str, object]:
            path = getattr(log, "path", None)
            size = None if path is None or not path.is_file() else path.stat().st_size
            return {"name": log.name, "n_records": log.n_records, "path": str(path or ""), "size_bytes": size}

        return {
            "name": self.name,
            "n_records": self.n_records,
            "predictions": described(self._predictions),
            "labels": described(self._labels),
            "disorder": self._disorder,
            "columns": {
                "id": self._id,
                "time": self._time,
                "label": self._label,
                "prediction": self._prediction,
                "model": self._model,
                "scores": self._scores,
            },
        }

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[LoggedEvents]:
        """Read both logs in order of time, about ``size`` rows at once; at equal times, predictions precede labels."""
        sources = (self._predicted(size), self._labelled(size))
        at, self._scale = 0, TimeScale()
        for source, rows in merged(*sources, disorder=self._disorder):
            ids, code, model, *rest = rows.columns
            scores = rest[0] if rest else None
            label = np.where(source == 1, code, UNLABELLED)
            events = LoggedEvents(
                self._schema, at, np.empty((len(label), 0)), label, rows.time, None, ids, code, model, scores
            )
            at += len(events)
            if at > start:
                yield events[max(0, start - events.start) :]

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
            code = highest(self._scores_of(batch, at))
        scores = (self._scores_of(batch, at),) if self.keeps_scores else ()
        return Timed(self._clock(log, batch, at), (self._ids(log, batch, at), code, model, *scores))

    def _labels_of(self, batch: pa.RecordBatch, at: int) -> Timed:
        log = self._labels
        code = self._coded(log, batch, at, self._label, self._label_codes, self._accepted)
        missing = first(code == _NONE)
        if missing is not None:
            accepted = "a label in every row; leave out the rows of labels that are not known yet"
            raise log.fault("no label", at + missing, self._label, None, accepted)
        model = np.full(batch.num_rows, -1, dtype=np.int64)
        scores = (np.zeros((batch.num_rows, self.schema.n_classes)),) if self.keeps_scores else ()
        return Timed(self._clock(log, batch, at), (self._ids(log, batch, at), code, model, *scores))

    def _scores_of(self, batch: pa.RecordBatch, at: int) -> FloatArray:
        columns, n_classes = self._score_columns, self.schema.n_classes
        return logged_scores(batch, at, self._predictions, columns, n_classes, complement=self._complement)

    def _rows(self, log: TableStream, size: int, *names: str | None) -> Iterator[tuple[int, pa.RecordBatch]]:
        columns = list(dict.fromkeys(n for n in (self._id, self._time, *names) if n is not None))
        for start, batch in log.raw(columns):
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
        self._scale.check(log, self._time, values, column, start)
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
        """Return the codes of the values of a column; -1 if a value is missing."""
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

    def keep_scores(self, metrics: Sequence[str]) -> None:
        """Keep the scores of predictions, which these metrics need; raise an error if a class has none."""
        source, classes = self._predictions.source, self.schema.classes or ()
        without = [c for i, c in enumerate(classes) if i not in self._score_columns]
        if without and not self._complement:
            raise InputError(
                f"{source}: {listing(metrics)} needs one score per class; there is none of {listing(without)}: "
                "scores=… (--score CLASS=COLUMN)."
            )
        self.keeps_scores = True

    def _find_models(self) -> tuple[list[str], dict[Any, int]]:
        if self._model is None:
            return [self.name], {}
        found = _distinct(self._predictions, self._model, MOST_MODELS, "a column with the names of a few models")
        if not found:
            raise DataError("no row has a model", source=self._predictions.source, column=self._model)
        names = Classes(sorted({str(value).strip() for value in found}))
        codes = names.codes(found, self._predictions.source)
        return [str(name) for name in names.values], dict(zip(found, codes.tolist(), strict=True))

    def _warn_unseen(self, unseen: Sequence[Label], labels: Classes) -> None:
        """Warn of predicted classes that are never labels; they may be misspelt."""
        if unseen:
            near = suggestion(str(unseen[0]), [str(label) for label in labels.values])
            warn_user(
                f"{self._predictions.source}: predicted but never a label: {listing(unseen)}.{near} "
                f"The labels are: {listing(labels.values)}.",
                UnseenClassWarning,
            )

    def _find_classes(self, declared: Sequence[Label] | None) -> Schema:
        """Find the classes of labels, predictions and score columns, and their codes."""
        source = self._predictions.source
        labels = _classes(self._labels, self._label)
        predicted = [] if self._prediction is None else _classes(self._predictions, self._prediction)
        given = [*predicted, *self._scores]
        if declared is None:
            known = Classes(labels)
            known.check_common(given, source)
            self._warn_unseen(known.others(map(_trimmed, predicted)), known)
            known = Classes(_sorted([*known.values, *known.others(map(_trimmed, given))]))
        else:
            known = Classes(checked_list(declared, "classes", "score_delayed", "classes"), declared=True)
        if not known.values:
            raise DataError("no row has a label", source=self._labels.source, column=self._label)
        self._accepted = listing(known.values)
        self._label_codes, self._prediction_codes = _by_value(known, labels), _by_value(known, predicted)
        scored = known.codes(self._scores, source)
        self._score_columns = dict(zip(scored.tolist(), self._scores.values(), strict=True))
        without = [c for i, c in enumerate(known.values) if i not in self._score_columns]
        self._complement = len(known.values) == 2 and len(self._scores) == 1
        if self._prediction is None and without and not self._complement:
            raise InputError(
                f"{source}: no scores for the classes {listing(without)}. Accepted: one column of scores per class, "
                "or for two classes one column of probabilities."
            )
        if len(self._score_columns) < len(self._scores):
            raise InputError(f"{source}: two columns have the scores of one class: {listing(self._scores.values())}.")
        return Schema((), tuple(str(c) for c in known.values), self._label)


def _up_to_fault(decode: Callable[[pa.RecordBatch, int], Timed], batch: pa.RecordBatch, at: int) -> Iterator[Timed]:
    """Yield the rows of a batch; if one has a fault, yield those before it, found by halving, and raise the error."""
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


def _role(log: TableStream, role: str, column: str | None) -> str | None:
    """Return the column for a role: the given one, or by default the one with the name of the role, if it exists."""
    if column is not None:
        _check_column(log, role, column)
        return column
    return role if role in log.column_names else None


def _check_column(log: TableStream, role: str, name: str) -> None:
    names = log.column_names
    if name not in names:
        raise InputError(
            f"{log.source} has no column {name!r} for {role} (--{'score' if role == 'scores' else role})."
            f"{suggestion(name, names)} Its columns: {listing(names)}."
        )


def _distinct(log: TableStream, name: str, most: int, accepted: str) -> list[Any]:
    """Return the distinct values of a column."""
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
    """Return the classes in a column; raise an error for fractions, which are not classes."""
    accepted = "classes: text, booleans or whole numbers; scores go into columns named score_CLASS"
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
    except TypeError:  # a mix of text and numbers
        return sorted(values, key=lambda v: (type(v).__name__, str(v)))
