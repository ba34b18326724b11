"""The table of a paper: streams × learners, with ranks and the best in bold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from prequential.comparisons.ranking import Ranking
from prequential.number import finite_or_none
from prequential.runs.status import one_line
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.types import FloatArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PaperTable(Printable):
    """Streams × learners: the value, ± the standard deviation over folds if there are any, and the rank in brackets.

    The last row has the mean ranks. The best of each row, to the digits of four decimals, is bold.

    Parameters
    ----------
    ranking
        All numbers.
    spreads
        The standard deviations over folds, one row per stream; NaN where a run has none.
    share
        Whether the metric is a share, which may be written in per cent.
    """

    ranking: Ranking
    spreads: FloatArray
    share: bool = False

    def sheet(self) -> Sheet:
        """Return the table as text."""
        r = self.ranking
        best = [max(map(_shown, row)) if r.better == "higher" else min(map(_shown, row)) for row in r.values.tolist()]
        rows = [
            (
                Cell(one_line(stream)),
                *(
                    self._cell(value, spread, rank, best=_shown(value) == best[i])
                    for value, spread, rank in zip(r.values[i], self.spreads[i], r.ranks[i], strict=True)
                ),
            )
            for i, stream in enumerate(r.streams)
        ]
        means = r.friedman.mean_ranks
        rows.append((Cell("mean rank"), *(Cell(f"{mean:.2f}", best=mean == min(means)) for mean in means)))
        metric = one_line(r.metric)
        folds = " ± standard deviation over folds" if (self.spreads >= 0).any() else ""
        return Sheet(
            caption=f"{metric}{folds} (rank), {r.better} is better",
            headings=(
                Heading(r.over[:-1], number=False),
                *(Heading(one_line(name), over=metric) for name in r.learners),
            ),
            rows=tuple(rows),
        )

    def _cell(self, value: float, spread: float, rank: float, *, best: bool) -> Cell:
        if math.isnan(spread):
            return Cell.of(value, pattern=f"{{}} ({rank:g})", share=self.share, best=best)
        return Cell.of(value, spread, pattern=f"{{}} ± {{}} ({rank:g})", share=self.share, best=best)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per stream and learner: value, std (None without folds), rank."""
        r = self.ranking
        return [
            {
                r.over[:-1]: stream,
                "learner": learner,
                "metric": r.metric,
                "value": float(r.values[i, k]),
                "std": finite_or_none(float(self.spreads[i, k])),
                "rank": float(r.ranks[i, k]),
            }
            for i, stream in enumerate(r.streams)
            for k, learner in enumerate(r.learners)
        ]


def _shown(value: float) -> float:
    return round(value, 4)
