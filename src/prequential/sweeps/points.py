"""Delay against false alarms of several settings of a detector: the data to draw."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TradeOffPoint:
    """One setting: its name, its false alarms per run, its mean delay with the standard error, and its misses."""

    name: str
    learner: str
    false_per_run: float
    delay: float
    error: float
    missed: int
    pareto: bool

    @property
    def text(self) -> str:
        """The name, with the missed drifts if there are any: without them a mean delay misleads."""
        return f"{self.name} ({self.missed} missed)" if self.missed else self.name


@dataclass(frozen=True, slots=True)
class TradeOffPoints:
    """The settings under a title."""

    title: str
    points: tuple[TradeOffPoint, ...]

    @property
    def learners(self) -> list[str]:
        """The watched learners, in order."""
        return list(dict.fromkeys(point.learner for point in self.points))

    def of(self, learner: str, *, pareto: bool) -> list[TradeOffPoint]:
        """Return the points of one learner in or outside the Pareto set, by false alarms."""
        found = [one for one in self.points if one.learner == learner and one.pareto == pareto]
        return sorted(found, key=lambda one: (one.false_per_run, one.delay))
