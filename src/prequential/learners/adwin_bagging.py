"""Bagging with ADWIN."""

from __future__ import annotations

from dataclasses import dataclass, field

from prequential import _native
from prequential.errors import ParameterError, is_number
from prequential.learners.composed import ComposedLearner
from prequential.learners.contract import Learner
from prequential.learners.hoeffding_tree import HoeffdingTree
from prequential.learners.online_bagging import check_mean, check_size
from prequential.streams.schema import Schema


@dataclass(eq=False, kw_only=True)
class AdwinBagging(ComposedLearner):
    """Bagging with ADWIN: online bagging that replaces its worst member when the error of any member rises.

    An ADWIN watches each member, which is judged by what it says of a record before it learns it (MOA judges
    afterwards); an abstention is an error. When one of the windows shrinks to a higher error, the member whose window
    has the highest goes, and a new one with a new window takes its place; it learns the record at once.

    Parameters
    ----------
    base
        What the members are; Hoeffding trees, as in MOA.
    size
        Number of members; 10 as in MOA.
    mean
        Mean of the Poisson draws that say how often a member learns a record; 1 as in the paper.
    delta
        Confidence of ADWIN: the smaller, the fewer alarms; 0.002 as in MOA.

    References
    ----------
    Bifet, Holmes, Pfahringer, Kirkby and Gavaldà, "New ensemble methods for evolving data streams", KDD 2009.
    """

    base: Learner = field(default_factory=HoeffdingTree)
    size: int = 10
    mean: float = 1.0
    delta: float = 0.002

    def __post_init__(self) -> None:
        super().__post_init__()
        caller = type(self).__name__
        check_size(self.size, caller)
        check_mean(self.mean, caller)
        if not is_number(self.delta) or not 0 < self.delta < 1:
            raise ParameterError("delta", caller, "a number in (0, 1)", self.delta)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.adwin_bagging(self._base(schema, seed), self.size, self.mean, self.delta, seed)
