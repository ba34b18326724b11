"""The section of the report on alarms: how many, how good, and when."""

from __future__ import annotations

from html import escape

from prequential.report.markup import details, plot, section
from prequential.report.number import count
from prequential.report.run_detections import run_detections
from prequential.report.status import shortfall
from prequential.report.timeline import timeline_figure
from prequential.report.typeset import html
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest


def alarms(directory: RunDirectory) -> str:
    """Return the alarms of every detector beside every learner, scored where drifts are known; nothing without any."""
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
        fig = timeline_figure(table).update_layout(title_text="")
        told = "Alarms over the records of the stream, a line a learner and detector."
        parts.append(plot("Timeline", fig.to_json(), label="alarms over the records", caption=told))
    return section("alarms", "Alarms", *parts)


def _rules(tolerance: int) -> str:
    return (
        "<p>A drift is detected by the first alarm from its first record on, up to "
        f"{count(tolerance)} records after its last: a fifth of the mean distance between drifts. Later alarms there "
        "are repeats, all others false; the mean delay, in records, is over detected drifts only. The dummy looks at "
        "nothing and gives as many alarms, evenly spaced: a detector must be worth more.</p>"
    )


def _left_out(manifest: Manifest) -> list[str]:
    return [
        f"{shortfall(name, manifest)}. Its alarms are not scored."
        for name, entry in manifest.learners.items()
        if entry.status == "failed"
    ]
