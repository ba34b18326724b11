"""The early drift detection method (EDDM)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from prequential import _native
from prequential.arguments import check_choice, check_number, check_whole
from prequential.drift.detector import MOST, RARE, Detector, State
from prequential.metrics.forgetting import Forgetting


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EDDM(Detector):
    """Early drift detection method (EDDM): alarm when the distance between errors is significantly below its maximum.

    p′ is the mean and s′ the standard deviation of the distances between errors since the last alarm. Alarm when
    (p′ + 2s′) / max(p′ + 2s′) < β; then the detector resets. O(1) per record.

    It counts the records between two errors, so it can only watch the error of each single record.

    Parameters
    ----------
    beta
        β, in (0, 1): smaller gives fewer false alarms.
    min_errors
        Errors before the first alarm; the maximum is updated only after this many records.
    on
        ``"error"``.
    convention
        The implementation to follow: ``"moa"``, or ``"river"``, which starts one record later and divides the variance
        by one error less.

    Examples
    --------
    >>> EDDM().detect(([0] * 9 + [1]) * 40 + [1] * 60).tolist()
    [448]

    References
    ----------
    Baena-García, del Campo-Ávila, Fidalgo, Bifet, Gavaldà and Morales-Bueno, "Early drift detection method", IWKDDS
    2006.
    """

    name: ClassVar[str] = "eddm"
    statistics: ClassVar[tuple[str, ...]] = ("share_of_maximum",)

    beta: float = 0.9
    min_errors: int = field(default=30, metadata=RARE)
    on: str = "error"
    convention: Literal["moa", "river"] = field(default="moa", metadata=RARE)

    def __post_init__(self) -> None:
        check_number(self.beta, "beta", "EDDM", above=0, below=1)
        check_whole(self.min_errors, "min_errors", "EDDM", least=1, most=MOST)
        check_choice(self.on, "on", "EDDM", ("error",))
        check_choice(self.convention, "convention", "EDDM", ("moa", "river"))

    @property
    def forgetting(self) -> tuple[Forgetting, ...]:
        """Empty: it watches the error of each single record."""
        return ()

    def _start(self) -> State:
        late = self.convention == "river"
        return _native.Eddm(self.beta, self.min_errors + late, self.min_errors, late)
