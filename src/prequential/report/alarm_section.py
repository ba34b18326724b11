"""The section of the report on alarms: their number, scores and times."""

from __future__ import annotations

from html import escape

from prequential.figures.timeline_plotly import timeline_figure
from prequential.number import count
from prequential.report.markup import details, plot, section
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest
from prequential.runs.status import shortfall
from prequential.sheets.html_table import html
from prequential.tables.run_detections import run_detections


def alarms(directory: RunDirectory) -> str:
    """Return the alarms of every detector on every learner, scored if drifts are known; empty without detectors."""
    manifest = directory.manifest
    if not manifest.detectors:
        return ""
    table = run_detections(directory)
    parts = []
    if table is not None:
        parts.append(html(table.brief()))
        if table.drifts is not None:
            parts += [_rules(int(table.tolerance)), details("All scores", html(table.sheet()))]
    parts += [f"<p>{escape(text)}</p>" for text in _left_out(manifest)]
    if table is not None:
        fig = timeline_figure(table.timeline()).update_layout(title_text="")
        caption = "Alarms over the records of the stream, one line per learner and detector."
        parts.append(plot("Timeline", fig.to_json(), label="alarms over the records", caption=caption))
    return section("alarms", "Alarms", *parts)


def _rules(tolerance: int) -> str:
    return (
        "<p>A drift is detected by the first alarm from its first record up to "
        f"{count(tolerance)} records after its last: a fifth of the mean distance between drifts. Later alarms in that "
        "time are repeats; all others are false. The mean delay, in records, is over detected drifts only. The dummy "
        "gives as many alarms, evenly spaced, without looking at the stream: a useful detector scores better.</p>"
    )


def _left_out(manifest: Manifest) -> list[str]:
    return [
        f"{shortfall(name, manifest)}. Its alarms are not scored."
        for name, entry in manifest.learners.items()
        if entry.status == "failed"
    ]
