"""The drift detection method (DDM)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from prequential import _native
from prequential.drift.detector import (
    RARE,
    Detector,
    State,
    checked_choice,
    checked_number,
    checked_on,
    checked_under,
    checked_whole,
)
from prequential.measures.forgetting import Forgetting


@dataclass(frozen=True, slots=True, kw_only=True)
class Ddm(Detector):
    """DDM: an alarm when the error rate has risen significantly above its lowest.

    p is the error rate since the last alarm and s = √(p(1 − p)/n); alarm when p + s > p_min + level · s_min, taken
    where p + s was least. Then it starts anew. O(1) a record.

    Parameters
    ----------
    level
        Standard deviations that make an alarm, above 0; 3 in the paper.
    min_records
        Records before the first alarm.
    on, under
        The measure it watches, whose values must lie between 0 and 1, and the forgetting it is read under; without
        one, the loss of each record.
    convention
        ``"moa"``, or ``"river"``, which starts looking two records later.

    Examples
    --------
    >>> Ddm().detect([0, 0, 0, 0, 1] * 40 + [1] * 40).tolist()
    [213]

    References
    ----------
    Gama, Medas, Castillo and Rodrigues, "Learning with drift detection", SBIA 2004.
    """

    name: ClassVar[str] = "ddm"

    level: float = 3.0
    min_records: int = field(default=30, metadata=RARE)
    on: str = "error"
    under: Forgetting | None = None
    convention: Literal["moa", "river"] = field(default="moa", metadata=RARE)

    def __post_init__(self) -> None:
        checked_number(self.level, "level", "Ddm", "a number above 0", 0, math.inf)
        checked_whole(self.min_records, "min_records", "Ddm", 1)
        checked_choice(self.convention, "convention", "Ddm", ("moa", "river"))
        checked_on(self.on, "Ddm")
        object.__setattr__(self, "under", checked_under(self.under, self.on, "Ddm"))

    @property
    def forgetting(self) -> tuple[Forgetting, ...]:
        """The forgetting it reads the measure under, if any."""
        return () if self.under is None else (self.under,)

    def fresh(self) -> State:
        """Put it on its way."""
        late = self.convention == "river"
        return _native.Ddm(self.level, self.min_records + (1 if late else -1), self.min_records + late)
