"""Sign test of the hypothesis that two learners win equally many folds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy.typing as npt
import scipy

from prequential.arguments import checked_call
from prequential.comparisons.interval import Interval, checked_alpha, clopper_pearson
from prequential.comparisons.sample import least_pairs, paired_differences
from prequential.sheets.summary import Summary


@dataclass(frozen=True, slots=True, repr=False)
class SignTest(Summary):
    """The result of the sign test.

    Parameters
    ----------
    statistic
        The number of folds in which A's result is higher.
    p_value
        Exact, two-sided.
    share, interval
        Effect size: the share of the folds that differ in which A's result is higher, with its exact (Clopper–Pearson)
        interval.
    n, n_ties
        Number of folds, and of those with equal results, which are left out.
    reason
        Why a value is degenerate; empty otherwise.

    Examples
    --------
    >>> import prequential as pq
    >>> found = pq.comparisons.sign_test([9, 8, 7, 9, 8, 9, 9], [1, 2, 3, 4, 5, 6, 7])
    >>> round(found.p_value, 4)
    0.0156
    """

    statistic: int
    p_value: float
    share: float
    interval: Interval
    n: int
    n_ties: int
    reason: str = ""


@checked_call
def sign_test(a: npt.ArrayLike, b: npt.ArrayLike, *, alpha: float = 0.05) -> SignTest:
    """Compare two learners by the number of folds (or runs, or streams) in which each has the higher result.

    Exact: without ties, the number of wins is Binomial(n, ½) if the learners are equally good. If all results are
    equal, p = 1. The folds are assumed to be independent.

    Parameters
    ----------
    a, b
        Results of the two learners, of the same folds in the same order.
    alpha
        The error rate: it sets how many folds are needed, and the confidence 1 − α of the interval.

    Raises
    ------
    InputError
        If there are fewer folds than needed to reject at ``alpha``: 6 at 0.05, 8 at 0.01.

    References
    ----------
    Bifet et al. 2015, "Efficient online evaluation of big data stream classifiers"; Demšar 2006.

    Examples
    --------
    Eight wins of ten are not significant:

    >>> result = sign_test([2, 2, 2, 2, 2, 2, 2, 2, 0, 0], [1] * 10)
    >>> result.statistic, round(result.p_value, 3), result.share
    (8, 0.109, 0.8)
    """
    checked_alpha(alpha, "sign_test")
    difference = paired_differences(a, b, alpha=alpha, test="The sign test")
    n, n_wins, n_losses = len(difference), int((difference > 0).sum()), int((difference < 0).sum())
    n_ties = n - n_wins - n_losses
    if n_ties == n:
        reason = f"all {n} pairs are equal"
        return SignTest(0, 1.0, float("nan"), Interval(0.0, 1.0, 1 - alpha), n, n_ties, reason)
    return SignTest(
        statistic=n_wins,
        p_value=float(scipy.stats.binomtest(n_wins, n_wins + n_losses).pvalue),
        share=n_wins / (n_wins + n_losses),
        interval=clopper_pearson(n_wins, n_wins + n_losses, confidence=1 - alpha),
        n=n,
        n_ties=n_ties,
        reason=too_few_differ(n, n_ties, alpha),
    )


def too_few_differ(n: int, n_ties: int, alpha: float) -> str:
    """Return why a test cannot reject because too few folds differ; empty if it can."""
    left = n - n_ties
    if left >= least_pairs(alpha):
        return ""
    return f"only {left} of {n} pairs differ: no p-value is below {2.0 ** (1 - left):.3g}"
