"""The drift detection method (DDM)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from prequential import _native
from prequential.arguments import check_choice, check_number, check_whole
from prequential.drift.detector import MOST, RARE, OneEstimateDetector, State
from prequential.metrics.forgetting import Forgetting
from prequential.metrics.metric import Metric


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DDM(OneEstimateDetector):
    """Drift detection method (DDM): alarm when the error rate is significantly above its minimum.

    p is the error rate since the last alarm and s = √(p(1 − p)/n). Alarm when p + s > p_min + level · s_min, where
    p_min and s_min are p and s at the minimum of p + s; then the detector resets. O(1) per record.

    Parameters
    ----------
    level
        Number of standard deviations for an alarm, above 0; 3 by default, as in the paper.
    min_records
        Records before the first alarm.
    on, under
        The metric it watches, whose values must lie in [0, 1], and the forgetting it is read under; by default the
        loss of each record.
    convention
        The implementation to follow: ``"moa"``, or ``"river"``, which starts two records later.

    Examples
    --------
    >>> DDM().detect([0, 0, 0, 0, 1] * 40 + [1] * 40).tolist()
    [213]

    References
    ----------
    Gama, Medas, Castillo and Rodrigues, "Learning with drift detection", SBIA 2004.
    """

    name: ClassVar[str] = "ddm"
    statistics: ClassVar[tuple[str, ...]] = ("level",)

    level: float = 3.0
    min_records: int = field(default=30, metadata=RARE)
    on: str | Metric = "error"
    under: Forgetting | str | None = None
    convention: Literal["moa", "river"] = field(default="moa", metadata=RARE)

    def __post_init__(self) -> None:
        check_number(self.level, "level", "DDM", above=0)
        check_whole(self.min_records, "min_records", "DDM", least=1, most=MOST)
        check_choice(self.convention, "convention", "DDM", ("moa", "river"))
        self._check_watched()

    def _start(self) -> State:
        late = self.convention == "river"
        return _native.Ddm(self.level, self.min_records + (1 if late else -1), self.min_records + late)
