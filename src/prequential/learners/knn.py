"""k-nearest neighbours."""

from __future__ import annotations

from dataclasses import dataclass

from prequential import _native
from prequential.arguments import check_whole
from prequential.errors import ParameterError
from prequential.learners.catalogue import register
from prequential.learners.native import NativeLearner
from prequential.streams.schema import Schema


@register("knn")
@dataclass(eq=False, kw_only=True, repr=False)
class KNN(NativeLearner):
    """k-nearest neighbours (kNN) over a window of the last labelled records.

    The k nearest records vote, each with its weight; scores are the shares of the vote. The distance is Euclidean. A
    number x is scaled to u = (x − min) / (max − min) by the range of its feature in the window; the record to predict
    may lie outside [0, 1]. If the range is empty, all numbers are equal. Two nominal values differ by 0 or 1. A missing
    value has the largest possible distance: max(u, 1 − u) from a number, 1 from a nominal or another missing value. All
    records at the distance of the k-th neighbour vote, so there may be more than k. These are the rules and defaults of
    MOA's ``lazy.kNN``, except that MOA's votes ignore the weights.

    Abstains until the first label. O(``window_size`` × features) time per record and memory.

    Parameters
    ----------
    n_neighbors
        Number of neighbours.
    window_size
        Number of labelled records to keep.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, pq.learners.KNN(n_neighbors=5), metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.86
    """

    n_neighbors: int = 10
    window_size: int = 1000

    def __post_init__(self) -> None:
        check_whole(self.n_neighbors, "n_neighbors", "KNN", least=1)
        check_whole(self.window_size, "window_size", "KNN", least=1)
        if self.n_neighbors > self.window_size:
            raise ParameterError("n_neighbors", "KNN", f"at most the window, {self.window_size}", self.n_neighbors)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:  # noqa: ARG002  # no random draws
        return _native.knn(schema.n_classes, schema.cardinalities, self.n_neighbors, self.window_size)
