"""The adaptive random forest."""

from __future__ import annotations

from dataclasses import dataclass, field

from prequential import _native
from prequential.arguments import check_flag, check_number
from prequential.learners.catalogue import register
from prequential.learners.composed import ComposedLearner, check_lambda, check_n_models
from prequential.learners.contract import Learner
from prequential.learners.hoeffding_tree import HoeffdingTree
from prequential.streams.schema import Schema


def _tree() -> Learner:
    return HoeffdingTree(grace_period=50, delta=0.01, max_features=0.6)


@register("adaptive_random_forest")
@dataclass(eq=False, kw_only=True)
class AdaptiveRandomForest(ComposedLearner):
    """Adaptive random forest (ARF): bagged randomised trees, each replaced when its error rises.

    Each member learns each record with a Poisson weight. Two ADWINs watch its error on records before it learns them.
    The ADWIN with the larger δ gives a warning: a background tree starts to learn. The other one signals a drift: the
    background tree, or a new tree if there is none, replaces the member. A member's vote is relative to its sum and
    weighted by its accuracy since it started.

    Parameters
    ----------
    base
        The learner of each member; by default a Hoeffding tree with grace period 50 and δ 0.01 whose leaves consider 60
        % of the features each, as in MOA.
    n_models
        Number of members.
    lambda_
        Mean of the Poisson weights; 6 by default, as in the paper.
    warning_delta, drift_delta
        δ of the two ADWINs; 0.01 and 0.001 by default, as in the paper.
    weighted
        Whether to weight votes by accuracy.

    References
    ----------
    Gomes et al., "Adaptive random forests for evolving data stream classification", Machine Learning 106, 2017.
    """

    base: Learner = field(default_factory=_tree)
    n_models: int = 10
    lambda_: float = 6.0
    warning_delta: float = 0.01
    drift_delta: float = 0.001
    weighted: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_n_models(self.n_models, "AdaptiveRandomForest")
        check_lambda(self.lambda_, "AdaptiveRandomForest")
        check_flag(self.weighted, "weighted", "AdaptiveRandomForest")
        check_number(self.warning_delta, "warning_delta", "AdaptiveRandomForest", above=0, below=1)
        check_number(self.drift_delta, "drift_delta", "AdaptiveRandomForest", above=0, below=1)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.adaptive_random_forest(
            self._base(schema, seed),
            self.n_models,
            self.lambda_,
            self.warning_delta,
            self.drift_delta,
            self.weighted,
            seed,
        )
