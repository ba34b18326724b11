"""Alarms over the records of a stream, drawn with Plotly."""

from __future__ import annotations

from html import escape

import plotly.graph_objects as go

from prequential.figures.palette import BLIP, DRIFT, VERDICTS
from prequential.figures.plotly_style import GRID, laid_out
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
