"""The section of the report on what several folds say of the differences between learners."""

from __future__ import annotations

import math
from html import escape

import pyarrow as pa
import pyarrow.compute as pc

from prequential.report.markup import details, plot, section
from prequential.report.number import chance
from prequential.report.sheet import Cell, Heading, Sheet
from prequential.report.status import one_line
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
    table = directory.significance()
    if not len(table):
        return ""
    from prequential.report.significance_figure import significance_figure

    last = table.filter(pc.equal(table["n"], pc.max(table["n"])))
    found: dict[tuple[str, str, str, str], dict[str, dict[str, object]]] = {}
    for row in last.to_pylist():
        key = (row["learner_a"], row["learner_b"], row["forgetting"], row["measure"])
        found.setdefault(key, {})[row["test"]] = row
    measures = pc.unique(last["measure"].cast(pa.string())).to_pylist()
    first = {key: tests for key, tests in found.items() if key[3] == measures[0]}
    rest = {key: tests for key, tests in found.items() if key[3] != measures[0]}
    drawn = significance_figure(directory)
    caption = "p over the records; below the dotted line a test rejects at 0.05. What is below 0.000001 is drawn there."
    return section(
        "significance",
        "Significance",
        html(_sheet(first, f"Tests over the folds at record {int(pc.max(table['n']).as_py()):,}.")),
        f"<p>{escape(_TOLD)}</p>",
        plot("Significance", drawn.to_json(), label="p-values over the records", caption=caption),
        details("Other measures", html(_sheet(rest, "The same of the other measures."))) if rest else "",
    )


def _sheet(found: dict[tuple[str, str, str, str], dict[str, dict[str, object]]], caption: str) -> Sheet:
    notes: dict[str, int] = {}
    rows = []
    for (a, b, forgetting, measure), tests in found.items():
        cells = [Cell(f"{one_line(a)}, {one_line(b)}"), Cell(one_line(measure)), Cell(forgetting)]
        wins = tests.get("sign", {}).get("statistic")
        cells.append(Cell("–" if not isinstance(wins, float) or math.isnan(wins) else f"{wins:.0f}"))
        for test in ("sign", "wilcoxon", "mcnemar"):
            row = tests.get(test, {})
            p, reason = row.get("p"), str(row.get("reason") or "")
            noted = (notes.setdefault(reason, len(notes) + 1),) if reason else ()
            cells.append(Cell(chance(p) if isinstance(p, float) and not math.isnan(p) else "–", notes=noted))
        rows.append(tuple(cells))
    names = ("A, B", "measure", "forgetting")
    headings = (
        *(Heading(name, number=False) for name in names),
        *map(Heading, ("folds A higher", "p sign", "p Wilcoxon", "p McNemar")),
    )
    return Sheet(caption, headings, tuple(rows), notes=tuple(notes))
