"""What all Matplotlib figures share: style, legend, axis of records, known drifts and writing to a file."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from prequential.figures.palette import BLIP, DRIFT
from prequential.number import date_format
from prequential.runs.known_drift import KnownDrift
from prequential.types import FloatArray, IntArray
from prequential.whole_file import FIGURES, checked_suffix, write_whole

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "0.45",
    "axes.grid": True,
    "axes.unicode_minus": True,
    "grid.color": "0.9",
    "grid.linewidth": 0.6,
    "pdf.fonttype": 42,
    "svg.hashsalt": "prequential",
    "xtick.color": "0.3",
    "ytick.color": "0.3",
}
_UNDATED = {".png": {"Software": None}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}

Key: TypeAlias = "tuple[str, Line2D | Patch]"
"""An entry of a legend."""


class PaperFigure(Figure):
    """A figure for print that shows itself in a notebook; ``figure.savefig(path)`` writes it."""

    def _repr_png_(self) -> bytes:
        content = BytesIO()
        with mpl.rc_context(STYLE):
            self.savefig(content, format="png", dpi=144)
        return content.getvalue()


def write_figure(fig: Figure, path: str | Path) -> Path:
    """Write a figure as PNG, SVG or PDF, by the suffix of the path; equal figures give equal files."""
    suffix = checked_suffix(path, FIGURES)
    content = BytesIO()
    with mpl.rc_context(STYLE):
        fig.savefig(content, format=suffix[1:], dpi=300, metadata=_UNDATED[suffix])
    return write_whole(path, content.getvalue())


def add_legend(fig: Figure, keys: Sequence[Key], n_columns: int) -> None:
    """Put a legend below a figure."""
    legend = fig.legend(
        handles=[handle for _, handle in keys],
        labels=["key"] * len(keys),
        loc="outside lower center",
        ncols=n_columns,
        frameon=False,
        handlelength=2.6,
    )
    for text, (name, _) in zip(legend.get_texts(), keys, strict=True):
        text.set_parse_math(False)  # names come from the user: a $ is a dollar
        text.set_text(name)


def count_records(ax: Axes, n_ticks: int = 5, dates: tuple[IntArray, FloatArray] | None = None) -> None:
    """Label an axis of records with whole numbers, and with dates below them if these are known."""
    ax.xaxis.set_major_locator(MaxNLocator(n_ticks, integer=True))
    if dates is None:
        ax.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:,.0f}"))
        return
    n_known, time = dates
    written = date_format(time)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:,.0f}\n{written(float(np.interp(n, n_known, time)))}"))


def draw_drifts(ax: Axes, drifts: Sequence[KnownDrift]) -> None:
    """Draw known drifts: an abrupt drift as a line, a gradual one as a span, blips in grey."""
    for drift in drifts:
        colour, alpha = _drift_look(drift)
        if drift.abrupt:
            ax.axvline(drift.begin, color=colour, linewidth=1.0, linestyle="-" if drift.real else ":", zorder=1)
        else:
            ax.axvspan(drift.begin, drift.end, color=colour, alpha=alpha, linewidth=0, zorder=0)


def drift_keys(drifts: Sequence[KnownDrift]) -> list[Key]:
    """Return the part of a legend that names each kind of drift once."""
    keys: dict[str, Line2D | Patch] = {}
    for drift in sorted(drifts, key=lambda drift: (drift.temporary, not drift.abrupt, not drift.real)):
        colour, alpha = _drift_look(drift)
        if drift.abrupt:
            keys.setdefault(
                drift.name, Line2D([], [], color=colour, linewidth=1.0, linestyle="-" if drift.real else ":")
            )
        else:
            keys.setdefault(drift.name, Patch(facecolor=colour, alpha=alpha))
    return list(keys.items())


def _drift_look(drift: KnownDrift) -> tuple[str, float]:
    return BLIP if drift.temporary else DRIFT, 0.2 if drift.real else 0.1
