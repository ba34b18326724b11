"""A stream whose records each come from one of several streams: the base of drifts, blips and interleaving."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count, islice, takewhile
from typing import ClassVar

import numpy as np

from prequential.arguments import checked_whole
from prequential.elementary import exp
from prequential.streams.chunk import Chunk
from prequential.streams.compositions.composed import Composed, check_stream, counted, same_bayes_error
from prequential.streams.compositions.source_reader import SourceReader
from prequential.streams.drift import Drift, warn_beyond, within
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.types import FloatArray, IntArray

_BLOCK = 1 << 16
"""Number of records whose source is looked up at once."""
_REACH = 10
"""Widths from the middle of a sigmoid at which it is 0 or 1 to the precision of a draw: exp(−40) is below 2^−53."""


class Mixture(Composed):
    """A stream whose records each come from one of several streams; no record of these is lost or repeated.

    A subclass chooses the stream of each record. The mixture ends when the chosen stream has no more records. Times and
    identifiers are dropped, because those of two streams do not fit together; if only some streams have weights, the
    weights of the others are 1. New classes and values (an open schema) are refused: the streams would give them
    different codes. If the stream of a record is drawn at random, the Bayes error is unknown even if it is the same for
    all: where two concepts disagree, the record does not show which one it belongs to.

    Parameters
    ----------
    sources
        The streams; they must have the same schema.
    head
        Number of records at the beginning that all come from the first stream.
    tail
        The record from which on all come from one stream, and the index of that stream; None if there is none.
    draws
        The key of the random draws; None without draws.
    """

    _others: ClassVar[str] = "others"
    """The parameter name of the other streams."""
    _changes_forever: ClassVar[bool] = False
    """Whether the number of its changes is infinite."""

    def __init__(
        self, *sources: Stream, head: int = 0, tail: tuple[int, int] | None = None, draws: int | None = None
    ) -> None:
        for source in sources:
            check_stream(source, self._others, self.method)
        super().__init__(*sources)
        self.bayes_error = same_bayes_error(sources) if draws is None else None
        self._head, self._tail = head, tail
        self._draws = 0 if draws is None else self._draw_key(draws)
        lasting = sources if tail is None else (sources[tail[1]],)
        self._end = self._ending([source.n_records for source in sources])
        self.endless = self._end is None and all(source.endless for source in lasting)
        self.n_records = self._end if self._is_sure() else None
        again = self._end is None and (self._changes_forever or any(source._drifts_forever for source in lasting))
        self._drifts_forever = again and self.endless
        self._drifts_read = (again and not self.endless) or any(source._drifts_read for source in sources)
        if self.n_records is not None:
            warn_beyond(list(islice(self._changes(), 1)), self.n_records, self.method)

    @abstractmethod
    def _choices(self, start: int, n: int) -> IntArray:
        """Return the index of the stream of each of ``n`` records from ``start`` on."""

    @abstractmethod
    def _changes(self) -> Iterator[Drift]:
        """Yield the drifts between streams, in order."""

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from record ``start`` on, until the chosen stream has no more records."""
        size, start = checked_whole(size, "size", "chunks", least=1), checked_whole(start, "start", "chunks")
        return self._mixed(size, start)

    def drifts_before(self, n: int | None) -> tuple[Drift, ...]:
        """Return the drifts of the first ``n`` records (None: all records)."""
        whole = self._end
        if n is None and whole is None and self._drifts_read:
            whole = self._counted_end
        if n is None and whole is None and (self._drifts_forever or self._changes_forever):
            raise self._endless_drifts()
        ends = [end for end in (n, whole) if end is not None]
        end = min(ends, default=None)
        changes = takewhile(lambda drift: end is None or drift.begin < end, self._changes())
        found = list(changes)
        for k, (n_used, n_used_in_all) in enumerate(zip(self._uses(end), self._uses(whole), strict=True)):
            found += self._mapped(k, self._drifts_of(k, n_used, n_used_in_all), n_used_in_all)
        return within(found, 0, end)

    def _drifts_of(self, source: int, used: int | None, used_in_all: int | None) -> tuple[Drift, ...]:
        """Return the drifts of the used records of a source.

        One record more than is used shows which blips have not ended yet.
        """
        ends = [end for end in (None if used is None else used + 1, used_in_all) if end is not None]
        return self.sources[source].drifts_before(min(ends, default=None))

    def _mixed(self, size: int, start: int) -> Iterator[Chunk]:
        if self._end is not None and start >= self._end:
            return
        readers = [
            SourceReader(source, size, int(n), self.method)
            for source, n in zip(self.sources, self._counts(start), strict=True)
        ]
        for reader in readers:
            if not reader.reaches_start():
                if reader.fault is not None:
                    raise reader.fault
                return
        while True:
            choices = self._choices(start, size)
            wanted = np.bincount(choices, minlength=len(readers)).tolist()
            parts = [reader.read(n) for reader, n in zip(readers, wanted, strict=True)]
            n = _n_whole(choices, [0 if part is None else len(part) for part in parts])
            if n:
                yield self._joined(parts, choices[:n], start)
            if n < size:
                fault = readers[int(choices[n])].fault
                if fault is not None:
                    raise fault
                return
            start += size

    def _joined(self, parts: Sequence[Chunk | None], choices: IntArray, start: int) -> Chunk:
        """Join records of several streams in the order of this one."""
        some = [(k, part) for k, part in enumerate(parts) if part is not None]
        n, schema = len(choices), self.schema
        if len(some) == 1:
            return replace(some[0][1][:n], schema=schema, start=start, time=None, id=None)
        X = np.empty((n, schema.n_features))
        y = np.empty(n, dtype=some[0][1].y.dtype)
        weight = np.ones(n) if any(part.weight is not None for _, part in some) else None
        for k, part in some:
            here = np.flatnonzero(choices == k)
            X[here], y[here] = part.X[: len(here)], part.y[: len(here)]
            if weight is not None and part.weight is not None:
                weight[here] = part.weight[: len(here)]
        return Chunk(schema, start, X, y, weight=weight)

    def _counts(self, start: int) -> IntArray:
        """Return the number of records before ``start`` that come from each stream."""
        counts = np.zeros(len(self.sources), dtype=np.int64)
        end = start if self._tail is None else min(start, self._tail[0])
        counts[0] = min(self._head, end)
        for at in range(int(counts[0]), end, _BLOCK):
            counts += np.bincount(self._choices(at, min(_BLOCK, end - at)), minlength=len(counts))
        if self._tail is not None:
            counts[self._tail[1]] += start - end
        return counts

    def _places(self, source: int, records: Iterable[int]) -> dict[int, int]:
        """Return the indices in this stream of records of a source, without those that never occur."""
        wanted = np.unique(np.fromiter(records, dtype=np.int64))
        first = self._head if self._tail is None else min(self._head, self._tail[0])
        seen = first if source == 0 else 0
        found = {int(k): int(k) for k in wanted[wanted < seen]}
        wanted = wanted[wanted >= seen]
        for at in count(first, _BLOCK) if self._tail is None else range(first, self._tail[0], _BLOCK):
            if not len(wanted):
                return found
            n = _BLOCK if self._tail is None else min(_BLOCK, self._tail[0] - at)
            here = at + np.flatnonzero(self._choices(at, n) == source)
            now = wanted[wanted < seen + len(here)]
            found |= dict(zip(now.tolist(), here[now - seen].tolist(), strict=True))
            wanted, seen = wanted[len(now) :], seen + len(here)
        if self._tail is not None and self._tail[1] == source:
            found |= {k: self._tail[0] + k - seen for k in wanted.tolist()}
        return found

    def _ending(self, lengths: Sequence[int | None]) -> int | None:
        """Return the first record for which the chosen stream, given these lengths, has no record left."""
        ends = [self._places(k, [n]).get(n) for k, n in enumerate(lengths) if n is not None]
        return min((end for end in ends if end is not None), default=None)

    def _is_sure(self) -> bool:
        """Whether no stream of unknown length can end the mixture earlier than the others."""
        open_ended = [k for k, source in enumerate(self.sources) if source.n_records is None and not source.endless]
        firsts = [self._places(k, [0]).get(0) for k in open_ended]
        return all(first is None or (self._end is not None and first >= self._end) for first in firsts)

    @cached_property
    def _counted_end(self) -> int | None:
        return self._ending([counted(source) for source in self.sources])

    def _uses(self, end: int | None) -> list[int | None]:
        """Return the number of records of each stream before record ``end``; None for infinitely many."""
        if end is not None:
            return list(self._counts(end).tolist())
        if self._tail is None:
            return [None] * len(self.sources)
        counts: list[int | None] = list(self._counts(self._tail[0]).tolist())
        counts[self._tail[1]] = None
        return counts

    def _mapped(self, source: int, drifts: Sequence[Drift], used: int | None) -> list[Drift]:
        """Return drifts of a source as drifts of this stream; records of other sources in between make them wider."""
        if not drifts:
            return []
        spans = [(max(0, d.begin), d.at, d.end if used is None else min(d.end, used)) for d in drifts]
        places = self._places(source, [k for begin, at, end in spans for k in (begin, at, end - 1)])
        found = []
        for drift, (begin, at, end) in zip(drifts, spans, strict=True):
            first, last = places[begin], places[end - 1]
            if drift.temporary:
                found.append(drift.spanning(first, last + 1))
            else:
                between = (last + 1 - first) - (end - begin)
                found.append(replace(drift, at=places[at], width=drift.width + between))
        return found


def sigmoid(distance: IntArray, width: int) -> FloatArray:
    """Return 1/(1 + exp(−4 distance/width)): the progress of a drift at a distance from its middle."""
    share: FloatArray = 1 / (1 + exp(np.clip(-4 * distance / width, -4 * _REACH, 4 * _REACH)))
    share[distance <= -_REACH * width] = 0
    return share


def reach(width: int) -> int:
    """Return the distance from the middle of a sigmoid beyond which no draws are needed."""
    return _REACH * width


def _n_whole(choices: IntArray, have: Sequence[int]) -> int:
    """Return the number of records before the first one whose stream has no record left."""
    n = len(choices)
    for k, some in enumerate(have):
        here = np.flatnonzero(choices == k)
        if len(here) > some:
            n = min(n, int(here[some]))
    return n
