"""A stream that drifts to another in small steps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from prequential.arguments import checked_whole
from prequential.errors import ParameterError
from prequential.streams.compositions.composed import checked_flag
from prequential.streams.compositions.mixture import Mixture
from prequential.streams.drift import Drift
from prequential.streams.stream import Stream
from prequential.types import IntArray


class Incremental(Mixture):
    """An incremental drift: records of one stream, then of several in equal abrupt steps, then of a last one.

    The first m − 1 of m concepts share the ``width`` records of the drift equally; the last one follows after it.

    Parameters
    ----------
    before
        The stream before the drift.
    concepts
        The streams it passes through; the last one remains.
    at, width
        Middle and length of the drift, in records.
    real
        Whether the boundary between the classes changes.
    """

    method = "drift_through"
    parameters = ("at", "width", "real")
    _others = "concepts"

    def __init__(self, before: Stream, *concepts: Stream, at: int, width: int, real: bool = True) -> None:
        if len(concepts) < 2:
            raise ParameterError("concepts", self.method, "at least two streams (drift_to takes one)", len(concepts))
        n_steps = len(concepts) - 1
        self.width = checked_whole(width, "width", self.method)
        if self.width < n_steps:
            constraint = f"at least {n_steps:,}, one record for each concept except the last"
            raise ParameterError("width", self.method, constraint, width)
        self.at = checked_whole(at, "at", self.method)
        if self.at < self.width // 2:
            raise ParameterError("at", self.method, f"at least {self.width // 2:,}, half the width", at)
        self.real = checked_flag(real, "real", self.method)
        begin = self.at - self.width // 2
        self._steps = begin + self.width * np.arange(n_steps + 1, dtype=np.int64) // n_steps
        super().__init__(before, *concepts, head=begin, tail=(begin + self.width, len(concepts)))

    def _choices(self, start: int, n: int) -> IntArray:
        i = np.arange(start, start + n, dtype=np.int64)
        return np.searchsorted(self._steps, i, side="right").astype(np.int64)

    def _changes(self) -> Iterator[Drift]:
        yield Drift(self.at, self.width, self.real)
