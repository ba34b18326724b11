"""The role of a protocol: who tests and who trains on which record, when."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from prequential.learners.contract import Learner
from prequential.measures.forgetting import Forgetting
from prequential.measures.grid import Checkpoints, Grid
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
    """

    schema: Schema
    forgetting: tuple[Forgetting, ...]
    probabilities: bool
    skip_abstained: bool
    every: int
    keep_scores: bool = False

    def grid(self, forgetting: Sequence[Forgetting] | None = None) -> Grid:
        """Make an empty grid."""
        return Grid(
            self.schema,
            self.forgetting if forgetting is None else forgetting,
            probabilities=self.probabilities,
            skip_abstained=self.skip_abstained,
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
    salvaged: Tested | None = None
    """Of the step in which the learner failed, the records before the failure, if scores are to be kept."""
    score_seconds: float = 0.0
    """Time spent on counting and measures, apart from the learner's own."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self._passed: list[Checkpoints] = []

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

    def drain(self) -> list[Checkpoints]:
        """Take away the checkpoints passed since the last call."""
        passed, self._passed = self._passed, []
        return passed

    def adapt(self, chunk: Chunk) -> None:
        """Tell the learner of classes and values that have appeared."""
        if chunk.schema is not self.learner.schema and chunk.schema != self.learner.schema:
            self.learner.extend(chunk.schema)


class Protocol(ABC):
    """A way to evaluate, and its parameters."""

    @abstractmethod
    def replica(self, learner: Learner, setting: Setting) -> Replica:
        """Put a fresh learner on its way."""

    @abstractmethod
    def forgetting_labels(self, forgetting: Sequence[Forgetting]) -> list[str]:
        """Return what the trace calls the forgettings."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return what a manifest says of this protocol."""
