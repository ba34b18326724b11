"""Nemenyi test of which learners differ in their mean ranks over several streams.

Nemenyi 1963; Demšar 2006, "Statistical comparisons of classifiers over multiple data sets".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from prequential.arguments import check_whole, checked_call
from prequential.comparisons.interval import checked_alpha
from prequential.sheets.summary import Summary
from prequential.types import FloatArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Nemenyi(Summary):
    """The result of the Nemenyi test.

    Parameters
    ----------
    critical_difference
        Mean ranks that differ by at least this much differ significantly. It is also the half-width of the simultaneous
        intervals of their differences, with confidence 1 − α, if the learners are nearly equal.
    p_values
        k × k: p-value of each pair of learners, corrected for all pairs; 1 on the diagonal.
    differences
        k × k: effect size, mean rank of the row minus that of the column; negative if the row's learner is better.
    cliques
        Largest groups of learners, adjacent in rank, of which no two differ: the bars of the diagram.
    alpha
        The probability of finding any difference if there is none.

    Examples
    --------
    >>> import prequential as pq
    >>> found = pq.comparisons.nemenyi([1.2, 2.0, 2.8], n_streams=30)
    >>> isinstance(found, pq.comparisons.Nemenyi)
    True
    """

    critical_difference: float
    p_values: FloatArray
    differences: FloatArray
    cliques: tuple[tuple[int, ...], ...]
    alpha: float


def critical_difference(*, n_learners: int, n_streams: int, alpha: float = 0.05) -> float:
    """Return CD = q·√(k(k+1)/(6N)), where q is the 1 − α quantile of the studentized range of k, divided by √2.

    Examples
    --------
    >>> round(critical_difference(n_learners=5, n_streams=14), 3)
    1.63
    """
    _check_sizes(n_learners, n_streams)
    checked_alpha(alpha, "critical_difference")
    q = float(scipy.stats.studentized_range.isf(alpha, n_learners, np.inf)) / math.sqrt(2)
    return q * _error(n_learners, n_streams)


@checked_call
def nemenyi(mean_ranks: npt.ArrayLike, *, n_streams: int, alpha: float = 0.05) -> Nemenyi:
    """Compare every pair of learners by their mean ranks over several streams.

    The mean ranks are assumed to be normal, which is nearly true from about ten streams on; ties make the test
    conservative.

    Parameters
    ----------
    mean_ranks
        One mean rank per learner; 1 is best.
    n_streams
        Number of streams over which the ranks are averaged.
    alpha
        The probability of finding any difference if there is none.

    Examples
    --------
    >>> result = nemenyi([1.2, 2.0, 3.9, 3.1, 4.8], n_streams=14)
    >>> result.cliques, round(float(result.p_values[0, 4]), 6)
    (((0, 1), (1, 3), (3, 2), (2, 4)), 0.0)
    """
    means = np.asarray(mean_ranks, dtype=np.float64)
    k = len(means)
    _check_sizes(k, n_streams)
    cd = critical_difference(n_learners=k, n_streams=n_streams, alpha=alpha)
    differences: FloatArray = means[:, np.newaxis] - means
    p = scipy.stats.studentized_range.sf(np.abs(differences) / _error(k, n_streams) * math.sqrt(2), k, np.inf)
    p = np.clip(np.asarray(p, dtype=np.float64), 0.0, 1.0)
    np.fill_diagonal(p, 1.0)
    return Nemenyi(cd, p, differences, _cliques(means, cd), alpha)


def _error(k: int, n: int) -> float:
    return math.sqrt(k * (k + 1) / (6 * n))


def _cliques(means: FloatArray, cd: float) -> tuple[tuple[int, ...], ...]:
    """Return the largest runs of learners, ordered by rank, whose ends differ by less than CD."""
    order = np.argsort(means, kind="stable")
    ends = [int(np.searchsorted(means[order], means[i] + cd)) for i in order]
    runs = [(begin, end) for begin, end in enumerate(ends) if end - begin > 1 and (begin == 0 or end > ends[begin - 1])]
    return tuple(tuple(int(i) for i in order[begin:end]) for begin, end in runs)


def _check_sizes(n_learners: int, n_streams: int) -> None:
    check_whole(n_learners, "n_learners", "nemenyi", least=2)
    check_whole(n_streams, "n_streams", "nemenyi", least=2)
