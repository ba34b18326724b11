"""A measure in every bin of the time that records wait, for print: PNG, SVG and PDF."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from prequential.report.bin_surface import BinSurface, Surface, bin_surface, value_range
from prequential.report.file import FIGURES, checked_suffix
from prequential.report.palette import learner_inks
from prequential.report.printed import STYLE, count_records, write_figure
from prequential.runs.directory import RunDirectory


def save_bins_figure(
    directory: RunDirectory,
    path: str | Path,
    measure: str | None = None,
    *,
    forgetting: str | None = None,
    learner: str | Sequence[str] | None = None,
) -> Path:
    """Draw one measure by bin for print; the suffix of the path says whether as PNG, SVG or PDF.

    Above, the last checkpoint, a curve a learner; below, a panel a learner, where the colour is the value.
    """
    checked_suffix(path, FIGURES)
    panel = bin_surface(directory, measure, forgetting, learner)
    with mpl.rc_context(STYLE):
        return write_figure(printed_bins(panel), path)


def printed_bins(panel: BinSurface) -> Figure:
    """Draw one measure by bin with Matplotlib."""
    n_columns = min(2, len(panel.surfaces))
    n_lines = -(-len(panel.surfaces) // n_columns)
    heights = [2.6, *[1.6] * n_lines]
    fig = Figure(figsize=(7.2, sum(heights) + 0.9), layout="constrained")
    grid = fig.add_gridspec(1 + n_lines, n_columns, height_ratios=heights)
    _draw_curves(fig, fig.add_subplot(grid[0, :]), panel)
    low, high = value_range(panel)
    lower = panel.known is not None and panel.known.better == "lower"
    scale, colours = Normalize(low, high), "viridis_r" if lower else "viridis"  # light is good
    axes = []
    for i, one in enumerate(panel.surfaces):
        ax = fig.add_subplot(grid[1 + i // n_columns, i % n_columns])
        _draw_surface(ax, one, panel, scale, colours)
        if i % n_columns:
            ax.tick_params(labelleft=False)
        if i < len(panel.surfaces) - n_columns:
            ax.tick_params(labelbottom=False)
        else:
            ax.set_xlabel("labels")
        axes.append(ax)
    bar = fig.colorbar(ScalarMappable(scale, colours), ax=axes, aspect=30, pad=0.02, extend="both")
    bar.set_label(panel.measure, parse_math=False)
    bar.outline.set_visible(False)
    return fig


def _draw_curves(fig: Figure, ax: Axes, panel: BinSurface) -> None:
    ink = learner_inks(panel.learners, panel.baselines)
    last, every = panel.n_bins - 1, max(1, panel.n_bins // 8)
    for i, one in enumerate(panel.surfaces):
        look = ink[one.learner]
        ax.plot(
            np.arange(panel.n_bins),
            one.last,
            color=look.colour,
            linewidth=look.width * 0.65,
            marker=look.marker,
            markersize=3.4,
            markevery=[0, *range(every // 2 + i * every // len(panel.surfaces), last - every // 3, every), last],
            zorder=2 if one.learner in panel.baselines else 3,
        )
    better = [] if panel.known is None or panel.known.better is None else [f"{panel.known.better} is better"]
    n = max(int(one.n[-1]) for one in panel.surfaces)
    title = ", ".join([panel.measure, *better, panel.forgetting, f"after {n:,} labels"])
    ax.set_title(title, loc="left", fontsize=9, parse_math=False)
    ax.set_xlabel("bin of the time until the label")
    ax.set_xticks(list(panel.ticks), list(panel.ticks.values()))
    ax.set_xlim(-0.01 * panel.n_bins, last + 0.01 * panel.n_bins)
    legend = fig.legend(
        handles=ax.get_lines(),
        labels=["key"] * len(panel.surfaces),
        loc="outside lower center",
        ncols=min(4, len(panel.surfaces)),
        frameon=False,
        handlelength=2.6,
    )
    for text, one in zip(legend.get_texts(), panel.surfaces, strict=True):
        text.set_parse_math(False)  # names are the user's: a $ is a dollar
        text.set_text(one.learner)


def _draw_surface(ax: Axes, one: Surface, panel: BinSurface, scale: Normalize, colours: str) -> None:
    """Draw a surface as a picture, so that a file of vectors does not hold every cell."""
    ax.pcolormesh(
        one.n,
        np.arange(panel.n_bins),
        np.ma.masked_invalid(one.value),
        norm=scale,
        cmap=colours,
        shading="nearest",
        rasterized=True,
    )
    ax.set_title(one.learner, loc="left", fontsize=8.5, parse_math=False)
    ax.set_yticks(list(panel.ticks), list(panel.ticks.values()))
    ax.grid(visible=False)
    count_records(ax)
