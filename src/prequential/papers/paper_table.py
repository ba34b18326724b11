"""A table of a paper and ours, side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from prequential.number import fixed
from prequential.papers.value import Value
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet

Place = tuple[str, str]
"""Row and column."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PaperTable(Printable):
    """Values by row and column: those printed in the paper, ours, and the differences.

    Parameters
    ----------
    caption
        What the table shows.
    corner
        What the rows are.
    paper, ours
        The values by row and column. A place may be missing in either.
    digits
        Decimals to show.
    unit
        The unit of the values, such as ``"%"`` or ``"records"``.
    note
        A remark below the table.

    Examples
    --------
    >>> place = ("SEA", "NB")
    >>> print(PaperTable("Error", "stream", {place: Value(5.1)}, {place: Value(5.25, 0.1, 10)}, digits=2))
    Error
    <BLANKLINE>
    stream  paper         ours  difference
    SEA      5.10  5.25 ± 0.10       +0.15
    """

    caption: str
    corner: str
    paper: Mapping[Place, Value]
    ours: Mapping[Place, Value]
    digits: int = 2
    unit: str = ""
    note: str = ""
    _places: tuple[tuple[str, ...], tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        places = [*self.paper, *self.ours]
        rows, columns = (tuple(dict.fromkeys(place[i] for place in places)) for i in (0, 1))
        object.__setattr__(self, "_places", (rows, columns))

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows in order."""
        return self._places[0]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns in order."""
        return self._places[1]

    def difference(self, place: Place) -> float:
        """Return ours minus the paper's; NaN if one of them is missing or undefined."""
        paper, ours = self.paper.get(place), self.ours.get(place)
        return math.nan if paper is None or ours is None else ours.mean - paper.mean

    def sheet(self) -> Sheet:
        """Return the table as text, three columns per column of the paper."""
        headings = [Heading(self.corner, number=False)]
        for column in self.columns:
            headings += [Heading(title, group=column) for title in ("paper", "ours", "difference")]
        body = tuple(
            (Cell(row), *(cell for column in self.columns for cell in self._cells((row, column)))) for row in self.rows
        )
        unit = f" ({self.unit})" if self.unit else ""
        return Sheet(f"{self.caption}{unit}", tuple(headings), body, remark=self.note)

    def _cells(self, place: Place) -> tuple[Cell, Cell, Cell]:
        difference = self.difference(place)
        sign = "–" if math.isnan(difference) else f"{'+' if difference >= 0 else ''}{fixed(difference, self.digits)}"
        paper, ours = (values.get(place) for values in (self.paper, self.ours))
        return (
            Cell("–" if paper is None else paper.text(self.digits)),
            Cell("–" if ours is None else ours.text(self.digits)),
            Cell(sign),
        )

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one row per value: the paper's, ours, the difference, and the number of runs."""
        found = []
        for row in self.rows:
            for column in self.columns:
                place = row, column
                if place not in self.paper and place not in self.ours:
                    continue
                paper, ours = self.paper.get(place), self.ours.get(place)
                difference = self.difference(place)
                found.append(
                    {
                        "row": row,
                        "column": column,
                        **_named("paper", paper),
                        **_named("ours", ours),
                        "difference": None if math.isnan(difference) else difference,
                        "n_runs": None if ours is None else ours.n,
                    }
                )
        return found

    def to_json(self) -> dict[str, Any]:
        """Return everything, to be restored by ``from_json``."""

        def listed(values: Mapping[Place, Value]) -> list[list[Any]]:
            return [[*place, value.to_dict()] for place, value in values.items()]

        plain = {name: getattr(self, name) for name in ("caption", "corner", "digits", "unit", "note")}
        return {**plain, "paper": listed(self.paper), "ours": listed(self.ours)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> PaperTable:
        """Restore it from ``to_json``."""

        def values(rows: list[list[Any]]) -> dict[Place, Value]:
            return {(row, column): Value.from_dict(value) for row, column, value in rows}

        return cls(**{**data, "paper": values(data["paper"]), "ours": values(data["ours"])})


def _named(who: str, value: Value | None) -> dict[str, Any]:
    data = {} if value is None else value.to_dict()
    return {who: data.get("mean"), **{f"{who}_{key}": data.get(key) for key in ("sd", "missed", "false")}}
