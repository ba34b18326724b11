"""Settings of a detector compared: the delay against the false alarms, and the settings that no other one beats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from prequential.figures.pictured import Pictured
from prequential.number import count, plural
from prequential.sheets.footnotes import Footnotes
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.sweeps.points import TradeOffPoint, TradeOffPoints
from prequential.tables.seed_detections import SeedDetection, SeedDetectionTable, brief_names

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from prequential.figures.matplotlib_style import PaperFigure


@dataclass(frozen=True, slots=True, repr=False)
class TradeOff(Printable, Pictured):
    """Delay against false alarms of several detectors or settings; those of the Pareto set are marked.

    A setting is in the Pareto set if no other one watching the same learner has a mean delay, a number of false alarms
    and a number of missed drifts that are all at most as large, and one of them smaller. The misses count because a
    mean delay is over detected drifts only: a detector that misses the hard ones looks fast. A setting that detects
    nothing is never in the set.

    Parameters
    ----------
    detections
        The detectors, scored over the runs.
    """

    detections: SeedDetectionTable

    @property
    def pareto(self) -> tuple[SeedDetection, ...]:
        """The settings that no other one beats."""
        rows = self.detections.rows
        return tuple(row for row in rows if row.delays and not any(_beats(one, row) for one in rows))

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per learner and setting: those of the detections, false alarms per run, and the set."""
        best = {(row.learner, row.detector) for row in self.pareto}
        return [
            {
                **one,
                "false_per_run": one["n_false"] / one["n_seeds"],
                "pareto": (one["learner"], one["detector"]) in best,
            }
            for one in self.detections.to_dicts()
        ]

    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes."""
        table, notes, best = self.detections, Footnotes(), self.pareto
        names = _names(table)
        rows = []
        for name, row in zip(names, table.rows, strict=True):
            undefined = "" if row.delays else "no drift was detected"
            delay = row.paper().rpartition(" (")[0]
            cells = (
                Cell(delay, best=row in best, notes=notes.number(undefined)),
                Cell(f"{row.total('n_false') / len(row.scores):,.4g}"),
                Cell(f"{count(int(row.total('n_missed')))} of {count(int(row.total('n_drifts')))}"),
                Cell(f"({row.dummy('n_missed'):,.1f}; {row.dummy('n_false') / len(row.scores):,.1f})"),
                Cell("yes" if row in best else ""),
            )
            rows.append((Cell(name), *cells))
        titles = ("delay", "false per run", "missed", "dummy (missed; false per run)")
        heads = (Heading("detector", number=False), *map(Heading, titles), Heading("Pareto", number=False))
        _, shared = brief_names([row.detector for row in table.rows])
        remark = (
            "Mean ± standard deviation of the delays in records, over detected drifts. Pareto: no other setting is as "
            "good in delay, false alarms and missed drifts, and better in one."
        )
        return Sheet(table.sheet().caption, heads, tuple(rows), notes=notes.texts, remark=" ".join([remark, *shared]))

    def points(self) -> TradeOffPoints:
        """Return what a figure draws; a setting that detected nothing has no delay, and is left out."""
        best = self.pareto
        points = tuple(
            TradeOffPoint(
                name=name,
                learner=row.learner or "",
                false_per_run=row.total("n_false") / len(row.scores),
                delay=row.delay_mean,
                error=float(np.std(row.delays, ddof=1) / np.sqrt(len(row.delays))) if len(row.delays) > 1 else 0.0,
                missed=int(row.total("n_missed")),
                pareto=row in best,
            )
            for name, row in zip(_names(self.detections), self.detections.rows, strict=True)
            if row.delays
        )
        left_out = len(self.detections.rows) - len(points)
        title = self.detections.name
        if left_out:
            title += f" · {plural(left_out, 'setting')} without a detected drift not drawn"
        return TradeOffPoints(title, points)

    def plot(self) -> go.Figure:
        """Return the delay over the false alarms as an interactive figure."""
        from prequential.sweeps.points_plotly import trade_off_figure

        return self._shown(trade_off_figure(self.points()), self.figure)

    def figure(self) -> PaperFigure:
        """Draw the delay over the false alarms for print; full points are the Pareto set, bars ± one standard error."""
        from prequential.sweeps.points_matplotlib import draw_trade_off

        return draw_trade_off(self.points())


def _beats(one: SeedDetection, other: SeedDetection) -> bool:
    """Return whether a setting is at least as good in all and better in one; both watch the same learner."""
    if one.learner != other.learner or not one.delays:
        return False
    a, b = _costs(one), _costs(other)
    return all(x <= y for x, y in zip(a, b, strict=True)) and a != b


def _costs(row: SeedDetection) -> tuple[float, float, float]:
    return row.delay_mean, row.total("n_false"), row.total("n_missed")


def _names(table: SeedDetectionTable) -> list[str]:
    several = len({row.learner for row in table.rows}) > 1
    names, _ = brief_names([row.detector for row in table.rows])
    return [f"{row.learner} · {names[row.detector]}" if several else names[row.detector] for row in table.rows]
