"""The section of the report on bins: every metric by bin of the waiting time."""

from __future__ import annotations

from itertools import groupby

from prequential.figures.bins import BinPanel, bin_panels
from prequential.figures.bins_plotly import draw_bins
from prequential.number import count, plural
from prequential.report.markup import chooser, details, plot, section
from prequential.runs.directory import RunDirectory
from prequential.runs.stage import is_delayed
from prequential.runs.values import Values

MOST_CELLS = 600_000
"""Maximum number of values of all surfaces, so that the page stays small; checkpoints are thinned to fit."""
_LEAST, _MOST = 40, 200
"""The smallest and largest number of checkpoints per surface after thinning."""


def bins(directory: RunDirectory) -> str:
    """Return the bins of every metric, except those of every class; empty for a run without delayed labels."""
    manifest = directory.manifest
    if not is_delayed(manifest):
        return ""
    values = Values(directory)
    names = dict.fromkeys(stage.metric for stage in values.stages.values())
    metrics = [one for one in names if "[" not in one or one in manifest.known_metrics]
    if values.is_empty or not metrics:
        return ""
    n_bins = int(manifest.protocol.get("bins", 100)) + 2
    n_surfaces = len(metrics) * len(values.forgetting) * max(1, len(values.learners))
    most = min(_MOST, max(_LEAST, MOST_CELLS // (n_surfaces * n_bins)))
    drawn = bin_panels(directory, metrics, most=most)
    first, *others = (_figure(list(group)) for _, group in groupby(drawn, key=lambda panel: panel.metric))
    return section(
        "bins",
        "While records wait",
        chooser("Forgetting", "bins", values.forgetting, values.forgetting[:1], one=True),
        first,
        details(f"The other metrics ({plural(len(others), 'figure')})", "\n".join(others)) if others else "",
    )


def _figure(panels: list[BinPanel]) -> str:
    panel = panels[0]
    n_bins = panel.n_bins - 2
    parts = [
        f"Above, the last checkpoint: from the prediction at arrival, through {count(n_bins)} equal parts of the time "
        "until the label, to the last prediction before the label is learned. Below, the same over the labels, one "
        "panel per learner.",
        "Colours span the middle 96 % of the values.",
    ]
    if panel.n_drawn < panel.n_checkpoints:
        parts.append(f"{count(panel.n_drawn)} of {count(panel.n_checkpoints)} checkpoints are drawn.")
    label = f"{panel.metric} by bin of the time until the label"
    return plot(panel.metric, draw_bins(panels).to_json(), label=label, caption=" ".join(parts))
