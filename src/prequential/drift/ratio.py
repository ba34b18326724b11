"""The Page–Hinkley test on the ratio of two estimates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from prequential import _native
from prequential.arguments import check_number
from prequential.drift.detector import Detector, State, check_on
from prequential.errors import ParameterError
from prequential.metrics.counts import ratio
from prequential.metrics.forgetting import Fading, Forgetting, Sliding, as_forgetting
from prequential.metrics.metric import Metric
from prequential.types import FloatArray

_SHORT, _LONG = Fading(0.997), Fading(0.9994)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Ratio(Detector):
    """Page–Hinkley test on the ratio of a short-term to a long-term estimate (Algorithm 4 of Gama et al.).

    R = P_short / P_long of the loss, or of 1 − value for a metric that is better when higher; m = m + R − mean(R) − δ.
    Alarm when m − min m ≥ λ; then the test and the estimates reset. A record is skipped if the long-term estimate is 0,
    because the ratio is undefined. The test detects a change earlier than that on one estimate, and gives more false
    alarms.

    Parameters
    ----------
    short, long
        Two fading factors, or two windows in records; the short one must forget faster.
    delta, threshold
        δ and λ of the test, above 0.
    on
        The metric it watches.

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
    statistics: ClassVar[tuple[str, ...]] = ("ratio", "page_hinkley")

    short: Forgetting | str = _SHORT
    long: Forgetting | str = _LONG
    delta: float = 0.1
    threshold: float = 100.0
    on: str | Metric = "error"

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
                "short", "Ratio", f"a forgetting that forgets faster than 'long', which is {long.label}", short.label
            )
        object.__setattr__(self, "short", short)
        object.__setattr__(self, "long", long)
        check_number(self.delta, "delta", "Ratio", above=0)
        check_number(self.threshold, "threshold", "Ratio", above=0)
        check_on(self.on, "Ratio")

    @property
    def forgetting(self) -> tuple[Forgetting, ...]:
        """The two forgettings, the short one first."""
        return as_forgetting(self.short), as_forgetting(self.long)

    def combined(self, estimates: FloatArray) -> FloatArray:
        """Divide the short-term by the long-term estimate; NaN where the latter is not above 0."""
        long = np.where(estimates[:, 1] > 0, estimates[:, 1], 0.0)
        return ratio(estimates[:, 0], long)

    def _start(self) -> State:
        """Return the initial state of a run over a series of losses; it computes both means itself."""
        short, long = (_memory(one) or 0.0 for one in self.forgetting)
        kind = _native.FadingRatio if isinstance(self.short, Fading) else _native.SlidingRatio
        return kind(short, long, self.delta, self.threshold)

    def fresh_on_estimates(self) -> State:
        """Return the initial state of the test over ratios."""
        return _native.PageHinkley(self.delta, self.threshold, 1.0, 1, "up", "minimum", False)


def _memory(forgetting: Forgetting) -> float | None:
    """Return the fading factor or the number of records; None for any other forgetting."""
    if isinstance(forgetting, Fading):
        return forgetting.alpha
    return forgetting.n_records if isinstance(forgetting, Sliding) else None
