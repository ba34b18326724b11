"""Metrics over the records of a stream, drawn with Plotly."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from prequential.figures.curves import Curve, Panel, limited, panels
from prequential.figures.palette import alarm_markers, dashes, inks, legend_dashes, legend_markers
from prequential.figures.plotly_style import GRID, INK, add_drifts, laid_out
from prequential.number import date_format
from prequential.runs.alarm_marks import AlarmRow
from prequential.runs.alarms import detector_names
from prequential.runs.directory import RunDirectory
from prequential.runs.values import ForgettingChoice, LearnerChoice, MetricChoice


def figure(
    directory: RunDirectory,
    *,
    metrics: MetricChoice = None,
    forgetting: ForgettingChoice = None,
    learners: LearnerChoice = None,
) -> go.Figure:
    """Draw a run as an interactive figure, one panel per metric.

    In all panels a learner has one colour and a forgetting one dash; baselines are grey. With delayed labels each
    forgetting has its own panel, and the dash shows the stage: initial solid, Ψ dashed, final dotted.

    A vertical line is an abrupt drift, a shaded span a gradual one; dotted or paler if only the distribution of the
    records changes, grey for a blip. Alarms are marks along the upper edge, one row per detector and learner, in the
    learner's colour and the detector's shape.
    """
    drawn, remark = limited(panels(directory, metrics, forgetting, learners))
    fig = draw(drawn)
    return fig.update_layout(title={"text": escape(remark), "font": {"size": 13}}, margin_t=64) if remark else fig


def draw(drawn: Sequence[Panel], *, height: int = 340) -> go.Figure:
    """Draw panels below each other, over the same records."""
    has_alarms = bool(drawn[0].alarms.rows)
    fig = make_subplots(
        rows=len(drawn),
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.16 / max(1, len(drawn)),
        specs=[[{"secondary_y": has_alarms}] for _ in drawn],
    )
    for row, panel in enumerate(drawn, start=1):
        add_drifts(fig, panel.drifts, row=row, share=panel.alarms.share)
        _add_curves(fig, panel, row)
        title = f"{panel.name}, {panel.unit}" if panel.unit else panel.name
        if panel.stages and len(panel.drawn_forgetting) == 1:
            title = f"{title}, {panel.drawn_forgetting[0]}"
        axis = {"title": {"text": escape(title), "standoff": 8}, "range": panel.y_range}
        fig.update_yaxes(axis, row=row, col=1, secondary_y=False)
    _add_keys(fig, drawn)
    for row, panel in enumerate(drawn, start=1):
        if has_alarms:
            _add_alarms(fig, panel, row)
    x_range = 0.0, max(panel.x_range[1] for panel in drawn)
    fig.update_xaxes(gridcolor=GRID, zeroline=False, linecolor=GRID, tickformat=",d", hoverformat=",d", range=x_range)
    fig.update_xaxes(title_text=_records(drawn[0]), row=len(drawn), col=1)
    fig.update_yaxes(gridcolor=GRID, zerolinecolor=GRID, automargin=True)
    whole_height = (height + 4 * len(drawn[0].alarms.rows)) * len(drawn)
    return laid_out(fig, height=whole_height).update_layout(hovermode="x unified")


def _records(panel: Panel) -> str:
    """Return the title of the axis of records, with the dates at its ends if they are known."""
    if panel.dates is None:
        return panel.counted
    time = panel.dates[1]
    written = date_format(time)
    return f"{panel.counted}, {written(float(time[0]))} to {written(float(time[-1]))} UTC"


def _dates_of(panel: Panel, curve: Curve) -> dict[str, object]:
    """Return the text that a curve shows when the mouse is on it: the value, and the date if it is known."""
    if panel.dates is None:
        return {"hovertemplate": "%{y:.4f}"}
    written = date_format(panel.dates[1])
    dates = [written(float(time)) for time in np.interp(curve.n, *panel.dates)]
    return {"customdata": dates, "hovertemplate": "%{y:.4f}, %{customdata}"}


def _add_curves(fig: go.Figure, panel: Panel, row: int) -> None:
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
            **_dates_of(panel, curve),
            meta=_selected_by(panel, curve),
            row=row,
            col=1,
        )
        if curve.low is not None and curve.high is not None:
            _add_band(fig, curve, look.colour, _selected_by(panel, curve), row)


def _add_band(fig: go.Figure, curve: Curve, colour: str, meta: dict[str, str] | None, row: int) -> None:
    """Shade the band around a curve, where it is defined."""
    assert curve.low is not None
    assert curve.high is not None
    known = np.isfinite(curve.low) & np.isfinite(curve.high)
    n = curve.n[known]
    fig.add_scatter(
        x=np.concatenate([n, n[::-1]]),
        y=np.concatenate([curve.high[known], curve.low[known][::-1]]),
        fill="toself",
        fillcolor=colour,
        opacity=0.15,
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
        legendgroup=escape(curve.learner),
        showlegend=False,
        meta=meta,
        row=row,
        col=1,
    )


def _selected_by(panel: Panel, curve: Curve) -> dict[str, str] | None:
    """Return the boxes of the page that show or hide a curve; a single forgetting or stage has none."""
    meta = {"forgetting": curve.forgetting} if len(panel.drawn_forgetting) > 1 else {}
    return {**meta, "stage": curve.stage} if len(panel.stages) > 1 else meta or None


def _add_alarms(fig: go.Figure, panel: Panel, row: int) -> None:
    """Draw the alarms in a strip above the curves, where zooming does not move them."""
    below, strip = (fig.get_subplot(row, 1, secondary_y=which).yaxis for which in (False, True))
    bottom, top = below.domain
    edge = top - panel.alarms.share * (top - bottom)
    below.domain = (bottom, edge)
    strip.update(domain=(edge, top), overlaying=None, side="left", range=(0, 1), visible=False, fixedrange=True)
    detectors = panel.alarms.detectors
    ink, shapes, names = inks(panel), alarm_markers(detectors), detector_names(detectors)
    for marks, height in zip(panel.alarms.rows, panel.alarms.heights, strict=True):
        fig.add_scatter(
            x=marks.n,
            y=[height] * len(marks.n),
            name=escape(f"{marks.learner}, {names[marks.detector]}"),
            legendgroup=escape(marks.learner),
            showlegend=False,
            mode="markers",
            marker={"color": ink[marks.learner].colour, "symbol": shapes[marks.detector][1], "size": 8},
            text=_hover_texts(marks),
            hovertemplate="%{text}",
            meta={"detector": marks.detector},
            row=row,
            col=1,
            secondary_y=True,
        )


def _hover_texts(marks: AlarmRow) -> list[str]:
    return [
        f"alarm at record {n - 1:,}" if k == 1 else f"{k:,} alarms from record {n - 1:,} on"
        for n, k in zip(marks.n.tolist(), marks.n_alarms.tolist(), strict=True)
    ]


def _add_keys(fig: go.Figure, drawn: Sequence[Panel]) -> None:
    """Add the legend: learners, dashes if there are several, detectors. A click on a learner hides it."""
    panel = drawn[0]
    nothing = {"x": [None], "y": [None], "mode": "lines", "hoverinfo": "skip", "row": 1, "col": 1}
    for name, look in inks(panel).items():
        fig.add_scatter(
            **nothing, name=escape(name), legendgroup=escape(name), line={"color": look.colour, "width": look.width}
        )
    for name, dash in legend_dashes(drawn).items():
        line = {"color": INK, "dash": dash, "width": 1.5}
        meta = {"stage" if panel.stages else "forgetting": name}
        fig.add_scatter(**nothing, name=escape(name), line=line, meta=meta)
    for label, (name, _, symbol) in legend_markers(panel.alarms).items():
        mark = {"mode": "markers", "marker": {"color": INK, "symbol": symbol, "size": 8}}
        fig.add_scatter(**{**nothing, **mark}, name=escape(name), meta={"detector": label})
