"""The Page–Hinkley test on the ratio of two estimates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from prequential import _native
from prequential.drift.detector import Detector, State, checked_number, checked_on
from prequential.errors import ParameterError
from prequential.measures.counts import ratio
from prequential.measures.forgetting import Fading, Forgetting, Sliding, as_forgetting
from prequential.types import FloatArray

_SHORT, _LONG = Fading(0.997), Fading(0.9994)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio(Detector):
    """The Page–Hinkley test on the ratio of a short-term to a long-term estimate (Algorithm 4 of Gama et al.).

    R = P_short / P_long of the error side of a measure; m = m + R − mean(R) − δ, alarm when m − min m ≥ λ; then
    test and estimates start anew. As long as the long-term estimate is 0 there is no ratio, and the record is passed
    over. It finds a change sooner than the test on one estimate, and gives more false alarms.

    Parameters
    ----------
    short, long
        Two fading factors, or two windows in records, the short one forgetting sooner.
    delta, threshold
        δ and λ of the test, above 0.
    on
        The measure it watches.

    Examples
    --------
    >>> losses = [0, 1] * 500 + [1] * 500
    >>> Ratio(short="sliding:10", long="sliding:500", threshold=10).detect(losses)[0] > 1000
    np.True_

    References
    ----------
    Gama, Sebastião and Rodrigues, "On evaluating stream learning algorithms", Machine Learning 90, 2013, section 5.3.
    """

    name: ClassVar[str] = "ratio"

    short: Forgetting | str = _SHORT
    long: Forgetting | str = _LONG
    delta: float = 0.1
    threshold: float = 100.0
    on: str = "error"

    def __post_init__(self) -> None:
        short, long = as_forgetting(self.short), as_forgetting(self.long)
        if _memory(short) is None or type(short) is not type(long):
            raise ParameterError(
                "short",
                "Ratio",
                "a fading factor or a window in records, of the same kind as 'long'",
                f"{short.label} and {long.label}",
            )
        if not (_memory(short) or 0) < (_memory(long) or 0):
            raise ParameterError(
                "short", "Ratio", f"one that forgets sooner than 'long', which is {long.label}", short.label
            )
        object.__setattr__(self, "short", short)
        object.__setattr__(self, "long", long)
        checked_number(self.delta, "delta", "Ratio", "a number above 0", 0, math.inf)
        checked_number(self.threshold, "threshold", "Ratio", "a number above 0", 0, math.inf)
        checked_on(self.on, "Ratio")

    @property
    def forgetting(self) -> tuple[Forgetting, ...]:
        """The two forgettings, the short one first."""
        return as_forgetting(self.short), as_forgetting(self.long)

    def combined(self, estimates: FloatArray) -> FloatArray:
        """Divide the short-term estimate by the long-term one; NaN where that is not above 0."""
        long = np.where(estimates[:, 1] > 0, estimates[:, 1], 0.0)
        return ratio(estimates[:, 0], long)

    def fresh(self) -> State:
        """Put it on its way over a series of losses, of which it keeps the two means itself."""
        short, long = (_memory(one) or 0.0 for one in self.forgetting)
        kind = _native.FadingRatio if isinstance(self.short, Fading) else _native.SlidingRatio
        return kind(short, long, self.delta, self.threshold)

    def fresh_on_estimates(self) -> State:
        """Put the test on its way over ratios."""
        return _native.PageHinkley(self.delta, self.threshold, 1.0, 1, "up", "minimum", False)


def _memory(forgetting: Forgetting) -> float | None:
    """Return the fading factor, or the number of records; None for another forgetting."""
    if isinstance(forgetting, Fading):
        return forgetting.alpha
    return forgetting.w if isinstance(forgetting, Sliding) and forgetting.w != math.inf else None
