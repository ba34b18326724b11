"""Learners ranked by a measure at every stage, where labels come late: the orders may differ."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from html import escape

import numpy as np

from prequential.errors import InputError, listing
from prequential.report.number import UNDEFINED, count, fixed
from prequential.report.plain import plain
from prequential.report.sheet import Cell, Heading, Sheet
from prequential.report.stage import Stage, is_delayed
from prequential.report.status import one_line
from prequential.report.table import Column, Row, result_table
from prequential.report.typeset import html, latex, markdown
from prequential.report.values import ForgettingChoice, MeasureChoice
from prequential.runs.directory import RunDirectory


@dataclass(frozen=True, slots=True)
class StageRanking:
    """The learners of a run with delayed labels, ranked by initial, prioritised and final predictions side by side.

    Rank 1 is the best. Learners whose values read the same, to the digits shown, share the mean of their ranks. Who
    failed, or has come less far than the others, has no rank. Learners stand in the order of their first stage.

    Parameters
    ----------
    name
        The stream.
    columns
        The stages of the measure, under one forgetting.
    rows
        The learners at their last checkpoint.
    """

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def measure(self) -> str:
        """The measure that they are ranked by."""
        return self.columns[0].heading.over

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages, as they are written: ``initial``, ``Ψ₂``, ``final``."""
        return tuple(column.heading.title for column in self.columns)

    @property
    def ranks(self) -> tuple[tuple[float, ...], ...]:
        """The ranks of each learner, a number a stage; NaN where it has none."""
        out = np.full((len(self.rows), len(self.columns)), np.nan)
        for j, column in enumerate(self.columns):
            shown = {i: round(self.rows[i].values[j], 4) for i in self._fair if not math.isnan(self.rows[i].values[j])}
            loss = np.array(list(shown.values())) * (-1 if column.better == "higher" else 1)
            n_better = (loss < loss[:, None]).sum(axis=1)
            n_equal = (loss == loss[:, None]).sum(axis=1)  # itself among them
            out[list(shown), j] = n_better + (n_equal + 1) / 2
        return tuple(tuple(row) for row in out.tolist())

    @property
    def _fair(self) -> list[int]:
        running = [i for i, row in enumerate(self.rows) if row.status != "failed"]
        furthest = max((self.rows[i].n for i in running), default=0)
        return [i for i in running if self.rows[i].n == furthest]

    @property
    def conclusion(self) -> str:
        """Who is best at which stage, and whether the order of all learners stays the same."""
        ranks = np.array(self.ranks).reshape(len(self.rows), len(self.columns))
        ranked = [i for i in range(len(self.rows)) if not np.isnan(ranks[i]).any()]
        if len(ranked) < 2:
            return ""
        best: dict[str, list[str]] = {}
        for j, stage in enumerate(self.stages):
            least = ranks[ranked, j].min()
            names = _together([one_line(self.rows[i].learner) for i in ranked if ranks[i, j] == least])
            best.setdefault(names, []).append(stage)
        told = [(_together(stages), names) for names, stages in best.items()]
        if (ranks[ranked] == ranks[ranked, :1]).all():
            return f"The order is the same at every stage: the best is {next(iter(best))}."
        (first, names), *others = told
        rest = "".join(f", by {stages} {other}" for stages, other in others)
        return f"The order depends on the stage: by {first} the best is {names}{rest}."

    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes."""
        ranks, fair = self.ranks, self._fair
        notes: dict[str, int] = {}
        order = sorted(range(len(self.rows)), key=lambda i: (math.isnan(ranks[i][0]), ranks[i][0]))
        rows = []
        for i in order:
            row = self.rows[i]
            why_not = _note(self._why_not(i, fair), notes)
            cells = [Cell(one_line(row.learner), notes=why_not, bad=row.status == "failed")]
            for j, column in enumerate(self.columns):
                undefined = f"{column.measure} is undefined {column.undefined}".strip() if i in fair else ""
                why = undefined if math.isnan(row.values[j]) else ""
                cells += [Cell(_rank(ranks[i][j])), Cell(fixed(row.values[j]), row.best[j], _note(why, notes))]
            rows.append(tuple(cells))
        first = self.columns[0]
        caption = [self.name, self.measure, first.forgetting, f"{first.better} is better"]
        heads = [Heading(title, over=stage) for stage in self.stages for title in ("rank", "value")]
        return Sheet(" · ".join(caption), (Heading("learner", number=False), *heads), tuple(rows), notes=tuple(notes))

    def _why_not(self, i: int, fair: list[int]) -> str:
        if i in fair:
            return ""
        row = self.rows[i]
        return row.shortfall or f"{one_line(row.learner)} has come to {count(row.n)} labels only"

    def to_dicts(self) -> list[dict[str, object]]:
        """Return one dictionary a learner and stage; what is undefined is None."""
        return [
            {
                "learner": row.learner,
                "measure": column.stage.measure if column.stage else column.measure,
                "forgetting": column.forgetting,
                "stage": column.stage.name if column.stage else "",
                "value": None if math.isnan(value) else value,
                "rank": None if math.isnan(rank) else rank,
            }
            for row, ranks in zip(self.rows, self.ranks, strict=True)
            for column, value, rank in zip(self.columns, row.values, ranks, strict=True)
        ]

    def to_markdown(self) -> str:
        """Return the table in Markdown, the best values bold."""
        return markdown(self.sheet())

    def to_latex(self) -> str:
        """Return a LaTeX table (for booktabs), the best values bold."""
        return latex(self.sheet())

    def __str__(self) -> str:
        return "\n\n".join(filter(None, [plain(self.sheet()), self.conclusion]))

    def _repr_html_(self) -> str:
        return html(self.sheet()) + (f"<p>{escape(self.conclusion)}</p>" if self.conclusion else "")


def stage_ranking(directory: RunDirectory, measure: str | None = None, forgetting: str | None = None) -> StageRanking:
    """Rank the learners of a run with delayed labels by one measure under one forgetting.

    Parameters
    ----------
    directory
        The run.
    measure, forgetting
        Which; the first of the run by default.
    """
    asked = None if measure is None else Stage.of(measure).measure
    found = stage_rankings(directory, asked, directory.manifest.forgetting[:1] if forgetting is None else forgetting)
    if not found:
        raise InputError(f"Learners cannot be ranked by {measure!r}: neither higher nor lower is better.")
    if measure is not None and len(found) > 1:
        raise InputError(
            f"Learners are ranked by one measure, of one class if it has many, under one forgetting. "
            f"Choose one of: {listing(f'{one.measure} under {one.columns[0].forgetting}' for one in found)}."
        )
    return found[0]


def stage_rankings(
    directory: RunDirectory, measures: MeasureChoice = None, forgetting: ForgettingChoice = None
) -> list[StageRanking]:
    """Rank the learners by each measure under each forgetting, measure by measure; the run is read once.

    Measures of which neither higher nor lower is better are passed over.
    """
    if not is_delayed(directory.manifest):
        raise InputError(
            f"{directory.path}: learners are ranked by stage where labels come late (protocol=pq.Delayed()). "
            "This run has one value a measure: see run.table()."
        )
    table = result_table(directory, measures=measures, forgetting=forgetting)
    groups: dict[tuple[str, str], list[int]] = {}
    for i, column in enumerate(table.columns):
        if column.stage is not None and column.better is not None:
            groups.setdefault((column.stage.measure, column.forgetting), []).append(i)
    order = list(dict.fromkeys(measure for measure, _ in groups))
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


def _together(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _rank(rank: float) -> str:
    return UNDEFINED if math.isnan(rank) else f"{rank:g}"


def _note(text: str, notes: dict[str, int]) -> tuple[int, ...]:
    return (notes.setdefault(text, len(notes) + 1),) if text else ()
