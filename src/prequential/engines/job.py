"""Jobs: the parameters of a replica, from which any process can create it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TypeAlias

from prequential.errors import LearnerError, PrequentialError
from prequential.learners.contract import Learner
from prequential.learners.naming import derived_seed
from prequential.protocols import Protocol
from prequential.protocols.setting import Setting
from prequential.protocols.tally import Tally
from prequential.stopping import learner_faults

Key: TypeAlias = tuple[str, int]
"""Identifies a replica: the name of its learner and its fold."""


class Job(ABC):
    """The parameters of a tally.

    A subclass is a frozen dataclass that can be pickled.
    """

    __slots__ = ()

    name: str
    """The name of the learner."""
    fold: int
    """Fold of the replica; 0 if the protocol has only one replica."""

    @property
    def key(self) -> Key:
        """The key of the replica."""
        return self.name, self.fold

    @property
    def native(self) -> bool:
        """Whether the work is done outside Python, so that threads run in parallel."""
        return True

    @abstractmethod
    def make(self) -> Tally:
        """Create the tally."""


@dataclass(frozen=True, slots=True)
class ReplicaJob(Job):
    """One replica of one learner.

    Parameters
    ----------
    name, fold
        The key of the replica.
    learner
        The learner with its parameters, untrained.
    protocol, setting
        How to evaluate it.
    seed
        Seed of the learner, from which that of each of several replicas is derived.
    """

    name: str
    fold: int
    learner: Learner
    protocol: Protocol
    setting: Setting
    seed: int

    @property
    def native(self) -> bool:
        """Whether the learner is native."""
        return self.learner.native

    def make(self) -> Tally:
        """Create the replica, with a fresh learner."""
        try:
            seed = derived_seed(self.seed, self.fold) if self.fold else self.seed
            fresh = self.learner.fresh(self.setting.schema, seed)
        except PrequentialError:
            raise
        except learner_faults() as error:
            raise LearnerError(f"{self.name}: fresh() failed: {type(error).__name__}: {error}") from error
        return self.protocol.replica(fresh, self.setting, self.fold)
