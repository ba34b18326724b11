"""Signed McNemar test of the hypothesis that A alone is right as often as B alone.

Gama, Sebastião, Rodrigues 2013, "On evaluating stream learning algorithms"; McNemar 1947.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from prequential.arguments import check_choice, checked_call
from prequential.comparisons.error_difference import error_difference
from prequential.comparisons.interval import Interval, checked_alpha, clopper_pearson
from prequential.errors import ParameterError
from prequential.sheets.summary import Summary
from prequential.types import FloatArray

CRITICAL = 6.635
"""|M| at which the paper rejects: the 99 % quantile of χ² with one degree of freedom."""

Method = Literal["chi2", "exact", "mid-p"]


@dataclass(frozen=True, slots=True, repr=False)
class McNemar(Summary):
    """The result of the McNemar test.

    Parameters
    ----------
    statistic
        M, signed: negative if A is better.
    p_value
        Two-sided. It is valid if the test is read once: read at every checkpoint, the probability of a false positive
        is much higher than the significance level.
    method
        How the p-value was computed.
    difference, interval
        Effect size: error_A − error_B, with Newcombe's interval.
    odds_ratio, odds_ratio_interval
        Effect size: n01/n10, below 1 if A is better, with its exact (Clopper–Pearson) interval.
    n, n_discordant
        Number of records, and of those on which one learner was right and the other wrong.
    reason
        Why a value is degenerate; empty otherwise.

    Examples
    --------
    >>> import prequential as pq
    >>> found = pq.comparisons.mcnemar([[59, 6], [16, 80]])
    >>> round(found.p_value, 3)
    0.033
    """

    statistic: float
    p_value: float
    method: Method
    difference: float
    interval: Interval
    odds_ratio: float
    odds_ratio_interval: Interval
    n: int
    n_discordant: int
    reason: str = ""


def signed_mcnemar(n01: npt.ArrayLike, n10: npt.ArrayLike) -> FloatArray:
    """Signed McNemar statistic M = sign(n01 − n10)·(n01 − n10)²/(n01 + n10), in (−∞, ∞).

    n01 counts A wrong and B right, n10 A right and B wrong. Negative if A is better; 0 without discordant records.
    Accepts arrays of any shape, and counts under any forgetting.

    Examples
    --------
    >>> signed_mcnemar([10, 30, 0], [30, 10, 0]).tolist()
    [-10.0, 10.0, 0.0]
    """
    first, second = np.asarray(n01, dtype=np.float64), np.asarray(n10, dtype=np.float64)
    difference, total = first - second, first + second
    square = np.divide(difference**2, total, out=np.zeros_like(total), where=total > 0)
    result: FloatArray = np.sign(difference) * square
    return result


def mcnemar_p_value(statistic: npt.ArrayLike, scale: npt.ArrayLike = 1.0) -> FloatArray:
    """Return the two-sided p-value of M, from χ² with one degree of freedom.

    ``scale`` is Σw²/Σw over the records of M: 1 if each has weight 1; see `fading_scale`.

    Examples
    --------
    >>> round(float(mcnemar_p_value(CRITICAL)), 4)
    0.01
    """
    p: FloatArray = scipy.stats.chi2.sf(np.abs(np.asarray(statistic, dtype=np.float64)) / np.asarray(scale), 1)
    return p


def fading_scale(alpha: float, n_faded: npt.ArrayLike) -> FloatArray:
    """Return Σw²/Σw of the weights 1, α, α², … of records whose weights sum to ``n_faded``: (2 − (1 − α)N)/(1 + α).

    If two learners are equally good, a faded M is smaller than χ² by this factor: n01 − n10 has the variance Σw² over
    the discordant records, but M divides by Σw. In the long run the factor is 1/(1 + α), about one half: against 6.635
    a faded M rejects once in 3,700 looks instead of once in 100. M itself is defined as in the paper; its p-value
    divides by this factor. This assumes that discordant records are spread evenly over the records that count.

    Examples
    --------
    >>> fading_scale(0.999, [1, 1.999, 1000]).round(4).tolist()
    [1.0, 0.9995, 0.5003]
    """
    scale: FloatArray = (2 - (1 - alpha) * np.asarray(n_faded, dtype=np.float64)) / (1 + alpha)
    return scale


@checked_call
def mcnemar(counts: npt.ArrayLike, *, method: Method = "chi2", confidence: float = 0.95) -> McNemar:
    """Compare two learners on the same records with the McNemar test.

    Parameters
    ----------
    counts
        2 × 2: number of records by whether A was right (row: wrong, right) and B was right (column).
    method
        ``"chi2"``, as in the paper; ``"exact"``, from the binomial distribution, whose error rate never exceeds α;
        ``"mid-p"``, from the binomial with half the probability of the observed outcome: less conservative, its error
        rate rarely exceeds α (Fagerland et al. 2013).
    confidence
        Confidence of the intervals.

    Examples
    --------
    >>> result = mcnemar([[100, 10], [30, 860]])  # only A is right 30 times, only B 10 times
    >>> result.statistic, round(result.p_value, 5), result.difference
    (-10.0, 0.00157, -0.02)
    """
    table = np.asarray(counts, dtype=np.float64)
    if table.shape != (2, 2) or not (np.isfinite(table) & (table >= 0) & (table == np.floor(table))).all():
        raise ParameterError("counts", "mcnemar", "2 x 2 whole numbers of at least 0", counts)
    check_choice(method, "method", "mcnemar", ("chi2", "exact", "mid-p"))
    checked_alpha(confidence, "mcnemar", "confidence")
    n01, n10 = int(table[0, 1]), int(table[1, 0])
    n, n_discordant = int(table.sum()), n01 + n10
    statistic = float(signed_mcnemar(n01, n10))
    difference, low, high = map(float, error_difference(table, confidence=confidence))
    reason = ""
    if n == 0:
        reason = "there is no record"
    elif n_discordant == 0:
        reason = "both learners were right on the same records, so there is no difference to test"
    return McNemar(
        statistic=statistic,
        p_value=_p_value(statistic, n01, n10, method),
        method=method,
        difference=difference,
        interval=Interval(low, high, confidence),
        odds_ratio=n01 / n10 if n10 else math.inf if n01 else math.nan,
        odds_ratio_interval=_odds(n01, n_discordant, confidence),
        n=n,
        n_discordant=n_discordant,
        reason=reason,
    )


def _p_value(statistic: float, n01: int, n10: int, method: Method) -> float:
    if n01 + n10 == 0:
        return 1.0
    if method == "chi2":
        return float(mcnemar_p_value(statistic))
    exact = float(scipy.stats.binomtest(n01, n01 + n10).pvalue)
    if method == "exact":
        return exact
    observed = float(scipy.stats.binom.pmf(n01, n01 + n10, 0.5))
    return exact - (observed if n01 != n10 else observed / 2)


def _odds(n01: int, n_discordant: int, confidence: float) -> Interval:
    if n_discordant == 0:
        return Interval(0.0, math.inf, confidence)
    share = clopper_pearson(n01, n_discordant, confidence=confidence)
    low, high = share.low, share.high
    return Interval(low / (1 - low), high / (1 - high) if high < 1 else math.inf, confidence)
