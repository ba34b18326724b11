"""The SEA concepts."""

from __future__ import annotations

from typing import Any

from prequential import _native
from prequential.streams.generators.generator import Generator, Maker, checked_one_of, checked_share, either
from prequential.streams.schema import Feature, Schema
from prequential.types import FloatArray

_THRESHOLDS = {1: 8.0, 2: 9.0, 3: 7.0, 4: 9.5}
_SCHEMA = Schema(tuple(Feature(f"attrib{j}") for j in (1, 2, 3)), ("groupA", "groupB"))


class SEA(Generator):
    """Three features in [0, 10); class groupA if the first two sum to at most a threshold; labels flipped at random.

    A record depends only on the seed and its index, so skipping is free. Its Bayes error is ``noise``.

    Parameters
    ----------
    concept
        1, 2, 3 or 4: threshold 8, 9, 7 or 9.5.
    noise
        Probability that a label is flipped, in [0, 0.5].
    seed
        Seed of the records.

    References
    ----------
    Street and Kim, "A streaming ensemble algorithm (SEA) for large-scale classification", KDD 2001.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(1000)
    >>> stream.schema.n_features, stream.schema.classes
    (3, ('groupA', 'groupB'))
    """

    parameters = ("concept", "noise")

    def __init__(self, concept: int = 1, *, noise: float = 0.1, seed: int = 1) -> None:
        self.concept = checked_one_of(concept, "concept", "SEA", (1, 2, 3, 4))
        self.noise = self.bayes_error = checked_share(noise, "noise", "SEA", 0.5)
        self._noisy_labels = self.noise > 0
        super().__init__(_SCHEMA, seed)

    def posterior(self, X: FloatArray, at: Any) -> FloatArray:  # noqa: ARG002  # does not depend on time
        """Return the true probability of each class."""
        return either(X[:, 0] + X[:, 1] <= _THRESHOLDS[self.concept], self.noise)

    def _maker(self) -> Maker:
        return _native.Sea(self.seed, self.concept, self.noise)
