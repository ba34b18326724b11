"""The intervals around the estimates of a run: one row per learner, forgetting, metric and checkpoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from prequential.comparisons.mean_interval import NUMBERS
from prequential.errors import InputError
from prequential.number import count, fixed, span
from prequential.runs.directory import RunDirectory
from prequential.runs.intervals import IntervalCurve, interval_curves
from prequential.runs.status import one_line, warning
from prequential.runs.values import ForgettingChoice, LearnerChoice, MetricChoice, Values
from prequential.sheets.footnotes import Footnotes
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class IntervalTable(Printable):
    """The intervals around the estimates of a run.

    Prints the last checkpoint; ``to_arrow()`` has all: learner, forgetting, metric, n, value, the interval by batch
    means (``low``, ``high``), Wilson's and Hoeffding's for comparison, the confidence sequence, ``n_effective``, the
    number of records of equal weight, and ``reason``, why something is missing.
    """

    title: str
    confidence: float
    curves: tuple[IntervalCurve, ...]
    warning: str = ""

    def to_arrow(self) -> pa.Table:
        """Return all intervals, one row per learner, forgetting, metric and checkpoint."""
        parts = [_rows(curve) for curve in self.curves]
        return pa.concat_tables(parts) if parts else _rows(None)

    def last(self) -> list[dict[str, Any]]:
        """Return the last checkpoint of each learner, forgetting and metric."""
        return [_rows(curve).slice(len(curve.n) - 1).to_pylist()[0] for curve in self.curves if len(curve.n)]

    def sheet(self) -> Sheet:
        """Return the last checkpoint as text, with footnotes."""
        notes = Footnotes()
        rows = []
        for row in self.last():
            texts = [count(row["n"]), fixed(row["value"])]
            texts += [
                span(row[f"{kind}low"], row[f"{kind}high"]) for kind in ("", "sequence_", "wilson_", "hoeffding_")
            ]
            texts.append("–" if np.isnan(row["n_effective"]) else f"{row['n_effective']:,.0f}")
            names = (Cell(one_line(row["learner"]), notes=notes.number(row["reason"])), Cell(row["metric"]))
            rows.append((*names, Cell(row["forgetting"]), *map(Cell, texts)))
        heads = ("at record", "value", "batch means", "confidence sequence", "Wilson", "Hoeffding", "records")
        return Sheet(
            caption=one_line(self.title),
            headings=(
                *(Heading(one, number=False) for one in ("learner", "metric", "forgetting")),
                *map(Heading, heads),
            ),
            rows=tuple(rows),
            warning=self.warning,
            notes=notes.texts,
            remark=f"At {100 * self.confidence:g} %: batch means are valid for one look, also if records depend on "
            "each other; the confidence sequence for any number of looks; Wilson and Hoeffding, for comparison, for "
            "one look if they do not. records: the effective number.",
        )


def interval_table(
    directory: RunDirectory,
    *,
    metrics: MetricChoice = None,
    forgetting: ForgettingChoice = None,
    learners: LearnerChoice = None,
    confidence: float = 0.95,
) -> IntervalTable:
    """Compute the intervals of the metrics of a run that are means over records."""
    values = Values(directory)
    curves = interval_curves(values, metrics=metrics, forgetting=forgetting, learners=learners, confidence=confidence)
    if not curves:
        raise InputError(
            f"{directory.path}: no interval exists for these metrics. It exists for means over records: accuracy, "
            "error, log_loss, brier, mae, mse, rmse and losses of your own; with several folds, see run.folds."
        )
    return IntervalTable(values.manifest.name, confidence, tuple(curves), warning(values.manifest))


def _rows(curve: IntervalCurve | None) -> pa.Table:
    n = 0 if curve is None else len(curve.n)
    texts = ("", "", "", "") if curve is None else (curve.learner, curve.forgetting, curve.metric, curve.reason)
    empty = np.zeros(0)
    return pa.table(
        {
            "learner": pa.array([texts[0]] * n, pa.string()),
            "forgetting": pa.array([texts[1]] * n, pa.string()),
            "metric": pa.array([texts[2]] * n, pa.string()),
            "n": pa.array(np.zeros(0, np.int64) if curve is None else curve.n),
            "value": pa.array(empty if curve is None else curve.value),
            **{name: pa.array(empty if curve is None else curve.numbers[name]) for name in NUMBERS},
            "reason": pa.array([texts[3]] * n, pa.string()),
        }
    )
