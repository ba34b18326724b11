"""The random tree."""

from __future__ import annotations

from typing import Any

import numpy as np

from prequential import _native
from prequential.errors import ParameterError
from prequential.streams.generators.generator import (
    MOST_CLASSES,
    Generator,
    checked_between,
    checked_share,
    numbered_classes,
)
from prequential.streams.schema import Feature, Schema
from prequential.streams.seed import checked_seed
from prequential.types import FloatArray


class RandomTree(Generator):
    """Uniform features, classified by a random decision tree.

    A record depends only on the seed and its index, so skipping is free. Its Bayes error is 0.

    Parameters
    ----------
    n_classes, n_nominal, n_values, n_numeric
        Number of classes, of nominal features, of values of each of those, and of numeric features, in [0, 1).
    max_depth
        Depth at which all nodes are leaves.
    first_leaf_level
        Smallest depth at which a node may be a leaf.
    leaf_share
        Probability that such a node is a leaf.
    model_seed
        Seed of the tree.
    seed
        Seed of the records.

    References
    ----------
    Domingos and Hulten, "Mining high-speed data streams", KDD 2000.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.RandomTree(seed=1).take(1000)
    >>> stream.schema.n_features, stream.schema.classes
    (10, ('class1', 'class2'))
    """

    parameters = (
        *("n_classes", "n_nominal", "n_values", "n_numeric"),
        *("max_depth", "first_leaf_level", "leaf_share", "model_seed"),
    )
    bayes_error = 0.0

    def __init__(
        self,
        *,
        n_classes: int = 2,
        n_nominal: int = 5,
        n_values: int = 5,
        n_numeric: int = 5,
        max_depth: int = 5,
        first_leaf_level: int = 3,
        leaf_share: float = 0.15,
        model_seed: int = 1,
        seed: int = 1,
    ) -> None:
        self.n_classes = checked_between(n_classes, "n_classes", "RandomTree", 2, MOST_CLASSES)
        self.n_nominal = checked_between(n_nominal, "n_nominal", "RandomTree", 0, 10_000)
        self.n_values = checked_between(n_values, "n_values", "RandomTree", 2, 10_000)
        self.n_numeric = checked_between(n_numeric, "n_numeric", "RandomTree", int(self.n_nominal == 0), 10_000)
        self.max_depth = checked_between(max_depth, "max_depth", "RandomTree", 0, 100)
        self.first_leaf_level = checked_between(first_leaf_level, "first_leaf_level", "RandomTree", 0, 100)
        self.leaf_share = checked_share(leaf_share, "leaf_share", "RandomTree")
        self.model_seed = checked_seed(model_seed, "model_seed", "RandomTree")
        values = tuple(f"value{k + 1}" for k in range(self.n_values))
        features = [Feature(f"nominal{j + 1}", values) for j in range(self.n_nominal)]
        features += [Feature(f"numeric{j + 1}") for j in range(self.n_numeric)]
        super().__init__(Schema(tuple(features), numbered_classes(self.n_classes)), seed)
        self._maker()  # refuses a tree that is too large

    def posterior(self, X: FloatArray, at: Any) -> FloatArray:  # noqa: ARG002  # does not depend on time
        """Return the true probability of each class, 0 or 1."""
        truth = np.zeros((len(X), self.n_classes))
        truth[np.arange(len(X)), self._maker().labels(np.ascontiguousarray(X))] = 1.0
        return truth

    def _maker(self) -> _native.RandomTree:
        counts = (self.n_classes, self.n_nominal, self.n_values, self.n_numeric, self.max_depth, self.first_leaf_level)
        try:
            return _native.RandomTree(self.seed, self.model_seed, *counts, self.leaf_share)
        except ValueError:
            raise ParameterError(
                "max_depth", "RandomTree", "a depth whose tree has at most 1,000,000 nodes", self.max_depth
            ) from None
