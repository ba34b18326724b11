"""Two rotating Gaussians."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from prequential import _native
from prequential.arguments import is_number
from prequential.elementary import cos, erfc, exp, sin
from prequential.errors import ParameterError
from prequential.streams.generators.generator import Generator, Maker, checked_between, numbered_classes, numeric
from prequential.streams.schema import Schema
from prequential.types import FloatArray

_SCHEMA = Schema(numeric(2), numbered_classes(2))


class RotatingGaussian(Generator):
    """Two normal distributions, one per class, that rotate on opposite sides of the unit circle.

    A record depends only on the seed and its index, so skipping is free. Each class has half of the records. The Bayes
    error is constant: Φ(−1/spread), 16 % for spread 1. Other libraries have similar streams with other parameters; this
    definition is our own.

    Parameters
    ----------
    period
        Records per full rotation; None for fixed distributions.
    spread
        Standard deviation in every direction.
    seed
        Seed of the records.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.RotatingGaussian(seed=1).take(1000)
    >>> stream.schema.n_features, stream.schema.classes
    (2, ('class1', 'class2'))
    """

    parameters = ("period", "spread")

    def __init__(self, *, period: int | None = 10_000, spread: float = 1.0, seed: int = 1) -> None:
        self.period = None if period is None else checked_between(period, "period", "RotatingGaussian", 1, 10**18)
        if not (is_number(spread) and 0 < spread < math.inf):
            raise ParameterError("spread", "RotatingGaussian", "a finite number above 0", spread)
        self.spread = spread
        self.bayes_error = float(erfc(1 / (spread * math.sqrt(2)))) / 2
        super().__init__(_SCHEMA, seed)

    def posterior(self, X: FloatArray, at: Any) -> FloatArray:
        """Return the true probability of each class at these records."""
        turn = np.broadcast_to(np.asarray(at), len(X)) % self.period / self.period if self.period else np.zeros(len(X))
        ahead = X[:, 0] * cos(2 * np.pi * turn) + X[:, 1] * sin(2 * np.pi * turn)
        odds = 2 * ahead / self.spread**2  # the logarithm of the densities' ratio
        return np.stack([1 / (1 + exp(-odds)), 1 / (1 + exp(odds))], axis=1)

    def _maker(self) -> Maker:
        return _native.RotatingGaussian(self.seed, self.period or 0, self.spread)
