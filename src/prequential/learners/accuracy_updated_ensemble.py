"""The online accuracy updated ensemble."""

from __future__ import annotations

from dataclasses import dataclass, field

from prequential import _native
from prequential.arguments import check_whole
from prequential.learners.catalogue import register
from prequential.learners.composed import ComposedLearner, check_n_models
from prequential.learners.contract import Learner
from prequential.learners.hoeffding_tree import HoeffdingTree
from prequential.streams.schema import Schema


def _tree() -> Learner:
    return HoeffdingTree(grace_period=100, delta=0.01)


@register("accuracy_updated_ensemble")
@dataclass(eq=False, kw_only=True, repr=False)
class AccuracyUpdatedEnsemble(ComposedLearner):
    """Online accuracy updated ensemble (OAUE): members of different age, weighted by their recent error.

    A member's vote, relative to its sum, has the weight 1 / (MSE_r + MSE + ε), with ε = 1e-9. MSE is the mean of (1 −
    f)² over the last ``window_size`` records since the member joined, where f is the share of the true class in its
    vote before it learned the record (0 for an abstention). MSE_r = Σ p (1 − p)² is the error of guessing by the class
    shares p among the last ``window_size`` records. Every ``window_size`` records the candidate, which has learned
    them, joins with an MSE of 0, and a new candidate starts; if there are already ``n_models`` members, the one with
    the highest MSE is removed. Until the first candidate has joined, it votes alone.

    Parameters
    ----------
    base
        The learner of each member; a Hoeffding tree with a grace period of 100 and δ 0.01 by default, as in MOA.
    n_models
        Largest number of voting members; 10 by default, as in MOA.
    window_size
        Records between two candidates, and over which errors are averaged; 500 by default, as in MOA.

    References
    ----------
    Brzezinski and Stefanowski, "Combining block-based and online methods in learning ensembles from concept drifting
    data streams", Information Sciences 265, 2014.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, pq.learners.AccuracyUpdatedEnsemble(), metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.85
    """

    base: Learner = field(default_factory=_tree)
    n_models: int = 10
    window_size: int = 500

    def __post_init__(self) -> None:
        super().__post_init__()
        check_n_models(self.n_models, "AccuracyUpdatedEnsemble")
        check_whole(self.window_size, "window_size", "AccuracyUpdatedEnsemble", least=1, most=10_000_000)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.accuracy_updated_ensemble(self._base(schema, seed), self.n_models, self.window_size, seed)
