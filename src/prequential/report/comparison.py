"""Two learners compared: the table, the figure and the sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.comparisons.paired import FORGETFUL, PairedTrace
from prequential.comparisons.pairs import count_pairs
from prequential.errors import InputError, MissingExtraError
from prequential.measures.forgetting import Forgetting
from prequential.report.curves import KnownDrift, known_drifts
from prequential.report.number import chance, count, fixed, span
from prequential.report.plain import plain
from prequential.report.sheet import Cell, Heading, Sheet
from prequential.report.status import one_line, warning
from prequential.report.text_table import TextTable
from prequential.report.typeset import html
from prequential.report.verdict import verdict
from prequential.runs.manifest import Manifest

if TYPE_CHECKING:
    import pandas as pd

    from prequential.report.paper_figure import PaperFigure


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two learners compared on the same records, at every checkpoint and under every forgetting.

    Prints as a table of the last checkpoint with a conclusion, and shows itself in a notebook.

    Parameters
    ----------
    trace
        All numbers: see `prequential.comparisons.PairedTrace`.
    title
        What they were compared on.
    drifts
        Known drifts, for the figure.
    warning
        What a reader must know before any number, such as that the run was interrupted.
    """

    trace: PairedTrace
    title: str = ""
    drifts: tuple[KnownDrift, ...] = ()
    warning: str = ""

    @classmethod
    def from_losses(
        cls,
        a_wrong: npt.ArrayLike,
        b_wrong: npt.ArrayLike,
        *,
        a: str = "A",
        b: str = "B",
        forgetting: Sequence[Forgetting | str] = ("cumulative", "sliding:1000"),
        every: int = 1000,
        alpha: float = 0.05,
    ) -> Comparison:
        """Compare two learners from their losses, 0 or 1 a record, in the order of the stream.

        Examples
        --------
        >>> comparison = Comparison.from_losses([0, 1] * 500, [1, 1, 0, 1] * 250, forgetting=["cumulative"])
        >>> print(comparison.conclusion)
        After 1,000 records the confidence sequence excludes 0: A errs 18.67 to 31.33 percentage points less than B \
(95 %, however often one looks).
        """
        a_right, b_right = (_right(losses) for losses in (a_wrong, b_wrong))
        pairs = count_pairs(a_right, b_right, a=a, b=b, forgetting=forgetting, every=every)
        return cls(PairedTrace.of_pairs(pairs, a, b, alpha=alpha))

    @classmethod
    def of_run(cls, pairs: pa.Table, a: str, b: str, *, manifest: Manifest, alpha: float = 0.05) -> Comparison:
        """Compare two learners of a run from its table of pairs."""
        trace = PairedTrace.of_pairs(pairs, a, b, alpha=alpha)
        last = float(np.max(trace.table["n"].to_numpy()))
        return cls(trace, manifest.name, known_drifts(manifest, last), warning(manifest))

    @property
    def conclusion(self) -> str:
        """What is shown, in a sentence that claims no more."""
        return verdict(self.trace)

    def table(self) -> TextTable:
        """Return the last checkpoint under every forgetting."""
        return TextTable(self.sheet())

    def plot(self) -> PaperFigure:
        """Draw Q, M and the difference with its confidence sequence over the records."""
        from prequential.report.comparison_figure import draw_comparison

        return draw_comparison(self.trace, title=self.title, drifts=self.drifts)

    def save_figure(self, path: str | Path) -> Path:
        """Write the figure: ``.png``, ``.svg`` or ``.pdf``."""
        from prequential.report.printed import write_figure

        return write_figure(self.plot(), path)

    def to_arrow(self) -> pa.Table:
        """Return all numbers, one row a fold, checkpoint and forgetting."""
        return self.trace.table

    def to_pandas(self) -> pd.DataFrame:
        """Return all numbers as a pandas DataFrame."""
        try:
            import pandas  # noqa: F401  # only to see whether it is there
        except ImportError as error:
            raise MissingExtraError("comparison.to_pandas()", "pandas") from error
        frame: pd.DataFrame = self.trace.table.to_pandas()
        return frame

    def to_dict(self) -> dict[str, Any]:
        """Return the last checkpoint and the conclusion as JSON-able data; what is undefined is None."""
        return {
            "a": self.trace.a,
            "b": self.trace.b,
            "alpha": self.trace.alpha,
            "title": self.title,
            "warning": self.warning,
            "conclusion": self.conclusion,
            "last": [{key: _jsonable(value) for key, value in row.items()} for row in self.trace.last()],
            "over_folds": self._folds(),
        }

    def _folds(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for forgetting in self.trace.forgetting if len(self.trace.folds) > 1 else ():
            try:
                signs, ranks = self.trace.over_folds(forgetting)
            except InputError as too_few:
                found.append({"forgetting": forgetting, "reason": str(too_few)})
                continue
            found.append(
                {
                    "forgetting": forgetting,
                    "sign_test_p_value": signs.p_value,
                    "n_folds_a_better": signs.statistic,
                    "n_folds_equal": signs.n_ties,
                    "wilcoxon_p_value": ranks.p_value,
                    "wilcoxon_method": ranks.method,
                    "wilcoxon_effect": _jsonable(ranks.effect),
                    "accuracy_difference": ranks.estimate,
                    "low": _jsonable(ranks.interval.low),
                    "high": _jsonable(ranks.interval.high),
                    "reason": ranks.reason,
                }
            )
        return found

    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes; of several folds, what they say together."""
        notes: dict[str, int] = {}
        folds = len(self.trace.folds)
        rows = self._rows_over_folds(notes) if folds > 1 else [_row(row, notes) for row in self.trace.last()]
        a, b = one_line(self.trace.a), one_line(self.trace.b)
        about = [one_line(self.title), f"{folds} folds" if folds > 1 else "", f"A = {a}, B = {b}"]
        return Sheet(
            caption=" · ".join(filter(None, about)),
            headings=(Heading("forgetting", number=False), *map(Heading, _OF_FOLDS if folds > 1 else _HEADINGS)),
            rows=tuple(rows),
            warning=self.warning,
            notes=tuple(notes),
        )

    def _rows_over_folds(self, notes: dict[str, int]) -> list[tuple[Cell, ...]]:
        """Return a row a forgetting: the means of the folds, and the tests over them."""
        rows, last = [], self.trace.last()
        for tested in self._folds():
            ours = [row for row in last if row["forgetting"] == tested["forgetting"]]
            marks = (notes.setdefault(tested["reason"], len(notes) + 1),) if tested["reason"] else ()
            texts = [count(max(int(str(row["n"])) for row in ours))]
            texts += [
                fixed(float(np.mean([row[name] for row in ours]))) for name in ("error_a", "error_b", "difference")
            ]
            if "wilcoxon_p_value" not in tested:
                rows.append((Cell(tested["forgetting"], notes=marks), *map(Cell, [*texts, "–", "–", "–"])))
                continue
            texts.append(f"{tested['n_folds_a_better']} of {len(ours) - tested['n_folds_equal']}")
            texts += [chance(tested["sign_test_p_value"]), chance(tested["wilcoxon_p_value"])]
            rows.append((Cell(tested["forgetting"], notes=marks), *map(Cell, texts)))
        return rows

    def __str__(self) -> str:
        return f"{plain(self.sheet())}\n\n{self.conclusion}"

    def _repr_html_(self) -> str:
        return f"{html(self.sheet())}<p>{escape(self.conclusion)}</p>"


FADED = "of faded counts: McNemar's statistic is the paper's, p that of the statistic divided by Σw²/Σw, about ½"
_HEADINGS = (
    "at record",
    "error A",
    "error B",
    "A - B",
    "one look",
    "Q",
    "McNemar",
    "p",
    "any number of looks",
    "p any",
)


_OF_FOLDS = ("at record", "error A", "error B", "A - B", "A better", "p sign", "p Wilcoxon")
"""What several folds say: ``A better`` counts the folds that differ."""


def _row(row: dict[str, Any], notes: dict[str, int]) -> tuple[Cell, ...]:
    why = [reason for reason in str(row["reason"]).split("; ") if reason and reason != FORGETFUL]
    if str(row["forgetting"]).startswith("fading:") and math.isfinite(row["p_value"]):
        why.append(FADED)
    marks = tuple(notes.setdefault(reason, len(notes) + 1) for reason in why)
    texts = [
        count(row["n"]),
        fixed(row["error_a"]),
        fixed(row["error_b"]),
        fixed(row["difference"]),
        span(row["low"], row["high"]),
        fixed(row["q"]),
        f"{row['mcnemar']:.2f}",
        chance(row["p_value"]),
        span(row["sequence_low"], row["sequence_high"]),
        chance(row["anytime_p_value"]),
    ]
    return (Cell(str(row["forgetting"]), notes=marks), *map(Cell, texts))


def _jsonable(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _right(losses: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    array = np.asarray(losses)
    if array.ndim != 1 or not np.isin(array, (0, 1)).all():
        raise InputError("The losses of each learner must be a list of 0 (right) and 1 (wrong).")
    right: npt.NDArray[np.bool_] = array == 0
    return right
