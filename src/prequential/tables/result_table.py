"""The result of a run: one row per learner, one column per metric and forgetting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from prequential.arguments import is_whole
from prequential.errors import InputError, ParameterError
from prequential.namespace import NotIndexed
from prequential.number import count, finite_or_none, fixed, plural, rate, size
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest
from prequential.runs.stage import is_delayed
from prequential.runs.status import one_line, warning
from prequential.runs.values import ForgettingChoice, LearnerChoice, MetricChoice, Values
from prequential.sheets.footnotes import Footnotes
from prequential.sheets.latex import latex
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.tables.fold_values import FoldValues
from prequential.tables.result_rows import At, Column, Row, result_columns, result_rows
from prequential.tables.spreads import Spreads

_COUNTS = (
    *map(Heading, ("abstained", "unlabelled", "records/s", "memory")),
    Heading("status", number=False),
)


@dataclass(frozen=True, slots=True, repr=False)
class ResultTable(Printable, NotIndexed):
    """The result of a run: the data, and the formats to write it in.

    With several folds a value is written as the mean ± the standard deviation over the folds, which shows how much
    replicas differ; it is not the error of the mean, because folds share most of their training records. With
    several seeds it is the mean ± standard deviation of the runs, which are independent. ``over`` says which of the two
    it is, and ``n_folds`` over how many.

    ``remark`` names a positive class that nobody chose, if it is the majority class.
    ``warning`` is empty if the run is complete; ``counted`` is the unit of the checkpoints. The best value of a column
    is marked among the learners that did not fail and reached the last checkpoint: values after different numbers of
    records are not comparable.
    """

    title: str
    warning: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    counted: str = "records"
    n_folds: int = 0
    remark: str = ""
    over: str = "folds"

    def to_latex(
        self,
        *,
        caption: str | None = None,
        label: str | None = None,
        digits: int | None = None,
        percent: bool = False,
        counts: bool = False,
    ) -> str:
        r"""Return a LaTeX table (for booktabs), the best values bold; it has ASCII characters only.

        Parameters
        ----------
        caption
            The caption, in LaTeX; by default that of the table.
        label
            The label for ``\ref``.
        digits
            Number of decimals of metrics; by default 4, and 2 in per cent.
        percent
            Whether to write metrics that are shares, such as accuracy and kappa, in per cent.
        counts
            Whether to add the columns of records and resources.
        """
        sheet = self.sheet(counts=counts).written(digits, percent=percent)
        return latex(sheet, caption=caption, label=label)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per learner, forgetting and metric; an undefined value is None, with its reason.

        With several folds ``value`` is their mean, ``std`` their standard deviation, ``n_folds`` their number; with
        several seeds ``n_seeds``.
        """
        return [
            {
                "learner": row.learner,
                "forgetting": column.forgetting,
                "metric": column.metric,
                **({} if column.positive is None else {"positive": column.positive}),
                "value": finite_or_none(value),
                **({"std": finite_or_none(row.spreads[i]), f"n_{self.over}": self.n_folds} if self.n_folds else {}),
                "undefined": _reason(column, row, i, self.over) if math.isnan(value) else None,
                "best": best,
                "n": row.n,
                **({} if row.n_tested is None else {"n_tested": row.n_tested}),
                "n_abstained": row.n_abstained,
                "n_unlabelled": row.n_unlabelled,
                "records_per_second": row.records_per_second,
                "memory_bytes": row.memory_bytes,
                "status": row.status,
            }
            for row in self.rows
            for i, (column, value, best) in enumerate(zip(self.columns, row.values, row.best, strict=True))
        ]

    def sheet(self, *, counts: bool = True) -> Sheet:
        """Return the table as text, with footnotes."""
        notes = Footnotes()
        rows = [self._cells(row, notes, counts) for row in self.rows]
        under = {column.forgetting for column in self.columns}
        remarks = [self.remark] if self.remark else []
        if self.n_folds:
            remarks.append(f"Mean ± standard deviation of {self.n_folds:,} {self.over}.")
        return Sheet(
            caption=" · ".join([self.title, *(under if len(under) == 1 else ())]),
            headings=(
                Heading("learner", number=False),
                *(column.heading for column in self.columns),
                *((Heading(self.counted), *_COUNTS) if counts else ()),
            ),
            rows=tuple(rows),
            warning=self.warning,
            notes=notes.texts,
            remark=" ".join(remarks),
        )

    def _cells(self, row: Row, notes: Footnotes, counts: bool) -> tuple[Cell, ...]:
        cells = [Cell(one_line(row.learner), notes=notes.number(row.shortfall), bad=row.status == "failed")]
        for i, (column, value, best) in enumerate(zip(self.columns, row.values, row.best, strict=True)):
            marks = notes.number(_reason(column, row, i, self.over)) if math.isnan(value) else ()
            both = [value, row.spreads[i]] if row.spreads and not math.isnan(value) else [value]
            if column.better is None and value.is_integer():  # neither good nor bad: a count, as the width of a window
                cells.append(Cell(" ± ".join(_count(one) for one in both), best, marks))
            else:
                pattern = "{} ± {}" if len(both) > 1 else "{}"
                cells.append(Cell.of(*both, pattern=pattern, share=column.is_share, best=best, notes=marks))
        if counts:
            texts = [count(row.n), count(row.n_abstained), count(row.n_unlabelled)]
            texts += [rate(row.records_per_second), size(row.memory_bytes)]
            cells += [*map(Cell, texts), Cell(row.status, bad=row.status == "failed")]
        return tuple(cells)


def result_table(
    directory: RunDirectory,
    *,
    metrics: MetricChoice = None,
    forgetting: ForgettingChoice = None,
    learners: LearnerChoice = None,
    at: At = "end",
    values: Values | None = None,
    spreads: Spreads | None = None,
) -> ResultTable:
    """Read the results of every learner of a run, or of several runs.

    Parameters
    ----------
    directory
        The run.
    metrics, forgetting
        Which of them to show, by name or as objects; by default all, except that in a run with ADWIN ``width`` and
        ``alarms`` are shown for ADWIN only. ``recall`` selects every class; with delayed labels ``accuracy`` selects
        all its stages, and ``accuracy_initial`` one.
    learners
        Which learners to show; all by default. The best is marked among those.
    at
        ``"end"`` for the last checkpoint, ``"mean"`` for the mean over all checkpoints, or a number of records: the
        last checkpoint at or before it.
    values, spreads
        Values and standard deviations to show instead of those of the run and its folds.
    """
    if not (at in ("end", "mean") if isinstance(at, str) else is_whole(at)):
        raise ParameterError("at", "a table", "'end', 'mean' or a number of records", at)
    values = Values(directory) if values is None else values
    columns = result_columns(values, metrics, forgetting)
    spreads = FoldValues(directory) if spreads is None else spreads
    rows = result_rows(values, columns, spreads, at, learners)
    counted = "labels" if is_delayed(values.manifest) else "records"
    if not isinstance(at, str) and not any(row.n for row in rows):
        raise InputError(f"{values.path}: no checkpoint at or before {counted[:-1]} {count(at)}.")
    n_checkpoints = max((row.n_checkpoints for row in rows), default=0)
    place = "" if isinstance(at, str) else f" · at {counted[:-1]} {count(at)}"
    place = f" · mean over {plural(n_checkpoints, 'checkpoint')}" if at == "mean" else place
    return ResultTable(
        title=one_line(values.manifest.name) + place,
        warning=warning(values.manifest),
        columns=tuple(columns),
        rows=tuple(rows),
        counted=counted,
        n_folds=spreads.n,
        over=spreads.over,
        remark=" ".join(filter(None, [_remark(values.manifest, columns), _of_test(values, rows)])),
    )


def _remark(manifest: Manifest, columns: Sequence[Column]) -> str:
    positive = manifest.positive
    return "" if positive is None else positive.remark([column.metric for column in columns])


def _of_test(values: Values, rows: Sequence[Row]) -> str:
    """Return what to say about the holdout test that is shown."""
    n = max((row.n for row in rows), default=0)
    return values.remark(n) if n else ""


def _count(value: float) -> str:
    return count(int(value)) if value.is_integer() else fixed(value)


def _reason(column: Column, row: Row, i: int, over: str) -> str:
    """Return why value ``i`` of a row is NaN."""
    if row.n == 0:
        return "no checkpoint was reached"
    of_folds = f" (in at least one {over[:-1]})" if row.spreads else ""
    why = f"{column.title} is undefined {column.undefined}".strip() + of_folds
    if row.n_checkpoints > 1:
        return f"{why}, at {count(row.n_undefined[i])} of {plural(row.n_checkpoints, 'checkpoint')}"
    return why
