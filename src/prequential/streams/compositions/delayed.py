"""Labels that come late: any stream as a stream of events."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from prequential import _native
from prequential.errors import DataError, InputError, ParameterError, is_number, suggestion
from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.compositions.composed import Composed
from prequential.streams.drift import Drift
from prequential.streams.generators.generator import another_seed, checked_seed
from prequential.streams.schema import Schema
from prequential.streams.stream import DEFAULT_CHUNK, Stream, rechunk
from prequential.types import FloatArray, IntArray

_PURPOSE = 0x44454C4159  # "DELAY": which draws of the seed these are


class Delay(Protocol):
    """A delay that is drawn at random."""

    def of(self, draws: FloatArray) -> FloatArray:
        """Return delays, made of numbers in [0, 1)."""


@dataclass(frozen=True, slots=True)
class UniformDelay:
    """Evenly distributed between two bounds."""

    least: float
    most: float

    def __post_init__(self) -> None:
        if not (is_number(self.least) and is_number(self.most) and 0 <= self.least <= self.most < math.inf):
            raise ParameterError("least", "UniformDelay", "a number from 0 to 'most'", (self.least, self.most))

    def of(self, draws: FloatArray) -> FloatArray:
        """Return delays, made of numbers in [0, 1)."""
        return self.least + (self.most - self.least) * draws


@dataclass(frozen=True, slots=True)
class ExponentialDelay:
    """Exponentially distributed: labels come at a constant rate, whatever the time they have taken."""

    mean: float

    def __post_init__(self) -> None:
        if not (is_number(self.mean) and 0 < self.mean < math.inf):
            raise ParameterError("mean", "ExponentialDelay", "a number above 0", self.mean)

    def of(self, draws: FloatArray) -> FloatArray:
        """Return delays, made of numbers in [0, 1)."""
        delays: FloatArray = -self.mean * np.log1p(-draws)
        return delays


DelayGiven: TypeAlias = float | str | Delay | Callable[[Chunk], npt.ArrayLike]


def parse_delay(text: str) -> DelayGiven:
    """Read the textual form of a delay: ``100``, ``uniform:50:150``, ``exponential:100``, or the name of a column.

    Examples
    --------
    >>> parse_delay("100"), parse_delay("uniform:50:150"), parse_delay("latency")
    (100.0, UniformDelay(least=50.0, most=150.0), 'latency')
    """
    kind, *numbers = text.split(":")
    try:
        if kind == "uniform":
            return UniformDelay(*map(float, numbers))
        if kind == "exponential":
            return ExponentialDelay(*map(float, numbers))
        return float(text)
    except ParameterError:
        raise
    except (TypeError, ValueError):
        if kind in ("uniform", "exponential"):
            raise InputError(
                f"The delay {text!r} lacks its numbers. Accepted: a number, uniform:LEAST:MOST, exponential:MEAN, or "
                "the name of a column."
            ) from None
        return text


class Delayed(Composed):
    """Every record of a stream as two events: it arrives without its label, which comes some time later.

    Events are in the order of their times; of those at one time, records come first, or labels, as ``first`` says, and
    else the earlier record comes first. The id of a record is its index in the stream. Records without a label, and
    those whose delay is infinite or NaN, never get one.

    Parameters
    ----------
    source
        The stream whose labels come at once.
    delay
        A number, a distribution, the name of a feature that holds the delay (it is then no longer a feature), or a
        function that returns the delays of a chunk.
    clock
        What the delay is measured in: ``records`` (the index of a record is its time) or ``time`` (the stream's own).
    first
        What comes first at one time. With ``records``, a fixed delay of k lets the label of a record come just after
        the k-th record after it, as in the streams of Grzenda et al. With ``labels``, it comes just before that record
        is asked for: this is the delay of MOA (EvaluatePrequentialDelayed; 1 is none at all) and of River.
    rest
        Whether labels still come that are due after the last record.
    seed
        For delays that are drawn.
    """

    method = "delayed"
    parameters = ("clock", "first", "rest", "seed")

    def __init__(
        self,
        source: Stream,
        delay: DelayGiven,
        *,
        clock: Literal["records", "time"] = "records",
        first: Literal["records", "labels"] = "records",
        rest: bool = True,
        seed: int = 1,
    ) -> None:
        for name, value, accepted in (("clock", clock, ("records", "time")), ("first", first, ("records", "labels"))):
            if value not in accepted:
                raise ParameterError(name, "delayed", " or ".join(map(repr, accepted)), value)
        if source.events:
            raise InputError(f"delayed: the labels of {source.name} come late already.")
        if source.schema.classes is None:
            raise InputError(f"delayed: {source.name} is a regression stream; delayed labels are classes.")
        if not (is_number(delay) or isinstance(delay, str) or callable(delay) or hasattr(delay, "of")):
            raise ParameterError("delay", "delayed", "a number, a distribution, a column or a function", delay)
        if is_number(delay) and not float(delay) >= 0:  # type: ignore[arg-type]  # it is a number
            raise ParameterError("delay", "delayed", "a number of at least 0", delay)
        super().__init__(source)
        self.source, self.delay, self.clock, self.first, self.rest = source, delay, clock, first, rest
        self.seed = checked_seed(seed, "seed", self.method)
        self.events, self.endless = True, source.endless
        self._drifts_forever, self._drifts_read = source._drifts_forever, source._drifts_read
        self._draws = self._purpose(_PURPOSE)
        self._column: int | None = None
        if isinstance(delay, str):
            names = [feature.name for feature in source.schema.features]
            if delay not in names:
                raise InputError(f"delayed: {source.name} has no feature {delay!r}.{suggestion(delay, names)}")
            self._column = names.index(delay)
            if source.schema.features[self._column].nominal:
                raise InputError(f"delayed: {delay!r} of {source.name} is nominal; a delay is a number.")

    @property
    def schema(self) -> Schema:
        """The schema of the stream, without the column that holds the delay."""
        return self._without(self.source.schema)

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read events from the number ``start`` on."""
        return rechunk(self._events(), size, start)

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this stream."""
        delay = getattr(self.delay, "__qualname__", str(self.delay))
        return {**super().describe(), "delay": delay}

    def _remade(self, sources: Sequence[Stream], seed: int) -> Stream:
        told: dict[str, Any] = {"clock": self.clock, "first": self.first, "rest": self.rest}
        return Delayed(sources[0], self.delay, **told, seed=another_seed(self.seed, seed))

    def drifts_before(self, n: int | None) -> tuple[Drift, ...]:
        """Return the drifts of the stream, counted in records and not in events."""
        return self.source.drifts_before(n)

    def _events(self) -> Iterator[Chunk]:
        start = 0
        pending: Chunk | None = None  # labels to come, with the time at which each is due, in order of arrival
        for chunk in self.source.chunks():
            time = self._time(chunk)
            arriving = replace(
                chunk,
                schema=self._without(chunk.schema),
                X=chunk.X if self._column is None else np.delete(chunk.X, self._column, axis=1),
                time=time,
                id=np.arange(chunk.start, chunk.start + len(chunk)),
            )
            due = time + self._delays(chunk)
            never = (chunk.y == UNLABELLED) | ~np.isfinite(due)
            coming = _some(replace(arriving, time=due), ~never)
            pending = coming if pending is None else _joined(pending, coming)
            now = self._now(pending, float(time[-1]))
            now[len(pending) - len(coming) :] |= (due == time)[~never]
            events = self._ordered(arriving, _some(pending, now), start)
            pending = _some(pending, ~now)
            yield events
            start += len(events)
        if self.rest and pending is not None and len(pending):
            yield self._ordered(None, pending, start)

    def _ordered(self, arriving: Chunk | None, labels: Chunk, start: int) -> Chunk:
        """Put arrivals and labels into the order of their times."""
        assert labels.time is not None
        assert labels.id is not None
        if arriving is None:
            both, kind = labels, np.ones(len(labels), dtype=np.int64)
        else:
            assert arriving.time is not None
            assert arriving.id is not None
            both = _joined(replace(arriving, y=np.full(len(arriving), UNLABELLED, dtype=np.int64)), labels)
            kind = np.repeat([0, 1] if self.first == "records" else [1, 0], [len(arriving), len(labels)])
            at_once = np.isin(labels.id, arriving.id)  # due when its record arrives: it comes right after it
            at_once[at_once] = labels.time[at_once] == arriving.time[labels.id[at_once] - arriving.id[0]]
            kind[len(arriving) :][at_once] = kind[0]
        assert both.time is not None
        assert both.id is not None
        order: IntArray = np.lexsort((both.y != UNLABELLED, both.id, kind, both.time))
        return replace(_some(both, order), start=start)

    def _now(self, labels: Chunk, last: float) -> npt.NDArray[np.bool_]:
        """Return which labels come before the next record can: more records may come at the time of the last."""
        assert labels.time is not None
        if self.clock == "records" or self.first == "labels":
            return labels.time <= last
        return labels.time < last

    def _time(self, chunk: Chunk) -> FloatArray:
        if self.clock == "records":
            return np.arange(chunk.start, chunk.start + len(chunk), dtype=np.float64)
        if chunk.time is None:
            raise InputError(f"delayed: {self.source.name} has no time; name the column that has it, or count records.")
        return chunk.time

    def _delays(self, chunk: Chunk) -> FloatArray:
        delay: Any = self.delay
        if self._column is not None:
            delays = chunk.X[:, self._column]
        elif is_number(delay):
            return np.full(len(chunk), float(delay))
        elif hasattr(delay, "of"):
            drawn = _native.uniforms(self.seed, self._draws, chunk.start, len(chunk))
            delays = np.asarray(delay.of(drawn), dtype=np.float64)
        else:
            delays = np.asarray(delay(chunk), dtype=np.float64)
        if delays.shape != (len(chunk),):
            raise ParameterError(
                "delay",
                "delayed",
                f"a function that returns {len(chunk)} delays for a chunk of as many records",
                delays.shape,
            )
        bad = np.flatnonzero(delays < 0)
        if len(bad):
            raise DataError(
                "a negative delay",
                source=self.source.name,
                row=chunk.start + int(bad[0]),
                row_kind="record",
                column=self.delay if isinstance(self.delay, str) else None,
                value=float(delays[bad[0]]),
                accepted="a number of at least 0, or none where the label never comes",
            )
        return delays

    def _without(self, schema: Schema) -> Schema:
        if self._column is None:
            return schema
        kept = tuple(feature for j, feature in enumerate(schema.features) if j != self._column)
        return replace(schema, features=kept)


def _some(chunk: Chunk, which: npt.NDArray[Any]) -> Chunk:
    """Return some records of a chunk, in any order."""
    return replace(
        chunk,
        X=chunk.X[which],
        y=chunk.y[which],
        time=None if chunk.time is None else chunk.time[which],
        weight=None if chunk.weight is None else chunk.weight[which],
        id=None if chunk.id is None else chunk.id[which],
    )


def _joined(one: Chunk, other: Chunk) -> Chunk:
    """Return two chunks as one, under the schema of the later: it knows all classes of the earlier."""
    assert one.time is not None
    assert other.time is not None
    assert one.id is not None
    assert other.id is not None
    weight = None
    if one.weight is not None or other.weight is not None:  # where only some have weights, those of the others are 1
        weight = np.concatenate([np.ones(len(c)) if c.weight is None else c.weight for c in (one, other)])
    return replace(
        other,
        X=np.concatenate([one.X, other.X]),
        y=np.concatenate([one.y, other.y]),
        time=np.concatenate([one.time, other.time]),
        weight=weight,
        id=np.concatenate([one.id, other.id]),
    )
