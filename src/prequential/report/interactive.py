"""Curves as Plotly figures, for notebooks and the report."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from prequential.report.curves import Curves, KnownDrift, panels
from prequential.report.palette import DRIFT, dashes, inks
from prequential.report.values import ForgettingChoice, MeasureChoice
from prequential.runs.directory import RunDirectory

INK, GRID = "#7A7F87", "rgba(128,134,142,0.22)"
"""Greys that are legible on white and on dark."""


def figure(
    directory: RunDirectory, *, measures: MeasureChoice = None, forgetting: ForgettingChoice = None
) -> go.Figure:
    """Draw a run as an interactive figure, a panel a measure.

    A learner has one colour and a forgetting one dash, in all panels; baselines are grey. A vertical line is an abrupt
    drift, a shaded span a gradual one; dotted where only the distribution of the records changes.
    """
    return draw(panels(directory, measures, forgetting))


def draw(drawn: Sequence[Curves], *, height: int = 340) -> go.Figure:
    """Draw panels below each other, over the same records."""
    fig = make_subplots(rows=len(drawn), cols=1, shared_xaxes=True, vertical_spacing=0.16 / max(1, len(drawn)))
    for row, panel in enumerate(drawn, start=1):
        for i, drift in enumerate(panel.drifts):
            fig.add_shape(**_drift(drift, show=row == 1 and i == _first(panel, drift)), row=row, col=1)
        _add_curves(fig, panel, row)
        title = f"{panel.measure}, {panel.unit}" if panel.unit else panel.measure
        fig.update_yaxes(title={"text": escape(title), "standoff": 8}, range=panel.y_range, row=row, col=1)
    _add_keys(fig, drawn[0])
    fig.update_xaxes(gridcolor=GRID, zeroline=False, linecolor=GRID, tickformat=",d", hoverformat=",d", range=_x(drawn))
    fig.update_xaxes(title_text="records", row=len(drawn), col=1)
    fig.update_yaxes(gridcolor=GRID, zerolinecolor=GRID, automargin=True)
    fig.update_layout(
        height=height * len(drawn),
        hovermode="x unified",
        hoverlabel={"namelength": -1, "bgcolor": "#FFFFFF", "bordercolor": INK, "font": {"color": "#22252A"}},
        template="none",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": "system-ui, sans-serif", "size": 13, "color": INK},
        legend={"title_text": "", "groupclick": "togglegroup", "tracegroupgap": 2, "bgcolor": "rgba(0,0,0,0)"},
        margin={"l": 64, "r": 16, "t": 32, "b": 48},
    )
    return fig


def _add_curves(fig: go.Figure, panel: Curves, row: int) -> None:
    ink, dash = inks(panel), dashes(panel)
    several = len(panel.forgetting) > 1
    for curve in panel.curves:
        look, name, forgetting = ink[curve.learner], escape(curve.learner), escape(curve.forgetting)
        fig.add_scatter(
            x=curve.n,
            y=curve.value,
            name=f"{name}, {forgetting}" if several else name,
            legendgroup=name,
            showlegend=False,
            mode="lines" if len(curve.n) > 1 else "markers",
            line={"color": look.colour, "dash": dash[curve.forgetting], "width": look.width},
            marker={"color": look.colour},
            hovertemplate="%{y:.4f}",
            meta={"forgetting": curve.forgetting},
            row=row,
            col=1,
        )


def _add_keys(fig: go.Figure, panel: Curves) -> None:
    """Make the legend: the learners and, where there are several, the dashes. A click on a learner hides it."""
    nothing = {"x": [None], "y": [None], "mode": "lines", "hoverinfo": "skip", "row": 1, "col": 1}
    for name, look in inks(panel).items():
        fig.add_scatter(
            **nothing, name=escape(name), legendgroup=escape(name), line={"color": look.colour, "width": look.width}
        )
    for name, dash in dashes(panel).items() if len(panel.forgetting) > 1 else ():
        line = {"color": INK, "dash": dash, "width": 1.5}
        fig.add_scatter(**nothing, name=escape(name), line=line, meta={"forgetting": name})


def _drift(drift: KnownDrift, *, show: bool) -> dict[str, object]:
    line = {"color": DRIFT, "width": 1.5 if drift.abrupt else 0, "dash": "solid" if drift.real else "dot"}
    kind = "line" if drift.abrupt else "rect"
    name = _drift_name(drift)
    look: dict[str, object] = {"line": line, "layer": "below", "name": name, "showlegend": show, "legendgroup": name}
    if not drift.abrupt:
        look |= {"fillcolor": DRIFT, "opacity": 0.18 if drift.real else 0.09}
    return {"type": kind, "x0": drift.begin, "x1": drift.end, "y0": 0, "y1": 1, "yref": "y domain", **look}


def _drift_name(drift: KnownDrift) -> str:
    return f"{'abrupt' if drift.abrupt else 'gradual'} {'drift' if drift.real else 'virtual drift'}"


def _first(panel: Curves, drift: KnownDrift) -> int:
    """Return the first drift of the same kind: the one the legend names."""
    return next(i for i, other in enumerate(panel.drifts) if _drift_name(other) == _drift_name(drift))


def _x(drawn: Sequence[Curves]) -> tuple[float, float]:
    return 0.0, max(panel.x_range[1] for panel in drawn)
