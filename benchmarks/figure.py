"""A measured figure beside its budget."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the table: what was measured, and what it must reach."""

    what: str
    value: float
    unit: str
    budget: float | None = None
    bound: Literal["at least", "at most"] = "at least"

    @property
    def kept(self) -> bool | None:
        """Whether the budget is kept; None without one."""
        if self.budget is None:
            return None
        return self.value >= self.budget if self.bound == "at least" else self.value <= self.budget


def shown(value: float) -> str:
    """Return a number as a table shows it."""
    return f"{value:,.3f}" if abs(value) < 100 else f"{value:,.0f}"


def markdown(figures: Iterable[Figure]) -> str:
    """Return the figures as a Markdown table."""
    lines = ["| what | measured | unit | budget | kept |", "|---|---:|---|---|---|"]
    for f in figures:
        budget = "" if f.budget is None else f"{f.bound} {shown(f.budget)}"
        kept = {None: "", True: "yes", False: "**no**"}[f.kept]
        lines.append(f"| {f.what} | {shown(f.value)} | {f.unit} | {budget} | {kept} |")
    return "\n".join(lines)
