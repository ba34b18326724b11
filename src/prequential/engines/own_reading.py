"""Records that a worker reads by itself: those of a generated stream are made there, and need not be sent."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

from prequential.streams.chunk import Chunk, concatenate
from prequential.streams.stream import Stream

_MOST = 65536


class OwnReading:
    """Reads a stream on and on, so many records at a time as are asked for.

    Parameters
    ----------
    stream
        The stream; its records are the same wherever it is read.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._chunks: Iterator[Chunk] = iter(())
        self._rest: Chunk | None = None
        self._at = -1

    def take(self, start: int, n: int) -> Chunk:
        """Return ``n`` records from ``start`` on."""
        if start != self._at:  # the beginning, or a replica that was saved elsewhere
            self._chunks, self._rest = self._stream.chunks(min(n, _MOST), start), None
        taken: list[Chunk] = []
        while (left := n - sum(map(len, taken))) > 0:
            chunk = next(self._chunks) if self._rest is None else self._rest
            taken.append(chunk[:left])
            self._rest = chunk[left:] if len(chunk) > left else None
        self._at = start + n
        return concatenate(taken)


def own_stream(stream: Stream | None) -> Stream | None:
    """Return a stream if workers are to read it by themselves, None if its records are to be sent to them."""
    if stream is None or not stream.generated or stream.events:
        return None
    try:
        written = pickle.dumps(stream, protocol=5)
    except Exception:  # something of the user's own is in it
        return None
    return None if b"__main__" in written else stream
