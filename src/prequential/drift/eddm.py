"""The early drift detection method (EDDM)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from prequential import _native
from prequential.drift.detector import RARE, Detector, State, checked_choice, checked_whole
from prequential.errors import ParameterError, is_number
from prequential.measures.forgetting import Forgetting


@dataclass(frozen=True, slots=True, kw_only=True)
class Eddm(Detector):
    """EDDM: an alarm when errors come significantly closer together than at their farthest.

    p′ is the mean and s′ the standard deviation of the distances between errors since the last alarm; alarm when
    (p′ + 2s′) / max(p′ + 2s′) < β. Then it starts anew. O(1) a record.

    It counts records between errors, so it can only watch the error of each record, right or wrong.

    Parameters
    ----------
    beta
        β, in (0, 1): smaller gives fewer false alarms.
    min_errors
        Errors before the first alarm; the maximum is sought after as many records.
    on
        ``"error"``.
    convention
        ``"moa"``, or ``"river"``, which starts one record later and divides the variance by one error less.

    Examples
    --------
    >>> Eddm().detect(([0] * 9 + [1]) * 40 + [1] * 60).tolist()
    [448]

    References
    ----------
    Baena-García, del Campo-Ávila, Fidalgo, Bifet, Gavaldà and Morales-Bueno, "Early drift detection method", IWKDDS
    2006.
    """

    name: ClassVar[str] = "eddm"

    beta: float = 0.9
    min_errors: int = field(default=30, metadata=RARE)
    on: str = "error"
    convention: Literal["moa", "river"] = field(default="moa", metadata=RARE)

    def __post_init__(self) -> None:
        if not is_number(self.beta) or not 0 < self.beta < 1:
            raise ParameterError("beta", "Eddm", "in (0, 1)", self.beta)
        checked_whole(self.min_errors, "min_errors", "Eddm", 1)
        checked_choice(self.on, "on", "Eddm", ("error",))
        checked_choice(self.convention, "convention", "Eddm", ("moa", "river"))

    @property
    def forgetting(self) -> tuple[Forgetting, ...]:
        """None: it watches each record."""
        return ()

    def fresh(self) -> State:
        """Put it on its way."""
        late = self.convention == "river"
        return _native.Eddm(self.beta, self.min_errors + late, self.min_errors, late)
