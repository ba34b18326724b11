"""The section of the report on the tests over folds."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from prequential.figures.significance_plotly import significance_figure
from prequential.report.markup import details, plot, section
from prequential.runs.directory import RunDirectory
from prequential.sheets.html_table import html
from prequential.tables.significance_table import significance_table

_EXPLANATION = (
    "The folds of two learners tested the same records. The sign test counts the folds in which each learner is ahead; "
    "Wilcoxon's test also weighs by how much. McNemar's test is shown for contrast: it treats every record as "
    "independent, so with enough records it rejects for almost any difference. Folds share most of their training "
    "records, so p-values are approximate. They are valid for one look, not for the smallest of many."
)


def significance(directory: RunDirectory) -> str:
    """Return the tests over folds, at the last checkpoint and over time; empty if there are none."""
    if not len(directory.significance()):
        return ""
    table = significance_table(directory)
    first = replace(table, rows=tuple(row for row in table.rows if row.metric == table.rows[0].metric), warning="")
    rest = replace(table, rows=tuple(row for row in table.rows if row.metric != table.rows[0].metric), warning="")
    fig = significance_figure(directory)
    caption = "p over the records; below the dotted line a test rejects at 0.05. p < 0.000001 is drawn as 0.000001."
    return section(
        "significance",
        "Significance",
        html(first.sheet()),
        f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in first.conclusion.splitlines())}</ul>",
        f"<p>{escape(_EXPLANATION)}</p>",
        plot("Significance", fig.to_json(), label="p-values over the records", caption=caption),
        details("Other metrics", html(rest.sheet())) if rest.rows else "",
    )
