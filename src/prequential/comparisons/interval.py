"""An interval that holds the true value with a stated confidence."""

from __future__ import annotations

from dataclasses import dataclass

import scipy

from prequential.errors import ParameterError, is_number


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval.

    Parameters
    ----------
    low, high
        Its ends, which belong to it; NaN where undefined, infinite where the sample says nothing.
    confidence
        How often such an interval holds the true value, at least or approximately, as its method says.

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
    """Return the exact interval of a share, of which ``n_hits`` in ``n`` were seen: it holds it at least so often.

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
    """Return an error rate or a confidence, which must lie between 0 and 1."""
    if not is_number(alpha) or not 0 < alpha < 1:
        raise ParameterError(name, caller, "in (0, 1)", alpha)
    return float(alpha)
