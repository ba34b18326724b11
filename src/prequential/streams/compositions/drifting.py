"""A stream that drifts to another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from prequential import _native
from prequential.arguments import checked_whole
from prequential.streams.compositions.composed import checked_flag
from prequential.streams.compositions.mixture import Mixture, reach, sigmoid
from prequential.streams.drift import Drift
from prequential.streams.seed import checked_seed
from prequential.streams.stream import Stream
from prequential.types import FloatArray, IntArray

_DRAW_KEY = 0x4452494654  # "DRIFT"


class Drifting(Mixture):
    """Records of one stream, then of another, with an abrupt or a sigmoid transition.

    Record i comes from the second stream with probability 1/(1 + exp(−4(i − at)/width)); if ``width`` is 1, all
    records from ``at`` on do.

    Parameters
    ----------
    before, after
        The two streams.
    at, width
        Middle and length of the drift, in records.
    real
        Whether the boundary between the classes changes.
    seed
        Seed of the mixing.
    """

    method = "drift_to"
    parameters = ("at", "width", "real", "seed")
    _others = "other"

    def __init__(
        self, before: Stream, after: Stream, *, at: int, width: int = 1, real: bool = True, seed: int = 1
    ) -> None:
        self.at, self.width = checked_whole(at, "at", self.method), checked_whole(width, "width", self.method, least=1)
        self.real, self.seed = checked_flag(real, "real", self.method), checked_seed(seed, "seed", self.method)
        margin = reach(self.width) if self.width > 1 else 0
        super().__init__(
            before,
            after,
            head=max(0, self.at - margin),
            tail=(self.at + margin, 1),
            draws=_DRAW_KEY if self.width > 1 else None,
        )

    def posterior(self, X: FloatArray, at: Any) -> FloatArray | None:
        """Return the class posterior in the stream that each record comes from; None if the two streams are mixed."""
        at = np.broadcast_to(np.asarray(at), len(X))
        later = at >= self.at
        before = self.sources[0].posterior(X[~later], at[~later])
        after = self.sources[1].posterior(X[later], at[later] - self.at)
        if self.width > 1 or before is None or after is None:
            return None
        truth = np.empty((len(X), self.schema.n_classes))
        truth[~later], truth[later] = before, after
        return truth

    def _choices(self, start: int, n: int) -> IntArray:
        i = np.arange(start, start + n, dtype=np.int64)
        if self.width == 1:
            return (i >= self.at).astype(np.int64)
        drawn = _native.uniforms(self.seed, self._draws, start, n)
        return (drawn < sigmoid(i - self.at, self.width)).astype(np.int64)

    def _changes(self) -> Iterator[Drift]:
        yield Drift(self.at, self.width, self.real)
