"""The role of a protocol: who tests and who trains on which record, when."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.drift import Alarm, Detector
from prequential.errors import LearnerError
from prequential.learners.contract import Learner
from prequential.measures.forgetting import Forgetting
from prequential.measures.grid import Checkpoints, Grid
from prequential.saved import UnsavableError
from prequential.streams.chunk import Chunk
from prequential.streams.schema import Schema
from prequential.types import FloatArray


@dataclass(frozen=True, slots=True)
class Setting:
    """What every replica of a run shares.

    Parameters
    ----------
    schema
        The stream's schema at the start.
    forgetting
        The forgettings of the grid.
    probabilities
        Whether log-loss or Brier score are wanted.
    skip_abstained
        Whether abstentions are left out instead of counted wrong.
    every
        Records between checkpoints.
    keep_scores
        Whether ``step`` must hand out the scores.
    ranks
        The measures of the order of scores that are wanted.
    verdicts
        Whether to keep of each record whether it was predicted right, for the comparison of learners.
    detectors
        The drift detectors to put beside each learner.
    seed
        For what a protocol draws by chance: the same for all learners.
    """

    schema: Schema
    forgetting: tuple[Forgetting, ...]
    probabilities: bool
    skip_abstained: bool
    every: int
    keep_scores: bool = False
    ranks: tuple[str, ...] = ()
    verdicts: bool = False
    detectors: tuple[Detector, ...] = ()
    seed: int = 1

    def grid(self, forgetting: Sequence[Forgetting] | None = None) -> Grid:
        """Make an empty grid."""
        return Grid(
            self.schema,
            self.forgetting if forgetting is None else forgetting,
            probabilities=self.probabilities,
            skip_abstained=self.skip_abstained,
            ranks=self.ranks,
            verdicts=self.verdicts,
        )


@dataclass(frozen=True, slots=True)
class Tested:
    """Records that were predicted, and their scores."""

    chunk: Chunk
    scores: FloatArray


class Replica(ABC):
    """One learner on its way through the stream.

    ``step`` takes the records chunk by chunk; what it counts at checkpoints waits until ``drain`` takes it away.
    """

    learner: Learner
    n_records: int = 0
    """Records of the stream this replica has finished."""
    n_unlabelled: int | None = None
    """Records that it predicted and whose label has not come, where this differs from learner to learner."""
    n_unpredicted: int = 0
    """Labels of records that it did not predict, where others did."""
    salvaged: Tested | None = None
    """Of the step in which the learner failed, the records before the failure, if scores are to be kept."""
    score_seconds: float = 0.0
    """Time spent on counting and measures, apart from the learner's own."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self._passed: list[Checkpoints] = []
        self._alarms: list[tuple[str, Alarm]] = []

    @abstractmethod
    def step(self, chunk: Chunk) -> Tested | None:
        """Take some records; return those that were tested, with their scores, if they are to be kept.

        Raises
        ------
        LearnerError
            When the learner fails; what came before has been counted, and ``n_records`` is the failing record.
        """

    @abstractmethod
    def finish(self) -> None:
        """Report the last checkpoint (convention 6)."""

    @abstractmethod
    def abandon(self) -> None:
        """Report the last checkpoint of a learner that has failed, without asking it anything."""

    def train(self, chunk: Chunk, which: npt.NDArray[np.bool_]) -> None:
        """Train on some of the records of a chunk; a learner in Python one by one, so that a failure has its record."""
        X, y, w = chunk.X[which], chunk.y[which], None if chunk.weight is None else chunk.weight[which]
        step = max(1, len(X)) if self.learner.native else 1
        begun = time.perf_counter()
        for i in range(0, len(X), step):
            try:
                self.learner.learn(X[i : i + step], y[i : i + step], None if w is None else w[i : i + step])
            except Exception as error:
                self.n_records += int(np.flatnonzero(which)[i])
                raise LearnerError(f"{type(error).__name__}: {error}") from error
        self.learner.clock.learn_seconds += time.perf_counter() - begun

    def state(self) -> dict[str, Any]:
        """Return the whole state, for a replica made of the same parameters; what it had to tell has been taken away.

        Raises
        ------
        UnsavableError
            If the learner cannot be saved.
        """
        learner = self.learner
        return {
            "schema": _told(learner.schema) if learner.schema.open else None,
            "learner": learner.to_bytes(),
            "seconds": [learner.clock.predict_seconds, learner.clock.learn_seconds, self.score_seconds],
            "n_records": self.n_records,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where a replica of the same parameters was when it gave its state."""
        learner = self.learner
        if state["schema"] is not None:
            learner.extend(_schema(state["schema"], learner.schema))
        learner.load_bytes(state["learner"])
        learner.clock.predict_seconds, learner.clock.learn_seconds, self.score_seconds = state["seconds"]
        self.n_records = state["n_records"]

    def drain(self) -> list[Checkpoints]:
        """Take away the checkpoints passed since the last call."""
        passed, self._passed = self._passed, []
        return passed

    def drain_alarms(self) -> list[tuple[str, Alarm]]:
        """Take away the alarms given since the last call, each with the detector that gave it."""
        alarms, self._alarms = self._alarms, []
        return alarms

    def take_verdicts(self) -> npt.NDArray[np.uint8]:
        """Take away what is known of the records tested since the last call: 0 wrong, 1 right, 2 not counted."""
        return np.zeros(0, np.uint8)

    def adapt(self, chunk: Chunk) -> None:
        """Tell the learner where in the stream it is, and of classes and values that have appeared."""
        self.learner.now = chunk.start
        if chunk.schema is self.learner.schema or chunk.schema == self.learner.schema:
            return
        try:
            self.learner.extend(chunk.schema)
        except LearnerError:
            raise
        except Exception as error:
            raise LearnerError(f"{type(error).__name__}: {error}") from error


class Protocol(ABC):
    """A way to evaluate, and its parameters."""

    @property
    def folds(self) -> tuple[int, ...]:
        """The numbers of the replicas that each learner has: only 0, unless the protocol has several."""
        return (0,)

    @abstractmethod
    def replica(self, learner: Learner, setting: Setting, fold: int = 0) -> Replica:
        """Put a fresh learner on its way."""

    @abstractmethod
    def forgetting_labels(self, forgetting: Sequence[Forgetting]) -> list[str]:
        """Return what the trace calls the forgettings."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return what a manifest says of this protocol."""


def _told(schema: Schema) -> dict[str, Any]:
    """Return which classes and nominal values are known of an open schema."""
    values = [feature.values for feature in schema.features]
    for one in chain(schema.classes or (), *(known or () for known in values)):
        if isinstance(one, tuple | frozenset):  # which would come back as a list
            raise UnsavableError(f"{one!r} as a class or nominal value cannot be saved; text and numbers can")
    return {"classes": schema.classes, "values": values}


def _schema(told: dict[str, Any], before: Schema) -> Schema:
    classes, values = (told["classes"], told["values"])
    features = tuple(
        replace(feature, values=None if known is None else tuple(known))
        for feature, known in zip(before.features, values, strict=True)
    )
    return replace(before, features=features, classes=None if classes is None else tuple(classes))
