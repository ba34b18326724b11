"""Curves as Plotly figures, for notebooks and the report."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from prequential.report.curves import Curve, Curves, KnownDrift, panels
from prequential.report.palette import BLIP, DRIFT, alarm_markers, dashes, inks
from prequential.report.rug import Marks, detector_names
from prequential.report.values import ForgettingChoice, MeasureChoice
from prequential.runs.directory import RunDirectory

INK, GRID = "#7A7F87", "rgba(128,134,142,0.22)"
"""Greys that are legible on white and on dark."""


def figure(
    directory: RunDirectory, *, measures: MeasureChoice = None, forgetting: ForgettingChoice = None
) -> go.Figure:
    """Draw a run as an interactive figure, a panel a measure.

    A learner has one colour and a forgetting one dash, in all panels; baselines are grey. With delayed labels each
    forgetting has a panel of its own, and a dash is a stage: solid at arrival, dashed Ψ, dotted at the end.

    A vertical line is an abrupt drift, a shaded span a gradual one; dotted where only the distribution of the records
    changes, grey where it passes (a blip). Alarms are marks along the upper edge, a row a detector and learner, in the
    learner's colour and the detector's shape.
    """
    return draw(panels(directory, measures, forgetting))


def draw(drawn: Sequence[Curves], *, height: int = 340) -> go.Figure:
    """Draw panels below each other, over the same records."""
    marked = bool(drawn[0].rug.rows)
    fig = make_subplots(
        rows=len(drawn),
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.16 / max(1, len(drawn)),
        specs=[[{"secondary_y": marked}] for _ in drawn],
    )
    for row, panel in enumerate(drawn, start=1):
        add_drifts(fig, panel.drifts, row=row, share=panel.rug.share)
        _add_curves(fig, panel, row)
        title = f"{panel.measure}, {panel.unit}" if panel.unit else panel.measure
        if panel.stages and len(panel.drawn_forgetting) == 1:
            title = f"{title}, {panel.drawn_forgetting[0]}"
        axis = {"title": {"text": escape(title), "standoff": 8}, "range": panel.y_range}
        fig.update_yaxes(axis, row=row, col=1, secondary_y=False)
    _add_keys(fig, drawn)
    for row, panel in enumerate(drawn, start=1):
        if marked:
            _add_rug(fig, panel, row)
    fig.update_xaxes(gridcolor=GRID, zeroline=False, linecolor=GRID, tickformat=",d", hoverformat=",d", range=_x(drawn))
    fig.update_xaxes(title_text=drawn[0].counted, row=len(drawn), col=1)
    fig.update_yaxes(gridcolor=GRID, zerolinecolor=GRID, automargin=True)
    return laid_out(fig, height=(height + 4 * len(drawn[0].rug.rows)) * len(drawn)).update_layout(hovermode="x unified")


def laid_out(fig: go.Figure, *, height: int) -> go.Figure:
    """Give a figure the type, greys and legend of all figures of a report."""
    return fig.update_layout(
        height=height,
        hoverlabel={"namelength": -1, "bgcolor": "#FFFFFF", "bordercolor": INK, "font": {"color": "#22252A"}},
        template="none",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": "system-ui, sans-serif", "size": 13, "color": INK},
        legend={"title_text": "", "groupclick": "togglegroup", "tracegroupgap": 2, "bgcolor": "rgba(0,0,0,0)"},
        margin={"l": 64, "r": 16, "t": 32, "b": 48},
    )


def _add_curves(fig: go.Figure, panel: Curves, row: int) -> None:
    ink, dash = inks(panel), dashes(panel)
    several = len(panel.drawn_kinds) > 1
    for curve in panel.curves:
        look, name, kind = ink[curve.learner], escape(curve.learner), escape(curve.kind)
        fig.add_scatter(
            x=curve.n,
            y=curve.value,
            name=f"{name}, {kind}" if several else name,
            legendgroup=name,
            showlegend=False,
            mode="lines" if len(curve.n) > 1 else "markers",
            line={"color": look.colour, "dash": dash[curve.kind], "width": look.width},
            marker={"color": look.colour},
            hovertemplate="%{y:.4f}",
            meta=_chosen_by(panel, curve),
            row=row,
            col=1,
        )


def _chosen_by(panel: Curves, curve: Curve) -> dict[str, str] | None:
    """Say by what a curve is shown or hidden; a forgetting or stage alone is not chosen from."""
    meta = {"forgetting": curve.forgetting} if len(panel.drawn_forgetting) > 1 else {}
    return {**meta, "stage": curve.stage} if len(panel.stages) > 1 else meta or None


def _add_rug(fig: go.Figure, panel: Curves, row: int) -> None:
    """Put the alarms in a strip of its own above the curves, where they stay whatever is zoomed."""
    below, strip = (fig.get_subplot(row, 1, secondary_y=which).yaxis for which in (False, True))
    bottom, top = below.domain
    edge = top - panel.rug.share * (top - bottom)
    below.domain = (bottom, edge)
    strip.update(domain=(edge, top), overlaying=None, side="left", range=(0, 1), visible=False, fixedrange=True)
    ink, shapes, names = inks(panel), alarm_markers(panel.rug.detectors), detector_names(panel.rug.detectors)
    for marks, height in zip(panel.rug.rows, panel.rug.heights, strict=True):
        fig.add_scatter(
            x=marks.n,
            y=[height] * len(marks.n),
            name=escape(f"{marks.learner}, {names[marks.detector]}"),
            legendgroup=escape(marks.learner),
            showlegend=False,
            mode="markers",
            marker={"color": ink[marks.learner].colour, "symbol": shapes[marks.detector][1], "size": 8},
            text=_told(marks),
            hovertemplate="%{text}",
            meta={"detector": marks.detector},
            row=row,
            col=1,
            secondary_y=True,
        )


def _told(marks: Marks) -> list[str]:
    return [
        f"alarm at record {n:,}" if k == 1 else f"{k:,} alarms from record {n:,} on"
        for n, k in zip(marks.n.tolist(), marks.n_alarms.tolist(), strict=True)
    ]


def _add_keys(fig: go.Figure, drawn: Sequence[Curves]) -> None:
    """Make the legend: learners, dashes where there are several, detectors. A click on a learner hides it."""
    panel, used = drawn[0], {name for one in drawn for name in one.drawn_kinds}
    nothing = {"x": [None], "y": [None], "mode": "lines", "hoverinfo": "skip", "row": 1, "col": 1}
    for name, look in inks(panel).items():
        fig.add_scatter(
            **nothing, name=escape(name), legendgroup=escape(name), line={"color": look.colour, "width": look.width}
        )
    for name, dash in dashes(panel).items():
        if len(used) > 1 and name in used:
            line = {"color": INK, "dash": dash, "width": 1.5}
            meta = {"stage" if panel.stages else "forgetting": name}
            fig.add_scatter(**nothing, name=escape(name), line=line, meta=meta)
    names, marked = detector_names(panel.rug.detectors), {row.detector for row in panel.rug.rows}
    for label, (_, symbol) in alarm_markers(panel.rug.detectors).items():
        if label in marked:
            mark = {"mode": "markers", "marker": {"color": INK, "symbol": symbol, "size": 8}}
            fig.add_scatter(**{**nothing, **mark}, name=escape(f"alarm of {names[label]}"), meta={"detector": label})


def add_drifts(fig: go.Figure, drifts: Sequence[KnownDrift], *, row: int, share: float = 0.0) -> None:
    """Draw known drifts into a panel; of the first panel the legend names each kind once.

    ``share`` of the panel is a strip above the curves, through which they go too.
    """
    named: set[str] = set()
    for drift in drifts:
        name = drift.name
        fig.add_shape(**drift_shape(drift, 1 / (1 - share), show=row == 1 and name not in named), row=row, col=1)
        named.add(name)


def drift_shape(drift: KnownDrift, top: float, *, show: bool) -> dict[str, object]:
    """Return the shape of a known drift, as high as ``top`` panels."""
    dash = "dash" if drift.temporary else "solid" if drift.real else "dot"
    colour = BLIP if drift.temporary else DRIFT
    line = {"color": colour, "width": 1.5 if drift.abrupt else 0, "dash": dash}
    kind = "line" if drift.abrupt else "rect"
    name = drift.name
    look: dict[str, object] = {"line": line, "layer": "below", "name": name, "showlegend": show, "legendgroup": name}
    if not drift.abrupt:
        look |= {"fillcolor": colour, "opacity": 0.18 if drift.real else 0.09}
    return {"type": kind, "x0": drift.begin, "x1": drift.end, "y0": 0, "y1": top, "yref": "y domain", **look}


def _x(drawn: Sequence[Curves]) -> tuple[float, float]:
    return 0.0, max(panel.x_range[1] for panel in drawn)
