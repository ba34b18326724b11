"""Online bagging."""

from __future__ import annotations

from dataclasses import dataclass, field

from prequential import _native
from prequential.learners.catalogue import register
from prequential.learners.composed import ComposedLearner, check_lambda, check_n_models
from prequential.learners.contract import Learner
from prequential.learners.hoeffding_tree import HoeffdingTree
from prequential.streams.schema import Schema


@register("online_bagging")
@dataclass(eq=False, kw_only=True, repr=False)
class OnlineBagging(ComposedLearner):
    """Online bagging: each member learns each record k ~ Poisson(``lambda_``) times, and the members vote.

    The ensemble's scores are the sum of the members' scores, each relative to its own sum. The draw of a member for a
    record depends only on the seed, the member and the number of the record.

    Parameters
    ----------
    base
        The learner of each member; a Hoeffding tree by default, as in MOA.
    n_models
        Number of members.
    lambda_
        Mean of the Poisson draws; 1 by default, as in the paper.

    References
    ----------
    Oza and Russell, "Online bagging and boosting", AISTATS 2001.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> learner = pq.learners.OnlineBagging(base="naive_bayes", n_models=3)
    >>> run = pq.evaluate(stream, learner, metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.86
    """

    base: Learner = field(default_factory=HoeffdingTree)
    n_models: int = 10
    lambda_: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_n_models(self.n_models, type(self).__name__)
        check_lambda(self.lambda_, type(self).__name__)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.online_bagging(self._base(schema, seed), self.n_models, self.lambda_, seed)
