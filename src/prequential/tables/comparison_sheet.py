"""The table of two learners compared: one row per forgetting."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from prequential.comparisons.paired import FORGETFUL, PairedTrace
from prequential.comparisons.paired_losses import PairedLosses
from prequential.errors import InputError
from prequential.number import chance, count, finite_or_none, fixed, span
from prequential.runs.status import one_line
from prequential.sheets.footnotes import Footnotes
from prequential.sheets.sheet import Cell, Heading, Sheet

FADED = "faded counts: McNemar's statistic is the paper's, p is that of the statistic divided by Σw²/Σw, about ½"
_HEADINGS = (
    "at record",
    "error A",
    "error B",
    "A - B",
    "interval",
    "batch means",
    "Q",
    "McNemar",
    "p",
    "confidence sequence",
    "anytime p",
)
_LOOKS = (
    "interval and p are valid for one look, if records do not depend on each other; batch means for one look, also if "
    "they do; confidence sequence and anytime p for any number of looks."
)
_FOLD_HEADINGS = ("at record", "error A", "error B", "A - B", "A better", "p sign", "p Wilcoxon")
"""``A better`` counts the folds that differ."""


def comparison_sheet(trace: PairedTrace, title: str, warning: str, *, unit: str = "record") -> Sheet:
    """Return the last checkpoint as a table; with several folds, their means and the tests over them."""
    notes = Footnotes()
    n_folds = len(trace.folds)
    rows = _rows_over_folds(trace, notes) if n_folds > 1 else [_row(row, notes) for row in trace.last()]
    a, b = one_line(trace.a), one_line(trace.b)
    about = [one_line(title), f"{n_folds} folds" if n_folds > 1 else "", f"A = {a}, B = {b}"]
    return Sheet(
        caption=" · ".join(filter(None, about)),
        headings=(
            Heading("forgetting", number=False),
            *map(Heading, _FOLD_HEADINGS if n_folds > 1 else (f"at {unit}", *_HEADINGS[1:])),
        ),
        rows=tuple(rows),
        warning=warning,
        notes=notes.texts,
        remark="" if n_folds > 1 else f"At {100 * (1 - trace.alpha):g} %: {_LOOKS}",
    )


def loss_sheet(trace: PairedLosses, title: str, warning: str) -> Sheet:
    """Return the last checkpoint of a comparison by a loss as a table."""
    notes = Footnotes()
    a, b = one_line(trace.a), one_line(trace.b)
    rows = []
    for row in trace.last():
        why = [reason for reason in str(row["reason"]).split("; ") if reason]
        texts = [count(row["n"]), *(fixed(row[name]) for name in ("loss_a", "loss_b", "difference"))]
        texts += [span(row["batch_low"], row["batch_high"]), fixed(row["q"])]
        texts.append(span(row["sequence_low"], row["sequence_high"]))
        rows.append((Cell(str(row["forgetting"]), notes=notes.number(*why)), *map(Cell, texts)))
    loss = one_line(trace.loss)
    headings = ("at record", f"{loss} A", f"{loss} B", "A - B", "batch means", "Q", "confidence sequence")
    return Sheet(
        caption=" · ".join(filter(None, [one_line(title), f"A = {a}, B = {b}"])),
        headings=(Heading("forgetting", number=False), *map(Heading, headings)),
        rows=tuple(rows),
        warning=warning,
        notes=notes.texts,
        remark=f"At {100 * (1 - trace.alpha):g} %: the interval by batch means is valid for one look, the confidence "
        "sequence for any number of looks.",
    )


def paired_fold_tests(trace: PairedTrace) -> list[dict[str, Any]]:
    """Return the sign and Wilcoxon tests over folds, one dictionary per forgetting; empty without several folds."""
    found: list[dict[str, Any]] = []
    for forgetting in trace.forgetting if len(trace.folds) > 1 else ():
        try:
            signs, ranks = trace.over_folds(forgetting)
        except InputError as too_few:
            found.append({"forgetting": forgetting, "reason": str(too_few)})
            continue
        found.append(
            {
                "forgetting": forgetting,
                "sign_p_value": signs.p_value,
                "n_folds_a_better": signs.statistic,
                "n_folds_equal": signs.n_ties,
                "wilcoxon_p_value": ranks.p_value,
                "wilcoxon_method": ranks.method,
                "wilcoxon_effect": finite_or_none(ranks.effect),
                "accuracy_difference": ranks.estimate,
                "low": finite_or_none(ranks.interval.low),
                "high": finite_or_none(ranks.interval.high),
                "reason": ranks.reason,
            }
        )
    return found


def _rows_over_folds(trace: PairedTrace, notes: Footnotes) -> list[tuple[Cell, ...]]:
    rows, last = [], trace.last()
    for tested in paired_fold_tests(trace):
        folds = [row for row in last if row["forgetting"] == tested["forgetting"]]
        name = Cell(tested["forgetting"], notes=notes.number(tested["reason"]))
        texts = [count(max(int(str(row["n"])) for row in folds))]
        texts += [fixed(float(np.mean([row[key] for row in folds]))) for key in ("error_a", "error_b", "difference")]
        if "wilcoxon_p_value" in tested:
            texts.append(f"{tested['n_folds_a_better']} of {len(folds) - tested['n_folds_equal']}")
            texts += [chance(tested["sign_p_value"]), chance(tested["wilcoxon_p_value"])]
        else:
            texts += ["–", "–", "–"]
        rows.append((name, *map(Cell, texts)))
    return rows


def _row(row: dict[str, Any], notes: Footnotes) -> tuple[Cell, ...]:
    why = [reason for reason in str(row["reason"]).split("; ") if reason != FORGETFUL]
    if str(row["forgetting"]).startswith("fading:") and math.isfinite(row["p_value"]):
        why.append(FADED)
    texts = [
        count(row["n"]),
        fixed(row["error_a"]),
        fixed(row["error_b"]),
        fixed(row["difference"]),
        span(row["low"], row["high"]),
        span(row["batch_low"], row["batch_high"]),
        fixed(row["q"]),
        f"{row['mcnemar']:.2f}",
        chance(row["p_value"]),
        span(row["sequence_low"], row["sequence_high"]),
        chance(row["anytime_p_value"]),
    ]
    return (Cell(str(row["forgetting"]), notes=notes.number(*why)), *map(Cell, texts))
