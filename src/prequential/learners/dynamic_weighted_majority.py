"""Dynamic weighted majority."""

from __future__ import annotations

from dataclasses import dataclass, field

from prequential import _native
from prequential.errors import ParameterError, is_number, is_whole
from prequential.learners.composed import ComposedLearner
from prequential.learners.contract import Learner
from prequential.learners.naive_bayes import NaiveBayes
from prequential.learners.online_bagging import check_size
from prequential.streams.schema import Schema


@dataclass(eq=False, kw_only=True)
class DynamicWeightedMajority(ComposedLearner):
    """Dynamic weighted majority: experts, added and removed as they are needed, whose weights say how they did.

    The score of a class is the sum of the weights of the experts that predict it. At every ``period``-th record the
    weights of wrong experts are multiplied by ``beta``, all are scaled so that the largest is 1, experts with less
    than ``theta`` go, and if the vote was wrong an expert of weight 1 is added. Every expert learns every record.

    Parameters
    ----------
    base
        What the experts are; naive Bayes as in the paper.
    period
        Records from one review of the experts to the next; 50 as in MOA.
    beta
        What the weight of a wrong expert is multiplied by; 0.5 as in MOA.
    theta
        Share of the largest weight below which an expert goes; 0.01 as in MOA.
    size
        Largest number of experts; where it is reached, the weakest makes room. The paper has no
        limit, and MOA none by default.

    References
    ----------
    Kolter and Maloof, "Dynamic weighted majority: an ensemble method for drifting concepts", Journal of Machine
    Learning Research 8, 2007.
    """

    base: Learner = field(default_factory=NaiveBayes)
    period: int = 50
    beta: float = 0.5
    theta: float = 0.01
    size: int = 100

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_whole(self.period, 1):
            raise ParameterError("period", "DynamicWeightedMajority", "a whole number of at least 1", self.period)
        if not is_number(self.beta) or not 0 < self.beta < 1:
            raise ParameterError("beta", "DynamicWeightedMajority", "a number in (0, 1)", self.beta)
        if not is_number(self.theta) or not 0 <= self.theta < 1:
            raise ParameterError("theta", "DynamicWeightedMajority", "a number in [0, 1)", self.theta)
        check_size(self.size, "DynamicWeightedMajority")

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        base = self._base(schema, seed)
        return _native.dynamic_weighted_majority(base, self.period, self.beta, self.theta, self.size, seed)
