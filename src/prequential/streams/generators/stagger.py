"""The STAGGER concepts."""

from __future__ import annotations

from typing import Any

from prequential import _native
from prequential.streams.generators.generator import Generator, Maker, checked_one_of, either
from prequential.streams.schema import Feature, Schema
from prequential.types import FloatArray

_SCHEMA = Schema(
    (
        Feature("size", ("small", "medium", "large")),
        Feature("color", ("red", "blue", "green")),
        Feature("shape", ("circle", "square", "triangle")),
    ),
    ("false", "true"),
)


class STAGGER(Generator):
    """Size, colour and shape of an object, with one of three rules: small and red; green or circle; medium or large.

    A record depends only on the seed and its index, so skipping is free. The rules hold for 1/9, 5/9 and 2/3 of the
    records. The Bayes error is 0.

    Parameters
    ----------
    concept
        The rule: 1, 2 or 3.
    seed
        Seed of the records.

    References
    ----------
    Schlimmer and Granger, "Incremental learning from noisy data", Machine Learning 1(3), 1986.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.STAGGER(seed=1).take(1000)
    >>> stream.schema.n_features, stream.schema.classes
    (3, ('false', 'true'))
    """

    parameters = ("concept",)
    bayes_error = 0.0

    def __init__(self, concept: int = 1, *, seed: int = 1) -> None:
        self.concept = checked_one_of(concept, "concept", "STAGGER", (1, 2, 3))
        super().__init__(_SCHEMA, seed)

    def posterior(self, X: FloatArray, at: Any) -> FloatArray:  # noqa: ARG002  # does not depend on time
        """Return the true probability of each class, 0 or 1."""
        size, colour, shape = X.T
        rule = {1: (size == 0) & (colour == 0), 2: (colour == 2) | (shape == 0), 3: size > 0}[self.concept]
        return either(~rule)

    def _maker(self) -> Maker:
        return _native.Stagger(self.seed, self.concept)
