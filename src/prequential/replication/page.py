"""The report of a replication as a page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from prequential.figures.curves import Panel
from prequential.figures.curves_plotly import draw
from prequential.number import count, plural
from prequential.report.document import document
from prequential.report.markup import code, details, plot, section
from prequential.runs.manifest import Manifest, versions
from prequential.sheets.html_table import html
from prequential.sheets.printable import Printable
from prequential.tables.result_table import ResultTable
from prequential.whole_file import checked_suffix, write_whole


def write_page(
    path: str | Path,
    *,
    title: str,
    manifest: Manifest,
    seeds: Sequence[int],
    tables: tuple[ResultTable, ResultTable],
    panels: Sequence[Panel],
    tests: Printable | None,
    ranks: Printable | None,
    detections: Printable | None,
    plan: str,
) -> Path:
    """Write the report: results over the seeds, curves with bands, tests, detections; one HTML file.

    Parameters
    ----------
    path
        The file.
    title
        The experiment.
    manifest
        What the runs share.
    seeds
        The seeds whose runs are finished.
    tables
        The results at the end, and the means over checkpoints.
    panels
        The curves.
    tests, ranks, detections
        These tables; None where there is none.
    plan
        The plan that was repeated; empty if it was a function.
    """
    checked_suffix(path, {".html": "a page", ".htm": "a page"})
    end, mean = tables
    about = [
        plural(len(seeds), "seed"),
        f"{count(manifest.n_records)} records",
        plural(len(manifest.learners), "learner"),
    ]
    warning = end.warning
    content = [
        f"<header>\n<h1>{escape(manifest.name)}</h1>\n<p>{escape(' · '.join([*about, title]))}</p>\n</header>",
        f'<p class="banner {manifest.status}" role="alert">{escape(warning)}</p>' if warning else "",
        section("result", "Result", html(end.sheet(), warn=False)),
        section("mean", "Mean over checkpoints", html(mean.sheet(), warn=False)),
        section("curves", "Curves", *map(_figure, panels)),
        section("detections", "Detections", _markup(detections)),
        section("tests", "Tests over seeds", _markup(tests)),
        section("ranks", "Ranks", _markup(ranks)),
        section("runs", "Runs", _runs(seeds), details("Plan", code(plan)) if plan else ""),
    ]
    footer = f"Written by prequential {versions()['prequential']}."
    return write_whole(path, document(manifest.name, content, footer).encode("utf-8"))


def _figure(panel: Panel) -> str:
    caption = "Mean over the seeds; the band is ± one standard deviation."
    data = draw([panel]).update_yaxes(title_text=panel.unit).to_json()
    return plot(panel.name, data, label=f"{panel.name} over the {panel.counted}", caption=caption)


def _markup(table: Printable | None) -> str:
    return "" if table is None else table.to_html()


def _runs(seeds: Sequence[int]) -> str:
    names = ", ".join(f"<code>seed-{seed}</code>" for seed in seeds)
    return f"<p>Each run has a directory of its own: {names}.</p>"
