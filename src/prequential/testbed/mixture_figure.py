"""A printed figure of a testbed stream: its Gaussians at some times, and the optimal error over its records."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from prequential.figures.matplotlib_style import STYLE, PaperFigure, count_records, draw_drifts
from prequential.figures.palette import class_colours
from prequential.testbed.mixture_view import MixtureView, Moment

N_MOMENTS = 4


def print_mixture(view: MixtureView) -> PaperFigure:
    """Draw a stream of the testbed like figure 1 of its paper.

    Ellipses of one and two standard deviations show the Gaussians; a more likely one has a stronger colour. Lines are
    the paths of their centres, the dashed line is the optimal boundary, and points are records around that time. The
    panel below shows the optimal error.
    """
    last = view.mixture.n_records - 1
    near = max(50, last // 40)
    moments = sorted({round(share * last) for share in np.linspace(0, 1, N_MOMENTS)})
    left, right, bottom, top = view.extent
    height = min(3.2, max(1.2, 2.1 * (top - bottom) / (right - left)))
    with mpl.rc_context(STYLE):
        fig = PaperFigure(figsize=(2.3 * len(moments) + 0.4, height + 2.1), layout="constrained")
        upper, lower = np.asarray(fig.subfigures(2, 1, height_ratios=[height + 0.5, 1.6]))
        axes = upper.subplots(1, len(moments), sharex=True, sharey=True, squeeze=False)[0]
        for ax, at in zip(axes, moments, strict=True):
            _draw(ax, view, view.moment(at, before=near, after=near))
        axes[0].set_ylabel("x1")
        _draw_error(lower.subplots(), view, moments)
        _legend(fig, view)
        fig.suptitle(view.title, x=0.01, ha="left", fontsize=9.5, parse_math=False)
    return fig


def _draw(ax: Axes, view: MixtureView, moment: Moment) -> None:
    colours = class_colours(len(view.classes))
    for label, colour in enumerate(colours):
        of = moment.X[moment.y == label]
        ax.plot(of[:, 0], of[:, 1], linestyle="", marker=".", markersize=1.4, color=colour, alpha=0.25, zorder=1)
    for label, path in view.paths:
        ax.plot(path[:, 0], path[:, 1], color=colours[label], linewidth=0.8, alpha=0.55, zorder=2)
    for ellipse in moment.ellipses:
        colour = colours[ellipse.label]
        ax.add_patch(Polygon(ellipse.outer, facecolor=colour, alpha=0.06 + 0.3 * ellipse.share, linewidth=0, zorder=3))
        ax.add_patch(Polygon(ellipse.inner, facecolor=colour, alpha=0.08 + 0.7 * ellipse.share, linewidth=0, zorder=3))
        for line in (ellipse.inner, ellipse.outer):
            ax.plot(line[:, 0], line[:, 1], color=colour, linewidth=0.9, alpha=0.25 + 0.75 * ellipse.share, zorder=4)
    for line in moment.boundary:
        ax.plot(line[:, 0], line[:, 1], color="0.15", linewidth=0.9, linestyle=(0, (4, 2)), zorder=5)
    left, right, bottom, top = view.extent
    ax.set_xlim(left, right)
    ax.set_ylim(bottom, top)
    ax.set_aspect("equal", adjustable="box")
    ax.set_title(f"record {moment.at:,}", loc="left", fontsize=8.5)
    ax.set_xlabel("x0")


def _draw_error(ax: Axes, view: MixtureView, moments: list[int]) -> None:
    at, error = view.optimal_error
    draw_drifts(ax, view.drifts)
    ax.plot(at, error, color="0.15", linewidth=1.2, zorder=3)
    there = np.interp(moments, at, error)
    ax.plot(moments, there, linestyle="", marker="o", markersize=3.6, color="0.15", zorder=4, clip_on=False)
    ax.set_xlim(0, max(1, view.mixture.n_records - 1))
    ax.set_ylim(0, max(0.01, 1.1 * float(error.max())))
    ax.set_ylabel("optimal error")
    ax.set_xlabel("records")
    count_records(ax)


def _legend(fig: PaperFigure, view: MixtureView) -> None:
    keys = [
        Line2D([], [], color=colour, marker="o", markersize=5, linewidth=0.8)
        for colour in class_colours(len(view.classes))
    ]
    names = [f"class {name}" for name in view.classes]
    if view.mixture.n_features == 2:
        keys.append(Line2D([], [], color="0.15", linewidth=0.9, linestyle=(0, (4, 2))))
        names.append("optimal boundary")
    legend = fig.legend(
        handles=keys, labels=["key"] * len(keys), loc="outside lower center", ncols=len(keys), frameon=False
    )
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_parse_math(False)  # the names come from the user: a $ is a dollar
        text.set_text(name)
