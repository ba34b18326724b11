"""An animation of a testbed stream on a self-contained HTML page."""

from __future__ import annotations

import json
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from prequential.figures.palette import class_colours
from prequential.figures.plotly_style import GRID, INK, add_drifts, laid_out
from prequential.number import count, fixed
from prequential.report.document import document
from prequential.report.markup import plot, section
from prequential.testbed.mixture_view import Ellipse, MixtureView, Moment
from prequential.types import FloatArray
from prequential.whole_file import checked_suffix, write_whole

Trace: TypeAlias = "dict[str, Any]"
"""A Plotly trace as data."""
N_FRAMES = 80
"""Number of frames after the first."""
_CHANGING = {"x", "y", "fillcolor", "line"}
"""Properties of a trace that a frame changes."""
N_NEAR = 200
"""Number of records shown at a time: the last ones."""
_CAPTION = (
    "Ellipses of one and two standard deviations show the Gaussians, in a stronger colour the more likely they are; "
    f"thin lines are the paths of their centres; points are the last {N_NEAR} records. "
)
_BOUNDARY = "The dotted line is the optimal boundary. "
_ERRORS = "Below: the optimal error at each time, and the error of the optimal classifier on the records so far."


def write_animation(view: MixtureView, path: str | Path) -> Path:
    """Write the page with the animation."""
    checked_suffix(path, {".html": "a page", ".htm": "a page"})
    return write_whole(path, mixture_page(view).encode("utf-8"))


def mixture_page(view: MixtureView) -> str:
    """Return the page with the animation."""
    mixture = view.mixture
    about = [
        f"{count(mixture.n_records)} records",
        f"{count(mixture.n_features)} features",
        f"{count(len(mixture.classes))} classes of {count(len(mixture.gaussians))} Gaussians",
        f"seed {view.stream.seed}",
    ]
    head = f"<header>\n<h1>{escape(view.stream.name)}</h1>\n<p>{escape(' · '.join(about))}</p>\n</header>"
    caption = _CAPTION + (_BOUNDARY if mixture.n_features == 2 else "") + _ERRORS
    figure = plot(
        mixture.summary or view.stream.name,
        json.dumps(animated(view), allow_nan=False, sort_keys=True),
        label=f"{view.stream.name} as it changes over its records",
        caption=caption,
    )
    return document(
        view.stream.name,
        [head, section("animation", "The stream", figure)],
        f"Written by prequential {version('prequential')}.",
    )


def animated(view: MixtureView) -> dict[str, Any]:
    """Draw a stream as a Plotly figure with frames, buttons and a slider.

    It is returned as data, because creating Plotly's own objects takes many times as long.
    """
    last = view.mixture.n_records - 1
    times = sorted({round(share * last) for share in np.linspace(0, 1, N_FRAMES + 1)})
    moments = [view.moment(at, before=N_NEAR, after=0 if at else N_NEAR) for at in times]
    fig = make_subplots(rows=2, cols=1, row_heights=[0.74, 0.26], vertical_spacing=0.1)
    fixed_traces, moving = _fixed(view), _moving(view, moments[0])
    for trace in (*fixed_traces, *moving):
        fig.add_trace(go.Scatter(trace), row=2 if "meta" in trace else 1, col=1)
    add_drifts(fig, view.drifts, row=2)
    fig.update_shapes(showlegend=False)
    which = list(range(len(fixed_traces), len(fixed_traces) + len(moving)))
    frames = [
        {
            "name": str(one.at),
            "data": [{key: trace[key] for key in _CHANGING & trace.keys()} for trace in _moving(view, one)],
            "traces": which,
        }
        for one in moments
    ]
    return {**json.loads(_laid_out(fig, view, times).to_json()), "frames": frames}


def _laid_out(fig: go.Figure, view: MixtureView, times: list[int]) -> go.Figure:
    left, right, bottom, top = view.extent
    (marks, so_far), (_, error) = view.error_so_far, view.optimal_error
    highest = max(0.01, 1.1 * float(max(error.max(), so_far[marks >= N_NEAR].max(initial=0))))
    fig.update_xaxes(gridcolor=GRID, zeroline=False, linecolor=GRID)
    fig.update_yaxes(gridcolor=GRID, zeroline=False, linecolor=GRID)
    title = {"text": "x0", "standoff": 4}
    fig.update_xaxes(title=title, range=(left, right), constrain="domain", row=1, col=1)
    fig.update_yaxes(title_text="x1", range=(bottom, top), scaleanchor="x", row=1, col=1)
    fig.update_xaxes(range=(0, max(1, times[-1])), tickformat=",d", row=2, col=1)
    fig.update_yaxes(title_text="error", range=(0, highest), row=2, col=1)
    steps = [
        {"label": _label(view, at), "method": "animate", "args": [[str(at)], _motion(0, mode="immediate")]}
        for at in times
    ]
    slider = {
        "steps": steps,
        "currentvalue": {"prefix": "", "font": {"size": 14, "color": INK}, "xanchor": "left"},
        "font": {"size": 1, "color": "rgba(0,0,0,0)"},  # the labels of the ticks, too many to read
        "ticklen": 0,
        "minorticklen": 0,
        "pad": {"t": 34, "l": 0},
        "x": 0.16,
        "len": 0.84,
    }
    buttons = {
        "type": "buttons",
        "direction": "left",
        "showactive": False,
        "x": 0,
        "y": 0,
        "xanchor": "left",
        "yanchor": "top",
        "pad": {"t": 64, "r": 10},
        "buttons": [
            {"label": "Play", "method": "animate", "args": [None, {**_motion(90), "fromcurrent": True}]},
            {"label": "Pause", "method": "animate", "args": [[None], _motion(0, mode="immediate")]},
        ],
    }
    laid_out(fig, height=780)
    return fig.update_layout(
        sliders=[slider],
        updatemenus=[buttons],
        legend={"orientation": "h", "y": 1.06, "x": 0, "itemclick": False, "itemdoubleclick": False},
        margin={"b": 110},
    )


def _fixed(view: MixtureView) -> list[Trace]:
    """Return the traces that do not move: the paths of the centres and the error curves."""
    colours = class_colours(len(view.classes))
    traces = [
        _line(path, {"color": colours[label], "width": 1}, opacity=0.5, showlegend=False) for label, path in view.paths
    ]
    for name, (x, y), dash in (
        ("optimal error", view.optimal_error, "solid"),
        ("so far, of the optimal classifier", view.error_so_far, "dash"),
    ):
        line = {"color": INK, "width": 1.6, "dash": dash}
        values = {"x": x.tolist(), "y": np.round(y, 5).tolist(), "hovertemplate": "%{y:.4f}"}
        traces.append({"mode": "lines", "name": name, "line": line, "meta": "error", **values})
    return traces


def _moving(view: MixtureView, moment: Moment) -> list[Trace]:
    """Return the traces of one time; the number and kinds of traces are the same at all times."""
    colours = class_colours(len(view.classes))
    traces: list[Trace] = []
    for label, (name, colour) in enumerate(zip(view.classes, colours, strict=True)):
        mark = {"mode": "markers", "marker": {"color": colour, "size": 4, "opacity": 0.45}}
        traces.append({**_line(moment.X[moment.y == label], {}), **mark, "name": escape(f"class {name}")})
    drawn = dict(_numbered(view, moment))
    for k, label in enumerate(view.mixture.labels.tolist()):
        traces += _ellipse(drawn.get(k), colours[label])
    gap = np.array([[np.nan, np.nan]])  # between two lines; alone if there is no line, so that the legend has an entry
    boundary = np.concatenate([gap, *(part for line in moment.boundary for part in (line, gap))])
    look = {"color": INK, "width": 1.6, "dash": "dot"}
    traces.append(_line(boundary, look, name="optimal boundary", showlegend=view.mixture.n_features == 2))
    now = np.array([[moment.at, 0.0], [moment.at, 1.0]])
    traces.append(_line(now, {"color": INK, "width": 1.2}, showlegend=False, meta="error"))
    return traces


def _numbered(view: MixtureView, moment: Moment) -> list[tuple[int, Ellipse]]:
    """Return the ellipses with the indices of their Gaussians; a Gaussian without weight has no ellipse."""
    there = np.flatnonzero(view.mixture.shares(moment.at)[0] > 0).tolist()
    return list(zip(there, moment.ellipses, strict=True))


def _ellipse(ellipse: Ellipse | None, colour: str) -> list[Trace]:
    traces = []
    for outer in (True, False):
        points = np.zeros((0, 2)) if ellipse is None else ellipse.outer if outer else ellipse.inner
        share = 0.0 if ellipse is None else ellipse.share
        filled = _pale(colour, 0.05 + 0.3 * share if outer else 0.08 + 0.6 * share)
        line = {"color": _pale(colour, 0.3 + 0.7 * share), "width": 1.4}
        traces.append(_line(points, line, fill="toself", fillcolor=filled, showlegend=False))
    return traces


def _line(points: FloatArray, line: Trace, **look: object) -> Trace:
    """Return a trace through points, rounded to keep the page small; a NaN point is a gap."""
    x, y = ([None if np.isnan(v) else round(v, 3) for v in column] for column in points.T.tolist())
    return {"x": x, "y": y, "mode": "lines", "line": line, "hoverinfo": "skip", **look}


def _label(view: MixtureView, at: int) -> str:
    """Return the text above the slider."""
    now, so_far = (fixed(float(np.interp(at, *curve))) for curve in (view.optimal_error, view.error_so_far))
    priors = ", ".join(
        f"{escape(name)} {prior:.2f}" for name, prior in zip(view.classes, view.mixture.priors(at)[0], strict=True)
    )
    return f"record {at:,} · priors {priors} · optimal error {now}, so far {so_far}"


def _motion(milliseconds: int, mode: str = "next") -> dict[str, object]:
    return {"frame": {"duration": milliseconds, "redraw": False}, "transition": {"duration": 0}, "mode": mode}


def _pale(colour: str, opacity: float) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{min(opacity, 1):.3f})"
