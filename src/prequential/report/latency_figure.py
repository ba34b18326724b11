"""How long labels took, as a Plotly figure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from prequential.report.interactive import GRID, INK, laid_out
from prequential.report.waiting import latency

_FILL, _LINE = "rgba(0,114,178,0.35)", "#0072B2"
_MARKS = {"0.5": "median", "0.95": "95 % within"}


def latency_figure(told: Mapping[str, Any]) -> go.Figure | None:
    """Draw the histogram of a manifest over a logarithmic axis, on which its steps are equally wide.

    The median and what 95 % of labels do not exceed are marked. None where there are no two latencies above 0 to draw.
    """
    steps = [(low, high, n) for low, high, n in told["histogram"] if high > 0]
    if not steps or told["least"] == told["most"]:
        return None
    x, y = _outline(steps)
    top = max(y)
    fig = go.Figure()
    fig.add_scatter(
        x=x, y=y, mode="lines", fill="tozeroy", fillcolor=_FILL, line={"color": _LINE, "width": 1}, hoverinfo="skip"
    )
    fig.add_scatter(
        x=[math.sqrt(low * high) for low, high, _ in steps],
        y=[n for _, _, n in steps],
        mode="markers",
        marker={"opacity": 0},
        text=[f"{latency(low)} to {latency(high)}: {n:,} labels" for low, high, n in steps],
        hovertemplate="%{text}<extra></extra>",
    )
    for i, (share, words) in enumerate(_MARKS.items()):
        at, height = told["quantiles"][share], top * (1.16 - 0.1 * i)
        fig.add_scatter(
            x=[at, at],
            y=[0, height],
            mode="lines+text",
            line={"color": INK, "width": 1.5, "dash": "solid" if i == 0 else "dot"},
            text=["", f"{words} {latency(at)}"],
            textposition="middle right",
            hoverinfo="skip",
            cliponaxis=False,
        )
    ticks = _ticks(x[0], x[-1])
    width = math.log10(x[-1] / x[0])  # with room for the words at the right
    fig.update_xaxes(
        type="log",
        title={"text": "time from the record to its label, in the unit of the stream's time", "standoff": 6},
        range=(math.log10(x[0]) - 0.03 * width, math.log10(x[-1]) + 0.15 * width),
        tickvals=ticks,
        ticktext=[latency(tick) for tick in ticks],
        gridcolor=GRID,
        zeroline=False,
    )
    fig.update_yaxes(title_text="labels", range=(0, 1.25 * top), tickformat=",d", gridcolor=GRID, zerolinecolor=GRID)
    return laid_out(fig, height=340).update_layout(showlegend=False)


def _outline(steps: list[tuple[float, float, int]]) -> tuple[list[float], list[float]]:
    """Return the outline of the bars; a step that no label took is at 0."""
    x, y = [steps[0][0]], [0.0]
    for low, high, n in steps:
        if low > x[-1] * 1.001:
            x += [x[-1], low]
            y += [0.0, 0.0]
        x += [low, high]
        y += [float(n)] * 2
    return [*x, x[-1]], [*y, 0.0]


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers between two: 1, 2 and 5 of each power of ten, or evenly spaced ones within a few octaves.

    Examples
    --------
    >>> _ticks(1300, 3200), _ticks(0.5, 30), _ticks(1, 2e4)
    ([1500.0, 2000.0, 2500.0, 3000.0], [0.5, 1.0, 2.0, 5.0, 10.0, 20.0], [1.0, 10.0, 100.0, 1000.0, 10000.0])
    """
    decades = math.log10(high / low)
    if decades < 0.8:
        rough = 10 ** math.floor(math.log10((high - low) / 3))
        step = next(rough * k for k in (10, 5, 2, 1) if (high - low) / (rough * k) >= 3)
        return [float(f"{tick:.6g}") for tick in np.arange(math.ceil(low / step), high / step) * step]
    multiples = (1, 2, 5) if decades < 4 else (1,)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1, max(1, round(decades / 8)))
    return [float(f"{k}e{p}") for p in powers for k in multiples if low <= float(f"{k}e{p}") <= high]
