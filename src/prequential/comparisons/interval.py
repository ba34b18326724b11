"""Confidence interval."""

from __future__ import annotations

from dataclasses import dataclass

import scipy

from prequential.arguments import check_number
from prequential.sheets.summary import Summary


@dataclass(frozen=True, slots=True, repr=False)
class Interval(Summary):
    """A confidence interval.

    Parameters
    ----------
    low, high
        Its ends, inclusive; NaN if undefined, infinite if the sample gives no bound.
    confidence
        Probability that such an interval contains the true value: a lower bound or approximate, depending on the
        method.

    Examples
    --------
    >>> 0.5 in Interval(0.2, 0.6, 0.95), 0.0 in Interval(0.2, 0.6, 0.95)
    (True, False)
    """

    low: float
    high: float
    confidence: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def clopper_pearson(n_hits: int, n: int, *, confidence: float) -> Interval:
    """Return the exact (Clopper–Pearson) interval of a proportion, from ``n_hits`` in ``n``; it is conservative.

    Examples
    --------
    >>> interval = clopper_pearson(8, 10, confidence=0.95)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.4439, 0.9748)
    """
    tail = (1 - confidence) / 2
    low = float(scipy.special.betaincinv(n_hits, n - n_hits + 1, tail)) if n_hits > 0 else 0.0
    high = float(scipy.special.betaincinv(n_hits + 1, n - n_hits, 1 - tail)) if n_hits < n else 1.0
    return Interval(low, high, confidence)


def checked_alpha(alpha: float, caller: str, name: str = "alpha") -> float:
    """Return an error rate or a confidence, which must lie in (0, 1)."""
    check_number(alpha, name, caller, above=0, below=1)
    return float(alpha)
