"""An interval that holds the true value with a stated confidence."""

from __future__ import annotations

from dataclasses import dataclass

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


def checked_alpha(alpha: float, caller: str, name: str = "alpha") -> float:
    """Return an error rate or a confidence, which must lie between 0 and 1."""
    if not is_number(alpha) or not 0 < alpha < 1:
        raise ParameterError(name, caller, "in (0, 1)", alpha)
    return float(alpha)
