"""A metric by bin of the waiting time, drawn with Plotly."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from prequential.figures.bins import BinPanel, bin_panel
from prequential.figures.palette import Ink, learner_inks
from prequential.figures.plotly_style import GRID, laid_out
from prequential.runs.directory import RunDirectory

COLOURS = "Viridis"
"""Even steps of the value are even steps of lightness, also for colour-blind readers."""
_CURVES, _PANEL = 300, 230
"""The heights of the curves and of a line of panels, in pixels."""


def bin_figure(
    directory: RunDirectory,
    metric: str | None = None,
    *,
    forgetting: str | None = None,
    learners: str | Sequence[str] | None = None,
) -> go.Figure:
    """Draw one metric by bin: above, one curve per learner at the last checkpoint; below, one panel per learner.

    In the panels, over the labels, the colour is the value. Colours span the middle 96 % of the values; the number
    under the pointer is exact.
    """
    return draw_bins([bin_panel(directory, metric, forgetting, learners)])


def draw_bins(drawn: Sequence[BinPanel]) -> go.Figure:
    """Draw one metric; several forgettings are overlaid, and the page selects one by ``meta.bins``."""
    first = drawn[0]
    shown = [one.learner for one in first.surfaces]
    n_columns = min(2, len(shown))
    n_lines = -(-len(shown) // n_columns)
    height = _CURVES + _PANEL * n_lines + 80
    blank: list[Any] = [None] * (n_columns - 1)
    cells: list[list[Any]] = [[{"colspan": n_columns}, *blank], *([{}] * n_columns for _ in range(n_lines))]
    if len(shown) % n_columns:
        cells[-1] = [{}, None]
    fig = make_subplots(
        rows=1 + n_lines,
        cols=n_columns,
        specs=cells,
        row_heights=[_CURVES, *[_PANEL] * n_lines],
        vertical_spacing=80 / height,
        horizontal_spacing=0.09,
        subplot_titles=[f"after {first.n_labels:,} labels", *map(escape, shown)],
    )
    ink = learner_inks(first.learners, first.baselines)
    for k, panel in enumerate(drawn, start=1):
        meta = {"bins": panel.forgetting} if len(drawn) > 1 else None
        for i, one in enumerate(panel.surfaces):
            place = {"row": 2 + i // n_columns, "col": 1 + i % n_columns}
            _add_curve(fig, one.last, one.learner, ink[one.learner], meta)
            fig.add_heatmap(
                x=one.n,
                y=np.arange(panel.n_bins),
                z=np.round(one.value, 4).astype(np.float32),
                coloraxis=_colour_axis(k),
                hovertemplate="%{x:,d} labels, bin %{y}: %{z:.4f}<extra></extra>",
                meta=meta,
                **place,
            )
    for name in shown:
        look = ink[name]
        key = {"x": [None], "y": [None], "mode": "lines", "hoverinfo": "skip", "row": 1, "col": 1}
        fig.add_scatter(**key, name=escape(name), legendgroup=escape(name), line=_line(look))
    _label(fig, first, drawn, n_lines, n_columns)
    laid_out(fig, height=height)
    return fig.update_layout(legend={"y": 1, "yanchor": "top"}, margin={"t": 40})


def _add_curve(fig: go.Figure, value: Any, learner: str, look: Ink, meta: dict[str, str] | None) -> None:
    size = np.zeros(len(value))
    size[[0, -1]] = 7  # the first and the last prediction stand out
    fig.add_scatter(
        x=np.arange(len(value)),
        y=value,
        name=escape(learner),
        legendgroup=escape(learner),
        showlegend=False,
        mode="lines+markers",
        line=_line(look),
        marker={"color": look.colour, "size": size, "opacity": 1},
        hovertemplate="bin %{x}: %{y:.4f}",
        meta=meta,
        row=1,
        col=1,
    )


def _line(look: Ink) -> dict[str, object]:
    return {"color": look.colour, "width": look.width}


def _label(fig: go.Figure, first: BinPanel, drawn: Sequence[BinPanel], n_lines: int, n_columns: int) -> None:
    for k, panel in enumerate(drawn, start=1):  # a hidden forgetting has no colour bar
        low, high = panel.value_range
        fig.update_layout(
            {
                _colour_axis(k): {
                    "colorscale": COLOURS,
                    "reversescale": first.lower_is_better,  # light is good
                    "cmin": low,
                    "cmax": high,
                    "colorbar": {
                        "title": {"text": escape(first.metric), "side": "right"},
                        "thickness": 12,
                        "outlinewidth": 0,
                        "y": 0,
                        "yanchor": "bottom",
                        "len": 0.62,
                    },
                }
            }
        )
    fig.update_annotations(font_size=13)
    marks = {"tickvals": list(first.ticks), "ticktext": list(first.ticks.values())}
    fig.update_xaxes(gridcolor=GRID, zeroline=False, linecolor=GRID)
    fig.update_yaxes(gridcolor=GRID, zeroline=False, automargin=True)
    under = f", {first.forgetting}" if len(drawn) == 1 else ""
    fig.update_yaxes(title_text=escape(f"{first.metric}{under}"), row=1, col=1)
    waiting = {"text": "bin of the time until the label", "standoff": 4}
    fig.update_xaxes(title=waiting, range=first.bin_range, **marks, row=1, col=1)
    for row in range(2, 2 + n_lines):
        fig.update_xaxes(tickformat=",d", showgrid=False, row=row)
        fig.update_yaxes(title_text="bin", showgrid=False, **marks, row=row, col=1)
        if n_columns > 1:
            fig.update_yaxes(showgrid=False, **marks, row=row, col=2)
    fig.update_xaxes(title={"text": "labels", "standoff": 4}, row=1 + n_lines)
    fig.update_xaxes(title_font_size=13).update_yaxes(title_font_size=13)


def _colour_axis(k: int) -> str:
    """Return the name of the k-th forgetting's colour axis: each has its own, as their values differ."""
    return "coloraxis" if k == 1 else f"coloraxis{k}"
