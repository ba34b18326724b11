"""Rows of several sources merged by time, without reading all of them first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Timed:
    """Consecutive rows: their times, and one array per further column."""

    time: FloatArray
    columns: tuple[npt.NDArray[Any], ...]

    def __len__(self) -> int:
        return len(self.time)

    def __getitem__(self, which: Any) -> Timed:
        """Return the selected rows, in any order."""
        return Timed(self.time[which], tuple(column[which] for column in self.columns))

    @classmethod
    def join(cls, parts: list[Timed]) -> Timed:
        """Concatenate rows."""
        if len(parts) == 1:
            return parts[0]
        columns = zip(*(part.columns for part in parts), strict=True)
        return cls(np.concatenate([part.time for part in parts]), tuple(map(np.concatenate, columns)))


def merged(*sources: Iterator[Timed], disorder: float = 0.0) -> Iterator[tuple[IntArray, Timed]]:
    """Yield the rows of all sources in order of time, each with the index of its source.

    Rows with equal times are ordered by source; rows of one source keep their order. Only rows that another source has
    not reached yet are held in memory. The result does not depend on how sources are cut into pieces.

    Parameters
    ----------
    sources
        Each yields its rows approximately in order of time.
    disorder
        The largest difference by which a row may be earlier than the latest row before it in its source and still be
        sorted. A row beyond that stays where it is, after the latest row before it.

    Examples
    --------
    >>> one = iter([Timed(np.array([0.0, 2.0, 1.0]), ())])
    >>> other = iter([Timed(np.array([1.0, 3.0]), ())])
    >>> [float(t) for _, rows in merged(one, other, disorder=1) for t in rows.time]
    [0.0, 1.0, 1.0, 2.0, 3.0]
    """
    buffers = [_Buffer(source, disorder) for source in sources]
    while reading := [buffer for buffer in buffers if not buffer.ended]:
        min(reading, key=lambda buffer: buffer.settled).read()
        settled = [buffer.settled for buffer in buffers]
        ready = [
            buffer.release(earlier=min(settled[:k], default=np.inf), latest=min(settled[k:]))
            for k, buffer in enumerate(buffers)
        ]
        number = np.repeat(np.arange(len(buffers)), [len(keys) for keys, _ in ready])
        if len(number):
            order = np.argsort(np.concatenate([keys for keys, _ in ready]), kind="stable")
            yield number[order], Timed.join([rows for _, rows in ready if len(rows)])[order]


class _Buffer:
    """The rows of one source that were read but not yielded yet, sorted."""

    def __init__(self, source: Iterator[Timed], disorder: float) -> None:
        self.ended = False
        self._source, self._disorder = source, disorder
        self._latest = -np.inf
        self._keys: FloatArray = np.empty(0)
        self._rows: Timed | None = None

    @property
    def settled(self) -> float:
        """Rows still to be read have this time or a later one."""
        return np.inf if self.ended else self._latest - self._disorder

    def read(self) -> None:
        """Read the next piece."""
        piece = next(self._source, None)
        if piece is None:
            self.ended = True
            return
        if not len(piece):
            return
        reached = np.maximum.accumulate(np.concatenate([[self._latest], piece.time]))
        before, self._latest = reached[:-1], float(reached[-1])
        keys = np.where(piece.time < before - self._disorder, before, piece.time)
        self._keys = np.concatenate([self._keys, keys])
        self._rows = piece if self._rows is None else Timed.join([self._rows, piece])
        if (np.diff(self._keys) < 0).any():
            order = np.argsort(self._keys, kind="stable")
            self._keys, self._rows = self._keys[order], self._rows[order]

    def release(self, *, earlier: float, latest: float) -> tuple[FloatArray, Timed]:
        """Remove and return the rows before the time ``earlier`` and not after ``latest``."""
        n = min(self._keys.searchsorted(earlier, "left"), self._keys.searchsorted(latest, "right"))
        if not n or self._rows is None:
            return self._keys[:0], Timed(self._keys[:0], ())
        keys, rows = self._keys[:n], self._rows[slice(0, n)]
        self._keys, self._rows = self._keys[n:], self._rows[slice(n, None)]
        return keys, rows
