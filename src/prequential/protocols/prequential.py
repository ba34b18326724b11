"""Prequential evaluation: every record first tests the learner, then trains it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.drift import Watch
from prequential.errors import LearnerError, ParameterError, is_whole
from prequential.learners.contract import Learner
from prequential.learners.native import NativeLearner
from prequential.measures.forgetting import Forgetting
from prequential.measures.grid import BadScoreError, Checkpoints
from prequential.protocols.protocol import Protocol, Replica, Setting, Tested
from prequential.streams.chunk import Chunk
from prequential.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Prequential(Protocol):
    """Test on every record, then train on it (interleaved test-then-train).

    Records without a label are predicted and counted as unlabelled; they neither score nor train (convention 11).

    Parameters
    ----------
    pretrain
        Records at the start that only train.

    References
    ----------
    Gama, Sebastião and Rodrigues, "On evaluating stream learning algorithms", Machine Learning 90, 2013.
    """

    pretrain: int = 0

    def __post_init__(self) -> None:
        if not is_whole(self.pretrain):
            raise ParameterError("pretrain", "Prequential", "a whole number of at least 0", self.pretrain)

    def replica(self, learner: Learner, setting: Setting, fold: int = 0) -> Replica:  # noqa: ARG002  # it has one
        """Put a fresh learner on its way."""
        return PrequentialReplica(learner, setting, self.pretrain)

    def forgetting_labels(self, forgetting: Sequence[Forgetting]) -> list[str]:
        """Return what the trace calls the forgettings."""
        return [one.label for one in forgetting]

    def describe(self) -> dict[str, Any]:
        """Return what a manifest says of this protocol."""
        return {"protocol": "prequential", **asdict(self)}


class PrequentialReplica(Replica):
    """One learner under prequential evaluation."""

    def __init__(self, learner: Learner, setting: Setting, pretrain: int) -> None:
        super().__init__(learner)
        self._grid = setting.grid()
        self._every = setting.every
        self._keep_scores = setting.keep_scores
        self._pretrain = pretrain
        self._watches = [
            Watch(detector, setting.schema, skip_abstained=setting.skip_abstained) for detector in setting.detectors
        ]

    def step(self, chunk: Chunk) -> Tested | None:
        """Test on each record, then train on it."""
        self.adapt(chunk)
        n_first = min(len(chunk), max(0, self._pretrain - self.n_records))
        if n_first:
            self._train(chunk[:n_first])
            chunk = chunk[n_first:]
            if not len(chunk):
                return None
            self.learner.now = chunk.start
        native = self.learner if isinstance(self.learner, NativeLearner) and self.learner.native else None
        if native and not self._keep_scores and not self._watches:
            passed, seconds = self._grid.test(native, chunk, every=self._every)
            self._keep(passed)
            self.n_records += len(chunk)
            self.score_seconds += seconds
            return None
        try:
            scores = self.learner.test_then_train(chunk.X, chunk.y, chunk.weight)
        except LearnerError as failure:
            if failure.scores is not None and failure.offset:
                self._count(chunk[: failure.offset], failure.scores)
                self._salvage(chunk, failure.scores)
            raise
        try:
            self._count(chunk, scores)
        except BadScoreError:
            self._salvage(chunk, scores)
            raise
        return Tested(chunk, scores) if self._keep_scores else None

    def finish(self) -> None:
        """Report the last checkpoint."""
        if self._grid.n_seen % self._every or not self._grid.n_seen:
            self._keep([self._grid.checkpoint()])

    def abandon(self) -> None:
        """Report the last checkpoint: the grid does not need the learner."""
        if self._grid.n_seen:
            self.finish()

    def _train(self, chunk: Chunk) -> None:
        """Train only; the baselines get to know the labels too (convention 4)."""
        self.train(chunk, chunk.labelled)
        self._grid.prime(chunk)
        self.n_records += len(chunk)

    def _count(self, chunk: Chunk, scores: FloatArray) -> None:
        begun = time.perf_counter()
        before = self._grid.n_seen
        try:
            self._keep(self._grid.update(chunk, scores, every=self._every))
        except BadScoreError as error:
            self._keep(error.passed)
            raise
        finally:
            self.n_records = self._pretrain + self._grid.n_seen
            n = self._grid.n_seen - before
            for watch in self._watches:
                self._alarms += [(watch.detector.label, alarm) for alarm in watch.step(chunk[:n], scores[:n])]
            self.score_seconds += time.perf_counter() - begun

    def state(self) -> dict[str, Any]:
        """Return the state of learner, grid and detectors."""
        watches = [watch.to_bytes() for watch in self._watches]
        return {**super().state(), "grid": self._grid.to_bytes(), "watches": watches}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where another was."""
        super().restore(state)
        self._grid.load_bytes(state["grid"])
        for watch, kept in zip(self._watches, state["watches"], strict=True):
            watch.load_bytes(kept)

    def take_verdicts(self) -> npt.NDArray[np.uint8]:
        """Take away what is known of the records tested since the last call."""
        return self._grid.take_verdicts()

    def _salvage(self, chunk: Chunk, scores: FloatArray) -> None:
        n = self.n_records - chunk.start
        if self._keep_scores and n > 0:
            self.salvaged = Tested(chunk[:n], scores[:n])

    def _keep(self, passed: list[Checkpoints]) -> None:
        before = min(self._pretrain, self.n_records)
        self._passed += [replace(c, n=c.n + before) for c in passed] if before else passed
