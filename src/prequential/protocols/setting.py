"""The settings that all replicas of a run share, and the tested records that they return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from prequential.drift import Detector
from prequential.drift.watch import Watch
from prequential.metrics.forgetting import Forgetting
from prequential.metrics.grid import Grid
from prequential.metrics.metric import REGISTRY, Metric, of_scores, split_class
from prequential.streams.chunk import Chunk
from prequential.streams.schema import Schema
from prequential.types import FloatArray, Label


@dataclass(frozen=True, slots=True)
class Setting:
    """The settings that all replicas of a run share.

    Parameters
    ----------
    schema
        Schema of the stream at the start.
    forgetting
        Forgettings of the grid.
    probabilities
        Whether to compute log-loss and Brier score.
    skip_abstained
        Whether to skip abstentions instead of counting them as wrong.
    every
        Number of records between checkpoints.
    keep_scores
        Whether ``step`` returns the scores.
    ranks
        Rank-based metrics to compute (AUC and its relatives).
    positive
        The positive class of rank-based metrics, if one was given.
    ties
        How tied pairs count in the AUC.
    verdicts
        Whether to record for each prediction if it was correct, which comparisons need.
    detectors
        Drift detectors that watch each learner.
    losses
        User-defined losses to compute.
    seed
        Seed of the random draws of the protocol, the same for all learners.
    """

    schema: Schema
    forgetting: tuple[Forgetting, ...]
    probabilities: bool
    skip_abstained: bool
    every: int
    keep_scores: bool = False
    ranks: tuple[str, ...] = ()
    positive: Label | None = None
    ties: Literal["half", "paper"] = "half"
    verdicts: bool = False
    detectors: tuple[Detector, ...] = ()
    seed: int = 1
    losses: tuple[Metric, ...] = ()

    @property
    def scored(self) -> bool:
        """Whether some metrics are computed from scores, those that detectors watch included."""
        named = (one.on for one in self.detectors)
        watched = (on if isinstance(on, Metric) else REGISTRY[split_class(on)[0]] for on in named)
        return self.probabilities or bool(self.ranks or self.losses) or any(map(of_scores, watched))

    def watches(self) -> list[Watch]:
        """Create the detectors of one learner."""
        return [
            Watch(detector, self.schema, skip_abstained=self.skip_abstained, positive=self.positive)
            for detector in self.detectors
        ]

    def grid(self, forgetting: Sequence[Forgetting] | None = None) -> Grid:
        """Create an empty grid."""
        return Grid(
            self.schema,
            self.forgetting if forgetting is None else forgetting,
            probabilities=self.probabilities,
            skip_abstained=self.skip_abstained,
            ranks=self.ranks,
            positive=self.positive,
            ties=self.ties,
            verdicts=self.verdicts,
            losses=self.losses,
        )


@dataclass(frozen=True, slots=True, eq=False)
class HoldoutVerdicts:
    """The verdicts of one holdout test.

    Parameters
    ----------
    n, time
        Number of records seen before the test, and the time of the last one.
    verdicts
        For each tested record 0 (wrong), 1 (right) or 2 (not counted).
    weight
        The weights of the tested records, if they have weights.
    """

    n: int
    time: float
    verdicts: npt.NDArray[np.uint8]
    weight: FloatArray | None


@dataclass(frozen=True, slots=True)
class Tested:
    """Tested records and their scores."""

    chunk: Chunk
    scores: FloatArray
