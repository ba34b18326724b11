"""A metric of the order of scores after every record, by the live scorer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

import prequential as pq
from prequential.metrics.auc import RankMetric


class RollingAUC(pq.Scorer):
    """One metric over a sliding window, whose updates return its value after each record."""

    def __init__(
        self,
        w: int,
        *,
        classes: Sequence[Any] = (0, 1),
        ties: Literal["half", "paper"] = "half",
        metric: RankMetric = "auc",
    ) -> None:
        super().__init__(metric, pq.Sliding(w), classes=tuple(classes), ties=ties)

    def after_each(self, y: Any, scores: Any, weight: Any = None) -> np.ndarray:
        """Return the value after each record."""
        found: np.ndarray = self.trace(y, scores=scores, weight=weight)["value"].to_numpy()
        return found

    @property
    def n_records(self) -> int:
        """The number of records in the window."""
        return int(self._grid.checkpoint().counts.n_records[0, 0])
