"""A stream followed by another."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from prequential.arguments import checked_whole
from prequential.errors import InputError
from prequential.streams.chunk import Chunk, rechunk
from prequential.streams.compositions.composed import Composed, check_stream, checked_flag, counted, same_bayes_error
from prequential.streams.drift import Drift, within
from prequential.streams.stream import DEFAULT_CHUNK, Stream


class Concatenation(Composed):
    """All records of one stream, then all records of another.

    Times and identifiers are dropped. If the length of the first stream is unknown, its records are counted to list the
    drifts; if it can be read only once, only its own drifts are listed.

    Parameters
    ----------
    first, second
        The two streams; they must have the same schema, and the first must end.
    real
        Whether the boundary between the classes changes where the second begins.
    """

    method = "followed_by"
    parameters = ("real",)

    def __init__(self, first: Stream, second: Stream, *, real: bool = True) -> None:
        check_stream(second, "other", self.method)
        check_ends(first, self.method)
        super().__init__(first, second)
        self.real = checked_flag(real, "real", self.method)
        self.endless = second.endless
        self.bayes_error = same_bayes_error(self.sources)
        if first.n_records is not None and second.n_records is not None:
            self.n_records = first.n_records + second.n_records
        self._drifts_forever = second._drifts_forever
        self._drifts_read = first.n_records is None or any(source._drifts_read for source in self.sources)

    @cached_property
    def _length(self) -> int | None:
        return counted(self.sources[0])

    def drifts_before(self, n: int | None) -> tuple[Drift, ...]:
        """Return the drifts of the first ``n`` records (None: all records)."""
        first, second = self.sources
        found = list(first.drifts_before(n))
        at = self._length
        if at is not None and (n is None or at < n) and second.n_records != 0:
            later = second.drifts_before(None if n is None else n - at)
            found += [Drift(at, real=self.real), *(moved(drift, at) for drift in later)]
        return within(found, 0, n)

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from record ``start`` on."""
        start = checked_whole(start, "start", "chunks")
        return rechunk(self._pieces(size, start), size, start)

    def _pieces(self, size: int, start: int) -> Iterator[Chunk]:
        first, second = self.sources
        at = first.n_records or 0
        if first.n_records is None or start < at:
            for chunk in self._read(first, size, 0 if first.n_records is None else start, 0):
                yield chunk
                at = chunk.start + len(chunk)
        yield from self._read(second, size, max(0, start - at), at)


def check_ends(stream: Stream, caller: str) -> None:
    """Refuse a stream that never ends."""
    if stream.endless:
        raise InputError(
            f"{caller}: {stream.name} never ends, so nothing can follow it. Use a part of it, such as "
            "stream.take(100_000)."
        )


def moved(drift: Drift, by: int) -> Drift:
    """Return a drift moved by a number of records."""
    return Drift(drift.at + by, drift.width, drift.real, drift.temporary)
