"""The adaptive random forest."""

from __future__ import annotations

from dataclasses import dataclass, field

from prequential import _native
from prequential.errors import ParameterError, is_number
from prequential.learners.composed import ComposedLearner
from prequential.learners.contract import Learner
from prequential.learners.hoeffding_tree import HoeffdingTree, check_flag
from prequential.learners.online_bagging import check_mean, check_size
from prequential.streams.schema import Schema


def _tree() -> Learner:
    return HoeffdingTree(grace=50, delta=0.01, subspace=0.6)


@dataclass(eq=False, kw_only=True)
class AdaptiveRandomForest(ComposedLearner):
    """Bagged randomised trees, each replaced when its error rises, by one that was begun at a warning (ARF).

    Each member learns each record with a Poisson weight, and is watched by two ADWINs, which see whether it was wrong
    before it learned the record. The one with the larger δ warns: a tree is begun in the background and learns along.
    The other one sees a drift: the tree of the background, or else a new one, takes the member's place. Votes are
    relative to their sum, times the member's accuracy since it began.

    Parameters
    ----------
    base
        What the members are; a Hoeffding tree with grace 50 and δ 0.01 whose leaves look at 60 % of the features each,
        as in MOA.
    size
        Number of members.
    mean
        Mean of the Poisson weights; 6, as in the paper.
    warning_delta, drift_delta
        δ of the two ADWINs; 0.01 and 0.001, as in the paper.
    weighted
        Whether votes count by accuracy.

    References
    ----------
    Gomes et al., "Adaptive random forests for evolving data stream classification", Machine Learning 106, 2017.
    """

    base: Learner = field(default_factory=_tree)
    size: int = 10
    mean: float = 6.0
    warning_delta: float = 0.01
    drift_delta: float = 0.001
    weighted: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_size(self.size, "AdaptiveRandomForest")
        check_mean(self.mean, "AdaptiveRandomForest")
        check_flag(self, "weighted")
        for name in ("warning_delta", "drift_delta"):
            value = getattr(self, name)
            if not (is_number(value) and 0 < value < 1):
                raise ParameterError(name, "AdaptiveRandomForest", "in (0, 1)", value)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.adaptive_random_forest(
            self._base(schema, seed),
            self.size,
            self.mean,
            self.warning_delta,
            self.drift_delta,
            self.weighted,
            seed,
        )
