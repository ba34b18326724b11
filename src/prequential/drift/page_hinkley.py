"""The Page–Hinkley test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from prequential import _native
from prequential.arguments import check_choice, check_number, check_whole
from prequential.drift.detector import DIRECTIONS, MOST, RARE, Direction, OneEstimateDetector, State
from prequential.metrics.forgetting import Forgetting
from prequential.metrics.metric import Metric


@dataclass(frozen=True, slots=True)
class _Rules:
    """Variant of the test in one library: the floor of m, whether the alarm is strictly above λ, and the defaults."""

    floor: str
    strict: bool
    alpha: float
    min_records: int
    counts_ahead: int = 0
    """How far its counter is ahead of the number of records."""


_CONVENTIONS = {
    "paper": _Rules("minimum", False, 1.0, 1),
    "river": _Rules("minimum", True, 0.9999, 30),
    "moa": _Rules("none", True, 0.9999, 30, 1),
    "multiflow": _Rules("zero", True, 0.9999, 30, 1),
}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PageHinkley(OneEstimateDetector):
    """Page–Hinkley test: alarm when the mean of a series rises.

    m_T = m_{T−1} + x_T − mean_T − δ, where mean_T is the mean of x_1 … x_T. Alarm when m_T − min m ≥ λ; then the test
    resets. O(1) time per record and memory.

    Parameters
    ----------
    delta
        δ, the change that is tolerated, above 0.
    threshold
        λ, above 0: larger gives later alarms and fewer false ones.
    direction
        ``"up"``: alarm when the mean rises, which for a metric is a change for the worse; ``"down"``: when it falls;
        ``"both"``.
    on, under
        The metric it watches, and the forgetting it is read under; by default the loss of each record.
    convention
        The rule to follow: that of the ``"paper"``, or for comparison that of ``"river"`` (alarm strictly above λ),
        ``"moa"`` (no running minimum, as in the MOA of CapyMOA 0.15) or ``"multiflow"`` (m never falls below 0). The
        last three have α = 0.9999 and wait for 30 records.
    alpha
        Factor of m at each record, in (0, 1]; by default that of the convention, 1 in the paper.
    min_records
        Records before the first alarm; by default those of the convention, 1 in the paper.

    Examples
    --------
    The mean of 0, 0, 0, 0, 1, 1, … rises; m is −0.1, −0.2, −0.3, −0.4, then 0.3, 0.87: 1.27 above its minimum.

    >>> PageHinkley(delta=0.1, threshold=1.2).detect([0, 0, 0, 0, 1, 1]).tolist()
    [5]

    References
    ----------
    Page, "Continuous inspection schemes", Biometrika 41, 1954. Gama, Sebastião and Rodrigues, "On evaluating stream
    learning algorithms", Machine Learning 90, 2013; its experiments use δ = 0.1 and λ = 100 on faded errors.
    """

    name: ClassVar[str] = "page_hinkley"
    statistics: ClassVar[tuple[str, ...]] = ("page_hinkley",)

    delta: float = 0.005
    threshold: float = 50.0
    direction: Direction = field(default="up", metadata=RARE)
    on: str | Metric = "error"
    under: Forgetting | str | None = None
    convention: Literal["paper", "river", "moa", "multiflow"] = field(default="paper", metadata=RARE)
    alpha: float | None = None
    min_records: int | None = None

    def __post_init__(self) -> None:
        check_number(self.delta, "delta", "PageHinkley", above=0)
        check_number(self.threshold, "threshold", "PageHinkley", above=0)
        check_choice(self.direction, "direction", "PageHinkley", DIRECTIONS)
        check_choice(self.convention, "convention", "PageHinkley", tuple(_CONVENTIONS))
        if self.alpha is not None:
            check_number(self.alpha, "alpha", "PageHinkley", above=0, most=1)
        if self.min_records is not None:
            check_whole(self.min_records, "min_records", "PageHinkley", least=1, most=MOST)
        self._check_watched()

    def _start(self) -> State:
        rules = _CONVENTIONS[self.convention]
        return _native.PageHinkley(
            self.delta,
            self.threshold,
            rules.alpha if self.alpha is None else self.alpha,
            (rules.min_records if self.min_records is None else self.min_records) - rules.counts_ahead,
            self.direction,
            rules.floor,
            rules.strict,
        )
