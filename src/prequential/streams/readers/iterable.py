"""Iterables of (features, label) pairs, as River's data sets and generators yield them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from itertools import islice, takewhile
from typing import TypeAlias, TypeGuard

import numpy as np

from prequential.arguments import checked_call, checked_list, checked_whole
from prequential.errors import DataError, InputError, ParameterError
from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.readers.columns import TASKS
from prequential.streams.schema import Feature, Schema
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.types import FloatArray, Label, Labels
from prequential.wording import listing

Pair: TypeAlias = tuple[Mapping[str, object], object]
Pairs: TypeAlias = Iterable[Pair]

FIRST_LOOK = 1000
"""Number of records that determine the features and their types; they are kept."""


@checked_call
def from_iterable(
    source: Pairs | Callable[[], Pairs],
    *,
    target: str = "class",
    classes: Sequence[Label] | None = None,
    task: str = "auto",
    name: str | None = None,
) -> Stream:
    """Return a stream of (dict of features, label) pairs.

    Text and booleans are nominal features, numbers numeric; None and absent keys are missing values. The features and
    their types are those of the first 1000 records. Nominal values and classes get codes when they appear: the schema
    of the stream has only the declared ones, and that of each chunk those known after its first record.

    Parameters
    ----------
    source
        An iterable, or a function that returns one. An iterator can be read only once: the stream is then not
        restartable.
    target
        The name of the label.
    classes
        Class labels that get the first codes; others may follow.
    task
        ``"classification"``, ``"regression"`` or ``"auto"``: float labels are regression targets.
    name
        The name of the stream; by default that of the source's class.

    Examples
    --------
    >>> stream = from_iterable([({"x": 1.0, "day": "mon"}, True), ({"x": 2.0, "day": "tue"}, False)])
    >>> [(chunk.X.tolist(), chunk.schema.classes) for chunk in stream.chunks()]
    [([[1.0, 0.0]], (True,)), ([[2.0, 1.0]], (True, False))]
    """
    if task not in TASKS:
        raise ParameterError("task", "from_iterable", f"one of {listing(TASKS)}", task)
    if not callable(source) and not isinstance(source, Iterable):
        raise ParameterError("source", "from_iterable", "an iterable of (dict, label) pairs, or a function", source)
    if name is None:
        name = getattr(source, "__name__", None) or type(source).__name__
    known = None if classes is None else checked_list(classes, "classes", "from_iterable", "classes")
    return IterableStream(source, target, known, task, str(name))


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
        # An object may be both callable and iterable; iteration takes precedence.
        self._iterable = isinstance(source, Iterable)
        self.restartable = not (self._iterable and isinstance(source, Iterator))
        self._started = False
        self._buffer: list[Pair] = []
        self._pairs: Iterator[Pair] | None = None
        self._schema: Schema | None = None
        counted: object = source
        length = len(counted) if isinstance(counted, Sized) else getattr(source, "n_samples", None)
        self.n_records = length if isinstance(length, int) else None
        self.endless = length is None and _is_endless(source)

    @property
    def schema(self) -> Schema:
        """The features of the first records, and the declared classes; the schema is open."""
        if self._schema is None:
            pairs = self._open()
            first, fault = _taken(pairs, FIRST_LOOK)
            if fault is not None and not first:
                raise fault
            self._schema = first_schema(first, self._target, self._classes, self._task, self.name)
            if not self.restartable:
                self._buffer, self._pairs = first, pairs if fault is None else _broken(fault)
        return self._schema

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from record ``start`` on, at most ``size`` records at a time; a new schema starts a new chunk."""
        size, start = checked_whole(size, "size", "chunks", least=1), checked_whole(start, "start", "chunks")
        schema = self.schema
        if not self.restartable and self._started:
            raise InputError(
                f"{self.name} is an iterator and was read already: it can be read only once. Accepted: an iterable "
                "that can be read again (a list, a River dataset), or a function that returns one."
            )
        self._started = True
        return self._chunks(schema, size, start)

    def _chunks(self, schema: Schema, size: int, start: int) -> Iterator[Chunk]:
        coder = Coder(schema, self.name)
        pairs = self._open() if self._pairs is None else _all(self._buffer, self._pairs)
        self._buffer = []
        at, fault = 0, None
        while fault is None:
            # Codes are given in order of appearance from the first record on, even if reading starts later.
            part, fault = _taken(pairs, min(size, start - at) if at < start else size)
            for chunk in coder.encode(part, at):
                if at >= start:
                    yield chunk
            if not part and fault is None:
                return
            at += len(part)
        raise fault

    def _open(self) -> Iterator[Pair]:
        if self._iterable:
            return iter(self._source)  # type: ignore[arg-type]
        return iter(self._source())  # type: ignore[operator]

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest."""
        kind = type(self._source)
        return {
            **super().describe(),
            "format": "iterable",
            "source": f"{kind.__module__}.{kind.__qualname__}",
            "options": {"target": self._target, "task": self._task},
        }


def _is_endless(source: object) -> bool:
    """Return whether a source is a generator of River without a number of records."""
    return any(
        f"{cls.__module__}.{cls.__name__}" == "river.datasets.base.SyntheticDataset" for cls in type(source).__mro__
    )


def _all(first: list[Pair], rest: Iterator[Pair]) -> Iterator[Pair]:
    yield from first
    first.clear()
    yield from rest


def _broken(fault: Exception) -> Iterator[Pair]:
    """Raise the error of the source, after the first records."""
    yield from ()
    raise fault


def _taken(pairs: Iterator[Pair], n: int) -> tuple[list[Pair], Exception | None]:
    """Return the next pairs, and the error that the source raised after them."""
    taken: list[Pair] = []
    try:
        taken.extend(islice(pairs, n))  # keeps those before an error
    except Exception as fault:  # any error of foreign code: the records before it count
        return taken, fault
    return taken, None


def first_schema(first: list[Pair], target: str, classes: tuple[Label, ...] | None, task: str, source: str) -> Schema:
    """Return the schema of the records before the first bad one: their features, and the declared classes."""
    if not first:
        raise InputError(f"{source} has no records. Accepted: at least one (dict of features, label) pair.")
    _checked(first[0], 0, source)
    valid = list(takewhile(_is_pair, first))
    names: dict[str, bool] = {}
    numeric_labels = False
    for x, _ in valid:
        for key, value in x.items():
            names[key] = names.get(key, False) or isinstance(value, (str, bool, np.bool_))
    if task == "auto" and classes is None:
        numeric_labels = any(isinstance(label, (float, np.floating)) for _, label in valid)
    regression = task == "regression" or numeric_labels
    features = tuple(Feature(str(key), () if nominal else None) for key, nominal in names.items())
    return Schema(features, None if regression else classes or (), target, open=True)


class Coder:
    """Converts pairs to chunks, with codes for values in order of appearance."""

    def __init__(self, schema: Schema, source: str) -> None:
        self._schema, self._source = schema, source
        self._columns = {f.name: j for j, f in enumerate(schema.features)}
        self._values = [None if f.values is None else _codes(f.values) for f in schema.features]
        self._classes = _codes(schema.classes or ())
        self._schema_grew = False  # whether a class or value has appeared that is not in the schema yet

    def encode(self, pairs: list[Pair], start: int) -> Iterator[Chunk]:
        """Yield the chunks of pairs, the first of which has the index ``start``.

        A record with a new class or value starts a new chunk; a bad one raises an error after those before it.
        """
        X = np.full((len(pairs), len(self._columns)), np.nan)
        regression = self._schema.classes is None
        y = np.full(len(pairs), np.nan) if regression else np.full(len(pairs), UNLABELLED, dtype=np.int64)
        cut = 0
        for i, pair in enumerate(pairs):
            try:
                self._record(pair, start + i, X[i], y[i : i + 1])
            except Exception:
                if i > cut:
                    yield Chunk(self._schema, start + cut, X[cut:i], y[cut:i])
                raise
            if self._schema_grew:
                if i > cut:
                    yield Chunk(self._schema, start + cut, X[cut:i], y[cut:i])
                cut = i
                self._grow()
        if len(pairs) > cut:
            yield Chunk(self._schema, start + cut, X[cut:], y[cut:])

    def _record(self, pair: Pair, record: int, x: FloatArray, y: Labels) -> None:
        """Fill in the values and the label of one record."""
        values, label = _checked(pair, record, self._source)
        for key, value in values.items():
            self._fill(x, str(key), value, record)
        if label is None or label != label:
            return
        if self._schema.classes is None:
            y[0] = self._number(label, record, self._schema.target)
        else:
            y[0] = self._code(self._classes, label)

    def _fill(self, x: FloatArray, key: str, value: object, record: int) -> None:
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
            x[j] = self._number(value, record, key)
        else:
            x[j] = self._code(codes, value)

    def _code(self, codes: dict[Label, int], value: object) -> int:
        plain: Label = value.item() if isinstance(value, np.generic) else value
        code = codes.get(plain)
        if code is None:
            code = codes[plain] = len(codes)
            self._schema_grew = True
        return code

    def _number(self, value: object, record: int, column: str) -> float:
        if isinstance(value, (str, bytes)):
            problem, accepted = "not a number", "a number, as in the first records"
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

    def _grow(self) -> None:
        """Add new classes and values to the schema."""
        known = self._schema
        features = tuple(
            feature if codes is None or len(codes) == len(feature.values or ()) else Feature(feature.name, tuple(codes))
            for feature, codes in zip(known.features, self._values, strict=True)
        )
        classes = None if known.classes is None else tuple(self._classes)
        self._schema = Schema(features, classes, known.target, open=True)
        self._schema_grew = False


def _codes(values: Iterable[Label]) -> dict[Label, int]:
    return {value: code for code, value in enumerate(values)}


def _is_pair(pair: object) -> TypeGuard[Pair]:
    return isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], Mapping)


def _checked(pair: object, record: int, source: str) -> Pair:
    if _is_pair(pair):
        return pair
    raise DataError(
        "not a (dict of features, label) pair",
        source=source,
        row=record,
        row_kind="record",
        value=pair,
        accepted="({'x': 1.0}, True)",
    )
