"""The records that a loop passes to the live scorer, as chunks: single records or arrays, and classes as they appear.

The same records give the same numbers, however they are cut into calls.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from prequential.errors import DataError, ParameterError
from prequential.evaluation.settings import check_classes
from prequential.scoring.label_codes import Appearances, LabelCodes, appearances
from prequential.streams.chunk import Chunk
from prequential.streams.readers import from_arrays
from prequential.streams.readers.arrays import NO_NUMBERS
from prequential.streams.schema import Schema
from prequential.types import FloatArray, IntArray, Label
from prequential.wording import listing

CALLER = "Scorer.update"
Rows: TypeAlias = list[dict[Label, float]]
"""One score by class for each record."""


@dataclass(frozen=True, slots=True)
class LiveChunk:
    """Records of one call: with the scores or predictions, or with one score per record instead."""

    records: Chunk
    scores: FloatArray | None = None
    prediction: IntArray | None = None
    margins: FloatArray | None = None


class LiveRecords:
    """Turns the arguments of each call into chunks.

    Parameters
    ----------
    schema
        The declared classes; if it is open, classes get their codes in order of appearance.
    positive_code
        The class whose score a record has, if there are two classes and each record has one score.
    margins
        Whether a single score may be any number, because only the order of scores counts.
    """

    def __init__(self, schema: Schema, *, positive_code: int, margins: bool) -> None:
        self._declared = schema
        self.positive_code, self.margins = positive_code, margins
        self.last_time = -math.inf
        self.labels = LabelCodes(schema.classes or (), open=schema.open, caller=CALLER)

    @property
    def schema(self) -> Schema:
        """The schema with the classes so far."""
        return self._declared if self._declared.classes is None else self._declared.with_classes(self.labels.classes)

    def restore(self, classes: Sequence[Label], last_time: float) -> None:
        """Continue with these classes, after this time."""
        self.labels = LabelCodes(classes, open=self._declared.open, caller=CALLER)
        self.last_time = last_time

    def chunks(self, y: Any, prediction: Any, scores: Any, weight: Any, time: Any) -> list[LiveChunk]:
        """Check the arguments of a call, and return its records; if one is refused, nothing is remembered.

        A record with a new class starts a new chunk, so that a checkpoint knows only the classes before it.
        """
        if self.labels.is_label(y):
            alone = prediction is None and scores is not None
            y, prediction = [y], None if alone else [prediction]
            scores, weight, time = (None if one is None else [one] for one in (scores, weight, time))
        elif prediction is None and scores is None:
            raise ParameterError("prediction", CALLER, "given if 'scores' is not", None)
        n = len(y)
        if not n:
            return []
        # A stream without features checks times and weights as every other stream does.
        plain = from_arrays(np.empty((n, 0)), np.zeros(n), weight=weight, time=time, task="regression", name=CALLER)
        about = next(iter(plain.chunks(n)))
        if about.time is not None and about.time[0] < self.last_time:
            accepted = f"a time not before that of the previous record, {self.last_time:g}"
            raise _bad(0, "time runs backwards", float(about.time[0]), accepted, column="time")
        records = Chunk(self._declared, 0, about.X, about.y, about.time, about.weight)
        if self._declared.classes is None:
            found = [self._with_numbers(records, y, prediction if scores is None else scores)]
        else:
            found = self._with_classes(records, y, prediction, scores)
        if about.time is not None:
            self.last_time = float(about.time[-1])
        return found

    def _with_numbers(self, records: Chunk, y: Any, prediction: Any) -> LiveChunk:
        """Return targets and predicted numbers; None and NaN mark missing ones."""
        n = len(records)
        target = next(iter(from_arrays(records.X, y, task="regression", name=CALLER).chunks(n))).y
        numbers = _floats(prediction, "prediction", "numbers, for regression")
        if numbers.shape not in ((n,), (n, 1)):
            raise ParameterError("prediction", CALLER, f"one number for each of the {n} targets", numbers.shape)
        return LiveChunk(replace(records, y=target), numbers.reshape(-1, 1))

    def _with_classes(self, records: Chunk, y: Any, prediction: Any, scores: Any) -> list[LiveChunk]:
        """Return the codes of labels and predictions, and the scores by code."""
        n, labels = len(records), self.labels
        column = labels.column(y, "y")
        said = None if prediction is None else labels.column(prediction, "prediction")
        rows = _rows(scores)
        for what, given in (("prediction", said), ("scores", rows)):
            if given is not None and len(given) != n:
                raise ParameterError(what, CALLER, f"one row for each of the {n} labels", f"{len(given)} rows")
        table, margins = (None, None) if rows is not None or scores is None else self._table(scores, n)
        seen = (appearances(column), appearances(said), _keys(rows)) if labels.open else ()
        new = labels.new_labels(seen)
        before = len(labels.classes)
        check_classes(self._declared.with_classes([*labels.classes, *new]))
        labels.add(new)
        whole = LiveChunk(
            replace(records, schema=self.schema, y=labels.of(column, "y")),
            table if rows is None else _matrix(rows, labels),
            None if said is None else labels.of(said, "prediction"),
            margins,
        )
        if not new:
            return [whole]
        cuts = sorted({0, *new.values(), n})
        n_known = (before + sum(place <= first for place in new.values()) for first in cuts)
        return [_cut(whole, slice(*cut), k) for cut, k in zip(pairwise(cuts), n_known, strict=False)]

    def check_one_score(self, scores: FloatArray | float) -> None:
        """Refuse one score per record unless there are two classes, and numbers that are not probabilities."""
        if self.labels.open or len(self.labels.classes) != 2:
            expected = "one per class; one per record needs two classes: Scorer(…, classes=[negative, positive])"
            raise ParameterError("scores", CALLER, expected, "one number per record")
        if not self.margins:
            accepted = "the probability of the positive class, from 0 to 1, or one score per class"
            _check_range(np.atleast_1d(scores), 1.0, accepted)

    def _table(self, scores: Any, n: int) -> tuple[FloatArray | None, FloatArray | None]:
        """Return a matrix with one column per class, or one score per record."""
        table = _floats(scores, "scores", "numbers: one per class, or a mapping from class to number")
        classes, declared = self.labels.classes, not self.labels.open
        if table.ndim == 1:
            self.check_one_score(table)
            if self.margins:
                return None, table
            both = np.stack([1 - table, table] if self.positive_code == 1 else [table, 1 - table], axis=1)
            return both, None
        if not declared:
            expected = "a mapping from class to score, unless Scorer(…, classes=…) gives the order of the columns"
            raise ParameterError("scores", CALLER, expected, table.shape)
        if table.shape != (n, len(classes)):
            expected = f"{n} rows with one column for each of the {len(classes)} classes ({listing(classes)})"
            raise ParameterError("scores", CALLER, expected, table.shape)
        _check_range(table, math.inf, "scores of at least 0")
        return table, None


def _cut(whole: LiveChunk, place: slice, n_classes: int) -> LiveChunk:
    """Return some records, with the classes known after the first of them."""
    schema = whole.records.schema
    return LiveChunk(
        replace(whole.records[place], schema=schema.with_classes((schema.classes or ())[:n_classes])),
        None if whole.scores is None else np.ascontiguousarray(whole.scores[place, :n_classes]),
        None if whole.prediction is None else whole.prediction[place],
    )


def _rows(scores: Any) -> Rows | None:
    """Return scores by class, one mapping per record; None if they have another form."""
    if not isinstance(scores, list | tuple) or not any(isinstance(one, Mapping) for one in scores):
        return None
    found: Rows = []
    for i, one in enumerate(scores):
        if one is not None and not isinstance(one, Mapping):
            raise _bad(i, "not a mapping from class to score", one, "a mapping for each record, or a matrix")
        found.append({label: float(_floats(value, "scores", "numbers")) for label, value in (one or {}).items()})
        _check_range(np.array(list(found[-1].values())), math.inf, "scores of at least 0", record=i)
    return found


def _keys(rows: Rows | None) -> Appearances:
    """Return the classes that have scores, each with its first record."""
    first: Appearances = {}
    for i, row in enumerate(rows or ()):
        for label in row:
            first.setdefault(label, i)
    return first


def _matrix(rows: Rows, labels: LabelCodes) -> FloatArray:
    """Return scores by class as a matrix; a class without a score has 0."""
    table = np.zeros((len(rows), len(labels.classes)))
    for i, row in enumerate(rows):
        for label, score in row.items():
            table[i, labels.code(label, i, "scores")] = score
    return table


def _floats(values: Any, what: str, expected: str) -> FloatArray:
    try:
        return np.ascontiguousarray(values, dtype=np.float64).reshape(np.shape(values))
    except NO_NUMBERS:
        raise ParameterError(what, CALLER, expected, values) from None


def _check_range(scores: FloatArray, most: float, accepted: str, record: int | None = None) -> None:
    """Refuse a finite score below 0 or above ``most``; a score that is not finite is an abstention."""
    bad = np.isfinite(scores) & ((scores < 0) | (scores > most))
    if bad.any():
        at = tuple(np.argwhere(bad)[0])
        raise _bad(int(at[0]) if record is None else record, "a score out of range", float(scores[at]), accepted)


def _bad(record: int, problem: str, value: object, accepted: str, column: str | None = None) -> DataError:
    return DataError(
        problem, source=CALLER, row=record, row_kind="record", column=column, value=value, accepted=accepted
    )
