"""Batch means: intervals for a mean over records that depend on each other.

The errors of a learner come in runs, so the variance of their mean is not p(1 − p)/n. Sums over long batches of records
show the true one. It is estimated from the differences of *successive* batches (von Neumann 1941), so that a mean that
drifts slowly over many batches is not taken for noise.

Glynn and Whitt 1991, "Estimating the asymptotic variance with batch means", Operations Research Letters 10.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import scipy

from prequential.arguments import check_number, checked_call
from prequential.errors import ParameterError
from prequential.types import FloatArray

LEAST_BATCHES = 5
"""Fewer batches say too little about the variance: the interval would be half as wide again as it has to be."""
BATCHES = 12
"""Batches that are used at least, where the stream is long enough: before the window if it holds fewer."""


@checked_call
def batch_half_width(
    n: npt.ArrayLike, total: npt.ArrayLike, n_effective: npt.ArrayLike, *, confidence: float = 0.95
) -> FloatArray:
    """Return the half-width of the interval of a mean at each checkpoint, valid for one look; NaN where unknown.

    t·√(σ̂²/m) for a mean over m = ``n_effective`` records. Batches end at checkpoints, have at least m^⅔ records (and at
    least one checkpoint), and cover the last max(m, 12 batches) records. With the means x_k of K batches of n_k
    records,

    σ̂² = 1/(K − 1) · Σ (x_{k+1} − x_k)² / (1/n_k + 1/n_{k+1}),

    and t is the quantile of Student's distribution with 2(K − 1)²/(3K − 4) degrees of freedom. This is the variance of
    a sum per record in the long run, autocorrelation included, if the correlation dies out well within a batch. A mean
    that drifts over many batches hardly changes it; an abrupt change makes it larger. NaN with fewer than 5 batches,
    or if all batches have the same mean.

    Parameters
    ----------
    n, total
        Records so far and Σ of their values, at each checkpoint; n ascending.
    n_effective
        Number of records of equal weight that the mean at each checkpoint stands for: min(w, n) for a window of w,
        (Σw)²/Σw² for fading weights, n for all history.
    confidence
        Approximate confidence of the interval.

    Examples
    --------
    >>> n = np.arange(1, 41) * 100
    >>> total = np.cumsum(10 + 3 * (-1) ** np.arange(40))
    >>> batch_half_width(n, total, n).round(4)[[0, 9, 39]].tolist()
    [nan, 0.0325, 0.0089]
    """
    check_number(confidence, "confidence", "batch_half_width", above=0, below=1)
    count, sums, m = (np.asarray(values, dtype=np.float64) for values in (n, total, n_effective))
    if count.ndim != 1 or count.shape != sums.shape or count.shape != m.shape or (np.diff(count) < 0).any():
        raise ParameterError("n", "batch_half_width", "an ascending list, as long as total and n_effective", n)
    edges, at = np.unique(count, return_index=True)
    edges, ends = np.concatenate([[0.0], edges]), np.concatenate([[0.0], sums[at]])
    if len(edges) > 1 and edges[1] == 0:  # a checkpoint before the first record
        edges, ends = edges[1:], ends[1:]
    out = np.full(len(count), np.nan)
    every = float(np.median(np.diff(edges))) if len(edges) > 1 else 1.0
    for k in np.flatnonzero(np.isfinite(m) & (m > 0)):
        last = int(np.searchsorted(edges, count[k]))
        step = max(1, math.ceil(float(m[k]) ** (2 / 3) / every))
        reach = max(float(m[k]), BATCHES * step * every)
        first = int(np.searchsorted(edges, count[k] - reach))
        places = np.arange(last, first - 1, -step)[::-1]
        out[k] = _half_width(np.diff(edges[places]), np.diff(ends[places]), float(m[k]), confidence)
    return out


def _half_width(size: FloatArray, total: FloatArray, m: float, confidence: float) -> float:
    k = len(size)
    if k < LEAST_BATCHES:
        return math.nan
    mean = total / size
    variance = float((np.diff(mean) ** 2 / (1 / size[1:] + 1 / size[:-1])).mean())
    scale = float(np.abs(mean).max())
    if not variance > 1e-20 * scale * scale:
        return math.nan
    degrees = 2 * (k - 1) ** 2 / (3 * k - 4)
    return float(scipy.special.stdtrit(degrees, (1 + confidence) / 2)) * math.sqrt(variance / m)
