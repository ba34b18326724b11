"""The rotating hyperplane."""

from __future__ import annotations

from typing import Any

import numpy as np

from prequential import _native
from prequential.streams.generators.generator import (
    Generator,
    checked_between,
    checked_share,
    either,
    numbered_classes,
    numeric,
)
from prequential.streams.schema import Schema
from prequential.types import FloatArray


class Hyperplane(Generator):
    """Points of the unit cube, the class the side of a plane that turns; labels flipped at random.

    The class is class2 if Σ wⱼxⱼ ≥ ½ Σ wⱼ. With every record the first ``n_drifting`` weights move by ``speed``, and
    each turns round with probability ``reversal``. Either class has half of the records. Skipping costs nothing if
    the plane stands still, and else takes the steps of its weights but makes no features. Its Bayes error is
    ``noise``.

    Parameters
    ----------
    n_features
        The dimension.
    n_drifting
        How many weights move.
    speed
        What a weight moves with every record; 0 for a plane that stands still.
    reversal
        Probability that a weight turns round after a record.
    noise
        Probability that a label is flipped, in [0, 0.5].
    seed
        Which plane, walk and records.

    References
    ----------
    Hulten, Spencer and Domingos, "Mining time-changing data streams", KDD 2001.
    """

    parameters = ("n_features", "n_drifting", "speed", "reversal", "noise")

    def __init__(
        self,
        *,
        n_features: int = 10,
        n_drifting: int = 2,
        speed: float = 0.0,
        reversal: float = 0.1,
        noise: float = 0.05,
        seed: int = 1,
    ) -> None:
        self.n_features = checked_between(n_features, "n_features", "Hyperplane", 1, 10_000)
        self.n_drifting = checked_between(n_drifting, "n_drifting", "Hyperplane", 0, self.n_features)
        self.speed = checked_share(speed, "speed", "Hyperplane")
        self.reversal = checked_share(reversal, "reversal", "Hyperplane")
        self.noise = self.bayes_error = checked_share(noise, "noise", "Hyperplane", 0.5)
        super().__init__(Schema(numeric(self.n_features), numbered_classes(2)), seed)

    def posterior(self, X: FloatArray, at: Any) -> FloatArray | None:  # noqa: ARG002  # the same at all times
        """Return the true probability of each class, if the plane stands still."""
        if self.speed > 0 and self.n_drifting > 0:
            return None
        weights = self._maker().first_weights
        side, half = np.zeros(len(X)), 0.0
        for j, weight in enumerate(weights):  # in the order of the generator, so that rounding is the same
            side += weight * X[:, j]
            half += weight
        return either(side < half * 0.5, self.noise)

    def _maker(self) -> _native.Hyperplane:
        return _native.Hyperplane(self.seed, self.n_features, self.n_drifting, self.speed, self.reversal, self.noise)
