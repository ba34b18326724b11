"""The result of a run in one table: a row a learner, a column a measure and forgetting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from prequential.errors import InputError
from prequential.report.fold_values import FoldValues, spread
from prequential.report.number import count, fixed, rate, size
from prequential.report.plain import plain
from prequential.report.sheet import Cell, Heading, Sheet
from prequential.report.stage import Stage, is_delayed
from prequential.report.status import one_line, shortfall, warning
from prequential.report.typeset import html, latex, markdown
from prequential.report.values import ForgettingChoice, MeasureChoice, Values, measure_of
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest, Status


@dataclass(frozen=True, slots=True)
class Column:
    """A measure under a forgetting, which direction is better (None: not known), and when it is undefined.

    With delayed labels, ``stage`` says which predictions of a record it judges.
    """

    measure: str
    forgetting: str
    better: Literal["higher", "lower"] | None
    undefined: str
    stage: Stage | None = None

    @property
    def heading(self) -> Heading:
        """What stands above the column: the measure, or the stage below its measure."""
        if self.stage is None:
            return Heading(one_line(self.measure), self.forgetting)
        return Heading(self.stage.title, self.forgetting, over=one_line(self.stage.measure))


@dataclass(frozen=True, slots=True)
class Row:
    """A learner at its last checkpoint.

    ``n`` is the number of records at that checkpoint, of labels where they come late; what follows it is of the whole
    run. With several folds ``values`` are their means and ``spreads`` their standard deviations, and abstentions are
    those of all of them together.
    """

    learner: str
    values: tuple[float, ...]
    best: tuple[bool, ...]
    n: int
    n_abstained: int
    n_unlabelled: int
    records_per_second: float
    memory_bytes: int
    status: Status
    shortfall: str
    spreads: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultTable:
    """The result of a run: plain data, and the ways to write it.

    A value of several folds is written as their mean ± their standard deviation, which says how much replicas differ,
    and is not the error of the mean: folds share most of their training records.

    ``warning`` says that a run is not complete, and is empty otherwise; ``counted`` is what its checkpoints count. The
    best value of a column is marked among the learners that did not fail and have come furthest: values after unequal
    numbers of records do not compare.
    """

    title: str
    warning: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    counted: str = "records"
    n_folds: int = 0

    def __str__(self) -> str:
        return plain(self.sheet())

    def _repr_html_(self) -> str:
        return html(self.sheet())

    def to_markdown(self) -> str:
        """Return the table in Markdown, the best values bold."""
        return markdown(self.sheet())

    def to_latex(self, *, counts: bool = False) -> str:
        """Return a LaTeX table (for booktabs), the best values bold; with ``counts``, records and resources too."""
        return latex(self.sheet(counts=counts))

    def to_dicts(self) -> list[dict[str, object]]:
        """Return one dictionary a learner, forgetting and measure; an undefined value is None, with its reason.

        With several folds ``value`` is their mean, ``std`` their standard deviation, ``n_folds`` their number.
        """
        return [
            {
                "learner": row.learner,
                "forgetting": column.forgetting,
                "measure": column.measure,
                "value": _finite(value),
                **({"std": _finite(row.spreads[i]), "n_folds": self.n_folds} if self.n_folds else {}),
                "undefined": _reason(column, row) if math.isnan(value) else None,
                "best": best,
                "n": row.n,
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
        notes: dict[str, int] = {}
        rows = [self._cells(row, notes, counts) for row in self.rows]
        under = {column.forgetting for column in self.columns}
        of_folds = f"Mean ± standard deviation of {self.n_folds:,} folds; the mean is fold 0 of the trace."
        return Sheet(
            caption=" · ".join([self.title, *(under if len(under) == 1 else ())]),
            headings=(
                Heading("learner", number=False),
                *(column.heading for column in self.columns),
                *((Heading(self.counted), *_COUNTS) if counts else ()),
            ),
            rows=tuple(rows),
            warning=self.warning,
            notes=tuple(notes),
            remark=of_folds if self.n_folds else "",
        )

    def _cells(self, row: Row, notes: dict[str, int], counts: bool) -> tuple[Cell, ...]:
        def note(text: str) -> tuple[int, ...]:
            return (notes.setdefault(text, len(notes) + 1),) if text else ()

        cells = [Cell(one_line(row.learner), notes=note(row.shortfall), bad=row.status == "failed")]
        for i, (column, value, best) in enumerate(zip(self.columns, row.values, row.best, strict=True)):
            text = _written(value, column)
            if row.spreads and not math.isnan(value):
                text += f" ± {_written(row.spreads[i], column)}"
            cells.append(Cell(text, best, note(_reason(column, row)) if math.isnan(value) else ()))
        if counts:
            texts = [count(row.n), count(row.n_abstained), count(row.n_unlabelled)]
            texts += [rate(row.records_per_second), size(row.memory_bytes)]
            cells += [*map(Cell, texts), Cell(row.status, bad=row.status == "failed")]
        return tuple(cells)


_COUNTS = (
    *map(Heading, ("abstained", "unlabelled", "records/s", "memory")),
    Heading("status", number=False),
)


def result_table(
    directory: RunDirectory,
    *,
    measures: MeasureChoice = None,
    forgetting: ForgettingChoice = None,
    at: int | None = None,
) -> ResultTable:
    """Read the last checkpoint of every learner of a run.

    Parameters
    ----------
    directory
        The run.
    measures, forgetting
        Which of them to show, by name or as objects; all of the run by default, but that ``width`` and ``alarms``
        are shown of ADWIN alone where the run has it. ``recall`` is that of every class; with delayed labels
        ``accuracy`` is all its stages, and ``accuracy_initial`` one.
    at
        Read the last checkpoint of at most this many records, instead of the last of all.
    """
    values = Values(directory)
    shown = values.choose(measures, forgetting)
    columns = [
        Column(m, f, *_known_of(values.manifest, m), values.stages.get(m))
        for f in values.choose_forgetting(forgetting)
        for m, under in shown.items()
        if f in under
    ]
    folds = FoldValues(directory)
    rows = [_with_spreads(_row(values, name, columns, at), columns, folds) for name in values.learners]
    counted = "labels" if is_delayed(values.manifest) else "records"
    if at is not None and not any(row.n for row in rows):
        raise InputError(f"{values.path}: no checkpoint at or before {counted[:-1]} {count(at)}.")
    place = "" if at is None else f" · at {counted[:-1]} {count(at)}"
    return ResultTable(
        title=one_line(values.manifest.name) + place,
        warning=warning(values.manifest),
        columns=tuple(columns),
        rows=tuple(_mark_the_best(rows, columns)),
        counted=counted,
        n_folds=folds.n_folds,
    )


def _known_of(manifest: Manifest, column: str) -> tuple[Literal["higher", "lower"] | None, str]:
    measure = measure_of(manifest, column)
    return (None, "") if measure is None else (measure.better, measure.undefined)


def _row(values: Values, name: str, columns: Sequence[Column], at: int | None) -> Row:
    entry = values.manifest.learners[name]
    checkpoints = values.checkpoints(name)
    last = int(np.searchsorted(checkpoints, np.inf if at is None else at, side="right")) - 1
    return Row(
        learner=name,
        values=tuple(
            float(values.curve(name, c.forgetting, c.measure)[last]) if last >= 0 else math.nan for c in columns
        ),
        best=(False,) * len(columns),
        n=int(checkpoints[last]) if last >= 0 else 0,
        n_abstained=entry.n_abstained,
        n_unlabelled=entry.n_unlabelled,
        records_per_second=entry.resources.records_per_second,
        memory_bytes=entry.resources.memory_bytes,
        status=entry.status,
        shortfall=shortfall(one_line(name), entry),
    )


def _with_spreads(row: Row, columns: Sequence[Column], folds: FoldValues) -> Row:
    if not folds.n_folds:
        return row
    found = folds.at(row.learner, row.n)
    keys = [(column.forgetting, column.measure) for column in columns]
    return replace(row, spreads=tuple(spread(found[key]) if key in found else math.nan for key in keys))


def _mark_the_best(rows: Sequence[Row], columns: Sequence[Column]) -> list[Row]:
    """Mark every value that reads as good as the best, to the digits shown; a single learner is not compared."""
    running = [row for row in rows if row.status != "failed"]
    furthest = max((row.n for row in running), default=0)
    fair = [row for row in running if row.n == furthest]
    marks = {row.learner: [False] * len(columns) for row in rows}
    for i, column in enumerate(columns):
        shown = {row.learner: round(row.values[i], 4) for row in fair if not math.isnan(row.values[i])}
        if column.better is None or len(shown) < 2:
            continue
        best = max(shown.values()) if column.better == "higher" else min(shown.values())
        for learner, value in shown.items():
            marks[learner][i] = value == best
    return [replace(row, best=tuple(marks[row.learner])) for row in rows]


def _written(value: float, column: Column) -> str:
    """Write a value; a whole number that is neither good nor bad is a count, such as the width of a window."""
    return count(int(value)) if column.better is None and value.is_integer() else fixed(value)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _reason(column: Column, row: Row) -> str:
    """Return why a value of the table is NaN."""
    if row.n == 0:
        return "no checkpoint was reached"
    of_folds = ", and it is so in at least one fold" if row.spreads else ""
    return f"{column.measure} is undefined {column.undefined}".strip() + of_folds
