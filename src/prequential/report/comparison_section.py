"""The section of the report that compares the learners of a run pairwise."""

from __future__ import annotations

from collections import defaultdict
from html import escape
from itertools import combinations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prequential.figures.comparison_plotly import comparison_figure
from prequential.number import chance, fixed, span
from prequential.protocols.late_verdicts import STAGES
from prequential.report.markup import details, plot, section
from prequential.runs.directory import RunDirectory
from prequential.runs.holdout_tests import complete_pairs
from prequential.runs.late_pairs import pairs_of_stage
from prequential.runs.manifest import Manifest
from prequential.runs.stage import is_delayed
from prequential.runs.status import one_line
from prequential.sheets.html_table import html
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.tables.comparison import Comparison, comparison_of_pairs

MOST_PAIRS = 6
"""The largest number of pairs shown; of more, those of the best learner."""
_WHOLE = ("cumulative", "holdout")
"""The forgettings without a choice: all history, or a holdout test."""
_COUNTS = ("n_both_right", "n_a_right", "n_b_right", "n_both_wrong")


def comparison(directory: RunDirectory) -> str:
    """Return the learners compared pairwise, and the best two over time; empty if no pairs were counted.

    Also empty with several folds: their differences are in the section on significance.
    """
    if directory.manifest.protocol.get("protocol") == "kfold":
        return ""
    found = compared(directory)
    if not found:
        return ""
    best = found[0].trace
    a, b = one_line(best.a), one_line(best.b)
    caption = f"Below 0 {a} is better. Q is ln(loss {a} / loss {b})."
    if stage := found[0].stage:
        caption = f"By the {stage} predictions. {caption}"
    unit = "label" if stage else "record"
    fig = comparison_figure(best, drifts=found[0].drifts, unit=unit)
    return section(
        "comparison",
        "Comparison",
        html(_sheet(found)),
        f"<ul>{''.join(f'<li>{escape(one.conclusion)}</li>' for one in found)}</ul>",
        plot(f"{a} and {b}", fig.to_json(), label=f"{a} and {b} over the {unit}s", caption=caption),
        details("Under every forgetting", "\n".join(html(one.sheet(), warn=False) for one in found)),
    )


def compared(directory: RunDirectory) -> list[Comparison]:
    """Compare the learners pairwise, better ones first; if there are many pairs, only the best with each other.

    With late labels, by the initial predictions, then by the final ones.
    """
    manifest = directory.manifest
    pairs = complete_pairs(directory.pairs(), manifest)
    stages = STAGES if is_delayed(manifest) else ("",)
    return [one for stage in stages for one in _compared(pairs_of_stage(pairs, stage), manifest, stage)]


def _compared(pairs: pa.Table, manifest: Manifest, stage: str) -> list[Comparison]:
    if not len(pairs):
        return []
    order = by_error(pairs)
    chosen = list(combinations(order, 2))
    if len(chosen) > MOST_PAIRS:
        chosen = [pair for pair in chosen if pair[0] == order[0]]
    counted = set(zip(*(pairs[side].cast(pa.string()).to_pylist() for side in "ab"), strict=True))
    return [
        comparison_of_pairs(pairs, a, b, manifest=manifest, stage=stage)
        for a, b in chosen
        if (a, b) in counted or (b, a) in counted
    ]


def by_error(pairs: pa.Table) -> list[str]:
    """Return the learners by error over all history, smallest first; those that did not reach the end come last."""
    names = {side: pairs[side].cast(pa.string()) for side in "ab"}
    whole = pc.is_in(pairs["forgetting"].cast(pa.string()), pa.array(_WHOLE))
    keys = pa.table({**names, **{name: pairs[name] for name in ("fold", "n", *_COUNTS)}}).filter(whole)
    if pc.any(pc.equal(pairs["forgetting"].cast(pa.string()), "holdout")).as_py():
        keys = keys.filter(pc.equal(keys["n"], pc.max(keys["n"])))
    # cumulative counts only grow: the largest is the last
    ends = keys.group_by(["a", "b", "fold"], use_threads=False).aggregate([(c, "max") for c in ("n", *_COUNTS)])
    furthest = pc.max(ends["n_max"]).as_py()
    errors: dict[str, list[float]] = defaultdict(list)
    for row in ends.to_pylist():
        total = sum(row[f"{name}_max"] for name in _COUNTS)
        for side, other in (("a", "b"), ("b", "a")):
            wrong = row["n_both_wrong_max"] + row[f"n_{other}_right_max"]
            errors[row[side]] += [wrong / total] if total and row["n_max"] == furthest else []
    return sorted(errors, key=lambda name: float(np.mean(errors[name])) if errors[name] else np.inf)


def _sheet(found: list[Comparison]) -> Sheet:
    heads = ("error A", "error B", "A − B", "confidence sequence", "Q", "McNemar", "p, one look")
    rows = [_row(one, row) for one in found for row in one.trace.last() if row["forgetting"] in _WHOLE]
    sure = f"{100 * (1 - found[0].trace.alpha):g} %"
    looks = f"Each confidence sequence holds with {sure} on its own, however often one looks."
    caption = f"A and B over all history. {looks}"
    return Sheet(caption, (Heading("A, B", number=False), *map(Heading, heads)), tuple(rows))


def _row(one: Comparison, row: dict[str, object]) -> tuple[Cell, ...]:
    a, b = one_line(one.trace.a), one_line(one.trace.b)
    value = {name: float(x) for name, x in row.items() if isinstance(x, int | float)}
    texts = (
        *(fixed(value[name]) for name in ("error_a", "error_b", "difference")),
        span(value["sequence_low"], value["sequence_high"]),
        fixed(value["q"]),
        f"{value['mcnemar']:.2f}",
        chance(value["p_value"]),
    )
    by = f" ({one.stage})" if one.stage else ""
    return (Cell(f"{a}, {b}{by}"), *map(Cell, texts))
