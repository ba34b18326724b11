"""The optimal errors of the testbed's streams, compared with those of the paper."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from prequential.number import UNDEFINED, fixed
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet

_HEADINGS = (
    Heading("stream", number=False),
    Heading("paper"),
    Heading("computed"),
    Heading("±"),
    Heading("− paper"),
    Heading("measured"),
    Heading("±"),
    Heading("− paper"),
)
_SAMPLED = "by a sample; all others by integration"


@dataclass(frozen=True, slots=True)
class OptimalErrorRow:
    """The mean optimal error of one stream.

    Parameters
    ----------
    stream
        Its name.
    computed, computed_standard_error, method
        From the model, by integration or a large sample, with its uncertainty.
    measured, measured_standard_error
        Mean error of ``Optimal`` over several seeds, with its standard error.
    paper
        The error in the paper, the mean of ten seeds; None for a stream that is not in it.
    """

    stream: str
    computed: float
    computed_standard_error: float
    method: str
    measured: float
    measured_standard_error: float
    paper: float | None


@dataclass(frozen=True, slots=True, repr=False)
class OptimalErrorTable(Printable):
    """Optimal errors of several streams."""

    rows: tuple[OptimalErrorRow, ...]
    n_seeds: int

    def sheet(self) -> Sheet:
        """Return the table as text."""
        caption = f"Optimal error, mean over the stream · measured: Optimal on {self.n_seeds} seeds"
        sampled = any(row.method == "sample" for row in self.rows)
        return Sheet(caption, _HEADINGS, tuple(map(_cells, self.rows)), notes=(_SAMPLED,) if sampled else ())

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries; undefined numbers are None."""
        return [
            {
                key: None if isinstance(value, float) and math.isnan(value) else value
                for key, value in asdict(row).items()
            }
            for row in self.rows
        ]


def _cells(row: OptimalErrorRow) -> tuple[Cell, ...]:
    return (
        Cell(row.stream),
        Cell(UNDEFINED if row.paper is None else fixed(row.paper)),
        Cell(fixed(row.computed), notes=(1,) if row.method == "sample" else ()),
        Cell(_small(row.computed_standard_error)),
        Cell(_difference(row.computed, row.paper)),
        Cell(fixed(row.measured)),
        Cell(_small(row.measured_standard_error)),
        Cell(_difference(row.measured, row.paper)),
    )


def _small(value: float) -> str:
    """Format an uncertainty with five decimals: it is smaller than the number itself."""
    return UNDEFINED if math.isnan(value) else f"{value:.5f}"


def _difference(value: float, paper: float | None) -> str:
    return UNDEFINED if paper is None else f"{round(value - paper, 4) + 0.0:+.4f}"
