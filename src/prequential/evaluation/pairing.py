"""Counts for every two learners, during the run, how often one was right where the other was wrong.

All learners process the same records in the same pass, so this costs little and needs no saved predictions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.comparisons.pairs import PairCounter
from prequential.metrics.forgetting import AdaptiveWindow, Forgetting
from prequential.protocols.late_verdicts import LateVerdicts
from prequential.protocols.setting import HoldoutVerdicts
from prequential.streams.chunk import Chunk
from prequential.types import FloatArray

MOST_LEARNERS = 8
"""Largest number of learners whose pairs are counted by default: 28 pairs."""
_RIGHT, _NOT_COUNTED = 1, 2


class Pairing:
    """The counters of all pairs of learners.

    Parameters
    ----------
    learners
        Names of the learners.
    forgetting, every
        Those of the run; ``AdaptiveWindow`` is left out, because its window depends on the loss of one learner.
    pretrain
        Number of records at the start that train but do not test.
    folds
        Folds of each learner; replicas of the same fold are a pair.
    """

    def __init__(
        self,
        learners: Sequence[str],
        forgetting: Sequence[Forgetting],
        every: int,
        *,
        pretrain: int,
        folds: Sequence[int],
    ) -> None:
        self._pretrain = pretrain
        shared = [f for f in forgetting if not isinstance(f, AdaptiveWindow)]
        self._counters = [
            PairCounter(a, b, shared, every, start=pretrain, fold=fold)
            for a, b in combinations(learners, 2)
            for fold in folds
        ]
        self._rows: list[pa.Table] = []
        self.n_waiting = 0

    @property
    def counters(self) -> Sequence[PairCounter]:
        """The counters of the pairs that have not ended."""
        return self._counters

    def step(self, chunk: Chunk, verdicts: Mapping[tuple[str, int], npt.NDArray[np.uint8] | LateVerdicts]) -> None:
        """Count the verdicts on a chunk, by learner and fold; a learner that failed in it has fewer than records."""
        tested = chunk[max(0, min(len(chunk), self._pretrain - chunk.start)) :]
        for counter in self._counters:
            first, second = (verdicts.get((name, counter.fold)) for name in (counter.a, counter.b))
            if not isinstance(first, np.ndarray) or not isinstance(second, np.ndarray):
                continue
            n = min(len(first), len(second))
            part = tested[:n]
            self.count(counter, first[:n], second[:n], part.weight, part.time)

    def count(
        self,
        counter: PairCounter,
        first: npt.NDArray[np.uint8],
        second: npt.NDArray[np.uint8],
        weight: FloatArray | None,
        time: FloatArray | None,
    ) -> None:
        """Count the verdicts on both learners of a pair."""
        known = (first != _NOT_COUNTED) & (second != _NOT_COUNTED)
        counter.update(first == _RIGHT, second == _RIGHT, known, weight=weight, time=time)
        self._collect(counter)

    def add(self, learner: str, tests: Sequence[HoldoutVerdicts]) -> None:
        """Do nothing: each record is tested, and ``step`` counts it."""

    def end(self, learner: str | None = None) -> None:
        """Add the last checkpoints and remove the counters, of one learner if it is given, otherwise of all."""
        for counter in list(self._counters):
            if learner is None or learner in (counter.a, counter.b):
                counter.finish()
                self._collect(counter)
                self._counters.remove(counter)

    def drain(self) -> pa.Table | None:
        """Return and remove the rows since the last call."""
        rows, self._rows, self.n_waiting = self._rows, [], 0
        return pa.concat_tables(rows).unify_dictionaries() if rows else None

    def state(self) -> list[list[Any]]:
        """Return the state of the pairs that have not ended, without rows, which must be drained before."""
        return [[one.a, one.b, one.fold, one.state()] for one in self._counters]

    def restore(self, state: Sequence[Sequence[Any]]) -> None:
        """Restore from ``state()``; pairs without a state have ended and are removed."""
        saved = {(a, b, fold): counts for a, b, fold, counts in state}
        self._counters = [one for one in self._counters if (one.a, one.b, one.fold) in saved]
        for one in self._counters:
            one.restore(saved[one.a, one.b, one.fold])

    def _collect(self, counter: PairCounter) -> None:
        rows = counter.drain()
        self._rows += rows
        self.n_waiting += sum(table.num_rows * table.num_columns for table in rows)
