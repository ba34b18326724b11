"""The learners of a run at their last checkpoint: the data of the result table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from prequential.metrics.metric import is_share
from prequential.runs.holdout_tests import size_of_test
from prequential.runs.manifest import Manifest, Status
from prequential.runs.positive import positive_of, titled
from prequential.runs.stage import Stage
from prequential.runs.status import one_line, shortfall
from prequential.runs.values import ForgettingChoice, LearnerChoice, MetricChoice, Values, metric_of
from prequential.sheets.sheet import Heading
from prequential.tables.spreads import Spreads

At: TypeAlias = int | Literal["end", "mean"]
"""Which checkpoints a table is of: the last one, the mean over all, or the last one up to a number of records."""


@dataclass(frozen=True, slots=True)
class Column:
    """A metric under a forgetting, which direction is better (None: neither), and when it is undefined.

    With delayed labels, ``stage`` is the stage of the metric. ``positive`` is the positive class, if the metric depends
    on it.
    """

    metric: str
    forgetting: str
    better: Literal["higher", "lower"] | None
    undefined: str
    stage: Stage | None = None
    positive: str | None = None

    @property
    def is_share(self) -> bool:
        """Whether values may be written in per cent; not those of your own metrics, whose unit is not known."""
        return is_share(self.stage.metric if self.stage else self.metric)

    @property
    def title(self) -> str:
        """The metric, with its positive class if there is one."""
        return titled(self.metric, self.positive)

    @property
    def heading(self) -> Heading:
        """The heading of the column: the metric, or the stage below its metric."""
        if self.stage is None:
            return Heading(one_line(self.title), self.forgetting)
        return Heading(self.stage.title, self.forgetting, over=one_line(titled(self.stage.metric, self.positive)))


@dataclass(frozen=True, slots=True)
class Row:
    """A learner at its last checkpoint, or its means over all checkpoints.

    ``n`` is the number of records at that checkpoint, or of labels with delayed labels; the fields after it are of the
    whole run. With several folds or seeds ``values`` are their means, ``spreads`` their standard deviations, and
    abstentions are summed over them.
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
    n_tested: int | None = None
    """Under holdout, the number of records of the test."""
    n_undefined: tuple[int, ...] = ()
    """At how many checkpoints each value is undefined, if the values are means over checkpoints."""
    n_checkpoints: int = 1
    """The number of checkpoints that each value is of."""


def comparable_rows(rows: Sequence[Row]) -> list[int]:
    """Return the indices of the learners that did not fail and reached the last checkpoint."""
    running = [i for i, row in enumerate(rows) if row.status != "failed"]
    last = max((rows[i].n for i in running), default=0)
    return [i for i in running if rows[i].n == last]


def result_columns(values: Values, metrics: MetricChoice, forgetting: ForgettingChoice) -> list[Column]:
    """Return the columns of the requested metrics, forgetting by forgetting."""
    shown = values.choose(metrics, forgetting)
    return [
        Column(
            m,
            f,
            *_better_and_undefined(values.manifest, m),
            values.stages.get(m),
            positive_of(values.manifest.positive, values.stages[m].metric if m in values.stages else m),
        )
        for f in values.choose_forgetting(forgetting)
        for m, under in shown.items()
        if f in under
    ]


def result_rows(
    values: Values, columns: Sequence[Column], spreads: Spreads, at: At, learners: LearnerChoice = None
) -> list[Row]:
    """Return every learner, with the best marked.

    ``at`` selects the last checkpoint (``"end"``), the mean over all checkpoints (``"mean"``), or the last checkpoint
    up to a number of records.
    """
    mean = at == "mean"
    rows = [_row(values, name, columns, at) for name in values.choose_learners(learners)]
    return _with_best_marked([_with_spreads(row, columns, spreads, mean=mean) for row in rows], columns)


def _better_and_undefined(manifest: Manifest, column: str) -> tuple[Literal["higher", "lower"] | None, str]:
    metric = metric_of(manifest, column)
    return (None, "") if metric is None else (metric.better, metric.undefined)


def _row(values: Values, name: str, columns: Sequence[Column], at: At) -> Row:
    entry = values.manifest.learners[name]
    checkpoints = values.checkpoints(name)
    last = int(np.searchsorted(checkpoints, np.inf if isinstance(at, str) else at, side="right")) - 1
    first = 0 if at == "mean" else max(0, last)
    curves = [values.curve(name, c.forgetting, c.metric)[first : last + 1] for c in columns]
    return Row(
        learner=name,
        values=tuple(float(curve.mean()) if len(curve) else math.nan for curve in curves),
        best=(False,) * len(columns),
        n=int(checkpoints[last]) if last >= 0 else 0,
        n_abstained=entry.n_abstained,
        n_unlabelled=entry.n_unlabelled,
        records_per_second=entry.resources.records_per_second,
        memory_bytes=entry.resources.memory_bytes,
        status=entry.status,
        shortfall=shortfall(name, values.manifest),
        n_tested=size_of_test(values.manifest, int(checkpoints[last])) if last >= 0 else None,
        n_undefined=tuple(int(np.isnan(curve).sum()) for curve in curves),
        n_checkpoints=last + 1 - first,
    )


def _with_spreads(row: Row, columns: Sequence[Column], spreads: Spreads, *, mean: bool) -> Row:
    if not spreads.n:
        return row
    each = (spreads.spread(row.learner, one.forgetting, one.metric, row.n, mean=mean) for one in columns)
    return replace(row, spreads=tuple(each))


def _with_best_marked(rows: Sequence[Row], columns: Sequence[Column]) -> list[Row]:
    """Mark every value that equals the best to the digits shown; a single learner has no mark."""
    comparable = [rows[k] for k in comparable_rows(rows)]
    marks = {row.learner: [False] * len(columns) for row in rows}
    for i, column in enumerate(columns):
        shown = {row.learner: round(row.values[i], 4) for row in comparable if not math.isnan(row.values[i])}
        if column.better is None or len(shown) < 2:
            continue
        best = max(shown.values()) if column.better == "higher" else min(shown.values())
        for learner, value in shown.items():
            marks[learner][i] = value == best
    return [replace(row, best=tuple(marks[row.learner])) for row in rows]
