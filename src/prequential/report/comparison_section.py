"""The section of the report that compares every two learners of a run."""

from __future__ import annotations

from collections import defaultdict
from html import escape
from itertools import combinations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prequential.report.comparison import Comparison
from prequential.report.comparison_curves import comparison_curves
from prequential.report.markup import details, plot, section
from prequential.report.number import chance, fixed, span
from prequential.report.sheet import Cell, Heading, Sheet
from prequential.report.status import one_line
from prequential.report.typeset import html
from prequential.runs.directory import RunDirectory

MOST_PAIRS = 6
"""Up to so many, all pairs are shown; of more, those of the best learner."""
_COUNTS = ("n_both_right", "n_a_right", "n_b_right", "n_both_wrong")


def comparison(directory: RunDirectory) -> str:
    """Return the learners compared, two by two, the best two over time; nothing where no pairs were counted.

    Nothing with several folds either: what they say of differences stands under Significance.
    """
    if directory.manifest.protocol.get("protocol") == "kfold":
        return ""
    found = compared(directory)
    if not found:
        return ""
    best = found[0].trace
    a, b = one_line(best.a), one_line(best.b)
    told = f"Below 0 {a} is better. Q is ln(loss {a} / loss {b})."
    curves = comparison_curves(best, drifts=found[0].drifts)
    return section(
        "comparison",
        "Comparison",
        html(_sheet(found)),
        f"<ul>{''.join(f'<li>{escape(one.conclusion)}</li>' for one in found)}</ul>",
        plot(f"{a} and {b}", curves.to_json(), label=f"{a} and {b} over the records", caption=told),
        details("Under every forgetting", "\n".join(html(one.sheet(), warn=False) for one in found)),
    )


def compared(directory: RunDirectory) -> list[Comparison]:
    """Compare every two learners, the better first, the best two before all others; of many, the best with each."""
    pairs, manifest = directory.pairs(), directory.manifest
    if not len(pairs):
        return []
    order = by_error(pairs)
    chosen = list(combinations(order, 2))
    if len(chosen) > MOST_PAIRS:
        chosen = [pair for pair in chosen if pair[0] == order[0]]
    counted = set(zip(*(pairs[side].cast(pa.string()).to_pylist() for side in "ab"), strict=True))
    return [
        Comparison.of_run(pairs, a, b, manifest=manifest) for a, b in chosen if (a, b) in counted or (b, a) in counted
    ]


def by_error(pairs: pa.Table) -> list[str]:
    """Return the learners, from the smallest error over all history to the largest; those that fell short come last."""
    names = {side: pairs[side].cast(pa.string()) for side in "ab"}
    whole = pc.equal(pairs["forgetting"].cast(pa.string()), "cumulative")
    keys = pa.table({**names, **{name: pairs[name] for name in ("fold", "n", *_COUNTS)}}).filter(whole)
    # counts of all history only grow: their largest is their last
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
    rows = [_row(one, row) for one in found for row in one.trace.last() if row["forgetting"] == "cumulative"]
    sure = f"{100 * (1 - found[0].trace.alpha):g} %"
    caption = f"A and B over all history. Each sequence holds with {sure}, however often one looks; not all together."
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
    return (Cell(f"{a}, {b}"), *map(Cell, texts))
