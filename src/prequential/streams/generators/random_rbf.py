"""Random radial basis functions."""

from __future__ import annotations

from prequential import _native
from prequential.streams.generators.generator import (
    MOST_CLASSES,
    Generator,
    Maker,
    checked_between,
    checked_share,
    numbered_classes,
    numeric,
)
from prequential.streams.schema import Schema
from prequential.streams.seed import checked_seed

MOST_COORDINATES = 5_000_000
"""Largest number of coordinates of all centroids together; these take 200 MB."""


class RandomRBF(Generator):
    """Records around centroids in the unit cube, each with a class, a weight and a spread.

    For a record, a centroid is chosen by weight, a direction at random, and a distance from the normal distribution
    times the spread. Moving centroids go straight to a wall of the cube, stop there, and come back. Their positions
    depend only on the record's index, so skipping is free. The Bayes error depends on the centroids and is unknown.

    Parameters
    ----------
    n_features, n_classes, n_centroids
        Number of features, classes and centroids.
    speed
        Distance that a centroid moves per record; 0 for fixed centroids.
    n_drifting
        Number of centroids that move; None for all.
    model_seed
        Seed of the centroids.
    seed
        Seed of the records.

    References
    ----------
    Bifet, Holmes, Pfahringer, Kirkby and Gavaldà, "New ensemble methods for evolving data streams", KDD 2009.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.RandomRBF(seed=1).take(1000)
    >>> stream.schema.n_features, stream.schema.classes
    (10, ('class1', 'class2'))
    """

    parameters = ("n_features", "n_classes", "n_centroids", "speed", "n_drifting", "model_seed")

    def __init__(
        self,
        *,
        n_features: int = 10,
        n_classes: int = 2,
        n_centroids: int = 50,
        speed: float = 0.0,
        n_drifting: int | None = None,
        model_seed: int = 1,
        seed: int = 1,
    ) -> None:
        self.n_features = checked_between(n_features, "n_features", "RandomRBF", 1, 10_000)
        self.n_classes = checked_between(n_classes, "n_classes", "RandomRBF", 2, MOST_CLASSES)
        self.n_centroids = checked_between(
            n_centroids, "n_centroids", "RandomRBF", 1, MOST_COORDINATES // self.n_features
        )
        self.speed = checked_share(speed, "speed", "RandomRBF")
        moving = self.n_centroids if n_drifting is None else n_drifting
        self.n_drifting = checked_between(moving, "n_drifting", "RandomRBF", 0, self.n_centroids)
        self.model_seed = checked_seed(model_seed, "model_seed", "RandomRBF")
        super().__init__(Schema(numeric(self.n_features), numbered_classes(self.n_classes)), seed)

    def _maker(self) -> Maker:
        counts = (self.n_features, self.n_classes, self.n_centroids, self.n_drifting)
        return _native.RandomRbf(self.seed, self.model_seed, *counts, self.speed)
