"""Two rotating Gaussians."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy

from prequential import _native
from prequential.errors import ParameterError, is_number
from prequential.streams.generators.generator import Generator, Maker, checked_between, numbered_classes, numeric
from prequential.streams.schema import Schema
from prequential.types import FloatArray

_SCHEMA = Schema(numeric(2), numbered_classes(2))


class RotatingGaussian(Generator):
    """Two normal distributions in the plane, a class each, on opposite sides of the unit circle, which they go round.

    Record i of a seed is computed alone, so skipping costs nothing. Either class has half of the records. The Bayes
    error is the same at all times: Φ(−1/spread), 16 % for spread 1. Other libraries have streams of this kind with
    other settings; this definition is our own.

    Parameters
    ----------
    period
        Records of a whole turn; None for distributions that stand still.
    spread
        Standard deviation in every direction.
    seed
        Which records.
    """

    parameters = ("period", "spread")

    def __init__(self, *, period: int | None = 10_000, spread: float = 1.0, seed: int = 1) -> None:
        self.period = None if period is None else checked_between(period, "period", "RotatingGaussian", 1, 10**18)
        if not (is_number(spread) and 0 < spread < math.inf):
            raise ParameterError("spread", "RotatingGaussian", "a finite number above 0", spread)
        self.spread = spread
        self.bayes_error = math.erfc(1 / (spread * math.sqrt(2))) / 2
        super().__init__(_SCHEMA, seed)

    def posterior(self, X: FloatArray, at: Any) -> FloatArray:
        """Return the true probability of each class where the distributions are at these records."""
        turn = np.broadcast_to(np.asarray(at), len(X)) % self.period / self.period if self.period else np.zeros(len(X))
        ahead = X[:, 0] * np.cos(2 * np.pi * turn) + X[:, 1] * np.sin(2 * np.pi * turn)
        odds = 2 * ahead / self.spread**2  # the logarithm of the densities' ratio
        return np.stack([scipy.special.expit(odds), scipy.special.expit(-odds)], axis=1)

    def _maker(self) -> Maker:
        return _native.RotatingGaussian(self.seed, self.period or 0, self.spread)
