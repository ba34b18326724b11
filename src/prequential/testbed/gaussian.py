"""A normal distribution whose centre, covariance and weight change over the stream."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from prequential.arguments import checked_call, checked_whole
from prequential.elementary import log
from prequential.errors import ParameterError
from prequential.namespace import Suggesting
from prequential.testbed.faults import Faults
from prequential.testbed.rotation import Rotation, Rotations, as_rotations
from prequential.testbed.transform import Transform, as_vector, as_weight
from prequential.types import FloatArray


@checked_call
@dataclass(frozen=True, slots=True)
class Gaussian(Suggesting):
    """One normal distribution of a class.

    At the start, its covariance has these variances along the axes and is then rotated. Transforms are cumulative: each
    one continues from the result of the previous one, and its effect stays. All methods take an array of times; the
    result at a time depends on that time alone.

    Parameters
    ----------
    centre
        The mean at the start.
    variances
        The variances along its axes; squares of the standard deviations.
    rotation
        Rotation of the axes: degrees, or a list of ``[i, j, degrees]`` in more than two dimensions.
    weight
        Its share of the class, relative to the weights of the other Gaussians.
    start
        The record at which it appears; its weight is 0 before.
    transforms
        Its changes, which must not overlap.

    Examples
    --------
    >>> wanderer = Gaussian([0, 0], [2.5, 1], rotation=45, transforms=[Transform(0, 100, move=[10, 10])])
    >>> wanderer.centres([0, 50, 100])
    array([[ 0.,  0.],
           [ 5.,  5.],
           [10., 10.]])
    >>> wanderer.covariances([0]).round(2)
    array([[[1.75, 0.75],
            [0.75, 1.75]]])
    """

    centre: Sequence[float] | FloatArray
    variances: Sequence[float] | FloatArray
    rotation: Rotations = 0.0
    weight: float = 1.0
    start: int = 0
    transforms: Sequence[Transform] = ()

    def __post_init__(self) -> None:
        faults = Faults()
        checked: dict[str, Any] = {
            "centre": faults.check(as_vector, self.centre, "centre", "Gaussian"),
            "variances": faults.check(_as_variances, self.variances),
            "rotation": faults.check(as_rotations, self.rotation, "rotation", "Gaussian"),
            "weight": faults.check(as_weight, self.weight, "weight", "Gaussian"),
            "start": faults.check(checked_whole, self.start, "start", "Gaussian"),
            "transforms": faults.check(_as_transforms, self.transforms),
        }
        centre, variances = checked["centre"], checked["variances"]
        if centre is not None:
            if not centre:
                faults.add(ParameterError("centre", "Gaussian", "of at least one dimension", self.centre))
            elif variances is not None and len(variances) != len(centre):
                faults.add(
                    ParameterError("variances", "Gaussian", f"{len(centre)} numbers, as 'centre' has", self.variances)
                )
            for rotation in checked["rotation"] or ():
                faults.check(_fits, rotation, "rotation", "Gaussian", len(centre))
            for transform in checked["transforms"] or ():
                _check_dimension(faults, transform, len(centre))
        for transform in checked["transforms"] or ():
            if checked["start"] is not None and transform.begin < checked["start"]:
                faults.add(
                    ParameterError(
                        "begin", "Transform", f"at least {self.start}, 'start' of its Gaussian", transform.begin
                    )
                )
        faults.report()
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def n_features(self) -> int:
        """The dimension."""
        return len(self.centre)

    def weights(self, at: Any) -> FloatArray:
        """Return its weight at each time."""
        at = np.asarray(at, np.float64)
        weight = np.full(len(at), self.weight)
        for transform in self.transforms:
            if transform.weight is not None:
                weight += transform.progress(at) * (transform.weight - weight)
        weight[at < self.start] = 0.0
        return weight

    def centres(self, at: Any) -> FloatArray:
        """Return its centre at each time, one row per time."""
        at = np.asarray(at, np.float64)
        centres = np.tile(np.asarray(self.centre, np.float64), (len(at), 1))
        for transform in self.transforms:
            transform.carry(centres, transform.progress(at))
        return centres

    def spreads(self, at: Any) -> FloatArray:
        """Return the variances along its own axes at each time, one row per time."""
        at = np.asarray(at, np.float64)
        variances = np.tile(np.asarray(self.variances, np.float64), (len(at), 1))
        for transform in self.transforms:
            transform.scaled(variances, transform.progress(at))
        return variances

    def covariances(self, at: Any) -> FloatArray:
        """Return its covariance matrix at each time."""
        at = np.asarray(at, np.float64)
        roots = np.sqrt(self.spreads(at))
        columns = []
        for j in range(self.n_features):
            axis = np.zeros_like(roots)
            axis[:, j] = roots[:, j]
            columns.append(self._turned(axis, at))
        axes = np.stack(columns, axis=2)
        covariances: FloatArray = axes @ axes.transpose(0, 2, 1)
        return covariances

    def still(self, at: float) -> Gaussian:
        """Return a Gaussian without transforms that equals this one at time ``at``."""
        now = np.array([at])
        return Gaussian(
            self.centres(now)[0],
            self.spreads(now)[0],
            rotation=[replace(one, degrees=one.degrees * float(np.max(share))) for one, share in self._rotations(now)],
            weight=float(self.weights(now)[0]),
        )

    def place(self, normal: FloatArray, at: FloatArray) -> FloatArray:
        """Return a point of this Gaussian for each row of independent standard normal numbers."""
        return self.centres(at) + self._turned(normal * np.sqrt(self.spreads(at)), at)

    def log_density(self, X: FloatArray, at: FloatArray) -> FloatArray:
        """Return the logarithm of the density of each record at its time."""
        away = X - self.centres(at)
        for rotation, share in reversed(self._rotations(at)):
            rotation.turn(away, -share)
        spreads = self.spreads(at)
        total = np.full(len(X), -0.5 * self.n_features * log(2 * math.pi))
        for j in range(self.n_features):  # not by matrix products, whose rounding depends on the size of the chunk
            total -= 0.5 * (away[:, j] ** 2 / spreads[:, j] + log(spreads[:, j]))
        return total

    def _turned(self, X: FloatArray, at: FloatArray) -> FloatArray:
        for rotation, share in self._rotations(at):
            rotation.turn(X, share)
        return X

    def _rotations(self, at: FloatArray) -> list[tuple[Rotation, Any]]:
        """Return the rotations of the covariance in order, each with the share that is done at each time."""
        found: list[tuple[Rotation, Any]] = [(one, 1.0) for one in as_rotations(self.rotation, "rotation", "Gaussian")]
        for transform in self.transforms:
            found += [(one, transform.progress(at)) for one in transform.rotations]
        return found


def _as_variances(value: Any) -> tuple[float, ...]:
    variances = as_vector(value, "variances", "Gaussian")
    if not all(variance > 0 for variance in variances):
        raise ParameterError("variances", "Gaussian", "numbers above 0 (a covariance must be positive definite)", value)
    return variances


def _as_transforms(value: Any) -> tuple[Transform, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(one, Transform) for one in value):
        raise ParameterError("transforms", "Gaussian", "a list of transforms", value)
    ordered = tuple(sorted(value, key=lambda one: (one.begin, one.end)))
    for one, other in pairwise(ordered):
        if other.begin < one.begin + one.duration:
            raise ParameterError(
                "transforms",
                "Gaussian",
                "transforms that do not overlap",
                f"one of records {one.begin}–{one.end} and one of {other.begin}–{other.end}",
            )
    return ordered


def _check_dimension(faults: Faults, transform: Transform, n: int) -> None:
    for name, length in (
        ("move", len(transform.move)),
        ("about", len(transform.about)),
        ("scale", 0 if isinstance(transform.scale, float | int) else len(transform.scale)),
    ):
        if length not in (0, n):
            value = getattr(transform, name)
            faults.add(ParameterError(name, "Transform", f"{n} numbers, as the centre of its Gaussian has", value))
    for name, rotations in (("rotate", transform.rotations), ("turn", transform.turns)):
        for rotation in rotations:
            faults.check(_fits, rotation, name, "Transform", n)


def _fits(rotation: Rotation, name: str, caller: str, n: int) -> None:
    if max(rotation.i, rotation.j) >= n:
        raise ParameterError(
            name, caller, f"in the plane of two of the {n} features, counted from 0", (rotation.i, rotation.j)
        )
