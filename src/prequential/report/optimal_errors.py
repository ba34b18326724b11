"""The optimal errors of the testbed's streams, beside those the paper prints."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

from prequential.report.number import UNDEFINED, fixed
from prequential.report.sheet import Cell, Heading, Sheet

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
        From the model: by integration or a large sample, and how far off it may be.
    measured, measured_standard_error
        Of ``Optimal`` on several seeds: their mean and its standard error.
    paper
        What the paper prints, which is the mean of ten seeds; None for a stream that is not in it.
    """

    stream: str
    computed: float
    computed_standard_error: float
    method: str
    measured: float
    measured_standard_error: float
    paper: float | None


@dataclass(frozen=True, slots=True)
class OptimalErrorTable:
    """Optimal errors of several streams."""

    rows: tuple[OptimalErrorRow, ...]
    n_seeds: int

    def sheet(self) -> Sheet:
        """Return the table as text."""
        caption = f"Optimal error, mean over the stream · measured: Optimal on {self.n_seeds} seeds"
        sampled = any(row.method == "sample" for row in self.rows)
        return Sheet(caption, _HEADINGS, tuple(map(_cells, self.rows)), notes=(_SAMPLED,) if sampled else ())

    def to_dicts(self) -> list[dict[str, object]]:
        """Return the rows as dictionaries; what is undefined is None."""
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
    """Write what a number may be off by, with five decimals: it is smaller than the number."""
    return UNDEFINED if math.isnan(value) else f"{value:.5f}"


def _difference(value: float, paper: float | None) -> str:
    return UNDEFINED if paper is None else f"{round(value - paper, 4) + 0.0:+.4f}"
