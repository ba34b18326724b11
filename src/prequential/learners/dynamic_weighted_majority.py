"""Dynamic weighted majority."""

from __future__ import annotations

from dataclasses import dataclass, field

from prequential import _native
from prequential.arguments import check_number, check_whole
from prequential.learners.catalogue import register
from prequential.learners.composed import ComposedLearner, check_n_models
from prequential.learners.contract import Learner
from prequential.learners.naive_bayes import NaiveBayes
from prequential.streams.schema import Schema


@register("dynamic_weighted_majority")
@dataclass(eq=False, kw_only=True, repr=False)
class DynamicWeightedMajority(ComposedLearner):
    """Dynamic weighted majority (DWM): a weighted vote of experts that are added and removed as needed.

    The score of a class is the sum of the weights of the experts that predict it. At every ``period``-th record the
    weights of wrong experts are multiplied by ``beta``, all weights are scaled so that the largest is 1, experts with a
    weight below ``theta`` are removed, and if the vote was wrong an expert of weight 1 is added. Every expert learns
    every record.

    Parameters
    ----------
    base
        The learner of each expert; naive Bayes by default, as in the paper.
    period
        Records between two updates of the weights; 50 by default, as in MOA.
    beta
        Factor for the weight of a wrong expert; 0.5 by default, as in MOA.
    theta
        Share of the largest weight below which an expert is removed; 0.01 by default, as in MOA.
    n_models
        Largest number of experts; a new expert then replaces the weakest. The paper has no limit, and MOA none by
        default.

    References
    ----------
    Kolter and Maloof, "Dynamic weighted majority: an ensemble method for drifting concepts", Journal of Machine
    Learning Research 8, 2007.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, pq.learners.DynamicWeightedMajority(), metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.86
    """

    base: Learner = field(default_factory=NaiveBayes)
    period: int = 50
    beta: float = 0.5
    theta: float = 0.01
    n_models: int = 100

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self.period, "period", "DynamicWeightedMajority", least=1)
        check_number(self.beta, "beta", "DynamicWeightedMajority", above=0, below=1)
        check_number(self.theta, "theta", "DynamicWeightedMajority", least=0, below=1)
        check_n_models(self.n_models, "DynamicWeightedMajority")

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        base = self._base(schema, seed)
        return _native.dynamic_weighted_majority(base, self.period, self.beta, self.theta, self.n_models, seed)
