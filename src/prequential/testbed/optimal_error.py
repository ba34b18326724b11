"""The optimal error of a mixture at any time, and its mean over the stream."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from prequential.arguments import checked_whole
from prequential.elementary import cos, exp
from prequential.errors import ParameterError
from prequential.sheets.tidy_table import Tidy
from prequential.testbed.mixture_model import MixtureModel
from prequential.types import FloatArray

_STEPS = {1: 0.004, 2: 0.08}
"""Distance of the grid points in standard deviations, by dimension."""
_REACH = 5.6
"""Extent of the grid in standard deviations: 4e-8 of a Gaussian lies beyond."""
_LONG, _SHORT = 32, 16
"""Number of intervals (even) into which a part of the stream between two edges of transforms is divided: if it is
longer than a fifth of the stream, and otherwise."""


@dataclass(frozen=True, slots=True, repr=False)
class OptimalError(Tidy):
    """The lowest possible error over time.

    Parameters
    ----------
    at
        The times, in records.
    error
        The optimal error at each.
    standard_error
        Its uncertainty: the standard error of a sample, or the difference to a grid half as fine (an upper bound).
    mean, mean_standard_error
        Over all records of the stream by default, or over the times if these were given. For an integral, the
        uncertainty includes the difference to the result with half of the times.
    method
        ``"integrate"`` or ``"sample"``.

    Examples
    --------
    >>> import prequential as pq
    >>> found = pq.testbed.mixture("NSCX").optimal_error()
    >>> isinstance(found, pq.testbed.OptimalError)
    True
    """

    at: FloatArray
    error: FloatArray
    standard_error: FloatArray
    mean: float
    mean_standard_error: float
    method: str

    @property
    def caption(self) -> str:
        """What the table is."""
        return f"Optimal error, {self.method}d · mean {self.mean:.4f} ± {self.mean_standard_error:.1g}"

    def to_arrow(self) -> pa.Table:
        """Return the error over time: at, error, standard_error."""
        return pa.table({name: np.atleast_1d(getattr(self, name)) for name in ("at", "error", "standard_error")})


def optimal_error(
    mixture: MixtureModel,
    at: Any = None,
    *,
    method: Literal["integrate", "sample"] | None = None,
    n: int = 20_000,
    seed: int = 1,
) -> OptimalError:
    """Compute the error of the optimal classifier, 1 − ∫ max_c P(c) p(x | c) dx.

    This is the mean of 1 − max_c P(c | x) over the records. The integral is computed for each Gaussian over a grid
    along its axes; in a square that contains the boundary between two classes, both posteriors are taken as planes. A
    sample gives the mean over records drawn at each time.

    Parameters
    ----------
    mixture
        The model.
    at
        Times, in records. By default some dozens, chosen so that the mean is that over all records.
    method
        ``"integrate"`` or ``"sample"``; by default the integral in one and two dimensions, and a sample in more.
    n, seed
        For a sample: the number of records drawn at each time, and their seed.

    Examples
    --------
    Two unit Gaussians of equal weight, 2 apart: Φ(−1).

    >>> from prequential.testbed import Gaussian, Mixture, MixtureClass
    >>> two = [MixtureClass(name, [Gaussian([x, 0], [1, 1])]) for name, x in (("A", -1), ("B", 1))]
    >>> found = optimal_error(Mixture(classes=two, n_records=1000), at=0)
    >>> round(found.mean, 4)
    0.1587
    """
    if not isinstance(mixture, MixtureModel):
        raise ParameterError("mixture", "optimal_error", "a Mixture", mixture)
    if method is None:
        method = "integrate" if mixture.n_features in _STEPS else "sample"
    if method not in ("integrate", "sample"):
        raise ParameterError("method", "optimal_error", "'integrate' or 'sample'", method)
    if method == "integrate" and mixture.n_features not in _STEPS:
        what = f"'sample' in {mixture.n_features} dimensions: a grid has at most {max(_STEPS)}"
        raise ParameterError("method", "optimal_error", what, method)
    n = checked_whole(n, "n", "optimal_error", least=2)
    times, weights, fewer = _represented(mixture) if at is None else _chosen(at)
    if method == "integrate":
        found = [_integrated(mixture, t) for t in times.tolist()]
    else:
        found = [_sampled(mixture, t, n, seed, k) for k, t in enumerate(times.tolist())]
    error, off = np.array(found).T
    if method == "integrate":
        mean_off = _dot(weights, off) + abs(_dot(weights - fewer, error))
    else:
        mean_off = math.sqrt(_dot(weights**2, off**2))
    return OptimalError(times, error, off, _dot(weights, error), mean_off, method)


def _dot(a: FloatArray, b: FloatArray) -> float:
    return math.fsum((a * b).tolist())


def _integrated(mixture: MixtureModel, at: float) -> tuple[float, float]:
    """Return the error at a time, and its uncertainty."""
    points, weight = _grid(mixture.n_features)
    mixture, now = mixture.still(at), np.zeros(len(points))
    found = np.zeros(3)  # by steps of 1, 2 and 4
    for share, gaussian in zip(mixture.shares(0)[0].tolist(), mixture.gaussians, strict=True):
        if share > 0:
            posterior = mixture.posterior(gaussian.place(points, now), now)
            parts = (posterior.T * weight).reshape(-1, *_shape(mixture.n_features))
            found += [
                share * _missed(parts[(slice(None), *[slice(None, None, k)] * mixture.n_features)]) for k in (1, 2, 4)
            ]
    better = found[:2] + (found[:2] - found[1:]) / 3  # Richardson: the remaining error is quadratic in the step
    return max(0.0, float(better[0])), float(abs(better[0] - better[1]))


@cache
def _grid(n_features: int) -> tuple[FloatArray, FloatArray]:
    """Return points in standard deviations, and their weights, which sum to 1."""
    step = _STEPS[n_features]
    axis = step * np.arange(-round(_REACH / step), round(_REACH / step) + 1)
    points: FloatArray = np.stack(np.meshgrid(*[axis] * n_features, indexing="ij"), axis=-1).reshape(-1, n_features)
    weight: FloatArray = exp(-0.5 * (points**2).sum(axis=1))
    return points, weight / weight.sum()


def _shape(n_features: int) -> tuple[int, ...]:
    return (2 * round(_REACH / _STEPS[n_features]) + 1,) * n_features


def _missed(parts: FloatArray) -> float:
    """Return the share of the whole, over a grid, that all parts except the largest have; parts are the first axis."""
    all_but_largest = parts.sum() - parts.max(axis=0).sum()
    if parts.ndim == 3:
        all_but_largest -= _bent(parts)
    return float(all_but_largest / parts.sum())


def _bent(parts: FloatArray) -> float:
    """Return how much larger the largest part is, over squares that contain a boundary, than their corners say.

    There, the difference d of two parts is taken as a plane: ∫ max(d, 0) is then a difference of cubes.
    """
    label = parts.argmax(axis=0)
    corners = np.stack([label[:-1, :-1], label[1:, :-1], label[:-1, 1:], label[1:, 1:]])
    low, high = corners.min(axis=0), corners.max(axis=0)
    i, j = np.nonzero(low != high)
    low, high = low[i, j], high[i, j]
    d00, d10, d01, d11 = (parts[high, i + a, j + b] - parts[low, i + a, j + b] for b in (0, 1) for a in (0, 1))
    middle = (d00 + d10 + d01 + d11) / 4
    slopes = np.abs([(d10 + d11 - d00 - d01) / 2, (d01 + d11 - d00 - d10) / 2])
    steep, flat = slopes.max(axis=0), slopes.min(axis=0)
    flat = np.maximum(flat, 1e-4 * steep)  # close to the limit for a plane along an axis
    there = steep > 0
    middle, steep, flat = middle[there], steep[there], flat[there]

    def cube(x: FloatArray) -> FloatArray:
        side: FloatArray = np.maximum(middle + x / 2, 0.0)
        return side * side * side

    above = cube(steep + flat) - cube(steep - flat) - cube(flat - steep) + cube(-steep - flat)
    at_corners = np.maximum([d00, d10, d01, d11], 0.0).mean(axis=0)[there]
    return float((above / (6 * steep * flat) - at_corners).sum())


def _sampled(mixture: MixtureModel, at: float, n: int, seed: int, k: int) -> tuple[float, float]:
    """Return the error at the k-th of several times, and its standard error."""
    X, _ = mixture.sample(np.full(n, at), seed=seed, first=k * n)
    missed = 1 - mixture.posterior(X, at).max(axis=1)
    return float(missed.mean()), float(missed.std(ddof=1)) / math.sqrt(n)


def _chosen(at: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    times = np.atleast_1d(np.asarray(at, np.float64))
    if times.ndim != 1 or not len(times) or not (np.isfinite(times) & (times >= 0)).all():
        raise ParameterError("at", "optimal_error", "one or more times of at least 0, in records", at)
    weights = np.full(len(times), 1 / len(times))
    return times, weights, weights


def _represented(mixture: MixtureModel) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return times, the weights whose weighted sum is the mean over all records, and those for half of the times.

    Between two edges of transforms the error is smooth, and its sum over the records is ∫ + (first + last)/2, with the
    integral by the Clenshaw–Curtis rule.
    """
    n = mixture.n_records
    edges = {0}
    for gaussian in mixture.gaussians:
        edges.add(gaussian.start)
        for one in gaussian.transforms:
            edges |= {one.begin, one.begin + one.duration}
    begins = sorted(edge for edge in edges if edge < n)
    times, weights, fewer = [], [], []
    for first, last in zip(begins, [*(b - 1 for b in begins[1:]), n - 1], strict=True):
        length = last - first
        k = _LONG if length > n / 5 else _SHORT if length > _SHORT else 2
        if length == 0:
            times.append(np.array([first]))
            weights.append(np.array([1.0]))
            fewer.append(np.array([1.0]))
            continue
        times.append(first + length * (1 - cos(np.pi * np.arange(k + 1) / k)) / 2)
        weights.append(_rule(k) * length / 2)
        fewer.append(np.zeros(k + 1))
        fewer[-1][::2] = _rule(k // 2) * length / 2
        for ends in (weights[-1], fewer[-1]):
            ends[[0, -1]] += 0.5
    return np.concatenate(times), np.concatenate(weights) / n, np.concatenate(fewer) / n


def _rule(k: int) -> FloatArray:
    """Return the Clenshaw–Curtis weights of k + 1 points of [−1, 1], exact for polynomials of degree k."""
    j = np.arange(k + 1)
    weights = np.ones(k + 1)
    for m in range(1, k // 2 + 1):
        weights -= (1 if 2 * m == k else 2) / (4 * m * m - 1) * cos(2 * np.pi * m * j / k)
    weights *= 2 / k
    weights[[0, -1]] /= 2
    return weights
