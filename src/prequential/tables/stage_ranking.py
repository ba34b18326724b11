"""Learners ranked by a metric at every stage of delayed labels, as the orders may differ."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from prequential.errors import InputError
from prequential.number import UNDEFINED, count
from prequential.runs.directory import RunDirectory
from prequential.runs.stage import Stage, is_delayed
from prequential.runs.status import one_line
from prequential.runs.values import ForgettingChoice, MetricChoice
from prequential.sheets.footnotes import Footnotes
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.tables.result_rows import Column, Row, comparable_rows
from prequential.tables.result_table import result_table
from prequential.wording import listing


@dataclass(frozen=True, slots=True, repr=False)
class StageRanking(Printable):
    """The learners of a run with delayed labels, ranked by initial, prioritised and final predictions side by side.

    Rank 1 is the best. Learners with equal values, to the digits shown, share the mean of their ranks. A learner that
    failed or did not reach the last checkpoint has no rank. The table is in the order of the first stage.

    Parameters
    ----------
    name
        The stream.
    columns
        The stages of the metric, under one forgetting.
    rows
        The learners at their last checkpoint.
    """

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def metric(self) -> str:
        """The metric that they are ranked by."""
        return self.columns[0].heading.over

    @property
    def stages(self) -> tuple[str, ...]:
        """The titles of the stages: ``initial``, ``Ψ₂``, ``final``."""
        return tuple(column.heading.title for column in self.columns)

    @property
    def ranks(self) -> tuple[tuple[float, ...], ...]:
        """The ranks of each learner, one per stage; NaN where it has none."""
        out = np.full((len(self.rows), len(self.columns)), np.nan)
        for j, column in enumerate(self.columns):
            values = {i: self.rows[i].values[j] for i in comparable_rows(self.rows)}
            shown = {i: round(value, 4) for i, value in values.items() if not math.isnan(value)}
            loss = np.array(list(shown.values())) * (-1 if column.better == "higher" else 1)
            n_better = (loss < loss[:, None]).sum(axis=1)
            n_equal = (loss == loss[:, None]).sum(axis=1)  # including itself
            out[list(shown), j] = n_better + (n_equal + 1) / 2
        return tuple(tuple(row) for row in out.tolist())

    @property
    def conclusion(self) -> str:
        """The best learner at each stage, and whether the order of all learners is the same at every stage."""
        ranks = np.array(self.ranks).reshape(len(self.rows), len(self.columns))
        ranked = [i for i in range(len(self.rows)) if not np.isnan(ranks[i]).any()]
        if len(ranked) < 2:
            return ""
        best: dict[str, list[str]] = {}
        for j, stage in enumerate(self.stages):
            least = ranks[ranked, j].min()
            names = _joined([one_line(self.rows[i].learner) for i in ranked if ranks[i, j] == least])
            best.setdefault(names, []).append(stage)
        if (ranks[ranked] == ranks[ranked, :1]).all():
            return f"The order is the same at every stage: the best is {next(iter(best))}."
        (names, first), *others = best.items()
        rest = "".join(f", by {_joined(stages)} {other}" for other, stages in others)
        return f"The order depends on the stage: by {_joined(first)} the best is {names}{rest}."

    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes."""
        ranks, comparable = self.ranks, comparable_rows(self.rows)
        notes = Footnotes()
        order = sorted(range(len(self.rows)), key=lambda i: (math.isnan(ranks[i][0]), ranks[i][0]))
        rows = []
        for i in order:
            row = self.rows[i]
            unranked = "" if i in comparable else row.shortfall or _shortfall(row)
            cells = [Cell(one_line(row.learner), notes=notes.number(unranked), bad=row.status == "failed")]
            for j, column in enumerate(self.columns):
                undefined = f"{column.metric} is undefined {column.undefined}".strip() if i in comparable else ""
                why = undefined if math.isnan(row.values[j]) else ""
                cells += [
                    Cell(_rank(ranks[i][j])),
                    Cell.of(row.values[j], share=column.is_share, best=row.best[j], notes=notes.number(why)),
                ]
            rows.append(tuple(cells))
        first = self.columns[0]
        caption = [self.name, self.metric, first.forgetting, f"{first.better} is better"]
        heads = [Heading(title, over=stage) for stage in self.stages for title in ("rank", "value")]
        return Sheet(" · ".join(caption), (Heading("learner", number=False), *heads), tuple(rows), notes=notes.texts)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per learner and stage; undefined values are None."""
        return [
            {
                "learner": row.learner,
                "metric": column.stage.metric if column.stage else column.metric,
                "forgetting": column.forgetting,
                "stage": column.stage.name if column.stage else "",
                "value": None if math.isnan(value) else value,
                "rank": None if math.isnan(rank) else rank,
            }
            for row, ranks in zip(self.rows, self.ranks, strict=True)
            for column, value, rank in zip(self.columns, row.values, ranks, strict=True)
        ]

    def paragraphs(self) -> tuple[str, ...]:
        """Return the conclusion."""
        return (self.conclusion,)


def stage_ranking(directory: RunDirectory, metric: str | None = None, forgetting: str | None = None) -> StageRanking:
    """Rank the learners of a run with delayed labels by one metric under one forgetting.

    Parameters
    ----------
    directory
        The run.
    metric, forgetting
        Which metric under which forgetting; by default the first of the run.
    """
    base = None if metric is None else Stage.of(metric).metric
    found = stage_rankings(directory, base, directory.manifest.forgetting[:1] if forgetting is None else forgetting)
    if not found:
        raise InputError(f"Learners cannot be ranked by {metric!r}: neither higher nor lower is better.")
    if metric is not None and len(found) > 1:
        raise InputError(
            f"Learners are ranked by one metric, for one class if it is per class, under one forgetting. "
            f"Choose one of: {listing(f'{one.metric} under {one.columns[0].forgetting}' for one in found)}."
        )
    return found[0]


def stage_rankings(
    directory: RunDirectory, metrics: MetricChoice = None, forgetting: ForgettingChoice = None
) -> list[StageRanking]:
    """Rank the learners by each metric under each forgetting; the run is read once.

    Metrics for which neither higher nor lower is better are left out.
    """
    if not is_delayed(directory.manifest):
        raise InputError(
            f"{directory.path}: learners are ranked by stage only with delayed labels (protocol=pq.Delayed()). "
            "This run has one value per metric: see run.table()."
        )
    table = result_table(directory, metrics=metrics, forgetting=forgetting)
    groups: dict[tuple[str, str], list[int]] = {}
    for i, column in enumerate(table.columns):
        if column.stage is not None and column.better is not None:
            groups.setdefault((column.stage.metric, column.forgetting), []).append(i)
    order = list(dict.fromkeys(metric for metric, _ in groups))
    return [
        StageRanking(
            table.title,
            tuple(table.columns[i] for i in of),
            tuple(
                replace(row, values=tuple(row.values[i] for i in of), best=tuple(row.best[i] for i in of))
                for row in table.rows
            ),
        )
        for _, of in sorted(groups.items(), key=lambda group: order.index(group[0][0]))
    ]


def _joined(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _rank(rank: float) -> str:
    return UNDEFINED if math.isnan(rank) else f"{rank:g}"


def _shortfall(row: Row) -> str:
    return f"{one_line(row.learner)} reached only {count(row.n)} labels"
