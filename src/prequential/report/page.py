"""The report of a run as a page."""

from __future__ import annotations

from html import escape
from pathlib import Path

from prequential.number import count, moment, plural
from prequential.report.alarm_section import alarms
from prequential.report.bin_section import bins
from prequential.report.comparison_section import comparison
from prequential.report.curve_section import curves
from prequential.report.document import document
from prequential.report.failure_section import failures
from prequential.report.markup import section
from prequential.report.resource_section import resources
from prequential.report.setting_section import conventions, setting
from prequential.report.significance_section import significance
from prequential.report.stage_section import ranking
from prequential.report.stream_section import stream
from prequential.report.waiting_section import waiting
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest
from prequential.sheets.html_table import html
from prequential.tables.result_table import result_table
from prequential.whole_file import checked_suffix, write_whole


def write_page(directory: RunDirectory, path: str | Path) -> Path:
    """Write the report of a run, complete or not, as one HTML file.

    It holds the result table, one figure per metric, alarms, tests over folds and comparisons if there are any,
    resources, failures, stream, settings and conventions. With delayed labels it also shows latencies, ranks the
    learners at every stage, and draws the bins. Equal runs give equal files.
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
        curves(directory),
        bins(directory),
        alarms(directory),
        significance(directory),
        comparison(directory),
        resources(manifest),
        failures(manifest),
        stream(manifest),
        setting(manifest, plan.read_text(encoding="utf-8") if plan.is_file() else ""),
        conventions(),
    ]
    version = manifest.versions.get("prequential", "")
    return document(
        manifest.name, content, f"Written by prequential {version} from the run of {moment(manifest.started)}."
    )


def _header(manifest: Manifest) -> str:
    about = [
        next(iter(map(str, manifest.protocol.values())), ""),
        _n_records(manifest),
        plural(len(manifest.learners), "learner"),
        f"seed {manifest.seed}",
        moment(manifest.started),
    ]
    return f"<header>\n<h1>{escape(manifest.name)}</h1>\n<p>{escape(' · '.join(filter(None, about)))}</p>\n</header>"


def _n_records(manifest: Manifest) -> str:
    if manifest.events is None:
        return f"{count(manifest.n_records)} records"
    return f"{count(manifest.events['n_records'])} records · {count(manifest.events['n_labels'])} labels"
