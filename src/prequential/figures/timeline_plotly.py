"""Alarms over the records of a stream, drawn with Plotly."""

from __future__ import annotations

from html import escape

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from prequential.drift.statistic_series import StatisticSeries
from prequential.figures.palette import BLIP, COLOURS, DRIFT, VERDICTS
from prequential.figures.plotly_style import GRID, INK, laid_out
from prequential.figures.timeline import Timeline


def timeline_figure(timeline: Timeline) -> go.Figure:
    """Draw the alarms, one line per detector."""
    fig = go.Figure()
    _add_drifts(fig, timeline)
    shown: set[str] = set()
    names = [escape(name) for name in timeline.names]
    for name, (_, marks) in zip(names, timeline.rows, strict=True):
        for verdict, at in marks.items():
            look = VERDICTS[verdict]
            fig.add_scatter(
                x=at,
                y=[name] * len(at),
                mode="markers",
                name=look.label,
                legendgroup=verdict,
                showlegend=verdict not in shown,
                marker={
                    "color": look.colour,
                    "symbol": look.symbol,
                    "size": 10,
                    "line": {"color": look.colour, "width": 2},
                },
                hovertemplate="record %{x:,d}<extra></extra>",
            )
            shown.add(verdict)
    fig.update_xaxes(title_text="records", gridcolor=GRID, zeroline=False, tickformat=",d")
    fig.update_xaxes(range=(0, timeline.n_records))
    fig.update_yaxes(type="category", categoryorder="array", categoryarray=names[::-1], automargin=True)
    fig.update_yaxes(range=(-0.6, len(names) - 0.4), gridcolor=GRID, zeroline=False)
    return laid_out(fig, height=160 + 32 * len(names)).update_layout(title_text=escape(timeline.title))


def statistic_figure(series: StatisticSeries) -> go.Figure:
    """Draw the statistics of a detector, one below the other: the last one with its limit, alarms as lines."""
    n = len(series.statistics)
    fig = make_subplots(rows=n, cols=1, shared_xaxes=True, vertical_spacing=0.08)
    for row, (name, values) in enumerate(zip(series.statistics, series.values.T, strict=True), start=1):
        line = {"color": COLOURS[0], "width": 1.5}
        fig.add_scatter(x=series.record, y=values, mode="lines", name=name, line=line, row=row, col=1)
        for at in series.alarms.tolist():
            fig.add_vline(x=at, line={"color": COLOURS[1], "width": 1, "dash": "dot"}, row=row, col=1)
        fig.update_yaxes(title_text=name, gridcolor=GRID, zeroline=False, row=row, col=1)
    if not np.isnan(series.limit).all():
        line = {"color": INK, "width": 1.2, "dash": "dash"}
        fig.add_scatter(x=series.record, y=series.limit, mode="lines", name="limit", line=line, row=n, col=1)
    fig.update_xaxes(gridcolor=GRID, zeroline=False, tickformat=",d")
    fig.update_xaxes(title_text="records", row=n, col=1)
    return laid_out(fig, height=160 + 220 * n).update_layout(title_text=escape(series.detector))


def _add_drifts(fig: go.Figure, timeline: Timeline) -> None:
    for drift in timeline.drifts:
        if drift.temporary:
            fig.add_vrect(x0=drift.begin, x1=drift.end, fillcolor=BLIP, opacity=0.25, line_width=0)
            continue
        if drift.detected_until is not None:
            fig.add_vrect(x0=drift.begin, x1=drift.detected_until, fillcolor=DRIFT, opacity=0.12, line_width=0)
        if drift.end > drift.begin:
            fig.add_vrect(x0=drift.begin, x1=drift.end, fillcolor=DRIFT, opacity=0.25, line_width=0)
        else:
            fig.add_vline(x=drift.begin, line={"color": DRIFT, "width": 1.5})
