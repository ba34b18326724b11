"""Iterables of (features, label) pairs, as River's data sets and generators give them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from itertools import islice
from typing import TypeAlias

import numpy as np

from prequential.errors import DataError, InputError, ParameterError, listing
from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.readers.columns import TASKS
from prequential.streams.readers.table_stream import checked_start
from prequential.streams.schema import Feature, Schema
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.types import FloatArray, Label

Pair: TypeAlias = tuple[Mapping[str, object], object]
Pairs: TypeAlias = Iterable[Pair]

FIRST_LOOK = 1000
"""Records looked at to find the features; they are kept, not lost."""


def from_river(
    source: Pairs | Callable[[], Pairs],
    *,
    target: str = "class",
    classes: Sequence[Label] | None = None,
    task: str = "auto",
    name: str | None = None,
) -> Stream:
    """Make a stream of (dict of features, label) pairs.

    Text and booleans are nominal features, numbers numeric; None and absent keys are missing values. The features are
    those of the first 1000 records. Nominal values and classes get codes as they appear; they may appear late.

    Parameters
    ----------
    source
        An iterable, or a function that makes one. An iterator can be read only once: the stream is then not
        restartable.
    target
        The name of the label.
    classes
        Class labels that get the first codes; others may follow.
    task
        ``"classification"``, ``"regression"`` or ``"auto"``: labels that are floats are numbers to predict.
    name
        The name of the stream; by default that of the source's class.

    Examples
    --------
    >>> stream = from_river([({"x": 1.0, "day": "mon"}, True), ({"x": 2.0, "day": "tue"}, False)])
    >>> next(stream.chunks()).X
    array([[1., 0.],
           [2., 1.]])
    """
    if task not in TASKS:
        raise ParameterError("task", "from_river", f"one of {listing(TASKS)}", task)
    if not callable(source) and not isinstance(source, Iterable):
        raise ParameterError("source", "from_river", "an iterable of (dict, label) pairs, or a function", source)
    if name is None:
        name = getattr(source, "__name__", None) or type(source).__name__
    return IterableStream(source, target, None if classes is None else tuple(classes), task, str(name))


class IterableStream(Stream):
    """A stream of (dict of features, label) pairs."""

    def __init__(
        self,
        source: Pairs | Callable[[], Pairs],
        target: str,
        classes: tuple[Label, ...] | None,
        task: str,
        name: str,
    ) -> None:
        self.name = name
        self._source, self._target, self._classes, self._task = source, target, classes, task
        # An object may be both, as River's generators are not but others might: to iterate comes first.
        self._iterable = isinstance(source, Iterable)
        self.restartable = not (self._iterable and isinstance(source, Iterator))
        self._started = False
        self._buffer: list[Pair] = []
        self._pairs: Iterator[Pair] | None = None
        self._schema: Schema | None = None
        counted: object = source
        length = len(counted) if isinstance(counted, Sized) else getattr(source, "n_samples", None)
        self.n_records = length if isinstance(length, int) else None

    @property
    def schema(self) -> Schema:
        """Features, values and classes as the first records show them; the schema is open."""
        if self._schema is None:
            pairs = self._open()
            first = list(islice(pairs, FIRST_LOOK))
            schema = first_schema(first, self._target, self._classes, self._task, self.name)
            self._schema = Coder(schema, self.name).encode(first, 0).schema
            if not self.restartable:
                self._buffer, self._pairs = first, pairs
        return self._schema

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from record ``start`` on, ``size`` records at a time; the schema of a chunk grows."""
        if size < 1:
            raise ParameterError("size", "chunks", "a whole number of at least 1", size)
        schema = self.schema
        if not self.restartable and self._started:
            raise InputError(
                f"{self.name} is an iterator and was read already: it can be read only once. Accepted: an iterable "
                "that starts anew each time (a list, a River dataset), or a function that makes one."
            )
        self._started = True
        return self._chunks(schema, size, checked_start(start))

    def _chunks(self, schema: Schema, size: int, start: int) -> Iterator[Chunk]:
        coder = Coder(schema, self.name)
        pairs = self._open() if self._pairs is None else _all(self._buffer, self._pairs)
        self._buffer = []
        skipped = 0
        while skipped < start:
            part = list(islice(pairs, min(size, start - skipped)))
            if not part:
                return
            coder.encode(part, skipped)  # values get their codes in order of appearance, from the first record on
            skipped += len(part)
        at = start
        while part := list(islice(pairs, size)):
            yield coder.encode(part, at)
            at += len(part)

    def _open(self) -> Iterator[Pair]:
        if self._iterable:
            return iter(self._source)  # type: ignore[arg-type]
        return iter(self._source())  # type: ignore[operator]

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this stream."""
        kind = type(self._source)
        return {
            **super().describe(),
            "format": "iterable",
            "source": f"{kind.__module__}.{kind.__qualname__}",
            "options": {"target": self._target, "task": self._task},
        }


def _all(first: list[Pair], rest: Iterator[Pair]) -> Iterator[Pair]:
    yield from first
    first.clear()
    yield from rest


def first_schema(first: list[Pair], target: str, classes: tuple[Label, ...] | None, task: str, source: str) -> Schema:
    """Return the schema of some first records: their features, and the classes declared."""
    names: dict[str, bool] = {}
    numeric_labels = False
    labels = [label for _, label in (_checked(pair, i, source) for i, pair in enumerate(first)) if label is not None]
    if not first:
        raise InputError(f"{source} has no records. Accepted: at least one (dict of features, label) pair.")
    for x, _ in first:
        for key, value in x.items():
            names[key] = names.get(key, False) or isinstance(value, (str, bool, np.bool_))
    if task == "auto" and classes is None:
        numeric_labels = any(isinstance(label, (float, np.floating)) for label in labels)
    regression = task == "regression" or numeric_labels
    features = tuple(Feature(str(key), () if nominal else None) for key, nominal in names.items())
    return Schema(features, None if regression else classes or (), target, open=True)


class Coder:
    """Gives codes to values in their order of appearance, and makes chunks of pairs."""

    def __init__(self, schema: Schema, source: str) -> None:
        self._schema, self._source = schema, source
        self._columns = {f.name: j for j, f in enumerate(schema.features)}
        self._values = [None if f.values is None else _codes(f.values) for f in schema.features]
        self._classes = _codes(schema.classes or ())

    def encode(self, pairs: list[Pair], start: int) -> Chunk:
        """Return the chunk of some pairs, the first of index ``start``."""
        X = np.full((len(pairs), len(self._columns)), np.nan)
        regression = self._schema.classes is None
        y = np.full(len(pairs), np.nan) if regression else np.full(len(pairs), UNLABELLED, dtype=np.int64)
        for i, pair in enumerate(pairs):
            x, label = _checked(pair, start + i, self._source)
            for key, value in x.items():
                self._fill(X, i, str(key), value, start + i)
            if label is None or label != label:
                continue
            if regression:
                y[i] = self._number(label, start + i, self._schema.target)
            else:
                plain: Label = label.item() if isinstance(label, np.generic) else label
                y[i] = self._classes.setdefault(plain, len(self._classes))
        return Chunk(self._grown(), start, X, y)

    def _fill(self, X: FloatArray, i: int, key: str, value: object, record: int) -> None:
        j = self._columns.get(key)
        if j is None:
            raise DataError(
                f"a feature that the first {FIRST_LOOK} records do not have",
                source=self._source,
                row=record,
                row_kind="record",
                column=key,
                value=value,
                accepted=listing(self._columns),
            )
        if value is None or value != value:
            return
        codes = self._values[j]
        if codes is None:
            X[i, j] = self._number(value, record, key)
        else:
            plain: Label = value.item() if isinstance(value, np.generic) else value
            X[i, j] = codes.setdefault(plain, len(codes))

    def _number(self, value: object, record: int, column: str) -> float:
        if isinstance(value, (str, bytes)):
            problem, accepted = "not a number", "a number: the first records have numbers here"
        else:
            try:
                number = float(value)  # type: ignore[arg-type]
            except (TypeError, ValueError):
                problem, accepted = "not a number", "a number or None"
            else:
                if np.isfinite(number):
                    return number
                problem, accepted = "an infinite value", "a finite number"
        raise DataError(
            problem,
            source=self._source,
            row=record,
            row_kind="record",
            column=column,
            value=value,
            accepted=accepted,
        )

    def _grown(self) -> Schema:
        """Return the schema as known by now, the same object while nothing is new."""
        known = self._schema
        sizes = tuple(0 if codes is None else len(codes) for codes in self._values)
        if sizes != known.cardinalities or (known.classes is not None and len(self._classes) != known.n_classes):
            features = tuple(
                feature
                if codes is None or len(codes) == len(feature.values or ())
                else Feature(feature.name, tuple(codes))
                for feature, codes in zip(known.features, self._values, strict=True)
            )
            classes = None if known.classes is None else tuple(self._classes)
            self._schema = Schema(features, classes, known.target, open=True)
        return self._schema


def _codes(values: Iterable[Label]) -> dict[Label, int]:
    return {value: code for code, value in enumerate(values)}


def _checked(pair: object, record: int, source: str) -> Pair:
    if isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], Mapping):
        return pair
    raise DataError(
        "not a (dict of features, label) pair",
        source=source,
        row=record,
        row_kind="record",
        value=pair,
        accepted="({'x': 1.0}, True)",
    )
