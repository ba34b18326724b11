"""The Page–Hinkley test."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from prequential import _native
from prequential.drift.detector import (
    RARE,
    Detector,
    Direction,
    State,
    checked_choice,
    checked_number,
    checked_on,
    checked_under,
    checked_whole,
)
from prequential.measures.forgetting import Forgetting


@dataclass(frozen=True, slots=True)
class _Rules:
    """How a library runs the test: the floor of m, whether the alarm is above the threshold, and its defaults."""

    floor: str
    strict: bool
    alpha: float
    min_records: int
    counts_ahead: int = 0
    """By how much its counter runs ahead of the records."""


_CONVENTIONS = {
    "paper": _Rules("minimum", False, 1.0, 1),
    "river": _Rules("minimum", True, 0.9999, 30),
    "moa": _Rules("none", True, 0.9999, 30, 1),
    "multiflow": _Rules("zero", True, 0.9999, 30, 1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHinkley(Detector):
    """The Page–Hinkley test: an alarm when the mean of a series has gone up.

    m_T = m_{T−1} + x_T − mean_T − δ, where mean_T is that of x_1 … x_T; alarm when m_T − min m ≥ λ. Then the test
    starts anew. O(1) a record, in time and memory.

    Parameters
    ----------
    delta
        δ, the change that is put up with, above 0.
    threshold
        λ, above 0: larger is later, and gives fewer false alarms.
    direction
        ``"up"``: a rise of the error side is an alarm; ``"down"``: a fall; ``"both"``.
    on, under
        The measure it watches, and the forgetting it is read under; without one, the loss of each record.
    convention
        Whose rule: that of the ``"paper"``, or for comparison that of ``"river"`` (alarm above λ), ``"moa"`` (no
        running minimum, as in the MOA of CapyMOA 0.15) or ``"multiflow"`` (m never falls below 0). The last three
        have α = 0.9999 and wait for 30 records.
    alpha
        What m is multiplied by at each record, in (0, 1]; by default that of the convention, 1 in the paper.
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
    learning algorithms", Machine Learning 90, 2013; its experiments take δ = 0.1, λ = 100 on faded errors.
    """

    name: ClassVar[str] = "page_hinkley"

    delta: float = 0.005
    threshold: float = 50.0
    direction: Direction = field(default="up", metadata=RARE)
    on: str = "error"
    under: Forgetting | None = None
    convention: Literal["paper", "river", "moa", "multiflow"] = field(default="paper", metadata=RARE)
    alpha: float | None = None
    min_records: int | None = None

    def __post_init__(self) -> None:
        checked_number(self.delta, "delta", "PageHinkley", "a number above 0", 0, math.inf)
        checked_number(self.threshold, "threshold", "PageHinkley", "a number above 0", 0, math.inf)
        checked_choice(self.direction, "direction", "PageHinkley", ("up", "down", "both"))
        checked_choice(self.convention, "convention", "PageHinkley", tuple(_CONVENTIONS))
        if self.alpha is not None:
            checked_number(self.alpha, "alpha", "PageHinkley", "in (0, 1]", 0, 1)
        if self.min_records is not None:
            checked_whole(self.min_records, "min_records", "PageHinkley", 1)
        checked_on(self.on, "PageHinkley")
        object.__setattr__(self, "under", checked_under(self.under, self.on, "PageHinkley"))

    @property
    def forgetting(self) -> tuple[Forgetting, ...]:
        """The forgetting it reads the measure under, if any."""
        return () if self.under is None else (self.under,)

    def fresh(self) -> State:
        """Put the test on its way."""
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
