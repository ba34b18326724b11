"""A mixture of classes, each a mixture of Gaussians that change over time, with its true posterior."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate
from typing import Any, Self

import numpy as np

from prequential import _native
from prequential.arguments import checked_call, checked_whole
from prequential.elementary import exp, log, normal_quantile
from prequential.errors import InputError, ParameterError
from prequential.namespace import Suggesting
from prequential.streams.seed import checked_seed
from prequential.testbed.faults import Faults
from prequential.testbed.gaussian import Gaussian
from prequential.testbed.transform import as_weight
from prequential.types import FloatArray, IntArray

_CHOICE = 0x4D4958474155  # "MIXGAU": key of the draws that choose a Gaussian
_NORMAL = 0x4D49584E00000000  # "MIXN", then the number of the feature: key of the normal draws
_LEAST = 2.0**-54
"""Replaces the draw 0, whose normal quantile is infinite."""


@checked_call
@dataclass(frozen=True, slots=True)
class MixtureClass(Suggesting):
    """A class: a mixture of Gaussians.

    Parameters
    ----------
    name
        The label.
    gaussians
        Its components.
    weight
        Its share of the records, relative to the other classes: the weights of its Gaussians are multiplied by it.

    Examples
    --------
    >>> import prequential as pq
    >>> [one.name for one in pq.testbed.mixture("NSCX").classes][:2]
    ['A', 'B']
    """

    name: str
    gaussians: Sequence[Gaussian]
    weight: float = 1.0

    def __post_init__(self) -> None:
        faults = Faults()
        if not (self.name and isinstance(self.name, str)):
            faults.add(ParameterError("name", "MixtureClass", "non-empty text", self.name))
        weight = faults.check(as_weight, self.weight, "weight", "MixtureClass")
        if not _are(self.gaussians, Gaussian):
            faults.add(ParameterError("gaussians", "MixtureClass", "a list of at least one Gaussian", self.gaussians))
        faults.report()
        object.__setattr__(self, "gaussians", tuple(self.gaussians))
        object.__setattr__(self, "weight", weight)

    def weights(self, at: Any) -> list[FloatArray]:
        """Return the weight of each of its Gaussians at each time."""
        return [self.weight * gaussian.weights(at) for gaussian in self.gaussians]


@checked_call
@dataclass(frozen=True, slots=True, kw_only=True)
class MixtureModel(Suggesting):
    """What a `Mixture` computes: the density of each class at each time.

    The methods take an array of times, one for each record, or one time for all; the result for a record depends on its
    own time alone.
    """

    classes: Sequence[MixtureClass]
    n_records: int
    name: str = "mixture"
    summary: str = ""

    def __post_init__(self) -> None:
        faults = Faults()
        n = faults.check(checked_whole, self.n_records, "n_records", "Mixture", least=1)
        if not (self.name and isinstance(self.name, str)):
            faults.add(ParameterError("name", "Mixture", "non-empty text", self.name))
        if not isinstance(self.summary, str):
            faults.add(ParameterError("summary", "Mixture", "text", self.summary))
        if not _are(self.classes, MixtureClass):
            faults.add(ParameterError("classes", "Mixture", "a list of at least one MixtureClass", self.classes))
            faults.report()
        names = [one.name for one in self.classes]
        twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
        if twice is not None:
            faults.add(ParameterError("classes", "Mixture", "classes with distinct names", twice))
        dimensions = sorted({gaussian.n_features for one in self.classes for gaussian in one.gaussians})
        if len(dimensions) > 1:
            faults.add(ParameterError("classes", "Mixture", "made of Gaussians of one dimension", dimensions))
        if n is not None:
            faults.check(self._check_weights, n)
        faults.report()
        object.__setattr__(self, "classes", tuple(self.classes))
        object.__setattr__(self, "n_records", n)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.classes[0].gaussians[0].n_features

    @property
    def gaussians(self) -> tuple[Gaussian, ...]:
        """All Gaussians, class by class."""
        return tuple(gaussian for one in self.classes for gaussian in one.gaussians)

    @property
    def labels(self) -> IntArray:
        """The class code of each Gaussian."""
        return np.repeat(np.arange(len(self.classes)), [len(one.gaussians) for one in self.classes])

    def still(self, at: float) -> Self:
        """Return a mixture without changes that equals this one at time ``at``."""
        classes = [replace(one, gaussians=[g.still(at) for g in one.gaussians]) for one in self.classes]
        return replace(self, classes=classes)

    def shares(self, at: Any) -> FloatArray:
        """Return the probability of each Gaussian (columns) at each time (rows)."""
        return np.stack(self._shares(_times(at)), axis=1)

    def priors(self, at: Any) -> FloatArray:
        """Return the probability of each class (columns) at each time (rows)."""
        return np.stack(self._by_class(self._shares(_times(at))), axis=1)

    def log_joint(self, X: Any, at: Any) -> FloatArray:
        """Return the logarithm of P(c) p(x | c) of each record (rows) and class (columns) at its time."""
        joints, largest = self._joints(X, at)
        with np.errstate(divide="ignore"):  # a class of weight 0
            return np.stack([log(joint) + largest for joint in joints], axis=1)

    def density(self, X: Any, at: Any) -> FloatArray:
        """Return p(x) of each record at its time."""
        joints, largest = self._joints(X, at)
        density: FloatArray = _sum(joints) * exp(largest)
        return density

    def posterior(self, X: Any, at: Any) -> FloatArray:
        """Return the true probability of each class (columns) given each record (rows) at its time.

        The most probable class is the optimal prediction.
        """
        joints, _ = self._joints(X, at)
        total = _sum(joints)
        return np.stack([joint / total for joint in joints], axis=1)

    def sample(self, at: Any, *, seed: int = 1, first: int = 0) -> tuple[FloatArray, IntArray]:
        """Draw a record at each time.

        Parameters
        ----------
        at
            The times.
        seed
            Seed of the draws.
        first
            The index of the first draw; the draw at an index depends only on the seed and the index.

        Returns
        -------
        X, y
            Features and class codes.
        """
        at = _times(at)
        seed, first = checked_seed(seed, "seed", "sample"), checked_whole(first, "first", "sample")
        n = len(at)
        chosen = self._chosen(at, _native.uniforms(seed, _CHOICE, first, n))
        X = np.empty((n, self.n_features))
        for j in range(self.n_features):
            X[:, j] = normal_quantile(np.maximum(_native.uniforms(seed, _NORMAL + j, first, n), _LEAST))
        for k, gaussian in enumerate(self.gaussians):
            here = chosen == k
            X[here] = gaussian.place(X[here], at[here])
        return X, self.labels[chosen]

    def _chosen(self, at: FloatArray, drawn: FloatArray) -> IntArray:
        """Return which Gaussian each record comes from, given a draw from [0, 1)."""
        shares = self._shares(at)
        chosen = np.zeros(len(at), np.int64)
        for k, share in enumerate(shares):
            chosen[share > 0] = k  # the last one possible, in case rounding makes the sum of all less than 1
        sums = list(accumulate(shares))
        for k in reversed(range(len(sums))):
            chosen[drawn < sums[k]] = k
        return chosen

    def _shares(self, at: FloatArray) -> list[FloatArray]:
        """Return the probability of each Gaussian at each time."""
        weights = [weight for one in self.classes for weight in one.weights(at)]
        total = _sum(weights)
        if not total.all():
            when = f"{at[np.argmin(total != 0)]:g}"
            raise ParameterError("at", self.name, "times at which some Gaussian has a weight above 0", when)
        return [weight / total for weight in weights]

    def _joints(self, X: Any, at: Any) -> tuple[list[FloatArray], FloatArray]:
        """Return P(c) p(x | c) of each class, divided by that of the largest Gaussian, and the logarithm of the latter.

        The division gives records far from all Gaussians a posterior too.
        """
        X, at = self._records(X, at)
        with np.errstate(divide="ignore"):  # a Gaussian of weight 0
            logs = [g.log_density(X, at) + log(w) for g, w in zip(self.gaussians, self._shares(at), strict=True)]
        largest = reduce(np.maximum, logs)
        return self._by_class([exp(one - largest) for one in logs]), largest

    def _by_class(self, parts: list[FloatArray]) -> list[FloatArray]:
        """Add up the values of Gaussians by class."""
        labels = self.labels.tolist()
        return [_sum([part for part, c in zip(parts, labels, strict=True) if c == k]) for k in range(len(self.classes))]

    def _records(self, X: Any, at: Any) -> tuple[FloatArray, FloatArray]:
        X = np.asarray(X, np.float64)
        if X.ndim != 2 or X.shape[1] != self.n_features:
            raise ParameterError("X", self.name, f"a matrix with {self.n_features} columns", f"the shape {X.shape}")
        times = _times(at)
        if len(times) not in (1, len(X)):
            raise ParameterError(
                "at", self.name, f"one time, or one for each of {len(X)} records", f"{len(times)} times"
            )
        return X, np.broadcast_to(times, len(X))

    def _check_weights(self, n: int) -> None:
        """Refuse a time at which all weights are 0; between the times checked here, weights are linear."""
        moments = {0, n - 1}
        for gaussian in self.gaussians:
            moments |= {gaussian.start - 1, gaussian.start}
            for one in gaussian.transforms:
                moments |= {one.begin - 1, one.begin, one.begin + one.duration}
        at = np.array(sorted(t for t in moments if 0 <= t < n))
        total = _sum([weight for one in self.classes for weight in one.weights(at)])
        if not total.all():
            when = int(at[np.argmin(total != 0)])
            raise InputError(
                f"At every record, at least one Gaussian of the Mixture must have a weight above 0. At record {when:,} "
                "all weights are 0."
            )


def _sum(parts: Sequence[FloatArray]) -> FloatArray:
    """Add up arrays from first to last: the order NumPy uses may depend on their length."""
    return reduce(np.add, parts)


def _times(at: Any) -> FloatArray:
    times = np.atleast_1d(np.asarray(at, np.float64))
    if times.ndim != 1 or not np.isfinite(times).all():
        raise ParameterError("at", "Mixture", "a time, or a list of times, in records", at)
    return times


def _are(values: object, kind: type) -> bool:
    return isinstance(values, list | tuple) and len(values) > 0 and all(isinstance(one, kind) for one in values)
