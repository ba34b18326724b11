"""Streams mixed at random, record by record."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from prequential import _native
from prequential.arguments import checked_list, is_number
from prequential.errors import ParameterError
from prequential.streams.compositions.mixture import Mixture
from prequential.streams.drift import Drift
from prequential.streams.seed import checked_seed
from prequential.streams.stream import Stream
from prequential.types import IntArray

_DRAW_KEY = 0x4C454156 << 32  # "LEAV"


class Interleaved(Mixture):
    """Each record comes from one of several streams, chosen at random.

    Parameters
    ----------
    first, others
        The streams.
    shares
        Relative frequency of each stream; None for equal ones.
    seed
        Seed of the draws.
    """

    method = "interleave"
    parameters = ("shares", "seed")

    def __init__(self, first: Stream, *others: Stream, shares: Sequence[float] | None = None, seed: int = 1) -> None:
        if not others:
            raise ParameterError("others", self.method, "at least one other stream", others)
        self.shares = _checked(shares, 1 + len(others), self.method)
        self.seed = checked_seed(seed, "seed", self.method)
        self._bounds = np.cumsum(self.shares)[:-1] / sum(self.shares)
        super().__init__(first, *others, draws=_DRAW_KEY)

    def _choices(self, start: int, n: int) -> IntArray:
        drawn = _native.uniforms(self.seed, self._draws, start, n)
        return np.searchsorted(self._bounds, drawn, side="right").astype(np.int64)

    def _changes(self) -> Iterator[Drift]:
        return iter(())


def _checked(shares: Sequence[float] | None, n: int, caller: str) -> list[float]:
    if shares is None:
        return [1.0] * n
    given = checked_list(shares, "shares", caller, "numbers")
    if len(given) != n or not all(is_number(share) and 0 < share < math.inf for share in given):
        raise ParameterError("shares", caller, f"{n:,} numbers above 0, one per stream", shares)
    if min(given) < 1e-6 * sum(given):
        raise ParameterError("shares", caller, "numbers that are each at least a millionth of their sum", shares)
    return [float(share) for share in given]
