"""Reading a stream in pieces of varying size."""

from __future__ import annotations

from collections.abc import Iterator

from prequential.streams.chunk import Chunk, concatenate
from prequential.streams.compositions.composed import check_closed
from prequential.streams.stream import Stream


class SourceReader:
    """Reads any number of records at a time; opens the stream at the first read.

    Parameters
    ----------
    stream
        The stream.
    size
        Size of its chunks.
    start
        The first record to read.
    caller
        The name of the calling method, for error messages.
    """

    def __init__(self, stream: Stream, size: int, start: int, caller: str) -> None:
        self._stream, self._size, self._start, self._caller = stream, size, start, caller
        self._chunks: Iterator[Chunk] | None = None
        self._left: list[Chunk] = []
        self.fault: Exception | None = None
        """The error with which the stream ended."""

    def reaches_start(self) -> bool:
        """Return whether the stream has all records before the first one to read; call it before any read.

        If the length is unknown, the record before the first one is read.
        """
        stream = self._stream
        if self._start == 0 or stream.endless:
            return True
        if stream.n_records is not None:
            return self._start <= stream.n_records
        self._start -= 1
        return self.read(1) is not None

    def read(self, n: int) -> Chunk | None:
        """Return the next ``n`` records, fewer where the stream ends, or None."""
        if n == 0:
            return None
        got = sum(map(len, self._left))
        while got < n:
            chunk = self._next()
            if chunk is None:
                break
            self._left.append(chunk)
            got += len(chunk)
        if not self._left:
            return None
        joined = concatenate(self._left)
        self._left = [joined[n:]] if len(joined) > n else []
        return joined[:n]

    def _next(self) -> Chunk | None:
        if self.fault is not None:
            return None
        try:
            if self._chunks is None:
                self._chunks = iter(self._stream.chunks(self._size, self._start))
            chunk = next(self._chunks, None)
            if chunk is not None:
                check_closed(chunk, self._stream, self._caller)
        except Exception as fault:  # raised after the records before it
            self.fault = fault
            return None
        return chunk
