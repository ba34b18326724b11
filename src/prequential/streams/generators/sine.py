"""The Sine concepts."""

from __future__ import annotations

from typing import Any

import numpy as np

from prequential import _native
from prequential.elementary import sin
from prequential.streams.generators.generator import Generator, Maker, checked_one_of, either, numeric
from prequential.streams.schema import Schema
from prequential.types import FloatArray

_SCHEMAS = {n: Schema(numeric(n), ("positive", "negative")) for n in (2, 4)}


class Sine(Generator):
    """Points of the unit square, classified by the side of a curve, and two irrelevant features.

    Class positive is x₂ < sin x₁ in concept 1 and x₂ < 0.5 + 0.3 sin 3πx₁ in concept 3; concepts 2 and 4 are the same
    with the classes swapped. A record depends only on the seed and its index, so skipping is free. Its Bayes error is
    0.

    Parameters
    ----------
    concept
        1, 2, 3 or 4.
    n_features
        4, or 2 for the relevant ones only.
    seed
        Seed of the records.

    References
    ----------
    Gama, Medas, Castillo and Rodrigues, "Learning with drift detection", SBIA 2004.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.Sine(seed=1).take(1000)
    >>> stream.schema.n_features, stream.schema.classes
    (4, ('positive', 'negative'))
    """

    parameters = ("concept", "n_features")
    bayes_error = 0.0

    def __init__(self, concept: int = 1, *, n_features: int = 4, seed: int = 1) -> None:
        self.concept = checked_one_of(concept, "concept", "Sine", (1, 2, 3, 4))
        self.n_features = checked_one_of(n_features, "n_features", "Sine", (2, 4))
        super().__init__(_SCHEMAS[self.n_features], seed)

    def posterior(self, X: FloatArray, at: Any) -> FloatArray:  # noqa: ARG002  # does not depend on time
        """Return the true probability of each class, 0 or 1."""
        curve = sin(X[:, 0]) if self.concept in (1, 2) else 0.5 + 0.3 * sin(3 * np.pi * X[:, 0])
        return either((X[:, 1] < curve) == (self.concept in (1, 3)))

    def _maker(self) -> Maker:
        return _native.Sine(self.seed, self.concept, self.n_features)
