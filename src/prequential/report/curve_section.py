"""The section of the report on curves: every metric over the records."""

from __future__ import annotations

from prequential.errors import InputError
from prequential.figures.curves import Panel, overlaid, panels
from prequential.figures.curves_plotly import draw
from prequential.number import plural
from prequential.report.markup import chooser, details, plot, section
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest
from prequential.runs.values import Values
from prequential.sheets.html_table import html
from prequential.tables.interval_table import interval_table

FEW = 8
"""Maximum number of curves shown at first; if there are more, only those of one forgetting are shown."""


def curves(directory: RunDirectory) -> str:
    """Return one figure per metric; those of single classes are collapsed."""
    if Values(directory).is_empty:
        return section("curves", "Curves", "<p>The trace has no checkpoint yet: there is nothing to draw.</p>")
    by_metric: dict[str, list[Panel]] = {}
    for panel in panels(directory):
        by_metric.setdefault(panel.metric, []).append(panel)
    drawn = [overlaid(found) for found in by_metric.values()]
    manifest = directory.manifest
    overall = [panel for panel in drawn if "[" not in panel.metric or panel.metric in manifest.known_metrics]
    per_class = [_figure(panel, manifest) for panel in drawn if panel not in overall]
    around = _intervals(directory)
    folded = details(f"Per class ({plural(len(per_class), 'figure')})", "\n".join(per_class)) if per_class else ""
    return section(
        "curves", "Curves", _choosers(drawn[0]), *(_figure(panel, manifest) for panel in overall), folded, around
    )


def _intervals(directory: RunDirectory) -> str:
    """Return the intervals around the estimates at the end; empty if none exists."""
    try:
        found = interval_table(directory)
    except InputError:
        return ""
    return details("Intervals around the estimates", html(found.sheet(), warn=False))


def _choosers(panel: Panel) -> str:
    """Return boxes for the forgettings to show; with delayed labels, buttons for one of them and boxes for stages."""
    forgetting = panel.forgetting
    if panel.stages:
        one = chooser("Forgetting", "forgetting", forgetting, forgetting[:1], one=True)
        return one + chooser("Prediction", "stage", panel.stages, panel.stages)
    first_window = [name for name in forgetting if name != "cumulative"][:1]
    ticked = forgetting if len(panel.curves) <= FEW else first_window
    return chooser("Forgetting", "forgetting", forgetting, ticked)


def _figure(panel: Panel, manifest: Manifest) -> str:
    entry = panel.entry
    caption = "" if entry is None else entry.summary.replace("``", "")
    if entry is not None and entry.better is not None:
        caption += f" {entry.better.capitalize()} is better."
    if manifest.positive is not None:
        caption = f"{caption} {manifest.positive.remark([panel.metric])}".strip()
    data = draw([panel]).update_yaxes(title_text=panel.unit).to_json()
    return plot(panel.name, data, label=f"{panel.name} over the {panel.counted}", caption=caption)
