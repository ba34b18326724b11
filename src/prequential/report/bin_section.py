"""The section of the report on bins: every measure over the time that records wait."""

from __future__ import annotations

from itertools import groupby

from prequential.report.bin_figure import draw_bins
from prequential.report.bin_surface import BinSurface, bin_surfaces
from prequential.report.markup import chooser, details, plot, section
from prequential.report.number import count
from prequential.report.stage import is_delayed
from prequential.report.values import Values
from prequential.runs.directory import RunDirectory

MOST_CELLS = 600_000
"""Values of all surfaces of a page, so that it stays a file of a few megabytes; checkpoints are thinned to this."""
_LEAST, _MOST = 40, 200
"""Checkpoints that a surface of the page has, if there are so many."""


def bins(directory: RunDirectory) -> str:
    """Return the bins of every measure that is not by class; nothing of runs whose labels come at once."""
    manifest = directory.manifest
    if not is_delayed(manifest):
        return ""
    values = Values(directory)
    measures = [one for one in dict.fromkeys(stage.measure for stage in values.stages.values()) if "[" not in one]
    if values.is_empty or not measures:
        return ""
    n_bins = int(manifest.protocol.get("bins", 100)) + 2
    n_surfaces = len(measures) * len(values.forgetting) * max(1, len(values.learners))
    most = min(_MOST, max(_LEAST, MOST_CELLS // (n_surfaces * n_bins)))
    drawn = bin_surfaces(directory, measures, most=most)
    first, *others = (_figure(list(group)) for _, group in groupby(drawn, key=lambda panel: panel.measure))
    kept = values.forgetting
    return section(
        "bins",
        "While records wait",
        chooser("Forgetting", "bins", kept, kept[:1], one=True),
        first,
        details(f"The other measures ({len(others)} figures)", "\n".join(others)) if others else "",
    )


def _figure(panels: list[BinSurface]) -> str:
    panel = panels[0]
    n_bins = panel.n_bins - 2
    parts = [
        f"Above, the last checkpoint: from the prediction at arrival, over {count(n_bins)} equal parts of the time "
        "until the label, to the last prediction before it is learned. Below, the same over the labels, a panel a "
        "learner.",
        "Colours span the middle 96 % of the values.",
    ]
    if panel.n_drawn < panel.n_checkpoints:
        parts.append(f"{count(panel.n_drawn)} of {count(panel.n_checkpoints)} checkpoints are drawn.")
    label = f"{panel.measure} by bin of the time until the label"
    return plot(panel.measure, draw_bins(panels).to_json(), label=label, caption=" ".join(parts))
