"""An interactive figure of rejection rates over the number of folds."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from prequential.figures.palette import COLOURS
from prequential.figures.plotly_style import GRID, INK, laid_out
from prequential.power.design import TESTS
from prequential.runs.status import one_line

if TYPE_CHECKING:
    from prequential.power.table import Power

_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def power_figure(power: Power) -> go.Figure:
    """Draw the rates over the number of folds, with intervals: one row per stream, one panel per copy of the learner.

    Tests differ in colour, schemes in dash; the dotted line is α.
    """
    design, found = power.design, power.rates()
    streams, copies = list(design.streams), (None, *design.noise)
    settings = list(dict.fromkeys((case.scheme, case.tests) for case in design.cases))
    titles = [
        f"{escape(one_line(stream))}, {'same learner' if noise is None else f'noise {noise:g}'}"
        for stream in streams
        for noise in copies
    ]
    fig = make_subplots(len(streams), len(copies), shared_xaxes=True, shared_yaxes=True, subplot_titles=titles)
    for row, stream in enumerate(streams, start=1):
        for column, noise in enumerate(copies, start=1):
            for i, test in enumerate(TESTS):
                for j, setting in enumerate(settings):
                    mine = [
                        one
                        for one in found
                        if (one.case.stream, one.noise, one.test) == (stream, noise, test)
                        and (one.case.scheme, one.case.tests) == setting
                        and one.n_runs
                    ]
                    name = f"{test}, {setting[0]}, {setting[1].replace('_', ' ')}"
                    fig.add_scatter(
                        x=[str(one.case.folds) for one in mine],
                        y=[one.rejection_rate for one in mine],
                        error_y={
                            "array": [one.interval.high - one.rejection_rate for one in mine],
                            "arrayminus": [one.rejection_rate - one.interval.low for one in mine],
                        },
                        name=name,
                        legendgroup=name,
                        showlegend=row == column == 1,
                        mode="lines+markers",
                        line={"color": COLOURS[i], "dash": _DASHES[j % len(_DASHES)]},
                        row=row,
                        col=column,
                    )
    fig.add_hline(y=design.alpha, line={"color": INK, "dash": "dot", "width": 1})
    fig.update_yaxes(range=(-0.03, 1.03), gridcolor=GRID, zeroline=False)
    fig.update_yaxes(title_text="share rejected", col=1)
    fig.update_xaxes(type="category", gridcolor=GRID)
    fig.update_xaxes(title_text="folds", row=len(streams))
    return laid_out(fig, height=120 + 240 * len(streams))
