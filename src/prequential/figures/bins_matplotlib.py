"""A metric by bin of the waiting time, drawn with Matplotlib."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from prequential.figures.bins import BinPanel, Surface, bin_panel
from prequential.figures.matplotlib_style import STYLE, PaperFigure, add_legend, count_records
from prequential.figures.palette import learner_inks
from prequential.runs.directory import RunDirectory


def printed_bins(
    directory: RunDirectory,
    metric: str | None = None,
    *,
    forgetting: str | None = None,
    learners: str | Sequence[str] | None = None,
) -> PaperFigure:
    """Draw one metric by bin for print.

    Above, one curve per learner at the last checkpoint; below, one panel per learner, where the colour is the value.
    """
    panel = bin_panel(directory, metric, forgetting, learners)
    with mpl.rc_context(STYLE):
        return draw_bins(panel)


def draw_bins(panel: BinPanel) -> PaperFigure:
    """Draw one metric by bin."""
    n_columns = min(2, len(panel.surfaces))
    n_lines = -(-len(panel.surfaces) // n_columns)
    heights = [2.6, *[1.6] * n_lines]
    fig = PaperFigure(figsize=(7.2, sum(heights) + 0.9), layout="constrained")
    grid = fig.add_gridspec(1 + n_lines, n_columns, height_ratios=heights)
    _draw_curves(fig, fig.add_subplot(grid[0, :]), panel)
    scale = Normalize(*panel.value_range)
    colours = "viridis_r" if panel.lower_is_better else "viridis"  # light is good
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
    bar.set_label(panel.metric, parse_math=False)
    bar.outline.set_visible(False)
    return fig


def _draw_curves(fig: Figure, ax: Axes, panel: BinPanel) -> None:
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
    better = [] if panel.entry is None or panel.entry.better is None else [f"{panel.entry.better} is better"]
    title = ", ".join([panel.metric, *better, panel.forgetting, f"after {panel.n_labels:,} labels"])
    ax.set_title(title, loc="left", fontsize=9, parse_math=False)
    ax.set_xlabel("bin of the time until the label")
    ax.set_xticks(list(panel.ticks), list(panel.ticks.values()))
    ax.set_xlim(*panel.bin_range)
    names = [one.learner for one in panel.surfaces]
    add_legend(fig, list(zip(names, ax.get_lines(), strict=True)), min(4, len(names)))


def _draw_surface(ax: Axes, one: Surface, panel: BinPanel, scale: Normalize, colours: str) -> None:
    """Draw a surface as a bitmap, so that a vector file does not hold every cell."""
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
