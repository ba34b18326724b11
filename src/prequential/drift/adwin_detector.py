"""ADWIN as a detector of changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from prequential import _native
from prequential.drift.detector import (
    RARE,
    Detector,
    Direction,
    State,
    checked_choice,
    checked_on,
    checked_under,
    checked_whole,
)
from prequential.errors import ParameterError, is_number
from prequential.measures.forgetting import Forgetting

_DIRECTION: dict[str, Direction] = {"moa": "up", "river": "both", "multiflow": "both"}


@dataclass(frozen=True, slots=True, kw_only=True)
class AdwinDetector(Detector):
    """ADWIN: an alarm when a window of recent values shrinks because its older and younger part differ.

    The window is the longest one in which no cut shows a change: for sides of n₀ and n₁ values with means μ₀, μ₁ and
    variance σ² of the whole, |μ₀ − μ₁| ≤ √(2mσ²L) + ⅔mL, m = 1/n₀ + 1/n₁, L = ln(2 ln n / δ) (n₀ and n₁ less
    ``min_side`` − 1). O(log n) memory, O(log n) time every ``clock`` values. After an alarm the window goes on.

    It is not called ``Adwin``, which is the forgetting that reads a measure over such a window.

    Parameters
    ----------
    delta
        δ, in (0, 1): smaller gives fewer false alarms.
    clock
        Values from check to check.
    max_buckets
        Buckets of one size; more make finer cuts.
    min_window
        No check as long as the window has no more values than this.
    min_side
        Values that a side of a cut must have. MOA asks for two more.
    direction
        ``"up"``: an alarm only where the mean rises; ``"down"``, ``"both"``; by default that of the convention.
    on, under
        The measure it watches, and the forgetting it is read under; without one, the loss of each record.
    convention
        Whose rule. ``"moa"``: the mean must rise. ``"river"``: any change; the window starts anew after an alarm.
        ``"multiflow"``: any change; with scikit-multiflow's faults, which leave out the youngest bucket of each size
        and lose a variance at each merge.

    Examples
    --------
    >>> series = [0, 0, 0, 1] * 100 + [0, 1, 1, 1] * 100
    >>> AdwinDetector().detect(series).tolist()
    [447, 479]

    References
    ----------
    Bifet and Gavaldà, "Learning from time-changing data with adaptive windowing", SDM 2007.
    """

    name: ClassVar[str] = "adwin"

    delta: float = 0.002
    clock: int = field(default=32, metadata=RARE)
    max_buckets: int = field(default=5, metadata=RARE)
    min_window: int = field(default=10, metadata=RARE)
    min_side: int = field(default=5, metadata=RARE)
    direction: Direction | None = None
    on: str = "error"
    under: Forgetting | None = None
    convention: Literal["moa", "river", "multiflow"] = field(default="moa", metadata=RARE)

    def __post_init__(self) -> None:
        if not is_number(self.delta) or not 0 < self.delta < 1:
            raise ParameterError("delta", "AdwinDetector", "in (0, 1)", self.delta)
        for name, least in (("clock", 1), ("max_buckets", 2), ("min_window", 0), ("min_side", 1)):
            checked_whole(
                getattr(self, name), name, "AdwinDetector", least, 4096 if name == "max_buckets" else 1_000_000
            )
        if self.direction is not None:
            checked_choice(self.direction, "direction", "AdwinDetector", ("up", "down", "both"))
        checked_choice(self.convention, "convention", "AdwinDetector", tuple(_DIRECTION))
        checked_on(self.on, "AdwinDetector")
        object.__setattr__(self, "under", checked_under(self.under, self.on, "AdwinDetector"))

    @property
    def forgetting(self) -> tuple[Forgetting, ...]:
        """The forgetting it reads the measure under, if any."""
        return () if self.under is None else (self.under,)

    def fresh(self) -> State:
        """Put it on its way."""
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
        )
