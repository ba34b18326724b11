"""The p-values of tests over folds, drawn with Plotly."""

from __future__ import annotations

from html import escape

import numpy as np
import plotly.graph_objects as go

from prequential.figures.plotly_style import GRID, INK, laid_out
from prequential.figures.significance import ALPHA, LEAST, TICKS, significance_panel
from prequential.runs.directory import RunDirectory


def significance_figure(directory: RunDirectory, metric: str | None = None, forgetting: str | None = None) -> go.Figure:
    """Draw p over the records: one colour per pair of learners, one dash per test, and a line at 0.05.

    Parameters
    ----------
    directory
        A run with several folds.
    metric, forgetting
        Which metric under which forgetting; by default the first of the run.
    """
    panel = significance_panel(directory, metric, forgetting)
    fig = go.Figure()
    for curve in panel.curves:
        fig.add_scatter(
            x=curve.n,
            y=curve.drawn,
            customdata=curve.p,
            mode="lines" if len(curve.n) > 1 else "markers",
            name=escape(curve.name),
            line={"color": curve.colour, "dash": curve.dash, "width": 1.8},
            hovertemplate="%{x:,}: p = %{customdata:.3g}",
        )
    fig.add_hline(ALPHA, line={"color": INK, "width": 1, "dash": "dot"})
    place = {"x": 1, "xref": "paper", "xanchor": "right", "y": np.log10(ALPHA), "yanchor": "bottom"}
    fig.add_annotation(text=f"{ALPHA:g}", showarrow=False, **place)
    fig.update_xaxes(title_text="records", gridcolor=GRID, zeroline=False, tickformat=",d")
    fig.update_yaxes(
        type="log",
        title={"text": escape(panel.label), "standoff": 8},
        automargin=True,
        range=(np.log10(LEAST) - 0.1, 0.05),
        tickvals=list(TICKS),
        ticktext=list(TICKS.values()),
        gridcolor=GRID,
        zeroline=False,
    )
    return laid_out(fig, height=420)
