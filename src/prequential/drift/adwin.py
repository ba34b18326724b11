"""The ADWIN drift detector."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

from prequential import _native
from prequential.arguments import check_choice, check_number, check_whole
from prequential.drift.detector import DIRECTIONS, RARE, Direction, OneEstimateDetector, State
from prequential.metrics.forgetting import AdwinBound, Forgetting
from prequential.metrics.metric import Metric

_DIRECTION: dict[str, Direction] = {"moa": "up", "river": "both", "multiflow": "both"}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ADWIN(OneEstimateDetector):
    """ADWIN: alarm when the adaptive window shrinks because its older and its newer part differ.

    The window is the longest in which no cut shows a change: for parts of n₀ and n₁ values with means μ₀ and μ₁, and
    variance σ² of the whole window, |μ₀ − μ₁| ≤ √(2mσ²L) + ⅔mL with m = 1/n₀ + 1/n₁ and L = ln(2 ln n / δ) (n₀ and n₁
    less ``min_side`` − 1); with ``bound="theorem3"``, |μ₀ − μ₁| < √(mL/2) with L = ln(4n/δ). O(log n) memory, O(log n)
    time every ``clock`` values. The window is kept after an alarm.

    ``AdaptiveWindow`` is the forgetting that reads a metric over such a window.

    Parameters
    ----------
    delta
        δ, in (0, 1): smaller gives fewer false alarms.
    clock
        Number of values between two checks.
    max_buckets
        Largest number of buckets of one size; more give finer cuts.
    min_window
        There is no check while the window has at most this many values.
    min_side
        Smallest number of values on each side of a cut. MOA requires two more.
    bound
        ``"variance"``: the bound of ADWIN's authors and of all libraries. ``"theorem3"``: that of Bifet et al. (2015),
        for values from 0 to 1 only. The first finds changes sooner where the variance is small, as in the errors of a
        good learner.
    direction
        ``"up"``: an alarm only if the mean rises; ``"down"``: only if it falls; ``"both"``; by default that of the
        convention.
    on, under
        The metric it watches, and the forgetting it is read under; by default the loss of each record.
    convention
        The implementation to follow. ``"moa"``: the mean must rise. ``"river"``: any change; the window restarts after
        an alarm. ``"multiflow"``: any change, with the faults of scikit-multiflow, which leaves out the newest bucket
        of each size and loses a variance at each merge.

    Examples
    --------
    >>> series = [0, 0, 0, 1] * 100 + [0, 1, 1, 1] * 100
    >>> ADWIN().detect(series).tolist()
    [447, 479]

    References
    ----------
    Bifet and Gavaldà, "Learning from time-changing data with adaptive windowing", SDM 2007.
    Bifet, De Francisci Morales, Read, Holmes and Pfahringer, "Efficient online evaluation of big data stream
    classifiers", KDD 2015, theorem 3.
    """

    name: ClassVar[str] = "adwin"
    statistics: ClassVar[tuple[str, ...]] = ("width", "mean")

    delta: float = 0.002
    clock: int = field(default=32, metadata=RARE)
    max_buckets: int = field(default=5, metadata=RARE)
    min_window: int = field(default=10, metadata=RARE)
    min_side: int = field(default=5, metadata=RARE)
    bound: AdwinBound = field(default="variance", metadata=RARE)
    direction: Direction | None = None
    on: str | Metric = "error"
    under: Forgetting | str | None = None
    convention: Literal["moa", "river", "multiflow"] = field(default="moa", metadata=RARE)

    def __post_init__(self) -> None:
        check_number(self.delta, "delta", "ADWIN", above=0, below=1)
        check_whole(self.clock, "clock", "ADWIN", least=1, most=1_000_000)
        check_whole(self.max_buckets, "max_buckets", "ADWIN", least=2, most=4096)
        check_whole(self.min_window, "min_window", "ADWIN", least=0, most=1_000_000)
        check_whole(self.min_side, "min_side", "ADWIN", least=1, most=1_000_000)
        check_choice(self.bound, "bound", "ADWIN", get_args(AdwinBound))
        if self.direction is not None:
            check_choice(self.direction, "direction", "ADWIN", DIRECTIONS)
        check_choice(self.convention, "convention", "ADWIN", tuple(_DIRECTION))
        self._check_watched()

    def _start(self) -> State:
        return _native.AdwinDetector(
            self.delta,
            self.clock,
            self.max_buckets,
            self.min_window,
            self.min_side + (2 if self.convention == "moa" else 0),
            self.min_side - 1,
            self.convention == "multiflow",
            self.direction or _DIRECTION[self.convention],
            self.convention == "river",
            self.bound == "theorem3",
        )
