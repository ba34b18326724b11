"""Delay against false alarms, drawn with Plotly."""

from __future__ import annotations

from html import escape

import plotly.graph_objects as go

from prequential.figures.palette import COLOURS
from prequential.figures.plotly_style import GRID, laid_out
from prequential.sweeps.points import TradeOffPoints


def trade_off_figure(found: TradeOffPoints) -> go.Figure:
    """Draw one point per setting; those of the Pareto set are full and joined."""
    fig = go.Figure()
    for k, learner in enumerate(found.learners):
        colour = COLOURS[k % len(COLOURS)]
        for pareto in (True, False):
            points = found.of(learner, pareto=pareto)
            kind = "Pareto set" if pareto else "beaten by another setting"
            fig.add_scatter(
                x=[one.false_per_run for one in points],
                y=[one.delay for one in points],
                error_y={"type": "data", "array": [one.error for one in points], "thickness": 1},
                text=[escape(one.text) for one in points],
                mode="lines+markers" if pareto else "markers",
                name=escape(f"{learner}: {kind}" if len(found.learners) > 1 else kind),
                showlegend=bool(points),
                marker={"color": colour, "symbol": "circle" if pareto else "circle-open", "size": 9},
                line={"color": colour, "width": 1.2},
                hovertemplate="%{text}<br>%{x:.4g} false alarms per run<br>delay %{y:,.1f}<extra></extra>",
            )
    fig.update_xaxes(title_text="false alarms per run", gridcolor=GRID, zeroline=False)
    fig.update_yaxes(title_text="mean delay in records", gridcolor=GRID, zeroline=False)
    return laid_out(fig, height=420).update_layout(title_text=escape(found.title))
