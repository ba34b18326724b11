"""Streams that take turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

import numpy as np

from prequential import _native
from prequential.arguments import checked_whole
from prequential.errors import ParameterError
from prequential.streams.compositions.composed import checked_flag
from prequential.streams.compositions.mixture import Mixture, reach, sigmoid
from prequential.streams.drift import Drift
from prequential.streams.seed import checked_seed
from prequential.streams.stream import Stream
from prequential.types import IntArray

_DRAW_KEY = 0x5455524E << 32  # "TURN"


class Recurring(Mixture):
    """Records of several streams in turn, repeatedly; each stream continues after its last record read.

    A drift is abrupt, or a sigmoid as in ``Drifting``; between two drifts, the nearer one applies to a record.

    Parameters
    ----------
    first, others
        The streams, in order.
    every
        Records between two drifts.
    width
        Length of a drift in records.
    real
        Whether the boundary between the classes changes.
    seed
        Seed of the mixing.
    """

    method = "recurring"
    parameters = ("every", "width", "real", "seed")
    _changes_forever = True
    _recurs = True

    def __init__(
        self, first: Stream, *others: Stream, every: int, width: int = 1, real: bool = True, seed: int = 1
    ) -> None:
        if not others:
            raise ParameterError("others", self.method, "at least one other stream", others)
        self.every = checked_whole(every, "every", self.method, least=1)
        self.width = checked_whole(width, "width", self.method, least=1)
        if self.width > self.every:
            raise ParameterError("width", self.method, f"at most 'every', {self.every:,}", width)
        self.real, self.seed = checked_flag(real, "real", self.method), checked_seed(seed, "seed", self.method)
        gradual = self.width > 1
        head = max(0, self.every - reach(self.width)) if gradual else self.every
        super().__init__(first, *others, head=head, draws=_DRAW_KEY if gradual else None)

    def _choices(self, start: int, n: int) -> IntArray:
        i = np.arange(start, start + n, dtype=np.int64)
        if self.width == 1:
            turn = i // self.every
        else:
            change = np.maximum(1, (2 * i + self.every) // (2 * self.every))
            share = sigmoid(i - change * self.every, self.width)
            turn = change - 1 + (_native.uniforms(self.seed, self._draws, start, n) < share)
        return (turn % len(self.sources)).astype(np.int64)

    def _changes(self) -> Iterator[Drift]:
        for at in count(self.every, self.every):
            yield Drift(at, self.width, self.real)

    def _counts(self, start: int) -> IntArray:
        if self.width > 1:
            return super()._counts(start)
        n_turns, over = divmod(start, self.every)
        n_rounds, turn = divmod(n_turns, len(self.sources))
        counts = np.full(len(self.sources), n_rounds * self.every, dtype=np.int64)
        counts[:turn] += self.every
        counts[turn] += over
        return counts

    def _places(self, source: int, records: Iterable[int]) -> dict[int, int]:
        if self.width > 1:
            return super()._places(source, records)
        found = {}
        for k in records:
            n_rounds, over = divmod(k, self.every)
            found[k] = (n_rounds * len(self.sources) + source) * self.every + over
        return found
