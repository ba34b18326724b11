"""A stream with some records of another one inserted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from prequential.arguments import checked_whole
from prequential.streams.compositions.composed import checked_flag
from prequential.streams.compositions.mixture import Mixture
from prequential.streams.drift import Drift
from prequential.streams.stream import Stream
from prequential.types import IntArray


class Blip(Mixture):
    """Records of one stream, then a few of another, then the rest of the first.

    Drifts within the blip are temporary, like the blip itself.

    Parameters
    ----------
    stream, other
        The two streams.
    at, width
        Index of the first record of the blip, and its length in records.
    real
        Whether the boundary between the classes differs in the blip.
    """

    method = "blip"
    parameters = ("at", "width", "real")
    _others = "other"

    def __init__(self, stream: Stream, other: Stream, *, at: int, width: int, real: bool = True) -> None:
        self.at, self.width = checked_whole(at, "at", self.method), checked_whole(width, "width", self.method, least=1)
        self.real = checked_flag(real, "real", self.method)
        super().__init__(stream, other, head=self.at, tail=(self.at + self.width, 0))

    def _choices(self, start: int, n: int) -> IntArray:
        i = np.arange(start, start + n, dtype=np.int64)
        return ((i >= self.at) & (i < self.at + self.width)).astype(np.int64)

    def _changes(self) -> Iterator[Drift]:
        yield Drift(0, 1, self.real, temporary=True).spanning(self.at, self.at + self.width)

    def _drifts_of(self, source: int, used: int | None, used_in_all: int | None) -> tuple[Drift, ...]:
        # A drift whose middle is in the blip is temporary as a whole, also before its middle is read.
        return super()._drifts_of(source, used if source == 0 else used_in_all, used_in_all)

    def _mapped(self, source: int, drifts: Sequence[Drift], used: int | None) -> list[Drift]:
        mapped = drifts if source == 0 else [replace(drift, temporary=True) for drift in drifts]
        return super()._mapped(source, mapped, used)
