"""The section of the report on what several folds say of the differences between learners."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from prequential.report.markup import details, plot, section
from prequential.report.significance_table import significance_table
from prequential.report.typeset import html
from prequential.runs.directory import RunDirectory

_TOLD = (
    "The folds of two learners tested the same records. The sign test counts in how many of them each was ahead; "
    "Wilcoxon's test weighs by how much. McNemar's test stands beside them for contrast: it takes every record for a "
    "new witness, so it calls almost any difference real if there are records enough. Folds share most of their "
    "training records, so that p-values are approximate; and they are for one look, not for the least of many."
)


def significance(directory: RunDirectory) -> str:
    """Return the tests over folds, at the last checkpoint and over time; nothing where there are none."""
    if not len(directory.significance()):
        return ""
    from prequential.report.significance_figure import significance_figure

    table = significance_table(directory)
    first = replace(table, rows=tuple(row for row in table.rows if row.measure == table.rows[0].measure), warning="")
    rest = replace(table, rows=tuple(row for row in table.rows if row.measure != table.rows[0].measure), warning="")
    drawn = significance_figure(directory)
    caption = "p over the records; below the dotted line a test rejects at 0.05. What is below 0.000001 is drawn there."
    return section(
        "significance",
        "Significance",
        html(first.sheet()),
        f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in first.conclusion.splitlines())}</ul>",
        f"<p>{escape(_TOLD)}</p>",
        plot("Significance", drawn.to_json(), label="p-values over the records", caption=caption),
        details("Other measures", html(rest.sheet())) if rest.rows else "",
    )
