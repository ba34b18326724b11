"""The online accuracy updated ensemble."""

from __future__ import annotations

from dataclasses import dataclass, field

from prequential import _native
from prequential.errors import ParameterError, is_whole
from prequential.learners.composed import ComposedLearner
from prequential.learners.contract import Learner
from prequential.learners.hoeffding_tree import HoeffdingTree
from prequential.learners.online_bagging import check_size
from prequential.streams.schema import Schema


def _tree() -> Learner:
    return HoeffdingTree(grace=100, delta=0.01)


@dataclass(eq=False, kw_only=True)
class AccuracyUpdatedEnsemble(ComposedLearner):
    """The online accuracy updated ensemble (OAUE): members of different age, weighted by their recent error.

    A member's vote, relative to its sum, has the weight 1 / (MSE_r + MSE + ε). MSE is the mean of (1 − f)² over the
    last ``window`` records since it joined, f the share of the true class in its vote before it learned the record (0
    where it abstained); MSE_r = Σ p (1 − p)² that of guessing by the shares p of the classes among the last
    ``window`` records; ε is 1e-9. Every ``window`` records the candidate, which has learned them, joins with an MSE of
    0; if there are ``size`` members the one with the highest MSE goes; a new candidate starts. Until the first has
    joined, it votes alone.

    Parameters
    ----------
    base
        What the members are; Hoeffding trees with grace 100 and δ 0.01, as in MOA.
    size
        Largest number of members that vote; 10 as in MOA.
    window
        Records from candidate to candidate, and over which errors are averaged; 500 as in MOA.

    References
    ----------
    Brzezinski and Stefanowski, "Combining block-based and online methods in learning ensembles from concept drifting
    data streams", Information Sciences 265, 2014.
    """

    base: Learner = field(default_factory=_tree)
    size: int = 10
    window: int = 500

    def __post_init__(self) -> None:
        super().__post_init__()
        check_size(self.size, "AccuracyUpdatedEnsemble")
        if not is_whole(self.window, 1) or self.window > 10_000_000:
            raise ParameterError(
                "window", "AccuracyUpdatedEnsemble", "a whole number from 1 to 10,000,000", self.window
            )

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.accuracy_updated_ensemble(self._base(schema, seed), self.size, self.window, seed)
