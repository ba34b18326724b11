"""Late labels: any stream as a stream of events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from prequential import _native
from prequential.arguments import check_number, checked_call, is_number
from prequential.elementary import log
from prequential.errors import DataError, InputError, ParameterError
from prequential.namespace import Suggesting
from prequential.streams.chunk import UNLABELLED, Chunk, concatenate, rechunk
from prequential.streams.compositions.composed import Composed
from prequential.streams.drift import Drift
from prequential.streams.schema import Schema
from prequential.streams.seed import another_seed, checked_seed
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.textual import Catalogue
from prequential.types import FloatArray, IntArray
from prequential.wording import listing, suggestion

_DRAW_KEY = 0x44454C4159  # "DELAY"


class Delay(Protocol):
    """A distribution of delays."""

    def of(self, draws: FloatArray) -> FloatArray:
        """Return delays, given uniform draws from [0, 1)."""


DELAYS: Catalogue[Delay] = Catalogue("delay")
"""The distributions of delays by name."""


@partial(DELAYS.add, "uniform")
@dataclass(frozen=True, slots=True)
class UniformDelay(Suggesting):
    """A delay uniformly distributed between two bounds.

    Parameters
    ----------
    low, high
        The bounds, at least 0.

    Examples
    --------
    >>> import prequential as pq
    >>> pq.streams.SEA(seed=1).take(100).delayed(pq.streams.UniformDelay(5, 10)).events
    True
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        check_number(self.low, "low", "UniformDelay", least=0)
        check_number(self.high, "high", "UniformDelay", least=self.low)

    def of(self, draws: FloatArray) -> FloatArray:
        """Return delays, given uniform draws from [0, 1)."""
        return self.low + (self.high - self.low) * draws


@partial(DELAYS.add, "exponential")
@dataclass(frozen=True, slots=True)
class ExponentialDelay(Suggesting):
    """An exponentially distributed delay: labels arrive at a constant rate.

    Parameters
    ----------
    mean
        The mean, above 0.

    Examples
    --------
    >>> import prequential as pq
    >>> pq.streams.SEA(seed=1).take(100).delayed(pq.streams.ExponentialDelay(10)).events
    True
    """

    mean: float

    def __post_init__(self) -> None:
        check_number(self.mean, "mean", "ExponentialDelay", above=0)

    def of(self, draws: FloatArray) -> FloatArray:
        """Return delays, given uniform draws from [0, 1)."""
        delays: FloatArray = -self.mean * log(1 - draws)
        return delays


DelayGiven: TypeAlias = float | str | Delay | Callable[[Chunk], npt.ArrayLike]


@checked_call
def as_delay(value: DelayGiven | type | Mapping[str, Any]) -> DelayGiven:
    """Return a delay, given itself, as text, or as a table with its ``type``.

    Text is a number, ``uniform:LOW,HIGH``, ``exponential:MEAN``, or the name of a column.

    Examples
    --------
    >>> as_delay("100"), as_delay("uniform:50,150"), as_delay("latency")
    (100.0, UniformDelay(low=50, high=150), 'latency')
    """
    if isinstance(value, Mapping):
        return DELAYS.of_table(value)
    if isinstance(value, type) and value in DELAYS.values():
        return DELAYS.of_class(value)
    if not isinstance(value, str):
        return value  # the stream refuses what is not a delay
    if value.partition(":")[0].strip() in DELAYS:
        return DELAYS.of_text(value)
    try:
        return float(value)
    except ValueError:
        return value


class Delayed(Composed):
    """Every record of a stream as two events: it arrives without its label, and the label follows later.

    Events are ordered by time, those at the same time by ``first``, and then by record. The id of a record is its index
    in the stream. Records without a label, and those with an infinite or NaN delay, never get a label.

    Parameters
    ----------
    source
        The stream whose labels are delayed.
    delay
        A number, a distribution or its text (``uniform:50,150``), the name of a feature that holds the delay (it is
        then no longer a feature), or a function that returns the delays of a chunk.
    clock
        Unit of the delay: ``records`` (the index of a record is its time) or ``time`` (the stream's own).
    first
        Order of events at the same time. With ``records`` and a fixed delay of k, the label of a record arrives just
        after the k-th record after it, as in the streams of Grzenda et al. With ``labels``, it arrives just before that
        record is predicted, as in MOA (EvaluatePrequentialDelayed; 1 means no delay) and in River.
    rest
        Whether labels that are due after the last record still arrive; otherwise those records stay unlabelled.
    seed
        Seed of random delays.
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
        delay = as_delay(delay)
        for name, value, accepted in (("clock", clock, ("records", "time")), ("first", first, ("records", "labels"))):
            if value not in accepted:
                raise ParameterError(name, "delayed", " or ".join(map(repr, accepted)), value)
        if source.events:
            raise InputError(f"delayed: the labels of {source.name} are delayed already.")
        if source.schema.classes is None:
            raise InputError(f"delayed: {source.name} is a regression stream. Accepted: a stream with classes.")
        if not (is_number(delay) or isinstance(delay, str) or callable(delay) or hasattr(delay, "of")):
            raise ParameterError("delay", "delayed", "a number, a distribution, a column or a function", delay)
        if is_number(delay) and not float(delay) >= 0:  # type: ignore[arg-type]  # it is a number
            raise ParameterError("delay", "delayed", "a number of at least 0", delay)
        if isinstance(delay, str) and delay not in [feature.name for feature in source.schema.features]:
            names = [feature.name for feature in source.schema.features]
            raise InputError(
                f"delayed: {source.name} has no feature {delay!r}.{suggestion(delay, [*DELAYS, *names])} "
                f"Accepted: a number, uniform:LOW,HIGH, exponential:MEAN, or a feature: {listing(names)}."
            )
        super().__init__(source)
        self.source, self.delay, self.clock, self.first, self.rest = source, delay, clock, first, rest
        self.seed = checked_seed(seed, "seed", self.method)
        self.events, self.endless = True, source.endless
        self._drifts_forever, self._drifts_read = source._drifts_forever, source._drifts_read
        self._draws = self._draw_key(_DRAW_KEY)
        self._column: int | None = None
        if isinstance(delay, str):
            names = [feature.name for feature in source.schema.features]
            self._column = names.index(delay)
            if source.schema.features[self._column].nominal:
                raise InputError(f"delayed: {delay!r} of {source.name} is nominal. Accepted: a numeric feature.")

    @property
    def schema(self) -> Schema:
        """The schema of the stream, without the column that holds the delay."""
        return self._without(self.source.schema)

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from event ``start`` on."""
        return rechunk(self._events(), size, start)

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest."""
        delay = getattr(self.delay, "__qualname__", str(self.delay))
        return {**super().describe(), "delay": delay}

    def _remade(self, sources: Sequence[Stream], seed: int) -> Stream:
        settings: dict[str, Any] = {"clock": self.clock, "first": self.first, "rest": self.rest}
        return Delayed(sources[0], self.delay, **settings, seed=another_seed(self.seed, seed))

    def drifts_before(self, n: int | None) -> tuple[Drift, ...]:
        """Return the drifts of the stream, counted in records, not events."""
        return self.source.drifts_before(n)

    def _events(self) -> Iterator[Chunk]:
        start = 0
        pending: Chunk | None = None  # labels to come, with the times at which they are due, in order of arrival
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
            coming = replace(arriving, time=due).select(~never)
            pending = coming if pending is None else _joined(pending, coming)
            now = self._now(pending, float(time[-1]))
            now[len(pending) - len(coming) :] |= (due == time)[~never]
            events = self._ordered(arriving, pending.select(now), start)
            pending = pending.select(~now)
            yield events
            start += len(events)
        if self.rest and pending is not None and len(pending):
            yield self._ordered(None, pending, start)

    def _ordered(self, arriving: Chunk | None, labels: Chunk, start: int) -> Chunk:
        """Sort arrivals and labels by time."""
        assert labels.time is not None
        assert labels.id is not None
        if arriving is None:
            both, kind = labels, np.ones(len(labels), dtype=np.int64)
        else:
            assert arriving.time is not None
            assert arriving.id is not None
            both = _joined(replace(arriving, y=np.full(len(arriving), UNLABELLED, dtype=np.int64)), labels)
            kind = np.repeat([0, 1] if self.first == "records" else [1, 0], [len(arriving), len(labels)])
            at_once = np.isin(labels.id, arriving.id)  # due when its record arrives: right after it
            at_once[at_once] = labels.time[at_once] == arriving.time[labels.id[at_once] - arriving.id[0]]
            kind[len(arriving) :][at_once] = kind[0]
        assert both.time is not None
        assert both.id is not None
        order: IntArray = np.lexsort((both.y != UNLABELLED, both.id, kind, both.time))
        return replace(both.select(order), start=start)

    def _now(self, labels: Chunk, last: float) -> npt.NDArray[np.bool_]:
        """Return which labels certainly arrive before the next record, which may have the same time as the last."""
        assert labels.time is not None
        if self.clock == "records" or self.first == "labels":
            return labels.time <= last
        return labels.time < last

    def _time(self, chunk: Chunk) -> FloatArray:
        if self.clock == "records":
            return np.arange(chunk.start, chunk.start + len(chunk), dtype=np.float64)
        if chunk.time is None:
            raise InputError(
                f"delayed: {self.source.name} has no time. Name its column (time=…), or use clock='records'."
            )
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
                f"a function that returns {len(chunk)} delays for a chunk of {len(chunk)} records",
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
                accepted="a number of at least 0, or a missing value if the label never arrives",
            )
        return delays

    def _without(self, schema: Schema) -> Schema:
        if self._column is None:
            return schema
        return replace(schema, features=tuple(f for j, f in enumerate(schema.features) if j != self._column))


def _joined(one: Chunk, other: Chunk) -> Chunk:
    """Join two chunks under the schema of the later one, which has all classes of the earlier."""
    return concatenate([replace(one, schema=other.schema), other])
