"""What is drawn of the tests over folds: p over the records, apart from how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prequential.errors import InputError, listing, suggestion
from prequential.report.curves import thin
from prequential.report.palette import COLOURS
from prequential.report.significance_table import NEEDED
from prequential.report.status import one_line
from prequential.runs.directory import RunDirectory
from prequential.types import FloatArray, IntArray

ALPHA = 0.05
LEAST = 1e-6
"""A p-value below this is drawn here."""
MOST_PAIRS = 6
"""Up to so many pairs are drawn; of more, those of the learner that is first in the run."""
TICKS = {10.0**k: f"{10.0**k:.{-k}f}" if k > -6 else "≤ 0.000001" for k in range(-6, 1)}
_DASHES = {"wilcoxon": "solid", "sign": "dash", "mcnemar": "dot"}


@dataclass(frozen=True, slots=True, eq=False)
class SignificanceCurve:
    """The p-values of one test of two learners: a colour a pair, a dash a test."""

    name: str
    n: IntArray
    p: FloatArray
    colour: str
    dash: str

    @property
    def drawn(self) -> FloatArray:
        """The p-values, at least as large as the least that is drawn."""
        return np.maximum(self.p, LEAST)


@dataclass(frozen=True, slots=True, eq=False)
class SignificanceCurves:
    """Everything in the figure."""

    measure: str
    forgetting: str
    curves: tuple[SignificanceCurve, ...]

    @property
    def label(self) -> str:
        """What stands beside the axis of p."""
        return f"p, {one_line(self.measure)}, {self.forgetting}"


def significance_curves(
    directory: RunDirectory, measure: str | None = None, forgetting: str | None = None
) -> SignificanceCurves:
    """Read the p-values of a run with several folds.

    Parameters
    ----------
    directory
        The run.
    measure, forgetting
        Of which measure, under which forgetting; the first of the run by default.
    """
    table = directory.significance()
    if not len(table):
        raise InputError(f"{directory.path}: no tests over folds. {NEEDED}")
    of_folds = table.filter(pc.not_equal(table["test"].cast(pa.string()), "mcnemar"))
    of_folds = of_folds if len(of_folds) else table  # no measure of the run has a better side
    measure = _chosen("measure", measure, of_folds)
    forgetting = _chosen("forgetting", forgetting, of_folds)
    for column, wanted in (("measure", measure), ("forgetting", forgetting)):
        table = table.filter(pc.equal(table[column].cast(pa.string()), wanted))
    curves = []
    for i, (a, b) in enumerate(drawn_pairs(table)):
        for test, dash in _DASHES.items():
            n, p = _series(table, a, b, test)
            if len(n) and not np.isnan(p).all():
                name = f"{one_line(a)} and {one_line(b)}, {test}"
                curves.append(SignificanceCurve(name, n, p, COLOURS[i % len(COLOURS)], dash))
    return SignificanceCurves(measure, forgetting, tuple(curves))


def drawn_pairs(table: pa.Table) -> list[tuple[str, str]]:
    """Return the pairs of learners of a table of tests; of many, those of the first learner."""
    sides = (table[side].cast(pa.string()).to_pylist() for side in ("learner_a", "learner_b"))
    pairs = list(dict.fromkeys(zip(*sides, strict=True)))
    return pairs if len(pairs) <= MOST_PAIRS else [pair for pair in pairs if pair[0] == pairs[0][0]]


def _series(table: pa.Table, a: str, b: str, test: str) -> tuple[IntArray, FloatArray]:
    for column, wanted in (("learner_a", a), ("learner_b", b), ("test", test)):
        table = table.filter(pc.equal(table[column].cast(pa.string()), wanted))
    return thin(table["n"].to_numpy(), table["p"].to_numpy())


def _chosen(column: str, asked: str | None, table: pa.Table) -> str:
    known: list[str] = pc.unique(table[column].cast(pa.string())).to_pylist()
    if asked is None:
        return known[0]
    if asked not in known:
        raise InputError(f"No tests of the {column} {asked!r}.{suggestion(asked, known)} There are: {listing(known)}.")
    return asked
