"""Rows of several sources in the order of their times, read as they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Timed:
    """Some consecutive rows: their times, and whatever else they have, an array each."""

    time: FloatArray
    columns: tuple[npt.NDArray[Any], ...]

    def __len__(self) -> int:
        return len(self.time)

    def __getitem__(self, which: Any) -> Timed:
        """Return some of the rows, in any order."""
        return Timed(self.time[which], tuple(column[which] for column in self.columns))

    @classmethod
    def join(cls, parts: list[Timed]) -> Timed:
        """Put rows behind one another."""
        if len(parts) == 1:
            return parts[0]
        columns = zip(*(part.columns for part in parts), strict=True)
        return cls(np.concatenate([part.time for part in parts]), tuple(map(np.concatenate, columns)))


def merged(*sources: Iterator[Timed], disorder: float = 0.0) -> Iterator[tuple[IntArray, Timed]]:
    """Give the rows of all sources in the order of their times, each with the number of its source.

    Of rows at one time, those of the source named first come first; rows of one source keep their order. No more is
    held than the rows read of one source that another has not reached yet. How sources are cut into pieces does not
    matter.

    Parameters
    ----------
    sources
        Each gives its rows in the order of their times, as far as they are in order.
    disorder
        By how much a row may bear an earlier time than one before it in its source, and still be put in order. A
        row that is later than that stays where it stands: behind the latest row before it.

    Examples
    --------
    >>> one = iter([Timed(np.array([0.0, 2.0, 1.0]), ())])
    >>> other = iter([Timed(np.array([1.0, 3.0]), ())])
    >>> [float(t) for _, rows in merged(one, other, disorder=1) for t in rows.time]
    [0.0, 1.0, 1.0, 2.0, 3.0]
    """
    rooms = [_Room(source, disorder) for source in sources]
    while reading := [room for room in rooms if not room.ended]:
        min(reading, key=lambda room: room.settled).read()
        settled = [room.settled for room in rooms]
        ready = [
            room.release(earlier=min(settled[:k], default=np.inf), latest=min(settled[k:]))
            for k, room in enumerate(rooms)
        ]
        number = np.repeat(np.arange(len(rooms)), [len(keys) for keys, _ in ready])
        if len(number):
            order = np.argsort(np.concatenate([keys for keys, _ in ready]), kind="stable")
            yield number[order], Timed.join([rows for _, rows in ready if len(rows)])[order]


class _Room:
    """The rows of one source that were read and have not been given, in the order in which they will be."""

    def __init__(self, source: Iterator[Timed], disorder: float) -> None:
        self.ended = False
        self._source, self._disorder = source, disorder
        self._latest = -np.inf
        self._keys: FloatArray = np.empty(0)
        self._rows: Timed | None = None

    @property
    def settled(self) -> float:
        """Rows still to be read come at this time, or later."""
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
        """Give away the rows before the time ``earlier``, and not after ``latest``."""
        n = min(self._keys.searchsorted(earlier, "left"), self._keys.searchsorted(latest, "right"))
        if not n or self._rows is None:
            return self._keys[:0], Timed(self._keys[:0], ())
        keys, rows = self._keys[:n], self._rows[slice(0, n)]
        self._keys, self._rows = self._keys[n:], self._rows[slice(n, None)]
        return keys, rows
