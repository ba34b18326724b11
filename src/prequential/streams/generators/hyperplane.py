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
    """Points of the unit cube, classified by the side of a rotating hyperplane; labels flipped at random.

    The class is class2 if Σ wⱼxⱼ ≥ ½ Σ wⱼ. With every record the first ``n_drifting`` weights move by ``speed``, and
    each reverses its direction with probability ``reversal``. Each class has half of the records. Skipping is free if
    the hyperplane does not move; otherwise only its weights are computed, not the features. The Bayes error is
    ``noise``.

    Parameters
    ----------
    n_features
        The dimension.
    n_drifting
        Number of weights that move.
    speed
        Change of a weight per record; 0 for a fixed hyperplane.
    reversal
        Probability that a weight reverses its direction after a record.
    noise
        Probability that a label is flipped, in [0, 0.5].
    seed
        Seed of the hyperplane, its movement and the records.

    References
    ----------
    Hulten, Spencer and Domingos, "Mining time-changing data streams", KDD 2001.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.Hyperplane(seed=1).take(1000)
    >>> stream.schema.n_features, stream.schema.classes
    (10, ('class1', 'class2'))
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
        self._noisy_labels = self.noise > 0
        super().__init__(Schema(numeric(self.n_features), numbered_classes(2)), seed)

    def posterior(self, X: FloatArray, at: Any) -> FloatArray | None:  # noqa: ARG002  # does not depend on time
        """Return the true probability of each class; None if the hyperplane moves."""
        if self.speed > 0 and self.n_drifting > 0:
            return None
        weights = self._maker().first_weights
        side, half = np.zeros(len(X)), 0.0
        for j, weight in enumerate(weights):  # in the order of the generator, for the same rounding
            side += weight * X[:, j]
            half += weight
        return either(side < half * 0.5, self.noise)

    def _maker(self) -> _native.Hyperplane:
        return _native.Hyperplane(self.seed, self.n_features, self.n_drifting, self.speed, self.reversal, self.noise)
