"""What a replica is made of: parameters only, so that it can be made anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from prequential.errors import LearnerError, PrequentialError
from prequential.learners.contract import Learner
from prequential.learners.naming import seed_of
from prequential.protocols import Protocol, Replica, Setting

Key: TypeAlias = tuple[str, int]
"""Which replica: the name of its learner, and its fold."""


@dataclass(frozen=True, slots=True)
class Job:
    """One replica of one learner, still to be made.

    Parameters
    ----------
    name, fold
        Whose replica it is; the fold is 0 where the protocol has none.
    learner
        The learner as it was given: its parameters.
    protocol, setting
        How it is evaluated.
    seed
        The seed of the run, from which the learner's own is made.
    """

    name: str
    fold: int
    learner: Learner
    protocol: Protocol
    setting: Setting
    seed: int

    @property
    def key(self) -> Key:
        """Which replica it is."""
        return self.name, self.fold

    def replica(self) -> Replica:
        """Make the replica, with a fresh learner."""
        try:
            fresh = self.learner.fresh(self.setting.schema, seed_of(self.name, self.seed, self.fold))
        except PrequentialError:
            raise
        except Exception as error:
            raise LearnerError(f"{self.name}: making it fresh failed: {type(error).__name__}: {error}") from error
        return self.protocol.replica(fresh, self.setting, self.fold)
