"""The p-values of tests over folds, over the records: the data to draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prequential.figures.curves import thin
from prequential.figures.palette import COLOURS
from prequential.runs.directory import RunDirectory
from prequential.runs.positive import positive_of, titled
from prequential.runs.significance import checked_tests, fold_tests, unknown_choice
from prequential.runs.status import one_line
from prequential.types import FloatArray, IntArray

ALPHA = 0.05
LEAST = 1e-6
"""The smallest p-value drawn; smaller ones are drawn at this value."""
MOST_PAIRS = 6
"""The largest number of pairs drawn; of more, those of the first learner of the run."""
TICKS = {10.0**k: f"{10.0**k:.{-k}f}" if k > -6 else "≤ 0.000001" for k in range(-6, 1)}
_DASHES = {"wilcoxon": "solid", "sign": "dash", "mcnemar": "dot"}


@dataclass(frozen=True, slots=True, eq=False)
class SignificanceCurve:
    """The p-values of one test of two learners; one colour per pair, one dash per test."""

    name: str
    n: IntArray
    p: FloatArray
    colour: str
    dash: str

    @property
    def drawn(self) -> FloatArray:
        """The p-values, raised to the smallest that is drawn."""
        return np.maximum(self.p, LEAST)


@dataclass(frozen=True, slots=True, eq=False)
class SignificancePanel:
    """The p-values of every pair and test for one metric and forgetting."""

    title: str
    forgetting: str
    curves: tuple[SignificanceCurve, ...]

    @property
    def label(self) -> str:
        """The label of the axis of p-values."""
        return f"p, {one_line(self.title)}, {self.forgetting}"


def significance_panel(
    directory: RunDirectory, metric: str | None = None, forgetting: str | None = None
) -> SignificancePanel:
    """Read the p-values of a run with several folds.

    Parameters
    ----------
    directory
        The run.
    metric, forgetting
        Which metric under which forgetting; by default the first of the run.
    """
    table = checked_tests(directory.significance(), directory.path)
    known = fold_tests(table)
    metric = _chosen("metric", metric, known)
    forgetting = _chosen("forgetting", forgetting, known)
    table = _where(table, metric=metric, forgetting=forgetting)
    curves = []
    for i, (a, b) in enumerate(drawn_pairs(table)):
        for test, dash in _DASHES.items():
            rows = _where(table, learner_a=a, learner_b=b, test=test)
            n, p = thin(rows["n"].to_numpy(), rows["p_value"].to_numpy())
            if len(n) and not np.isnan(p).all():
                name = f"{one_line(a)} and {one_line(b)}, {test}"
                curves.append(SignificanceCurve(name, n, p, COLOURS[i % len(COLOURS)], dash))
    title = titled(metric, positive_of(directory.manifest.positive, metric))
    return SignificancePanel(title, forgetting, tuple(curves))


def drawn_pairs(table: pa.Table) -> list[tuple[str, str]]:
    """Return the pairs of learners to draw: all, or if they are too many those of the first learner."""
    sides = (table[side].cast(pa.string()).to_pylist() for side in ("learner_a", "learner_b"))
    pairs = list(dict.fromkeys(zip(*sides, strict=True)))
    return pairs if len(pairs) <= MOST_PAIRS else [pair for pair in pairs if pair[0] == pairs[0][0]]


def _where(table: pa.Table, **wanted: str) -> pa.Table:
    for column, value in wanted.items():
        table = table.filter(pc.equal(table[column].cast(pa.string()), value))
    return table


def _chosen(column: str, requested: str | None, table: pa.Table) -> str:
    known: list[str] = pc.unique(table[column].cast(pa.string())).to_pylist()
    if requested is None:
        return known[0]
    if requested not in known:
        raise unknown_choice(column, requested, known)
    return requested
