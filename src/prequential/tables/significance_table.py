"""The tests over folds at the last checkpoint: which pairs of learners differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from prequential.comparisons.sign_test import too_few_differ
from prequential.number import chance, chance_of, count, finite_or_none, fixed
from prequential.runs.directory import RunDirectory
from prequential.runs.status import one_line, warning
from prequential.sheets.footnotes import Footnotes
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.tables.fold_values import FoldValues
from prequential.tables.significance_rows import SignificanceRow, significance_rows


@dataclass(frozen=True, slots=True, repr=False)
class SignificanceTable(Printable):
    """The tests over folds of a run, or over seeds: the data, and the formats to write it in.

    Parameters
    ----------
    title, warning
        The run, and a warning to show before the numbers.
    n_folds, alpha
        The number of folds or seeds, and the error rate of ``conclusion``.
    rows
        One per pair of learners, metric and forgetting.
    over
        ``folds`` or ``seeds``.
    mean
        Whether the values are means over checkpoints.

    Examples
    --------
    >>> import prequential as pq
    >>> protocol = pq.KFold(10, "bootstrap")
    >>> run = pq.evaluate(pq.streams.SEA(seed=1).take(2000), ["naive_bayes", "no_change"], protocol=protocol)
    >>> isinstance(run.folds.significance(), pq.SignificanceTable)
    False
    """

    title: str
    warning: str
    n_folds: int
    alpha: float
    rows: tuple[SignificanceRow, ...]
    over: str = "folds"
    mean: bool = False

    @property
    def conclusion(self) -> str:
        """The conclusion for each pair, one per line, by the first metric and forgetting."""
        first = [row for row in self.rows if _about(row) == _about(self.rows[0])]
        lines = [self._sentence(row) for row in first]
        if len(first) > 1:
            lines.append(f"Each p-value is for one pair alone; the smallest of {len(first)} may be small by chance.")
        return "\n".join(lines)

    def paragraphs(self) -> tuple[str, ...]:
        """Return the conclusion."""
        return (self.conclusion,)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per row; undefined values are None."""
        return [{name: finite_or_none(value) for name, value in asdict(row).items()} for row in self.rows]

    def to_dict(self) -> dict[str, Any]:
        """Return the table and the conclusion as JSON-able data."""
        about = {"title": self.title, "warning": self.warning, f"n_{self.over}": self.n_folds, "alpha": self.alpha}
        return {**about, "conclusion": self.conclusion, f"over_{self.over}": self.to_dicts()}

    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes."""
        notes = Footnotes()
        metrics, forgettings = ({getattr(row, name) for row in self.rows} for name in ("title", "forgetting"))
        several = {"metric": "title"} if len(metrics) > 1 else {}
        several |= {"forgetting": "forgetting"} if len(forgettings) > 1 else {}
        one = [*metrics] * (len(metrics) == 1) + [*forgettings] * (len(forgettings) == 1)
        rows = [self._cells(row, list(several.values()), notes) for row in self.rows]
        when = "mean over checkpoints" if self.mean else f"at record {count(self._furthest)}"
        place = f"{self.n_folds:,} {self.over}{', ' if self.mean else ' '}{when}"
        caption = " · ".join([self.title, *map(one_line, one), place])
        return Sheet(
            caption=caption,
            headings=(
                Heading(", ".join(["A, B", *several]), number=False),
                *map(Heading, ("A − B", "A better")),
                *(Heading(name, over="p") for name in self._tests),
            ),
            rows=tuple(rows),
            warning=self.warning,
            notes=notes.texts,
        )

    @property
    def _tests(self) -> tuple[str, ...]:
        """The tests that are shown: McNemar's counts records, so there is none over seeds."""
        return ("sign", "Wilcoxon", "McNemar") if self.over == "folds" else ("sign", "Wilcoxon")

    @property
    def _furthest(self) -> int:
        return max(row.n for row in self.rows)

    def _cells(self, row: SignificanceRow, several: Sequence[str], notes: Footnotes) -> tuple[Cell, ...]:
        earlier = f"at record {count(row.n)}, the last checkpoint of both" if row.n < self._furthest else ""
        texts = ["–", "–"]
        if not math.isnan(row.difference):
            n_apart = row.n_a_better + row.n_b_better
            texts = [f"{fixed(row.difference)} ± {fixed(row.std)}", f"{row.n_a_better} of {n_apart}"]
        texts += [
            chance(p) if not math.isnan(p) else "–"
            for p in (row.sign_p_value, row.wilcoxon_p_value, row.mcnemar_p_value)[: len(self._tests)]
        ]
        key = [row.a, row.b, *(getattr(row, name) for name in several)]  # repeated wherever the table is cut
        return Cell(", ".join(map(one_line, key)), notes=notes.number(earlier, row.reason)), *map(Cell, texts)

    def _sentence(self, row: SignificanceRow) -> str:
        a, b = one_line(row.a), one_line(row.b)
        place = f", at record {count(row.n)} only" if row.n < self._furthest else ""
        head = f"{one_line(row.title)}, {row.forgetting}{place}: "
        n_apart = row.n_a_better + row.n_b_better
        if math.isnan(row.wilcoxon_p_value):
            return f"{head}no test of {a} and {b}: {row.reason}."
        if not n_apart:
            return f"{head}{a} and {b} are equal in all {self.n_folds} {self.over}: p = 1."
        first, n_first, second = (a, row.n_a_better, b) if row.effect >= 0 else (b, row.n_b_better, a)
        shown = f"{first} is better than {second}"
        if row.wilcoxon_p_value > self.alpha:
            shown = f"no difference between {a} and {b} is shown"
        too_few = too_few_differ(self.n_folds, self.n_folds - n_apart, self.alpha)
        return (
            f"{head}{shown} (Wilcoxon {chance_of(row.wilcoxon_p_value)}; {first} is ahead in {n_first} of the "
            f"{n_apart} {self.over} that differ, sign test {chance_of(row.sign_p_value)}{too_few and '; '}{too_few})."
        )


def significance_table(
    directory: RunDirectory,
    *,
    metrics: str | Sequence[str] | None = None,
    forgetting: str | Sequence[str] | None = None,
    learners: tuple[str, str] | None = None,
    alpha: float = 0.05,
) -> SignificanceTable:
    """Read the tests over folds at the last checkpoint that each pair of learners shares.

    Parameters
    ----------
    directory
        A run with several folds and learners.
    metrics, forgetting
        Which of them to show; all by default. ``recall`` selects every class.
    learners
        The two to compare; all pairs by default. A is the first.
    alpha
        The error rate of the conclusion.
    """
    manifest, folds = directory.manifest, FoldValues(directory)
    rows = significance_rows(directory, folds, metrics=metrics, forgetting=forgetting, learners=learners)
    return SignificanceTable(one_line(manifest.name), warning(manifest), folds.n_folds, alpha, tuple(rows))


def _about(row: SignificanceRow) -> tuple[str, str]:
    return row.metric, row.forgetting
