"""The Mixed concepts."""

from __future__ import annotations

from typing import Any

import numpy as np

from prequential import _native
from prequential.elementary import sin
from prequential.streams.generators.generator import Generator, Maker, checked_one_of, either
from prequential.streams.schema import Feature, Schema
from prequential.types import FloatArray

_TRUTH = ("0", "1")
_SCHEMA = Schema((Feature("v", _TRUTH), Feature("w", _TRUTH), Feature("x"), Feature("y")), ("positive", "negative"))


class Mixed(Generator):
    """Two booleans and a point of the unit square; positive if two of three hold: v, w, y < 0.5 + 0.3 sin 3πx.

    A record depends only on the seed and its index, so skipping is free. Its Bayes error is 0.

    Parameters
    ----------
    concept
        1, or 2 for the same with the classes swapped.
    seed
        Seed of the records.

    References
    ----------
    Gama, Medas, Castillo and Rodrigues, "Learning with drift detection", SBIA 2004.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.Mixed(seed=1).take(1000)
    >>> stream.schema.n_features, stream.schema.classes
    (4, ('positive', 'negative'))
    """

    parameters = ("concept",)
    bayes_error = 0.0

    def __init__(self, concept: int = 1, *, seed: int = 1) -> None:
        self.concept = checked_one_of(concept, "concept", "Mixed", (1, 2))
        super().__init__(_SCHEMA, seed)

    def posterior(self, X: FloatArray, at: Any) -> FloatArray:  # noqa: ARG002  # does not depend on time
        """Return the true probability of each class, 0 or 1."""
        below = X[:, 3] < 0.5 + 0.3 * sin(3 * np.pi * X[:, 2])
        return either((X[:, 0] + X[:, 1] + below >= 2) == (self.concept == 1))

    def _maker(self) -> Maker:
        return _native.Mixed(self.seed, self.concept)
