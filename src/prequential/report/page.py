"""The report of a run, as a page."""

from __future__ import annotations

from html import escape
from pathlib import Path

from prequential.report import sections
from prequential.report.alarm_section import alarms
from prequential.report.bin_section import bins
from prequential.report.comparison_section import comparison
from prequential.report.curves import Curves, panels, whole
from prequential.report.document import document
from prequential.report.file import checked_suffix, write_whole
from prequential.report.interactive import draw
from prequential.report.markup import chooser, details, plot, section
from prequential.report.number import count, moment
from prequential.report.significance_section import significance
from prequential.report.stage_section import ranking
from prequential.report.table import result_table
from prequential.report.typeset import html
from prequential.report.values import Values
from prequential.report.waiting_section import n_records, waiting
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest

FEW = 8
"""Curves a figure shows at first; of more, those of one forgetting."""


def write_page(directory: RunDirectory, path: str | Path) -> Path:
    """Write the report of a run, complete or not, as one HTML file.

    The same run gives the same file. It holds the result table, a figure a measure, alarms, tests over folds and
    comparisons where there are any, resources, failures, stream, setting and conventions. With delayed labels it says
    how long records waited, ranks the learners at every stage, and draws the bins.
    """
    checked_suffix(path, {".html": "a page", ".htm": "a page"})
    return write_whole(path, _page(directory).encode("utf-8"))


def _page(directory: RunDirectory) -> str:
    manifest = directory.manifest
    plan = directory.path / "plan.toml"
    sheet = result_table(directory).sheet()
    content = [
        _header(manifest),
        f'<p class="banner {manifest.status}" role="alert">{escape(sheet.warning)}</p>' if sheet.warning else "",
        section("result", "Result", html(sheet, warn=False)),
        waiting(directory),
        ranking(directory),
        _figures(directory),
        bins(directory),
        alarms(directory),
        significance(directory),
        comparison(directory),
        sections.resources(manifest),
        sections.failures(manifest),
        sections.stream(manifest),
        sections.setting(manifest, plan.read_text(encoding="utf-8") if plan.is_file() else ""),
        sections.conventions(),
    ]
    version = manifest.versions.get("prequential", "")
    return document(
        manifest.name, content, f"Written by prequential {version} from the run of {moment(manifest.started)}."
    )


def _header(manifest: Manifest) -> str:
    about = [
        next(iter(map(str, manifest.protocol.values())), ""),
        n_records(manifest),
        "1 learner" if len(manifest.learners) == 1 else f"{count(len(manifest.learners))} learners",
        f"seed {manifest.seed}",
        moment(manifest.started),
    ]
    return f"<header>\n<h1>{escape(manifest.name)}</h1>\n<p>{escape(' · '.join(filter(None, about)))}</p>\n</header>"


def _figures(directory: RunDirectory) -> str:
    if Values(directory).is_empty:
        return section("curves", "Curves", "<p>The trace has no checkpoint yet: there is nothing to draw.</p>")
    by_measure: dict[str, list[Curves]] = {}
    for panel in panels(directory):
        by_measure.setdefault(panel.measure, []).append(panel)
    drawn = [whole(found) for found in by_measure.values()]
    of_all = [panel for panel in drawn if "[" not in panel.measure]
    by_class = [panel for panel in drawn if "[" in panel.measure]
    folded = details(f"By class ({len(by_class)} figures)", "\n".join(map(_figure, by_class))) if by_class else ""
    return section("curves", "Curves", _choosers(drawn[0]), *map(_figure, of_all), folded)


def _choosers(panel: Curves) -> str:
    """Return boxes to tick the forgettings to be shown; with delayed labels one of them, and the stages."""
    kept = panel.forgetting
    if panel.stages:
        one = chooser("Forgetting", "forgetting", kept, kept[:1], one=True)
        return one + chooser("Prediction", "stage", panel.stages, panel.stages)
    telling = [f for f in kept if f != "cumulative"][:1]
    return chooser("Forgetting", "forgetting", kept, kept if len(panel.curves) <= FEW else telling)


def _figure(panel: Curves) -> str:
    known = panel.known
    caption = "" if known is None else known.summary
    if known is not None and known.better is not None:
        caption += f" {known.better.capitalize()} is better."
    data = draw([panel]).update_yaxes(title_text=panel.unit).to_json()
    return plot(panel.measure, data, label=f"{panel.measure} over the {panel.counted}", caption=caption)
