"""Bagging with ADWIN."""

from __future__ import annotations

from dataclasses import dataclass, field

from prequential import _native
from prequential.arguments import check_number
from prequential.learners.catalogue import register
from prequential.learners.composed import ComposedLearner, check_lambda, check_n_models
from prequential.learners.contract import Learner
from prequential.learners.hoeffding_tree import HoeffdingTree
from prequential.streams.schema import Schema


@register("adwin_bagging")
@dataclass(eq=False, kw_only=True, repr=False)
class AdwinBagging(ComposedLearner):
    """Bagging with ADWIN: online bagging that replaces its worst member when the error of any member rises.

    An ADWIN watches the error of each member on records before it learns them (in MOA: after); an abstention is an
    error. When one of the windows shrinks to a higher error, a new member with a new window replaces the member whose
    window has the highest error; it learns the record at once.

    Parameters
    ----------
    base
        The learner of each member; a Hoeffding tree by default, as in MOA.
    n_models
        Number of members; 10 by default, as in MOA.
    lambda_
        Mean of the Poisson draws, the times that a member learns a record; 1 by default, as in the paper.
    delta
        Confidence of ADWIN: smaller gives fewer alarms; 0.002 by default, as in MOA.

    References
    ----------
    Bifet, Holmes, Pfahringer, Kirkby and Gavaldà, "New ensemble methods for evolving data streams", KDD 2009.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, pq.learners.AdwinBagging(n_models=3), metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.87
    """

    base: Learner = field(default_factory=HoeffdingTree)
    n_models: int = 10
    lambda_: float = 1.0
    delta: float = 0.002

    def __post_init__(self) -> None:
        super().__post_init__()
        caller = type(self).__name__
        check_n_models(self.n_models, caller)
        check_lambda(self.lambda_, caller)
        check_number(self.delta, "delta", caller, above=0, below=1)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.adwin_bagging(self._base(schema, seed), self.n_models, self.lambda_, self.delta, seed)
