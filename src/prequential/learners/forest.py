"""The base class of forests: bagged Hoeffding trees whose parameters are those of the forest."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from prequential.errors import ParameterError
from prequential.learners.composed import ComposedLearner, check_lambda, check_n_models
from prequential.learners.contract import Learner
from prequential.learners.hoeffding_tree import HoeffdingTree, check_tree

_OF_TREE = tuple(one.name for one in fields(HoeffdingTree))


@dataclass(eq=False, kw_only=True, repr=False)
class Forest(ComposedLearner):
    """Bagged Hoeffding trees, each leaf with a random subset of the features.

    A subclass declares the parameters whose defaults differ.
    """

    n_models: int = 10
    lambda_: float = 1.0
    max_features: int | float | Literal["sqrt"] | None = "sqrt"
    grace_period: int = 200
    delta: float = 1e-7
    tau: float = 0.05
    leaf_prediction: Literal["mc", "nb", "nba"] = "nba"
    densities: Literal["bounded", "moa"] = "bounded"
    split_criterion: Literal["info_gain", "gini"] = "info_gain"
    binary_split: bool = False
    n_points: int = 10
    min_branch_fraction: float = 0.01
    max_bytes: int = 33_554_432
    base: Learner | None = None

    def __post_init__(self) -> None:
        caller = type(self).__name__
        check_n_models(self.n_models, caller)
        check_lambda(self.lambda_, caller)
        if self.base is None:
            check_tree(self, caller)
        else:
            defaults = {one.name: one.default for one in fields(self)}
            for name in _OF_TREE:
                if getattr(self, name) != defaults[name]:
                    needed = "left out if 'base' is given, because it is a parameter of the default base"
                    raise ParameterError(name, caller, needed, getattr(self, name))
        super().__post_init__()

    def member(self) -> Learner:
        """Return the learner of each member: ``base``, or a Hoeffding tree with the parameters of the forest."""
        if self.base is not None:
            return super().member()
        return HoeffdingTree(**{name: getattr(self, name) for name in _OF_TREE})
