"""k nearest neighbours."""

from __future__ import annotations

from dataclasses import dataclass

from prequential import _native
from prequential.errors import ParameterError, is_whole
from prequential.learners.native import NativeLearner
from prequential.streams.schema import Schema


@dataclass(eq=False, kw_only=True)
class Knn(NativeLearner):
    """The k nearest of the last ``window`` labelled records vote, each with its weight; scores are shares of the vote.

    The distance is Euclidean. A number x counts as u = (x − min) / (max − min), over the values its feature has in the
    window; the record asked about may lie outside. Where that range is empty, numbers do not differ. Two nominal values
    differ by 0 or 1. A missing value is as far off as can be: by max(u, 1 − u) from a number, by 1 from a nominal value
    or another missing one. All records as far as the k-th vote, so there may be more than k. These are the rules and
    the defaults of MOA's ``lazy.kNN``, but for the weights, which its votes leave out.

    It abstains until the first label. O(window × features) a record in time, the same in memory.

    Parameters
    ----------
    k
        Number of neighbours.
    window
        Number of labelled records to look back on.
    """

    k: int = 10
    window: int = 1000

    def __post_init__(self) -> None:
        for name, value in (("k", self.k), ("window", self.window)):
            if not is_whole(value, 1):
                raise ParameterError(name, "Knn", "a whole number of at least 1", value)
        if self.k > self.window:
            raise ParameterError("k", "Knn", f"at most the window, {self.window}", self.k)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:  # noqa: ARG002  # it draws nothing
        return _native.knn(schema.n_classes, schema.cardinalities, self.k, self.window)
