"""Consecutive records of a stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from prequential.arguments import checked_whole
from prequential.streams.chunk import Chunk
from prequential.streams.compositions.composed import Composed
from prequential.streams.drift import Drift, warn_beyond, within
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.types import FloatArray


class Part(Composed):
    """Consecutive records of another stream. A part of a part is a part of the whole.

    Parameters
    ----------
    source
        The other stream.
    start
        Index of the first record.
    n
        Number of records; None for all.
    """

    method = "take"
    takes_events = True

    def __init__(self, source: Stream, start: int, n: int | None) -> None:
        root = source.sources[0] if isinstance(source, Part) else source
        requested = isinstance(root, Composed)  # not the drifts of a file or of the testbed
        if n is not None and requested and not source._recurs and not source._drifts_read:
            warn_beyond(source.drifts, n, self.method)
        whole = source
        if isinstance(source, Part):
            ends = [end for end in (n, None if source.n is None else max(0, source.n - start)) if end is not None]
            whole, start, n = source.sources[0], source.start + start, min(ends, default=None)
        super().__init__(whole)
        self.start: int = start
        self.n: int | None = n
        self.endless = whole.endless and n is None
        self.bayes_error = whole._constant_bayes_error
        left = None if whole.n_records is None else max(0, whole.n_records - start)
        ends = [end for end in (n, left) if end is not None]
        known = left is not None or whole.endless or n == 0  # a file may be shorter than n
        self.n_records = min(ends, default=None) if known else None
        self._drifts_forever = whole._drifts_forever and n is None
        self._drifts_read = whole._drifts_read

    @property
    def source(self) -> Stream:
        """The whole stream."""
        return self.sources[0]

    def drifts_before(self, n: int | None) -> tuple[Drift, ...]:
        """Return the drifts of the first ``n`` records (None: all records)."""
        ends = [self.start + end for end in (n, self.n) if end is not None]
        end = min(ends, default=None)
        return within(self.source.drifts_before(end), self.start, end)

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

    def _remade(self, sources: Sequence[Stream], seed: int) -> Stream:  # noqa: ARG002  # no random draws
        return Part(sources[0], self.start, self.n)

    def posterior(self, X: FloatArray, at: Any) -> FloatArray | None:
        """Return the posterior of the whole stream at these records of this part."""
        return self.source.posterior(X, np.asarray(at) + self.start)

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest."""
        return {**self.source.describe(), "skip": self.start, "take": self.n, "n_records": self.n_records}
