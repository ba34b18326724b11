"""Several learners on several streams: the table of ranks, the diagram and the conclusion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from prequential.comparisons.ranking import Ranking
from prequential.figures.pictured import Pictured
from prequential.number import chance, chance_of, count, finite_or_none, fixed, span
from prequential.runs.status import one_line
from prequential.sheets.footnotes import Footnotes
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.sheets.text_table import TextTable
from prequential.tables.conclusion import rank_conclusion
from prequential.tables.paper_table import PaperTable
from prequential.types import FloatArray

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from prequential.figures.matplotlib_style import PaperFigure


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RankTable(Printable, Pictured):
    """Several learners on several streams, ranked and compared.

    Prints as a table, one row per learner, with the tests and a conclusion; shows itself in a notebook.

    Parameters
    ----------
    ranking
        All numbers: see `prequential.comparisons.Ranking`.
    spreads
        Standard deviations over folds, one row per stream, if there are any.
    share
        Whether the metric is a share, which may be written in per cent.

    Examples
    --------
    >>> from prequential.comparisons import ranking
    >>> values = [[0.9, 0.8, 0.7], [0.6, 0.5, 0.4], [0.9, 0.7, 0.8], [0.8, 0.7, 0.6]]
    >>> print(RankTable(ranking(values, ["tree", "bayes", "sgd"], metric="accuracy")).table())
    accuracy of 3 learners on 4 streams, higher is better
    <BLANKLINE>
    learner  mean rank  mean accuracy  wins  rank - best  Nemenyi p  Holm p   effect  best - learner
    tree        1.0000         0.8000     4            –          –       –        –               –
    bayes       2.2500         0.6750     0       1.2500     0.1805       –¹       –               –
    sgd         2.7500         0.6250     0       1.7500     0.0356       –¹       –               –
    <BLANKLINE>
    ¹ Wilcoxon's test needs at least 6 streams at α = 0.05; there are 4
    """

    ranking: Ranking
    spreads: FloatArray | None = None
    share: bool = False

    def by_stream(self) -> PaperTable:
        """Return the table of a paper: streams × learners, with ranks, the best in bold, and mean ± sd of folds."""
        spreads = np.full(self.ranking.values.shape, np.nan) if self.spreads is None else self.spreads
        return PaperTable(self.ranking, spreads, self.share)

    @property
    def conclusion(self) -> str:
        """The conclusion in a sentence."""
        return rank_conclusion(self.ranking)

    @property
    def tests(self) -> str:
        """Friedman's test and related statistics, one per line."""
        test = self.ranking.friedman
        k, n = test.n_learners, test.n_streams
        lines = [
            f"Friedman χ²({k - 1}) = {fixed(test.statistic)}, {chance_of(test.p_value)} "
            f"(without correction for ties {fixed(test.statistic_uncorrected)})",
            f"Iman–Davenport F({k - 1}, {(k - 1) * (n - 1)}) = {fixed(test.f_statistic)}, {chance_of(test.f_p_value)} "
            f"(without correction for ties {fixed(test.f_uncorrected)})",
            f"Kendall's W = {fixed(test.kendall_w)}; mean rank correlation of two {self.ranking.over} "
            f"{fixed(test.agreement)} {span(test.interval.low, test.interval.high)}",
            f"Critical difference of mean ranks {fixed(self.ranking.nemenyi.critical_difference)} "
            f"(Nemenyi, α = {self.ranking.alpha:g})",
        ]
        return "\n".join([*lines, *([f"Note: {test.reason}."] if test.reason else [])])

    def table(self) -> TextTable:
        """Return the learners by mean rank, each compared with the best."""
        return TextTable(self.sheet(), data=tuple(self.to_dicts()))

    def pairs(self) -> TextTable:
        """Return all pairs of learners: Nemenyi, and Wilcoxon corrected by Holm, with effect and interval."""
        r = self.ranking
        k = len(r.learners)
        tested = {(pair.a, pair.b): pair for pair in r.pairs}
        rows = []
        for a in range(k):
            for b in range(a + 1, k):
                name = f"{one_line(r.learners[a])}, {one_line(r.learners[b])}"
                cells = [fixed(r.nemenyi.differences[a, b]), chance(r.nemenyi.p_values[a, b])]
                pair = tested.get((a, b))
                if pair is None:
                    cells += ["–"] * 5
                else:
                    test = pair.test
                    cells += [chance(test.p_value), chance(pair.p_value), test.method, fixed(test.effect)]
                    cells.append(f"{fixed(test.estimate)} {span(test.interval.low, test.interval.high)}")
                rows.append((Cell(name), *map(Cell, cells)))
        heads = ("rank difference", "Nemenyi p", "Wilcoxon p", "Holm p", "method", "effect", "first better by")
        notes = (r.reason,) if r.reason else ()
        head = f"{one_line(r.metric)}, all pairs of learners on {count(len(r.streams))} {r.over}"
        return TextTable(
            Sheet(head, (Heading("learners", number=False), *map(Heading, heads)), tuple(rows), notes=notes)
        )

    def plot(self) -> go.Figure:
        """Return the critical-difference diagram as an interactive figure."""
        from prequential.figures.ranks_plotly import ranks_figure

        return self._shown(ranks_figure(self.ranking), self.figure)

    def figure(self) -> PaperFigure:
        """Draw the critical-difference diagram for print."""
        from prequential.figures.ranks_matplotlib import draw_ranks

        return draw_ranks(self.ranking)

    def to_arrow(self) -> pa.Table:
        """Return results and ranks, tidy: stream, learner, value, rank."""
        r = self.ranking
        n, k = r.values.shape
        return pa.table(
            {
                r.over[:-1]: np.repeat(np.array(r.streams), k),
                "learner": np.tile(np.array(r.learners), n),
                "value": r.values.ravel(),
                "rank": r.ranks.ravel(),
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-able data; undefined and infinite values are None."""
        r, test = self.ranking, self.ranking.friedman
        return {
            "metric": r.metric,
            "better": r.better,
            "alpha": r.alpha,
            "learners": list(r.learners),
            r.over: list(r.streams),
            "values": r.values.tolist(),
            "ranks": r.ranks.tolist(),
            "mean_ranks": list(test.mean_ranks),
            "friedman": {
                "statistic": test.statistic,
                "p_value": test.p_value,
                "statistic_uncorrected": test.statistic_uncorrected,
                "f_statistic": finite_or_none(test.f_statistic),
                "f_p_value": test.f_p_value,
                "f_uncorrected": finite_or_none(test.f_uncorrected),
                "kendall_w": finite_or_none(test.kendall_w),
                "agreement": finite_or_none(test.agreement),
                "agreement_low": finite_or_none(test.interval.low),
                "agreement_high": finite_or_none(test.interval.high),
                "reason": test.reason,
            },
            "critical_difference": r.nemenyi.critical_difference,
            "nemenyi_p_values": r.nemenyi.p_values.tolist(),
            "cliques": [[r.learners[i] for i in clique] for clique in r.nemenyi.cliques],
            "pairs": [
                {
                    "a": r.learners[pair.a],
                    "b": r.learners[pair.b],
                    "wilcoxon_p_value": pair.test.p_value,
                    "holm_p_value": pair.p_value,
                    "method": pair.test.method,
                    "effect": finite_or_none(pair.test.effect),
                    "estimate": pair.test.estimate,
                    "low": finite_or_none(pair.test.interval.low),
                    "high": finite_or_none(pair.test.interval.high),
                    "n_ties": pair.test.n_ties,
                    "reason": pair.test.reason,
                }
                for pair in r.pairs
            ],
            "reason": r.reason,
            "conclusion": self.conclusion,
        }

    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes."""
        r = self.ranking
        order = np.argsort(r.friedman.mean_ranks, kind="stable").tolist()
        notes = Footnotes()
        rows = [self._row(i, order[0], notes) for i in order]
        metric = one_line(r.metric)
        names = (
            "mean rank",
            f"mean {metric}",
            "wins",
            "rank - best",
            "Nemenyi p",
            "Holm p",
            "effect",
            "best - learner",
        )
        return Sheet(
            caption=f"{metric} of {count(len(order))} learners on {count(len(r.streams))} {r.over}, "
            f"{r.better} is better",
            headings=(Heading("learner", number=False), *map(Heading, names)),
            rows=tuple(rows),
            notes=notes.texts,
        )

    def _row(self, i: int, best: int, notes: Footnotes) -> tuple[Cell, ...]:
        r = self.ranking
        ranks = r.friedman.mean_ranks
        cells = [Cell(one_line(r.learners[i])), Cell(fixed(ranks[i])), Cell(fixed(float(r.values[:, i].mean())))]
        cells.append(Cell(count(int((r.ranks[:, i] == r.ranks.min(axis=1)).sum()))))
        if i == best:
            return (*cells, *map(Cell, "–––––"))
        cells += [Cell(fixed(ranks[i] - ranks[best])), Cell(chance(float(r.nemenyi.p_values[i, best])))]
        if not r.pairs:
            return (*cells, Cell("–", notes=notes.number(r.reason)), Cell("–"), Cell("–"))
        pair = r.pair(r.learners[i], r.learners[best])
        sign = 1.0 if pair.a == best else -1.0
        low, high = sorted((sign * pair.test.interval.low, sign * pair.test.interval.high))
        cells += [
            Cell(chance(pair.p_value), notes=notes.number(pair.test.reason)),
            Cell(fixed(sign * pair.test.effect)),
        ]
        return (*cells, Cell(f"{fixed(sign * pair.test.estimate)} {span(low, high)}"))

    def paragraphs(self) -> tuple[str, ...]:
        """Return the tests and the conclusion."""
        return self.tests, self.conclusion
