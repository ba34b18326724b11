"""A tally counts predictions: it processes chunks, collects checkpoints until they are drained, and can be saved.

A `Replica` is a tally with a learner. A tally without a learner counts predictions made elsewhere.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.drift import Alarm
from prequential.learners.contract import Clock
from prequential.metrics.grid import BadScoreError, Checkpoints
from prequential.protocols.late_verdicts import LateVerdicts
from prequential.protocols.setting import HoldoutVerdicts, Setting, Tested
from prequential.streams.chunk import Chunk
from prequential.types import FloatArray, IntArray


class Tally(ABC):
    """Counts predictions chunk by chunk, and collects checkpoints and alarms until they are drained."""

    n_records: int = 0
    """Number of records processed."""
    n_unlabelled: int | None = None
    """Number of predicted records without a label, if learners predict different records; otherwise None."""
    n_unpredicted: int = 0
    """Number of labels of records that other learners predicted and this one did not."""
    salvaged: Tested | None = None
    """After a failure: the records of the step that were tested before it, if scores are kept."""
    score_seconds: float = 0.0
    """Time spent on counting, without that of the learner."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.clock = Clock()
        self._passed: list[Checkpoints] = []
        self._alarms: list[tuple[str, Alarm]] = []

    @abstractmethod
    def step(self, chunk: Chunk) -> Tested | None:
        """Process a chunk; return the tested records with their scores, if scores are kept.

        Raises
        ------
        LearnerError
            If the learner fails. The records before it have been counted; ``n_records`` is the index of the record.
        """

    @abstractmethod
    def finish(self) -> None:
        """Add the last checkpoint (convention 6)."""

    @abstractmethod
    def abandon(self) -> None:
        """Add the last checkpoint of a learner that has failed, without calling the learner."""

    @property
    def nbytes(self) -> int:
        """Memory of the model in bytes."""
        return 0

    def state(self) -> dict[str, Any]:
        """Return the whole state, without checkpoints and alarms, which must be drained before.

        Raises
        ------
        UnsavableError
            If the learner cannot be saved.
        """
        seconds = [self.clock.predict_seconds, self.clock.learn_seconds, self.score_seconds]
        return {"seconds": seconds, "n_records": self.n_records}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore from the ``state()`` of a tally with the same parameters."""
        self.clock.predict_seconds, self.clock.learn_seconds, self.score_seconds = state["seconds"]
        self.n_records = state["n_records"]

    def drain(self) -> list[Checkpoints]:
        """Return and remove the checkpoints since the last call."""
        passed, self._passed = self._passed, []
        return passed

    def drain_alarms(self) -> list[tuple[str, Alarm]]:
        """Return and remove the alarms since the last call, each with the label of its detector."""
        alarms, self._alarms = self._alarms, []
        return alarms

    def drain_verdicts(self) -> npt.NDArray[np.uint8]:
        """Return and remove, for each record since the last call, 0 (wrong), 1 (right) or 2 (not counted)."""
        return np.zeros(0, np.uint8)

    def drain_late(self) -> LateVerdicts | None:
        """Return and remove the verdicts on the labels since the last call; None unless labels arrive late."""
        return None

    def drain_tests(self) -> list[HoldoutVerdicts]:
        """Return and remove the verdicts of the holdout tests since the last call."""
        return []


class GridTally(Tally):
    """A tally with one grid and a checkpoint every ``every`` records and at the end."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._grid = setting.grid()
        self._every = setting.every

    def finish(self) -> None:
        """Add the last checkpoint."""
        if self._grid.n_seen % self._every or not self._grid.n_seen:
            self._keep([self._grid.checkpoint()])

    def abandon(self) -> None:
        """Add the last checkpoint; the grid does not need the learner."""
        if self._grid.n_seen:
            self.finish()

    def state(self) -> dict[str, Any]:
        """Return the whole state."""
        return {**super().state(), "grid": self._grid.to_bytes()}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore from ``state()``."""
        super().restore(state)
        self._grid.load_bytes(state["grid"])

    def drain_verdicts(self) -> npt.NDArray[np.uint8]:
        """Return and remove, for each record since the last call, 0 (wrong), 1 (right) or 2 (not counted)."""
        return self._grid.take_verdicts()

    def count(
        self,
        chunk: Chunk,
        scores: FloatArray | None,
        prediction: IntArray | None = None,
        tested: npt.NDArray[np.uint8] | None = None,
    ) -> None:
        """Count the predictions for a chunk.

        Raises
        ------
        BadScoreError
            For a negative score; the records before it have been counted.
        """
        begun = time.perf_counter()
        before = self._grid.n_seen
        try:
            self._keep(self._grid.update(chunk, scores, prediction, tested=tested, every=self._every))
        except BadScoreError as error:
            self._keep(error.passed)
            raise
        finally:
            self._counted(chunk, scores, self._grid.n_seen - before)
            self.score_seconds += time.perf_counter() - begun

    def _counted(self, chunk: Chunk, scores: FloatArray | None, n: int) -> None:  # noqa: ARG002  # for subclasses
        """Handle the first ``n`` records of a chunk after they were counted; subclasses override this."""
        self.n_records = self._grid.n_seen

    def _keep(self, passed: list[Checkpoints]) -> None:
        """Keep checkpoints until they are drained."""
        self._passed += passed
