"""A repeated stream."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import count

from prequential.arguments import checked_whole
from prequential.errors import InputError
from prequential.streams.chunk import Chunk, rechunk
from prequential.streams.compositions.composed import Composed, counted
from prequential.streams.compositions.concatenation import check_ends, moved
from prequential.streams.drift import Drift, within
from prequential.streams.stream import DEFAULT_CHUNK, Stream


class Repetition(Composed):
    """All records of a stream several times, or without end.

    Times and identifiers are dropped. If the stream has drifts, each return to its beginning is a drift too, a real one
    if any of them is. To list them, the records are counted if the length is unknown.

    Parameters
    ----------
    source
        The stream; it must end and be readable more than once.
    times
        Number of repetitions; None for no end.
    """

    method = "repeat"
    parameters = ("times",)
    _recurs = True

    def __init__(self, source: Stream, *, times: int | None = None) -> None:
        self.times = None if times is None else checked_whole(times, "times", self.method)
        check_ends(source, self.method)
        if not source.restartable:
            raise InputError(f"{self.method}: {source.name} can be read only once. Accepted: a restartable stream.")
        super().__init__(source)
        self.endless = times is None and source.n_records != 0
        self.bayes_error = source._constant_bayes_error
        if source.n_records == 0:
            self.n_records = 0
        elif source.n_records is not None and self.times is not None:
            self.n_records = self.times * source.n_records
        changes = source._drifts_read or bool(source.drifts)
        self._drifts_forever = self.endless and changes
        self._drifts_read = source._drifts_read or (changes and source.n_records is None)

    @cached_property
    def _length(self) -> int | None:
        return counted(self.sources[0])

    def drifts_before(self, n: int | None) -> tuple[Drift, ...]:
        """Return the drifts of the first ``n`` records (None: all records)."""
        drifts = self.sources[0].drifts
        if not drifts or self.times == 0:
            return ()
        length = self._length
        if not length:
            return within(drifts, 0, n)
        if n is None and self.times is None:
            raise self._endless_drifts()
        ends = [end for end in (n, None if self.times is None else self.times * length) if end is not None]
        end = min(ends)
        real = any(drift.real for drift in drifts if not drift.temporary)
        returns = not all(drift.temporary for drift in drifts)
        found: list[Drift] = []
        for at in range(0, end, length):
            found += [Drift(at, real=real)] if at and returns else []
            found += [moved(drift, at) for drift in drifts]
        return within(found, 0, end)

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from record ``start`` on."""
        start = checked_whole(start, "start", "chunks")
        return rechunk(self._pieces(size, start), size, start)

    def _pieces(self, size: int, start: int) -> Iterator[Chunk]:
        source = self.sources[0]
        length = source.n_records
        if length == 0:
            return
        begin = 0 if length is None else start // length
        at = 0 if length is None else begin * length
        for _ in count(begin) if self.times is None else range(begin, self.times):
            skip, end = 0 if length is None else max(0, start - at), at
            for chunk in self._read(source, size, skip, at):
                yield chunk
                end = chunk.start + len(chunk)
            if end == at:
                return  # an empty stream would repeat for ever
            at = end
