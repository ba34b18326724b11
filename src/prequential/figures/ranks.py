"""The critical-difference diagram of Demšar (2006): the data to draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prequential.comparisons.ranking import Ranking
from prequential.runs.status import one_line


@dataclass(frozen=True, slots=True)
class RankLabel:
    """A learner in the diagram: its label, its mean rank, and the row and side of the label."""

    text: str
    rank: float
    row: int
    left: bool


def rank_labels(ranking: Ranking) -> list[RankLabel]:
    """Return the labels: the worse half of the learners at the left, the better half at the right, extremes on top."""
    means = ranking.friedman.mean_ranks
    order = np.argsort([-mean for mean in means], kind="stable").tolist()
    k = len(order)
    return [
        RankLabel(
            text=f"{one_line(ranking.learners[i])}  {means[i]:.3f}",
            rank=means[i],
            row=place if place < k // 2 else k - 1 - place,
            left=place < k // 2,
        )
        for place, i in enumerate(order)
    ]


def rank_bars(ranking: Ranking) -> list[tuple[float, float]]:
    """Return the worst and the best mean rank of each group of learners that do not differ."""
    means = np.asarray(ranking.friedman.mean_ranks)
    groups = [means[list(clique)] for clique in ranking.nemenyi.cliques]
    return [(float(group.max()), float(group.min())) for group in groups]
