"""Streams that workers read themselves: generated records need not be sent to them."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

from prequential.streams.chunk import Chunk, concatenate
from prequential.streams.stream import Stream

_MOST = 65536


class OwnReading:
    """Reads a stream in pieces of any number of records.

    Parameters
    ----------
    stream
        The stream; every worker must read the same records from it.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._chunks: Iterator[Chunk] = iter(())
        self._rest: Chunk | None = None
        self._at = -1

    def take(self, start: int, n: int) -> Chunk:
        """Return ``n`` records from ``start`` on."""
        if start != self._at:  # at the start, or after replicas were restored
            self._chunks, self._rest = self._stream.chunks(min(n, _MOST), start), None
        taken: list[Chunk] = []
        while (left := n - sum(map(len, taken))) > 0:
            chunk = next(self._chunks) if self._rest is None else self._rest
            taken.append(chunk[:left])
            self._rest = chunk[left:] if len(chunk) > left else None
        self._at = start + n
        return concatenate(taken)


def own_stream(stream: Stream | None) -> Stream | None:
    """Return the stream if workers can read it themselves; None if its records must be sent to them."""
    if stream is None or not stream.generated or stream.events:
        return None
    try:
        content = pickle.dumps(stream, protocol=5)
    except Exception:  # it contains an object of the user that cannot be pickled
        return None
    return None if b"__main__" in content else stream
