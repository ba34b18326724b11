"""Reading a stream by as many records as are wanted."""

from __future__ import annotations

from collections.abc import Iterator

from prequential.streams.chunk import Chunk, concatenate
from prequential.streams.compositions.composed import check_closed
from prequential.streams.stream import Stream


class SourceReader:
    """Reads a stream piecemeal, as many records as are asked for; opens it only when it is needed.

    Parameters
    ----------
    stream
        What is read.
    size
        Records of a chunk of it.
    start
        Its first record that is wanted.
    caller
        Who reads, for messages.
    """

    def __init__(self, stream: Stream, size: int, start: int, caller: str) -> None:
        self._stream, self._size, self._start, self._caller = stream, size, start, caller
        self._chunks: Iterator[Chunk] | None = None
        self._left: list[Chunk] = []
        self.fault: Exception | None = None
        """What the stream raised where it ended."""

    def arrives(self) -> bool:
        """Tell whether the stream has all the records before the first that is wanted; to be asked before any is read.

        Where its length is not known, the record before is read to see.
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
        except Exception as fault:  # to be raised after the records before it
            self.fault = fault
            return None
        return chunk
