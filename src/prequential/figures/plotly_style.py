"""What all Plotly figures share: greys, layout and known drifts."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import plotly.graph_objects as go
import plotly.io

from prequential.figures.palette import BLIP, DRIFT
from prequential.runs.known_drift import KnownDrift

if TYPE_CHECKING:
    from prequential.figures.matplotlib_style import PaperFigure

INK, GRID = "#7A7F87", "rgba(128,134,142,0.22)"
"""Greys that are legible on white and on dark."""


class NotebookFigure(go.Figure):  # type: ignore[misc]  # Plotly has no types
    """A Plotly figure that a notebook also keeps as a picture, for pages and viewers that cannot draw Plotly figures.

    Without it, the figure is missing from a notebook that ``jupyter nbconvert`` turns into HTML or PDF.
    """

    def with_picture(self, draw: Callable[[], PaperFigure]) -> NotebookFigure:
        """Set the function that draws the picture, and return the figure."""
        object.__setattr__(self, "_draw_picture", draw)
        return self

    def _ipython_display_(self) -> None:
        draw = getattr(self, "_draw_picture", None)
        if draw is None or plotly.io.renderers.default != "plotly_mimetype":  # the user's own choice
            super()._ipython_display_()
            return
        display = import_module("IPython.display").display  # installed wherever this method is called

        data = {
            "application/vnd.plotly.v1+json": json.loads(self.to_json()),
            "image/png": b64encode(draw()._repr_png_()).decode("ascii"),
            "text/plain": "Figure of Plotly",
        }
        display(data, raw=True)


def laid_out(fig: go.Figure, *, height: int) -> go.Figure:
    """Apply the font, greys and legend of all figures of a report."""
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


def add_drifts(fig: go.Figure, drifts: Sequence[KnownDrift], *, row: int, share: float = 0.0) -> None:
    """Draw known drifts into a panel; the first panel adds each kind to the legend.

    ``share`` is the part of the panel that a strip above the curves takes; drifts cross it too.
    """
    named: set[str] = set()
    for drift in drifts:
        name = drift.name
        fig.add_shape(**drift_shape(drift, 1 / (1 - share), show=row == 1 and name not in named), row=row, col=1)
        named.add(name)


def drift_shape(drift: KnownDrift, top: float, *, show: bool) -> dict[str, object]:
    """Return the shape of a known drift; ``top`` is its height relative to the panel."""
    dash = "dash" if drift.temporary else "solid" if drift.real else "dot"
    colour = BLIP if drift.temporary else DRIFT
    line = {"color": colour, "width": 1.5 if drift.abrupt else 0, "dash": dash}
    kind = "line" if drift.abrupt else "rect"
    name = drift.name
    look: dict[str, object] = {"line": line, "layer": "below", "name": name, "showlegend": show, "legendgroup": name}
    if not drift.abrupt:
        look |= {"fillcolor": colour, "opacity": 0.18 if drift.real else 0.09}
    return {"type": kind, "x0": drift.begin, "x1": drift.end, "y0": 0, "y1": top, "yref": "y domain", **look}
