"""Wilcoxon signed-rank test of the differences of two learners, fold by fold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from prequential.arguments import checked_call
from prequential.comparisons.interval import Interval, checked_alpha
from prequential.comparisons.sample import paired_differences
from prequential.comparisons.sign_test import too_few_differ
from prequential.sheets.summary import Summary
from prequential.types import FloatArray

MOST_EXACT = 50
"""Largest number of pairs for which the exact distribution is used."""


@dataclass(frozen=True, slots=True, repr=False)
class Wilcoxon(Summary):
    """The result of the Wilcoxon signed-rank test.

    Parameters
    ----------
    statistic
        The smaller of the two rank sums.
    p_value
        Two-sided.
    method
        ``"exact"`` (up to 50 pairs that differ; given the tied ranks) or ``"normal"`` (corrected for ties).
    rank_sum_a, rank_sum_b
        Sum of the ranks of |A − B| over the pairs where A's result is higher, and where B's is higher.
    effect
        Effect size: the matched-pairs rank-biserial correlation (R_A − R_B)/(R_A + R_B), from −1 (B always higher) to
        1; NaN if all pairs are equal.
    estimate, interval
        The Hodges–Lehmann estimate of A − B, the median of the means of every two differences, with the interval from
        inverting the test (Tukey); infinite if there are too few pairs for its confidence.
    n, n_ties
        Number of pairs, and of those with equal results, which are left out of the ranks, as Wilcoxon does.
    reason
        Why a value is degenerate; empty otherwise.

    Examples
    --------
    >>> import prequential as pq
    >>> found = pq.comparisons.wilcoxon([9, 8, 7, 9, 8, 9, 9], [1, 2, 3, 4, 5, 6, 8])
    >>> round(found.p_value, 4)
    0.0156
    """

    statistic: float
    p_value: float
    method: Literal["exact", "normal"]
    rank_sum_a: float
    rank_sum_b: float
    effect: float
    estimate: float
    interval: Interval
    n: int
    n_ties: int
    reason: str = ""


@checked_call
def wilcoxon(a: npt.ArrayLike, b: npt.ArrayLike, *, alpha: float = 0.05) -> Wilcoxon:
    """Compare two learners by the signed ranks of the differences of their results, fold by fold.

    The differences are assumed to be independent and, if the learners are equally good, symmetric about 0. Equal pairs
    are left out and reported; equal differences share their ranks. If all results are equal, p = 1. O(n²).

    Parameters
    ----------
    a, b
        Results of the two learners, of the same folds (or runs, or streams) in the same order.
    alpha
        The error rate: it sets how many folds are needed, and the confidence 1 − α of the interval.

    Raises
    ------
    InputError
        If there are fewer folds than needed to reject at ``alpha``: 6 at 0.05, 8 at 0.01.

    References
    ----------
    Wilcoxon 1945; Demšar 2006, "Statistical comparisons of classifiers over multiple data sets"; Bifet et al. 2015,
    whose Table 1 is the example (it prints 53 for 52); Kerby 2014 for the effect; Hodges and Lehmann 1963.

    Examples
    --------
    >>> a = [77.98, 72.26, 76.95, 77.94, 72.23, 76.90, 77.93, 72.37, 76.93, 77.97]
    >>> b = [77.91, 72.27, 76.97, 76.57, 71.63, 75.48, 75.75, 71.33, 74.54, 77.94]
    >>> result = wilcoxon(a, b)
    >>> result.rank_sum_a, result.rank_sum_b, round(result.p_value, 4), result.method
    (52.0, 3.0, 0.0098, 'exact')
    """
    checked_alpha(alpha, "wilcoxon")
    difference = paired_differences(a, b, alpha=alpha, test="Wilcoxon's test")
    differing = difference[difference != 0]
    n, n_ties = len(difference), len(difference) - len(differing)
    low, high = _limits(difference, alpha)
    interval = Interval(low, high, 1 - alpha)
    if n_ties == n:
        reason = f"all {n} pairs are equal"
        return Wilcoxon(0.0, 1.0, "exact", 0.0, 0.0, math.nan, 0.0, interval, n, n_ties, reason)
    ranks = scipy.stats.rankdata(np.abs(differing))
    sum_a, sum_b = float(ranks[differing > 0].sum()), float(ranks[differing < 0].sum())
    method: Literal["exact", "normal"] = "exact" if len(differing) <= MOST_EXACT else "normal"
    return Wilcoxon(
        statistic=min(sum_a, sum_b),
        p_value=_exact(differing, ranks) if method == "exact" else _normal(sum_a, ranks),
        method=method,
        rank_sum_a=sum_a,
        rank_sum_b=sum_b,
        effect=(sum_a - sum_b) / (sum_a + sum_b),
        estimate=float(np.median(_walsh(difference))),
        interval=interval,
        n=n,
        n_ties=n_ties,
        reason=too_few_differ(n, n_ties, alpha),
    )


def signed_rank_distribution(ranks: npt.ArrayLike) -> FloatArray:
    """Return P(R = s/2) for s = 0, 1, …, where R is the rank sum of one side and both signs are equally likely.

    Ranks may be tied (halves). O(n·Σranks).

    Examples
    --------
    >>> signed_rank_distribution([1, 2])[::2].tolist()  # sums 0, 1, 2, 3
    [0.25, 0.25, 0.25, 0.25]
    """
    doubled = np.rint(2 * np.asarray(ranks, dtype=np.float64)).astype(np.int64)
    chance = np.zeros(int(doubled.sum()) + 1)
    chance[0] = 1.0
    for rank in doubled:
        shifted = np.zeros_like(chance)
        shifted[rank:] = chance[: len(chance) - rank]
        chance = (chance + shifted) / 2
    return chance


def _exact(differing: FloatArray, ranks: FloatArray) -> float:
    if len(np.unique(ranks)) == len(ranks):
        return float(scipy.stats.wilcoxon(differing, method="exact").pvalue)
    chance = signed_rank_distribution(ranks)
    smaller = min(float(ranks[differing > 0].sum()), float(ranks[differing < 0].sum()))
    return min(1.0, 2 * float(chance[: round(2 * smaller) + 1].sum()))


def _normal(rank_sum: float, ranks: FloatArray) -> float:
    """Return the p-value of the normal approximation: R has mean Σr/2 and variance Σr²/4."""
    z = (rank_sum - ranks.sum() / 2) / math.sqrt(float((ranks**2).sum()) / 4)
    return 2 * float(scipy.stats.norm.sf(abs(z)))


def _walsh(difference: FloatArray) -> FloatArray:
    """Return the Walsh averages: the mean of every two differences, including each with itself."""
    i, j = np.triu_indices(len(difference))
    means: FloatArray = (difference[i] + difference[j]) / 2
    return means


def _limits(difference: FloatArray, alpha: float) -> tuple[float, float]:
    """Return the k-th smallest and k-th largest Walsh average, for the largest k with P(R < k) ≤ α/2."""
    n = len(difference)
    if n <= MOST_EXACT:
        below = np.cumsum(signed_rank_distribution(np.arange(1, n + 1))[::2])  # P(R ≤ s)
        k = int((below <= alpha / 2).sum())
    else:
        spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        k = math.floor(n * (n + 1) / 4 - float(scipy.stats.norm.isf(alpha / 2)) * spread)
    means = np.sort(_walsh(difference))
    return (-math.inf, math.inf) if k < 1 else (float(means[k - 1]), float(means[-k]))
