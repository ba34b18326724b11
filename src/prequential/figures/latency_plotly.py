"""The distribution of label latencies, drawn with Plotly."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from prequential.figures.plotly_style import GRID, INK, laid_out
from prequential.runs.latency_histogram import LatencyHistogram

_FILL, _LINE = "rgba(0,114,178,0.35)", "#0072B2"


def latency_figure(histogram: LatencyHistogram) -> go.Figure:
    """Draw the histogram over a logarithmic axis, with marked quantiles."""
    x, y = histogram.outline
    top = max(y)
    fig = go.Figure()
    fig.add_scatter(
        x=x, y=y, mode="lines", fill="tozeroy", fillcolor=_FILL, line={"color": _LINE, "width": 1}, hoverinfo="skip"
    )
    fig.add_scatter(
        x=[math.sqrt(low * high) for low, high, _ in histogram.steps],
        y=[n for _, _, n in histogram.steps],
        mode="markers",
        marker={"opacity": 0},
        text=[
            f"{histogram.written(low)} to {histogram.written(high)}: {n:,} labels" for low, high, n in histogram.steps
        ],
        hovertemplate="%{text}<extra></extra>",
    )
    for i, (label, at) in enumerate(histogram.quantiles):
        fig.add_scatter(
            x=[at, at],
            y=[0, top * (1.16 - 0.1 * i)],
            mode="lines+text",
            line={"color": INK, "width": 1.5, "dash": "solid" if i == 0 else "dot"},
            text=["", label],
            textposition="middle right",
            hoverinfo="skip",
            cliponaxis=False,
        )
    low, high = map(math.log10, histogram.edges)
    width = high - low  # with room for the labels at the right
    fig.update_xaxes(
        type="log",
        title={"text": f"time from the record to its label{histogram.unit}", "standoff": 6},
        range=(low - 0.03 * width, high + 0.15 * width),
        tickvals=histogram.ticks,
        ticktext=[histogram.written(tick) for tick in histogram.ticks],
        gridcolor=GRID,
        zeroline=False,
    )
    fig.update_yaxes(title_text="labels", range=(0, 1.25 * top), tickformat=",d", gridcolor=GRID, zerolinecolor=GRID)
    return laid_out(fig, height=340).update_layout(showlegend=False)
