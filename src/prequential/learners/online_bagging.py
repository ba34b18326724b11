"""Online bagging."""

from __future__ import annotations

from dataclasses import dataclass, field

from prequential import _native
from prequential.errors import ParameterError, is_number, is_whole
from prequential.learners.composed import ComposedLearner
from prequential.learners.contract import Learner
from prequential.learners.hoeffding_tree import HoeffdingTree
from prequential.streams.schema import Schema


@dataclass(eq=False, kw_only=True)
class OnlineBagging(ComposedLearner):
    """Online bagging: members that learn each record as often as a Poisson draw says, and vote.

    Votes are the members' scores relative to their sum, added up. The draw of a member at a record depends on seed,
    member and number of the record alone.

    Parameters
    ----------
    base
        What the members are; Hoeffding trees, as in MOA.
    size
        Number of members.
    mean
        Mean of the Poisson draws; 1 as in the paper.

    References
    ----------
    Oza and Russell, "Online bagging and boosting", AISTATS 2001.
    """

    base: Learner = field(default_factory=HoeffdingTree)
    size: int = 10
    mean: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_size(self.size, type(self).__name__)
        check_mean(self.mean, type(self).__name__)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.online_bagging(self._base(schema, seed), self.size, self.mean, seed)


def check_size(size: object, caller: str) -> None:
    """Check the number of members of an ensemble."""
    if not is_whole(size, 1) or size > 10_000:  # type: ignore[operator]  # a number by now
        raise ParameterError("size", caller, "a whole number from 1 to 10,000", size)


def check_mean(mean: object, caller: str) -> None:
    """Check the mean of Poisson draws."""
    if not is_number(mean) or not 0 < mean <= 100:  # type: ignore[operator]
        raise ParameterError("mean", caller, "a number in (0, 100]", mean)
