"""Friedman test of the hypothesis that several learners are equally good, by their ranks over several streams.

Friedman 1937; Iman and Davenport 1980; Demšar 2006, "Statistical comparisons of classifiers over multiple data sets".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from prequential.arguments import check_choice, checked_call
from prequential.comparisons.interval import Interval, checked_alpha
from prequential.comparisons.sample import rounded
from prequential.errors import InputError
from prequential.sheets.summary import Summary
from prequential.types import FloatArray

Better = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True, repr=False)
class Friedman(Summary):
    """The result of the Friedman test.

    Parameters
    ----------
    mean_ranks
        Mean rank of each learner over the streams; 1 is best, equal results share the mean of their ranks.
    statistic, p_value
        χ² corrected for ties, with k − 1 degrees of freedom.
    statistic_uncorrected
        χ² without the correction for ties, as many papers print it.
    f_statistic, f_p_value
        Iman and Davenport's F, from χ² corrected for ties, with k − 1 and (k − 1)(N − 1) degrees of freedom: less
        conservative than χ², and the one to use.
    f_uncorrected
        F from the uncorrected χ², as many papers print it.
    kendall_w
        Effect size: Kendall's W, χ²/(N(k − 1)), from 0 (the streams do not agree) to 1 (all rank alike).
    agreement, interval
        Effect size without bias: the mean rank correlation of two streams, (N·W − 1)/(N − 1) without ties, about 0 if
        the learners are equally good; with an approximate jackknife interval over the streams.
    n_streams, n_learners
        N and k.
    reason
        Why a value is degenerate; empty otherwise.

    Examples
    --------
    >>> import prequential as pq
    >>> found = pq.comparisons.friedman([[0.9, 0.8], [0.8, 0.7], [0.7, 0.6]])
    >>> isinstance(found, pq.comparisons.Friedman)
    True
    """

    mean_ranks: tuple[float, ...]
    statistic: float
    p_value: float
    statistic_uncorrected: float
    f_statistic: float
    f_p_value: float
    f_uncorrected: float
    kendall_w: float
    agreement: float
    interval: Interval
    n_streams: int
    n_learners: int
    reason: str = ""


def ranks(values: npt.ArrayLike, *, better: Better = "higher") -> FloatArray:
    """Rank the learners (columns) on each stream (row): 1 is best, equal results share the mean of their ranks.

    Results are equal if they agree to twelve digits of the largest result of the stream, so that ties do not depend on
    rounding errors.

    Examples
    --------
    >>> ranks([[0.9, 0.8, 0.8], [0.7, 0.6, 0.5]]).tolist()
    [[1.0, 2.5, 2.5], [1.0, 2.0, 3.0]]
    """
    signed = signed_table(values, better, "ranks")
    table = np.stack([rounded(-row, float(np.abs(row).max())) for row in signed])
    ranked: FloatArray = scipy.stats.rankdata(table, axis=1)
    return ranked


def signed_table(values: npt.ArrayLike, better: Better, caller: str) -> FloatArray:
    """Check a table of results, and return it with the sign that makes higher better."""
    check_choice(better, "better", caller, ("higher", "lower"))
    table = results_table(values)
    return table if better == "higher" else -table


def results_table(values: npt.ArrayLike) -> FloatArray:
    """Check and return a table of results, streams in rows and learners in columns."""
    try:
        table = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"The results are not a table of numbers ({error}).") from error
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < 2:
        shape = " x ".join(map(str, table.shape)) or "a single number"
        raise InputError(f"Ranking needs at least 2 streams (rows) and 2 learners (columns). Got {shape}.")
    if not np.isfinite(table).all():
        row, column = np.argwhere(~np.isfinite(table))[0]
        raise InputError(f"The result of stream {row}, learner {column} is {table[row, column]}: it cannot be ranked.")
    return table


@checked_call
def friedman(values: npt.ArrayLike, *, better: Better = "higher", alpha: float = 0.05) -> Friedman:
    """Test whether several learners are equally good, from their ranks on several streams.

    χ² = 12N/(k(k+1))·(Σ R² − k(k+1)²/4), divided by 1 − Σ(t³ − t)/(N·k(k² − 1)) for groups of t equal results of a
    stream; F = (N − 1)χ²/(N(k − 1) − χ²). If all streams rank alike, F is infinite and its p-value is the exact one of
    χ², m^(1−N), where m = k!/∏t! is the number of possible rankings of a stream. If all results are equal, p = 1. The
    streams are assumed to be independent.

    Parameters
    ----------
    values
        Results, streams in rows and learners in columns.
    better
        Whether higher or lower results are better.
    alpha
        The confidence of the interval is 1 − α.

    Examples
    --------
    >>> result = friedman([[0.9, 0.8, 0.7], [0.6, 0.5, 0.4], [0.9, 0.7, 0.8], [0.8, 0.7, 0.6]])
    >>> result.mean_ranks, result.statistic, round(result.f_statistic, 3)
    ((1.0, 2.25, 2.75), 6.5, 13.0)
    """
    checked_alpha(alpha, "friedman")
    ranked = ranks(values, better=better)
    n, k = ranked.shape
    means = ranked.mean(axis=0)
    plain = 12 * n / (k * (k + 1)) * float(((means - (k + 1) / 2) ** 2).sum())
    _, n_equal = np.unique(ranked + k * np.arange(n)[:, np.newaxis] * 2, return_counts=True)
    room = 1 - float((n_equal.astype(np.float64) ** 3 - n_equal).sum()) / (n * k * (k**2 - 1))
    if room <= 0:
        nothing = Interval(math.nan, math.nan, 1 - alpha)
        reason = "all learners have equal results on every stream"
        return Friedman(tuple(means.tolist()), 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, math.nan, math.nan, nothing, n, k, reason)
    corrected = min(plain / room, n * (k - 1.0))
    f, f_p, reason = _iman_davenport(corrected, n, k, ranked[0])
    w = corrected / (n * (k - 1))
    agreement, low, high = _agreement(ranked, alpha)
    return Friedman(
        mean_ranks=tuple(means.tolist()),
        statistic=corrected,
        p_value=float(scipy.stats.chi2.sf(corrected, k - 1)),
        statistic_uncorrected=plain,
        f_statistic=f,
        f_p_value=f_p,
        f_uncorrected=_iman_davenport(plain, n, k, ranked[0])[0],
        kendall_w=w,
        agreement=agreement,
        interval=Interval(low, high, 1 - alpha),
        n_streams=n,
        n_learners=k,
        reason=reason,
    )


def _iman_davenport(chi2: float, n: int, k: int, one: FloatArray) -> tuple[float, float, str]:
    left = n * (k - 1) - chi2
    if left < 1e-9 * n * k:  # all streams rank alike, so one stream stands for all
        _, n_equal = np.unique(one, return_counts=True)
        n_ways = math.factorial(k) / math.prod(math.factorial(t) for t in n_equal.tolist())
        return math.inf, n_ways ** (1.0 - n), "all streams rank the learners alike: F is infinite"
    f = (n - 1) * chi2 / left
    return f, float(scipy.stats.f.sf(f, k - 1, (k - 1) * (n - 1))), ""


def _agreement(ranked: FloatArray, alpha: float) -> tuple[float, float, float]:
    """Return the mean rank correlation of two streams, with a jackknife interval over the streams.

    A stream on which all learners are equal has no correlation with the others: it counts as 0.
    """
    n = len(ranked)
    centred = ranked - ranked.mean(axis=1, keepdims=True)
    length = np.sqrt((centred**2).sum(axis=1, keepdims=True))
    unit = np.divide(centred, length, out=np.zeros_like(centred), where=length > 0)
    each = (unit * (unit.sum(axis=0) - unit)).sum(axis=1)  # not a matrix product, which processors round differently
    total = float(each.sum())
    mean = total / (n * (n - 1))
    if n < 3:
        return mean, math.nan, math.nan
    without = (total - 2 * each) / ((n - 1) * (n - 2))
    error = math.sqrt((n - 1) / n * float(((without - without.mean()) ** 2).sum()))
    half = float(scipy.stats.t.isf(alpha / 2, n - 1)) * error
    return mean, max(-1.0, mean - half), min(1.0, mean + half)
