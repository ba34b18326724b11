"""The sign test and the Wilcoxon signed-rank test over folds, vectorised over checkpoints."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy

from prequential.comparisons.sample import rounded
from prequential.comparisons.wilcoxon import MOST_EXACT, signed_rank_distribution
from prequential.types import FloatArray


def fold_differences(a: FloatArray, b: FloatArray, *, unit: float = 0.0) -> FloatArray:
    """Return a − b, with folds along the last axis, rounded as in ``sign_test`` and ``wilcoxon``.

    The rounding is relative to the largest result, or to ``unit`` if that is larger: for two learners with a κ of 0,
    rounding errors relative to a unit of 1 are no difference.

    Examples
    --------
    >>> fold_differences(np.array([[0.1 + 0.2, 0.5]]), np.array([[0.3, 0.4]])).tolist()
    [[0.0, 0.1]]
    >>> fold_differences(np.array([[1e-16, 0.0]]), np.zeros((1, 2)), unit=1.0).tolist()
    [[0.0, 0.0]]
    """
    size = np.maximum(np.abs(a), np.abs(b)).max(axis=-1, keepdims=True)
    return rounded(a - b, np.maximum(size, unit))


def sign_tests(difference: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the number of folds in which A is higher, and the exact two-sided p; folds are along the last axis.

    The same as ``sign_test`` row by row; NaN if a fold is undefined.

    Examples
    --------
    >>> wins, p = sign_tests(np.array([[1, 1, 1, 1, 1, 1, 1, 1, -1, -1.0]]))
    >>> wins.tolist(), p.round(3).tolist()
    ([8.0], [0.109])
    """
    n_wins, n_losses = (difference > 0).sum(axis=-1), (difference < 0).sum(axis=-1)
    p = np.minimum(1.0, 2 * scipy.stats.binom.cdf(np.minimum(n_wins, n_losses), n_wins + n_losses, 0.5))
    undefined = np.isnan(difference).any(axis=-1)
    return np.where(undefined, np.nan, n_wins), np.where(undefined, np.nan, p)


def wilcoxon_tests(difference: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the smaller rank sum, and the two-sided p; folds are along the last axis.

    The same as ``wilcoxon`` row by row: exact up to 50 folds that differ, given the tied ranks; NaN if a fold is
    undefined.

    Examples
    --------
    >>> less, p = wilcoxon_tests(np.array([[1, 2, 3, 4, 5, 6.0], [1, 2, -3, 4, 5, 6]]))
    >>> less.tolist(), p.tolist()
    ([0.0, 3.0], [0.03125, 0.15625])
    """
    shape = difference.shape[:-1]
    flat = difference.reshape(-1, difference.shape[-1])
    statistic, p = np.full(len(flat), np.nan), np.full(len(flat), np.nan)
    defined = np.flatnonzero(~np.isnan(flat).any(axis=-1))
    if not len(defined):
        return statistic.reshape(shape), p.reshape(shape)
    rows = flat[defined]
    n_ties = (rows == 0).sum(axis=-1, keepdims=True)
    ranks = np.where(rows == 0, 0.0, scipy.stats.rankdata(np.abs(rows), axis=-1) - n_ties)
    smaller = np.minimum((ranks * (rows > 0)).sum(axis=-1), (ranks * (rows < 0)).sum(axis=-1))
    patterns, which = np.unique(np.sort(ranks, axis=-1), axis=0, return_inverse=True)
    for k, pattern in enumerate(patterns):
        mine = which.reshape(-1) == k
        p[defined[mine]] = _p_values(tuple(pattern[pattern > 0].tolist()), smaller[mine])
    statistic[defined] = smaller
    return statistic.reshape(shape), p.reshape(shape)


def _p_values(ranks: tuple[float, ...], smaller: FloatArray) -> FloatArray:
    if not ranks:
        return np.ones(len(smaller))
    if len(ranks) <= MOST_EXACT:
        return np.minimum(1.0, 2 * _below(ranks)[np.rint(2 * smaller).astype(np.int64)])
    each = np.array(ranks)
    z = (smaller - each.sum() / 2) / np.sqrt((each**2).sum() / 4)
    result: FloatArray = 2 * scipy.stats.norm.sf(np.abs(z))
    return result


@lru_cache(maxsize=512)
def _below(ranks: tuple[float, ...]) -> FloatArray:
    """Return P(R ≤ s/2) for s = 0, 1, …."""
    return np.cumsum(signed_rank_distribution(np.array(ranks)))
