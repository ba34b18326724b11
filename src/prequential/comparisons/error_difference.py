"""Difference of the error rates of two learners on the same records, with a confidence interval.

Newcombe 1998, "Improved confidence intervals for the difference between binomial proportions based on paired data",
Statistics in Medicine 17, method 10.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from prequential.arguments import checked_call
from prequential.metrics.counts import ratio
from prequential.types import FloatArray


@checked_call
def error_difference(
    counts: npt.ArrayLike, *, confidence: float = 0.95, n_effective: npt.ArrayLike | None = None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return error_A − error_B = (n01 − n10)/n, and the ends of Newcombe's interval for it.

    In [−1, 1]; negative if A errs less. NaN before the first record. The half-widths are the root of the sum of squared
    distances to the ends of the Wilson intervals of both error rates, corrected for their correlation. The interval
    never leaves [−1, 1], and has a positive width even if all pairs are equal. It is valid for one look, at a time
    chosen beforehand; for many looks see the confidence sequence.

    Parameters
    ----------
    counts
        (…, 2, 2): weight of the records by whether A was right (row: wrong, right) and B was right (column).
    confidence
        Approximate confidence of the interval.
    n_effective
        (…): effective number of records of equal weight; the sum of the counts by default. For faded counts it is
        (Σw)²/Σw².

    Examples
    --------
    Cavo et al. 2012, as printed in Fagerland, Lydersen and Laake, "Statistical Analysis of Contingency Tables": −0.062,
    from −0.119 to −0.005.

    >>> [round(float(v), 3) for v in error_difference([[59, 6], [16, 80]])]
    [-0.062, -0.119, -0.005]
    """
    table = np.asarray(counts, dtype=np.float64)
    weight = table.sum(axis=(-2, -1))
    n = weight if n_effective is None else np.asarray(n_effective, dtype=np.float64)
    cells = table * ratio(n, weight)[..., np.newaxis, np.newaxis]
    n00, n01, n10, n11 = cells[..., 0, 0], cells[..., 0, 1], cells[..., 1, 0], cells[..., 1, 1]
    z = float(scipy.stats.norm.isf((1 - confidence) / 2))
    error_a, low_a, high_a = _wilson(n00 + n01, n, z)
    error_b, low_b, high_b = _wilson(n00 + n10, n, z)
    margins = (n00 + n01) * (n10 + n11) * (n00 + n10) * (n01 + n11)
    together = n00 * n11 - n01 * n10
    together = np.where(together > 0, np.maximum(together - n / 2, 0.0), together)  # corrected for continuity
    phi = np.where(margins > 0, ratio(together, np.sqrt(margins)), 0.0)
    difference = ratio(n01 - n10, n)
    low = difference - _half_width(error_a - low_a, high_b - error_b, phi)
    high = difference + _half_width(high_a - error_a, error_b - low_b, phi)
    return difference, np.clip(low, -1.0, 1.0), np.clip(high, -1.0, 1.0)


def _wilson(hits: FloatArray, n: FloatArray, z: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return a proportion and its Wilson interval."""
    share = ratio(hits, n)
    middle = ratio(hits + z**2 / 2, n + z**2)
    half = z * ratio(np.sqrt(np.maximum(hits * (1 - share), 0.0) + z**2 / 4), n + z**2)
    return share, np.minimum(middle - half, share), np.maximum(middle + half, share)


def _half_width(one: FloatArray, other: FloatArray, phi: FloatArray) -> FloatArray:
    result: FloatArray = np.sqrt(np.maximum(one**2 - 2 * phi * one * other + other**2, 0.0))
    return result
