"""The error curves of a card as a Plotly figure."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from prequential.figures.palette import Ink, card_inks
from prequential.figures.plotly_style import GRID, INK, drift_shape, laid_out
from prequential.testbed.cards.panels import CardPanel, card_panels
from prequential.testbed.cards.results import Results

COLUMNS, HEIGHT = 3, 270


def draw_card(results: Results) -> go.Figure:
    """Draw the error over the last 500 records, one panel per stream.

    The learner is a wide line, the others are thin, the optimum is dashed. A vertical line is an abrupt drift, a shaded
    span a gradual one; a drift over the whole stream is not marked. A click on a name hides it in all panels.
    """
    panels = card_panels(results)
    n_columns = min(COLUMNS, len(panels))
    n_rows = -(-len(panels) // n_columns)
    fig = make_subplots(
        rows=n_rows,
        cols=n_columns,
        subplot_titles=[panel.stream for panel in panels],
        horizontal_spacing=0.055,
        vertical_spacing=0.26 / max(2, n_rows),
    )
    inks = card_inks(results.learner, results.references)
    for i, panel in enumerate(panels):
        row, column = i // n_columns + 1, i % n_columns + 1
        for drift in panel.drifts:
            fig.add_shape(**drift_shape(drift, 1.0, show=False), row=row, col=column)
        _add_curves(fig, panel, inks, results.learner, row, column, first=i == 0)
        fig.update_yaxes(range=(0, panel.top), row=row, col=column)
    fig.update_xaxes(gridcolor=GRID, zeroline=False, linecolor=GRID, tickformat="~s", hoverformat=",d")
    fig.update_yaxes(gridcolor=GRID, zerolinecolor=GRID, tickformat="~g", nticks=6)
    fig.update_annotations(font={"size": 13, "color": INK})
    top = {"orientation": "h", "y": 1.0 + 66 / (HEIGHT * n_rows), "yanchor": "bottom", "x": 0}
    fig = laid_out(fig, height=HEIGHT * n_rows + 110).update_layout(hovermode="x unified", legend=top)
    return fig.update_layout(margin={"l": 44, "r": 12, "t": 110, "b": 36}, legend_traceorder="normal")


def _add_curves(
    fig: go.Figure, panel: CardPanel, inks: Mapping[str, Ink], own: str, row: int, column: int, *, first: bool
) -> None:
    place = {"row": row, "col": column, "mode": "lines", "hovertemplate": "%{y:.4f}", "x": panel.n}
    optimum = {"color": INK, "width": 1.6, "dash": "dash"}
    for name in (*(other for other in panel.curves if other != own), own):  # the learner itself on top
        look = inks[name]
        line = {"color": look.colour, "width": look.width}
        rank = 1 if name == own else 3
        fig.add_scatter(
            y=panel.curves[name],
            name=escape(name),
            legendgroup=escape(name),
            showlegend=first,
            line=line,
            opacity=1.0 if name == own else 0.85,
            legendrank=rank,
            **place,
        )
    fig.add_scatter(
        y=panel.optimum, name="optimum", legendgroup="optimum", showlegend=first, line=optimum, legendrank=2, **place
    )
