"""The statistics of a detector over a series, value by value, beside the limit at which it gives an alarm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from prequential.number import count, plural
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.types import FloatArray, IntArray

if TYPE_CHECKING:
    import plotly.graph_objects as go
    from matplotlib.figure import Figure

_SHOWN = 20
_DRAWINGS: dict[str, Callable[..., Any]] = {}
"""How it is drawn: the figures, which know detectors, register themselves here."""
_SCHEMA = pa.schema(
    [
        ("detector", pa.string()),
        ("record", pa.int64()),
        ("statistic", pa.string()),
        ("value", pa.float64()),
        ("limit", pa.float64()),
        ("alarm", pa.bool_()),
    ]
)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class StatisticSeries(Printable):
    """The statistics of a detector over a series; prints as a table.

    Parameters
    ----------
    detector
        The textual form of the detector.
    statistics
        Their names; the last one is compared with the limit.
    record
        The positions in the series: every n-th, the last one, and those of all alarms.
    values
        The statistics after these values, one column each; NaN where there is none. A value that is missing changes
        nothing, so the statistics are those after the one before.
    limit
        The limit of the last statistic: the threshold of Page–Hinkley; NaN for ADWIN, which has none.
    alarms
        The positions of all alarms. There the statistics are those that raised it.

    Examples
    --------
    >>> from prequential.drift import PageHinkley
    >>> found = PageHinkley(delta=0.1, threshold=3).trace([0, 0, 0, 0, 1, 1, 1, 1, 1])
    >>> found.alarms.tolist(), found.values[-1, 0].round(2).item()
    ([], 2.48)
    """

    detector: str
    statistics: tuple[str, ...]
    record: IntArray
    values: FloatArray
    limit: FloatArray
    alarms: IntArray

    def sheet(self) -> Sheet:
        """Return the statistics as text, at most twenty rows."""
        caption = f"{self.detector} · {plural(len(self.alarms), 'alarm')}"
        heads = (Heading("record"), *map(Heading, (*self.statistics, "limit")), Heading("alarm", number=False))
        alarms = set(self.alarms.tolist())
        rows = tuple(
            (
                Cell(count(record)),
                *(Cell("–" if np.isnan(one) else f"{one:.4g}") for one in (*values, limit)),
                Cell("alarm" if record in alarms else ""),
            )
            for record, values, limit in zip(
                self.record[:_SHOWN].tolist(), self.values.tolist(), self.limit.tolist(), strict=False
            )
        )
        more = len(self.record) - _SHOWN
        return Sheet(caption, heads, rows, remark=f"{count(more)} more" if more > 0 else "")

    def plot(self) -> go.Figure:
        """Return the statistics with limit and alarms as an interactive figure, in Plotly."""
        fig: go.Figure = _DRAWINGS["plot"](self)
        return fig

    def figure(self) -> Figure:
        """Draw the statistics with limit and alarms for print, in Matplotlib."""
        fig: Figure = _DRAWINGS["figure"](self)
        return fig

    def save_figure(self, path: str | Path) -> Path:
        """Write the figure for print: ``.png``, ``.svg`` or ``.pdf``."""
        written: Path = _DRAWINGS["save_figure"](self, path)
        return written

    def to_arrow(self) -> pa.Table:
        """Return a tidy table: detector, record, statistic, value, limit, alarm; null where there is no number."""
        n, k = self.values.shape
        limits = np.full((n, k), np.nan)
        limits[:, -1] = self.limit
        columns = [
            pa.array([self.detector] * (n * k), pa.string()),
            np.repeat(self.record, k),
            pa.array(list(self.statistics) * n, pa.string()),
            pa.array(self.values.ravel(), from_pandas=True),
            pa.array(limits.ravel(), from_pandas=True),
            np.repeat(np.isin(self.record, self.alarms), k),
        ]
        return pa.table(columns, schema=_SCHEMA)


def register_drawings(**drawings: Callable[..., Any]) -> None:
    """Set what ``plot``, ``figure`` and ``save_figure`` call."""
    _DRAWINGS.update(drawings)
