"""The p-values of two or more learners over time, as a Plotly figure."""

from __future__ import annotations

from html import escape

import numpy as np
import plotly.graph_objects as go

from prequential.report.interactive import GRID, INK, laid_out
from prequential.report.significance_curves import ALPHA, LEAST, TICKS, significance_curves
from prequential.runs.directory import RunDirectory


def significance_figure(
    directory: RunDirectory, measure: str | None = None, forgetting: str | None = None
) -> go.Figure:
    """Draw p over the records: a colour a pair of learners, a dash a test, and a line at 0.05.

    Parameters
    ----------
    directory
        A run with several folds.
    measure, forgetting
        Of which measure, under which forgetting; the first of the run by default.
    """
    panel = significance_curves(directory, measure, forgetting)
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
    fig.add_hline(ALPHA, line={"color": INK, "width": 1, "dash": "dot"}, annotation_text="0.05")
    fig.update_xaxes(title_text="records", gridcolor=GRID, zeroline=False, tickformat=",d")
    fig.update_yaxes(
        type="log",
        title_text=escape(panel.label),
        range=(np.log10(LEAST) - 0.1, 0.05),
        tickvals=list(TICKS),
        ticktext=list(TICKS.values()),
        gridcolor=GRID,
        zeroline=False,
    )
    return laid_out(fig, height=420)
