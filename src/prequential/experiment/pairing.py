"""Counts, of every two learners of a run, who was right where the other was wrong, while the run goes on.

All learners take the same records in the same pass, so that this costs little then, and needs no saved predictions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.comparisons.pairs import PairCounter
from prequential.measures.forgetting import Adwin, Forgetting
from prequential.streams.chunk import Chunk

MOST_LEARNERS = 8
"""Up to so many learners, pairs are counted without being asked for: 28 of them."""
_RIGHT, _NOT_COUNTED = 1, 2


class Pairing:
    """The counters of all pairs of learners.

    Parameters
    ----------
    learners
        Their names.
    forgetting, every
        As the learners' own measures are kept; but for ``Adwin``, whose window is that of one learner's loss.
    pretrain
        Records at the start that only train.
    folds
        The replicas of each learner: those of the same number are a pair.
    """

    def __init__(
        self,
        learners: Sequence[str],
        forgetting: Sequence[Forgetting],
        every: int,
        *,
        pretrain: int = 0,
        folds: Sequence[int] = (0,),
    ) -> None:
        self._pretrain = pretrain
        kept = [f for f in forgetting if not isinstance(f, Adwin)]
        self._counters = [
            PairCounter(a, b, kept, every, pretrain, fold) for a, b in combinations(learners, 2) for fold in folds
        ]
        self._rows: list[pa.Table] = []
        self.n_waiting = 0

    def step(self, chunk: Chunk, verdicts: Mapping[tuple[str, int], npt.NDArray[np.uint8]]) -> None:
        """Take what became of some records, by learner and fold; a learner that failed among them has fewer."""
        tested = chunk[max(0, min(len(chunk), self._pretrain - chunk.start)) :]
        for counter in self._counters:
            first, second = (verdicts.get((name, counter.fold)) for name in (counter.a, counter.b))
            if first is None or second is None:
                continue
            n = min(len(first), len(second))
            first, second, part = first[:n], second[:n], tested[:n]
            counter.update(
                first == _RIGHT,
                second == _RIGHT,
                (first != _NOT_COUNTED) & (second != _NOT_COUNTED),
                weight=part.weight,
                time=part.time,
            )
            self._collect(counter)

    def end(self, learner: str | None = None) -> None:
        """Report the last checkpoints, of the pairs of one learner if only that one has come to its end."""
        for counter in list(self._counters):
            if learner is None or learner in (counter.a, counter.b):
                counter.finish()
                self._collect(counter)
                self._counters.remove(counter)

    def drain(self) -> pa.Table | None:
        """Take away the rows of the checkpoints passed since the last call."""
        rows, self._rows, self.n_waiting = self._rows, [], 0
        return pa.concat_tables(rows).unify_dictionaries() if rows else None

    def state(self) -> list[list[Any]]:
        """Return the state of the pairs that have not come to their end; the rows have been taken away."""
        return [[one.a, one.b, one.fold, one.state()] for one in self._counters]

    def restore(self, state: Sequence[Sequence[Any]]) -> None:
        """Go on where the pairs of the same learners were; those that have no state have come to their end."""
        known = {(a, b, fold): kept for a, b, fold, kept in state}
        self._counters = [one for one in self._counters if (one.a, one.b, one.fold) in known]
        for one in self._counters:
            one.restore(known[one.a, one.b, one.fold])

    def _collect(self, counter: PairCounter) -> None:
        rows = counter.drain()
        self._rows += rows
        self.n_waiting += sum(table.num_rows * table.num_columns for table in rows)
