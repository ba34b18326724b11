"""The tests over folds at the last checkpoint, in one table: whether every two learners differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import scipy

from prequential.comparisons.over_folds import fold_differences
from prequential.comparisons.sign_test import too_few_differ
from prequential.errors import InputError, listing, suggestion
from prequential.report.fold_values import FoldValues, spread
from prequential.report.number import chance, chance_of, count, fixed
from prequential.report.plain import plain
from prequential.report.sheet import Cell, Heading, Sheet
from prequential.report.status import one_line, warning
from prequential.report.typeset import html, latex, markdown
from prequential.report.values import measure_of
from prequential.runs.directory import RunDirectory

NEEDED = "They need two learners and protocol=pq.KFold(…)."


@dataclass(frozen=True, slots=True)
class SignificanceRow:
    """Two learners, one measure, one forgetting.

    Parameters
    ----------
    a, b, measure, forgetting
        What is compared.
    n
        Records at the checkpoint.
    mean_a, mean_b
        The means of the folds.
    difference, std
        The mean of A − B over the folds, and its standard deviation; NaN where a fold is undefined.
    n_a_better, n_b_better
        In how many folds each is ahead, in the direction of the measure.
    effect
        The rank-biserial correlation of Wilcoxon's test: from −1, B is better in all folds, to 1; NaN where all are
        equal.
    p_sign, p_wilcoxon, p_mcnemar
        Of the tests; NaN where there is none. McNemar's is of the accuracy, and there for contrast.
    reason
        Why a p-value is undefined.
    """

    a: str
    b: str
    measure: str
    forgetting: str
    n: int
    mean_a: float
    mean_b: float
    difference: float
    std: float
    n_a_better: int
    n_b_better: int
    effect: float
    p_sign: float
    p_wilcoxon: float
    p_mcnemar: float
    reason: str


@dataclass(frozen=True, slots=True)
class SignificanceTable:
    """The tests over folds of a run: plain data, and the ways to write it.

    Parameters
    ----------
    title, warning
        Of which run, and what a reader must know before any number.
    n_folds, alpha
        The number of folds, and the error rate at which ``conclusion`` calls a difference shown.
    rows
        One a pair of learners, measure and forgetting.
    """

    title: str
    warning: str
    n_folds: int
    alpha: float
    rows: tuple[SignificanceRow, ...]

    @property
    def conclusion(self) -> str:
        """What is shown of each pair, a line each, that claims no more; by the first measure and forgetting."""
        first = [row for row in self.rows if _about(row) == _about(self.rows[0])]
        lines = [self._said(row) for row in first]
        if len(first) > 1:
            lines.append(f"Each p-value is of one pair alone: of {len(first)} pairs, the least is small by chance too.")
        return "\n".join(lines)

    def __str__(self) -> str:
        return f"{plain(self.sheet())}\n\n{self.conclusion}"

    def _repr_html_(self) -> str:
        return html(self.sheet())

    def to_markdown(self) -> str:
        """Return the table in Markdown."""
        return markdown(self.sheet())

    def to_latex(self) -> str:
        """Return a LaTeX table (for booktabs)."""
        return latex(self.sheet())

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary a row; what is undefined is None."""
        return [{name: _jsonable(value) for name, value in asdict(row).items()} for row in self.rows]

    def to_dict(self) -> dict[str, Any]:
        """Return the table and the conclusion as JSON-able data."""
        about = {"title": self.title, "warning": self.warning, "n_folds": self.n_folds, "alpha": self.alpha}
        return {**about, "conclusion": self.conclusion, "over_folds": self.to_dicts()}

    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes."""
        notes: dict[str, int] = {}
        measures, forgettings = ({getattr(row, name) for row in self.rows} for name in ("measure", "forgetting"))
        several = [name for name, found in (("measure", measures), ("forgetting", forgettings)) if len(found) > 1]
        one = [*measures] * (len(measures) == 1) + [*forgettings] * (len(forgettings) == 1)
        rows = [self._cells(row, several, notes) for row in self.rows]
        place = f"{self.n_folds:,} folds at record {count(self._furthest)}"
        caption = " · ".join([self.title, *map(one_line, one), place])
        return Sheet(
            caption=caption,
            headings=(
                Heading(", ".join(["A, B", *several]), number=False),
                *map(Heading, ("A − B", "A better")),
                *(Heading(name, over="p") for name in ("sign", "Wilcoxon", "McNemar")),
            ),
            rows=tuple(rows),
            warning=self.warning,
            notes=tuple(notes),
        )

    @property
    def _furthest(self) -> int:
        return max(row.n for row in self.rows)

    def _cells(self, row: SignificanceRow, several: Sequence[str], notes: dict[str, int]) -> tuple[Cell, ...]:
        earlier = f"at record {count(row.n)}, the last checkpoint of both" if row.n < self._furthest else ""
        noted = tuple(notes.setdefault(note, len(notes) + 1) for note in (earlier, row.reason) if note)
        texts = ["–", "–"]
        if not math.isnan(row.difference):
            n_apart = row.n_a_better + row.n_b_better
            texts = [f"{fixed(row.difference)} ± {fixed(row.std)}", f"{row.n_a_better} of {n_apart}"]
        texts += [chance(p) if not math.isnan(p) else "–" for p in (row.p_sign, row.p_wilcoxon, row.p_mcnemar)]
        key = [row.a, row.b, *(getattr(row, name) for name in several)]  # repeated wherever the table is cut
        return Cell(", ".join(map(one_line, key)), notes=noted), *map(Cell, texts)

    def _said(self, row: SignificanceRow) -> str:
        a, b = one_line(row.a), one_line(row.b)
        place = f", at record {count(row.n)} only" if row.n < self._furthest else ""
        head = f"{one_line(row.measure)}, {row.forgetting}{place}: "
        n_apart = row.n_a_better + row.n_b_better
        if math.isnan(row.p_wilcoxon):
            return f"{head}no test of {a} and {b}: {row.reason}."
        if not n_apart:
            return f"{head}{a} and {b} are equal in all {self.n_folds} folds: p = 1."
        first, n_first, second = (a, row.n_a_better, b) if row.effect >= 0 else (b, row.n_b_better, a)
        shown = f"{first} is better than {second}"
        if row.p_wilcoxon > self.alpha:
            shown = f"no difference of {a} and {b} is shown"
        too_few = too_few_differ(self.n_folds, self.n_folds - n_apart, self.alpha)
        return (
            f"{head}{shown} (Wilcoxon {chance_of(row.p_wilcoxon)}; {first} is ahead in {n_first} of the {n_apart} "
            f"folds that differ, sign test {chance_of(row.p_sign)}{too_few and '; '}{too_few})."
        )


def significance_table(
    directory: RunDirectory,
    *,
    measures: str | Sequence[str] | None = None,
    forgetting: str | Sequence[str] | None = None,
    learners: tuple[str, str] | None = None,
    alpha: float = 0.05,
) -> SignificanceTable:
    """Read the tests over folds at the last checkpoint that every two learners share.

    Parameters
    ----------
    directory
        A run with several folds and learners.
    measures, forgetting
        Which of them to show; all by default. ``recall`` is that of every class.
    learners
        The two to compare; every two by default. A is the first.
    alpha
        The error rate of the conclusion.
    """
    table = directory.significance()
    if not len(table):
        raise InputError(f"{directory.path}: no tests over folds. {NEEDED}")
    found = _last_tests(table)
    keys = [key for key in found if set(found[key]) != {"mcnemar"}] or list(found)
    for place, what, asked in ((2, "measure", measures), (3, "forgetting", forgetting)):
        keys = _chosen(keys, place, what, asked)
    if learners is not None:
        for name in learners:
            _chosen(keys, 0, "learner", [name], also=1)
        keys = [key for key in keys if set(key[:2]) == set(learners)]
        if not keys:
            raise InputError(f"{directory.path}: {learners[0]!r} and {learners[1]!r} have no checkpoint in common.")
    manifest, folds = directory.manifest, FoldValues(directory)
    unit = 0.0 if manifest.schema["task"] == "regression" else 1.0
    rows = []
    for key in keys:
        a, b = key[:2] if learners is None else learners
        better = getattr(measure_of(manifest, key[2]), "better", None)
        rows.append(_row((a, b, *key[2:]), found[key], folds, lower=better == "lower", unit=unit))
    return SignificanceTable(one_line(manifest.name), warning(manifest), folds.n_folds, alpha, tuple(rows))


Key = tuple[str, str, str, str]
"""A, B, measure, forgetting."""


def _last_tests(table: pa.Table) -> dict[Key, dict[str, dict[str, Any]]]:
    """Return the tests of every two learners at the last checkpoint that they share, by the name of the test."""
    ends: dict[tuple[str, str], int] = {}
    of_folds = table.filter(pc.not_equal(table["test"].cast(pa.string()), "mcnemar"))
    pairs = (of_folds if len(of_folds) else table).group_by(["learner_a", "learner_b"]).aggregate([("n", "max")])
    for row in pairs.to_pylist():
        ends[row["learner_a"], row["learner_b"]] = row["n_max"]
    last = table.filter(pc.is_in(table["n"], pa.array(sorted(set(ends.values())), pa.int64())))
    found: dict[Key, dict[str, dict[str, Any]]] = {}
    for row in last.to_pylist():
        pair = row["learner_a"], row["learner_b"]
        if ends.get(pair) == row["n"]:
            found.setdefault((*pair, row["measure"], row["forgetting"]), {})[row["test"]] = row
    return found


def _chosen(keys: list[Key], place: int, what: str, asked: str | Sequence[str] | None, also: int = -1) -> list[Key]:
    """Keep the keys that have what is asked for in their place."""
    if asked is None:
        return keys
    wanted = [asked] if isinstance(asked, str) else list(asked)
    known = list(dict.fromkeys(key[k] for k in ((place,) if also < 0 else (place, also)) for key in keys))
    for name in wanted:
        if name not in known and name not in {one.partition("[")[0] for one in known}:
            raise InputError(f"No tests of the {what} {name!r}.{suggestion(name, known)} There are: {listing(known)}.")
    return [key for key in keys if key[place] in wanted or key[place].partition("[")[0] in wanted]


def _row(key: Key, tests: dict[str, dict[str, Any]], folds: FoldValues, *, lower: bool, unit: float) -> SignificanceRow:
    a, b, measure, forgetting = key
    n = int(next(iter(tests.values()))["n"])
    nothing = np.full(max(1, folds.n_folds), np.nan)
    first, second = (folds.at(name, n).get((forgetting, measure), nothing) for name in (a, b))
    difference = fold_differences(first, second, unit=unit)
    ahead = -difference if lower else difference
    differing = ahead[ahead != 0]
    ranks = np.sign(differing) * scipy.stats.rankdata(np.abs(differing))
    p = {name: float(tests[name]["p"]) if name in tests else math.nan for name in ("sign", "wilcoxon", "mcnemar")}
    why = [str(test["reason"]) for test in tests.values() if test["reason"]]
    if "wilcoxon" not in tests:
        why.append("no measure of the run says which learner is better")
    return SignificanceRow(
        a,
        b,
        measure,
        forgetting,
        n,
        mean_a=float(first.mean()),
        mean_b=float(second.mean()),
        difference=float(difference.mean()),
        std=spread(difference),
        n_a_better=int((ahead > 0).sum()),
        n_b_better=int((ahead < 0).sum()),
        effect=float(ranks.sum() / np.abs(ranks).sum()) if len(ranks) else math.nan,
        p_sign=p["sign"],
        p_wilcoxon=p["wilcoxon"],
        p_mcnemar=p["mcnemar"],
        reason="; ".join(dict.fromkeys(why)),
    )


def _about(row: SignificanceRow) -> tuple[str, str]:
    return row.measure, row.forgetting


def _jsonable(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value
