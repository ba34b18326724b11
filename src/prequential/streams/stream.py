"""The role every source of records plays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from prequential.errors import checked_whole
from prequential.streams.chunk import Chunk, concatenate
from prequential.streams.schema import Schema

if TYPE_CHECKING:
    from prequential.streams.delayed import DelayGiven

DEFAULT_CHUNK = 4096


@dataclass(frozen=True, slots=True)
class Drift:
    """A known change of the stream.

    Parameters
    ----------
    at
        Record index of its middle.
    width
        Records it takes; 1 for an abrupt change.
    real
        Whether the boundary between the classes changes (real drift) or only the distribution of the records
        (virtual drift).
    """

    at: int
    width: int = 1
    real: bool = True


class Stream(ABC):
    """A restartable sequence of records that share a schema, read in chunks.

    A subclass implements ``schema`` and ``chunks``; everything else follows from these.
    """

    name: str = "stream"
    restartable: bool = True
    """Whether ``chunks`` can be called again, from the first record."""
    endless: bool = False
    """Whether it never ends by itself."""
    events: bool = False
    """Whether records arrive without their labels, which come later, in rows with the same id."""
    n_records: int | None = None
    """Length, where it is known without reading."""
    drifts: tuple[Drift, ...] = ()
    """The changes that are known to be in the stream."""

    @property
    @abstractmethod
    def schema(self) -> Schema:
        """Features, target and classes."""

    @abstractmethod
    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from record ``start`` on, in chunks of ``size`` records, the last one as long as it happens to be.

        Where the schema is open, a record that brings a new class or nominal value starts a new chunk, which may
        leave the one before shorter: the schema of a chunk is the one known after its first record. What is learnt
        of a class or value then does not depend on ``size``. The ``schema`` of the stream itself is the one known
        before the first record.

        A bad record raises an error after all records before it have been given.
        """

    def take(self, n: int) -> Stream:
        """Return the stream of the first ``n`` records."""
        return Part(self, 0, checked_whole(n, "n", "take"))

    def skip(self, n: int) -> Stream:
        """Return the stream without its first ``n`` records."""
        return Part(self, checked_whole(n, "n", "skip"), None)

    def drift_to(self, other: Stream, *, at: int, width: int = 1) -> Stream:
        """Return the stream that changes from this one to another around record ``at``.

        Parameters
        ----------
        other
            Where the records come from after the change, from its first record on.
        at
            Record index of the middle of the change.
        width
            Records the change takes; 1 for an abrupt one.
        """
        from prequential.streams.drifting import Drifting  # a stream that is made of streams

        return Drifting(self, other, at=at, width=width)

    def delayed(
        self,
        delay: DelayGiven,
        *,
        clock: Literal["records", "time"] = "records",
        first: Literal["records", "labels"] = "records",
        rest: bool = True,
        seed: int = 1,
    ) -> Stream:
        """Return the stream of events in which records arrive without their labels, which come later.

        Parameters
        ----------
        delay
            A number, ``pq.streams.UniformDelay(50, 150)``, ``pq.streams.ExponentialDelay(100)``, the name of a feature
            that holds the delay (it is then no longer a feature), or a function that returns the delays of a chunk.
        clock
            What it is measured in: ``records``, or the stream's own ``time``.
        first
            What comes first of events at one time: ``records``, as in the streams of Grzenda et al., or ``labels``, as
            in River and with MOA's fixed delay.
        rest
            Whether labels still come that are due after the last record.
        seed
            For delays that are drawn.
        """
        from prequential.streams.delayed import DelayedStream  # a stream that is made of a stream

        return DelayedStream(self, delay, clock=clock, first=first, rest=rest, seed=seed)

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this stream."""
        return {"name": self.name, "n_records": self.n_records}

    def __repr__(self) -> str:
        length = "?" if self.n_records is None else f"{self.n_records:,}"
        return f"<{type(self).__name__} {self.name!r}: {length} records, {self.schema.n_features} features>"


class Part(Stream):
    """Some consecutive records of another stream."""

    def __init__(self, source: Stream, start: int, n: int | None) -> None:
        self.source = source
        self.start = start
        self.n = n
        self.name = source.name
        self.restartable = source.restartable
        self.endless = source.endless and n is None
        self.events = source.events
        left = None if source.n_records is None else max(0, source.n_records - start)
        self.n_records = n if left is None else left if n is None else min(left, n)
        end = float("inf") if self.n_records is None else self.n_records
        moved = [replace(d, at=d.at - start) for d in source.drifts]
        self.drifts = tuple(d for d in moved if 0 <= d.at < end)

    @property
    def schema(self) -> Schema:
        """The schema of the whole stream."""
        return self.source.schema

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from record ``start`` of this part on."""
        start = checked_whole(start, "start", "chunks")
        left = float("inf") if self.n is None else self.n - start
        if left <= 0:
            return
        for chunk in self.source.chunks(size, self.start + start):
            piece = replace(chunk if len(chunk) <= left else chunk[: int(left)], start=chunk.start - self.start)
            yield piece
            left -= len(piece)
            if left <= 0:
                return

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this stream."""
        return {**self.source.describe(), "skip": self.start, "take": self.n, "n_records": self.n_records}


def rechunk(pieces: Iterable[Chunk], size: int, start: int = 0) -> Iterator[Chunk]:
    """Cut pieces of any length into chunks of ``size`` records, leaving out those before record ``start``.

    Pieces of different schemas are not joined. When the source raises an error, what is waiting is given first.
    """
    size = checked_whole(size, "size", "chunks", least=1)
    waiting: list[Chunk] = []
    n_waiting = 0
    try:
        for piece in pieces:
            if piece.start + len(piece) <= start:
                continue
            if waiting and piece.schema is not waiting[0].schema and piece.schema != waiting[0].schema:
                yield concatenate(waiting)
                waiting, n_waiting = [], 0
            at = max(0, start - piece.start)
            while at < len(piece):
                part = piece[at : at + size - n_waiting]
                waiting.append(part)
                n_waiting += len(part)
                at += len(part)
                if n_waiting == size:
                    yield concatenate(waiting)
                    waiting, n_waiting = [], 0
    except Exception:
        if waiting:
            yield concatenate(waiting)
        raise
    if waiting:
        yield concatenate(waiting)
