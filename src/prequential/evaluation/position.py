"""The position of a run in its source."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.streams.chunk import Chunk

_TAIL = 256


@dataclass(slots=True)
class Tail:
    """A fingerprint of the last records before a save point, to check that a run is resumed with the same stream.

    Parameters
    ----------
    n
        Number of records.
    sums
        Checksum of each of their arrays.
    """

    n: int = 0
    sums: dict[str, int] = field(default_factory=dict)

    def add(self, chunk: Chunk) -> None:
        """Add records."""
        self.n += len(chunk)
        for name, values in _arrays(chunk):
            self.sums[name] = zlib.crc32(_content(values), self.sums.get(name, 0))

    @classmethod
    def of(cls, chunk: Chunk) -> Tail:
        """Return the fingerprint of the last records of a chunk."""
        tail = cls()
        tail.add(chunk[max(0, len(chunk) - _TAIL) :])
        return tail


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a run: the number of records and chunks before it, and the fingerprint of the last records."""

    n_records: int
    seq: int
    tail: Tail


def _arrays(chunk: Chunk) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    """Yield the arrays of a chunk, including those of subclasses."""
    for one in fields(chunk):
        values = getattr(chunk, one.name)
        if isinstance(values, np.ndarray):
            yield one.name, values
        elif isinstance(values, Mapping):
            yield from ((f"{one.name} of {key}", array) for key, array in values.items())


def _content(values: npt.NDArray[Any]) -> bytes:
    if values.dtype.kind == "O":  # ids of any type
        return "".join(map(repr, values.tolist())).encode()
    return np.ascontiguousarray(values).tobytes()
