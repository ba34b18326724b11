"""Counts for every two learners, when labels arrive late, how often one was right where the other was wrong.

A pair is counted when the label arrives, once by the initial predictions of both learners and once by the final ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.comparisons.pairs import LATE_SCHEMA
from prequential.evaluation.pairing import Pairing
from prequential.metrics.forgetting import Forgetting
from prequential.protocols.late_verdicts import STAGES, LateVerdicts
from prequential.protocols.setting import HoldoutVerdicts
from prequential.streams.chunk import Chunk


class LatePairing:
    """The counters of all pairs of learners, one for the initial and one for the final predictions.

    A label counts for a pair if both learners predicted its record; checkpoints are numbers of such labels.

    Parameters
    ----------
    learners, forgetting, every, folds
        As in ``Pairing``.
    """

    def __init__(
        self, learners: Sequence[str], forgetting: Sequence[Forgetting], every: int, *, folds: Sequence[int]
    ) -> None:
        self._stages = {stage: Pairing(learners, forgetting, every, pretrain=0, folds=folds) for stage in STAGES}

    @property
    def n_waiting(self) -> int:
        """Number of values in rows that have not been drained."""
        return sum(one.n_waiting for one in self._stages.values())

    def step(self, chunk: Chunk, verdicts: Mapping[tuple[str, int], npt.NDArray[np.uint8] | LateVerdicts]) -> None:
        """Count the labels of a chunk of events that both learners of a pair have a verdict on."""
        for k, pairing in enumerate(self._stages.values()):
            for counter in pairing.counters:
                first, second = (verdicts.get((name, counter.fold)) for name in (counter.a, counter.b))
                if not isinstance(first, LateVerdicts) or not isinstance(second, LateVerdicts):
                    continue
                event, i, j = np.intersect1d(first.event, second.event, assume_unique=True, return_indices=True)
                if len(event):
                    at = event - chunk.start
                    weight = None if chunk.weight is None else chunk.weight[at]
                    time = None if chunk.time is None else chunk.time[at]
                    pairing.count(counter, first.verdicts[i, k], second.verdicts[j, k], weight, time)

    def add(self, learner: str, tests: Sequence[HoldoutVerdicts]) -> None:
        """Do nothing: ``step`` counts the labels."""

    def end(self, learner: str | None = None) -> None:
        """Add the last checkpoints and remove the counters, of one learner if it is given, otherwise of all."""
        for pairing in self._stages.values():
            pairing.end(learner)

    def drain(self) -> pa.Table | None:
        """Return and remove the rows since the last call; the column ``stage`` names the prediction."""
        tables = []
        for stage, pairing in self._stages.items():
            rows = pairing.drain()
            if rows is not None:
                names = pa.DictionaryArray.from_arrays(pa.array(np.zeros(len(rows), np.int32)), pa.array([stage]))
                tables.append(rows.append_column("stage", names))
        return pa.concat_tables(tables).cast(LATE_SCHEMA).unify_dictionaries() if tables else None

    def state(self) -> list[list[Any]]:
        """Return the state of the pairs that have not ended, without rows, which must be drained before."""
        return [[stage, pairing.state()] for stage, pairing in self._stages.items()]

    def restore(self, state: Sequence[Sequence[Any]]) -> None:
        """Restore from ``state()``."""
        for stage, saved in state:
            self._stages[stage].restore(saved)
