"""Ranking of several learners over several streams, with tests of their differences.

Demšar 2006, "Statistical comparisons of classifiers over multiple data sets"; Brzezinski and Stefanowski 2014.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.arguments import checked_call
from prequential.comparisons.friedman import Better, Friedman, friedman, ranks, results_table
from prequential.comparisons.holm import PairTest, pairwise_wilcoxon
from prequential.comparisons.nemenyi import Nemenyi, nemenyi
from prequential.comparisons.sample import least_pairs
from prequential.errors import InputError
from prequential.sheets.tidy_table import Tidy
from prequential.types import FloatArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ranking(Tidy):
    """Several learners on several streams, ranked and compared.

    Parameters
    ----------
    learners, streams
        Their names.
    values
        N × k: results, streams in rows and learners in columns.
    metric, better
        The metric of the results, and whether higher or lower is better.
    ranks
        N × k: 1 is best; equal results share the mean of their ranks.
    friedman
        The Friedman test: are all learners equally good?
    nemenyi
        The Nemenyi test: which learners differ in mean rank?
    pairs
        The Wilcoxon test of each pair of learners, with Holm correction; empty if there are too few streams.
    alpha
        The error rate.
    reason
        Why there are no pairs; empty otherwise.
    over
        What the rows are: ``streams``, or ``folds`` or ``seeds`` of one.

    Examples
    --------
    >>> import prequential as pq
    >>> values = [[0.9 - i / 100, 0.8 - i / 90, 0.7] for i in range(8)]
    >>> isinstance(pq.comparisons.ranking(values, ["a", "b", "c"]), pq.comparisons.Ranking)
    True
    """

    learners: tuple[str, ...]
    streams: tuple[str, ...]
    values: FloatArray
    metric: str
    better: Better
    ranks: FloatArray
    friedman: Friedman
    nemenyi: Nemenyi
    pairs: tuple[PairTest, ...]
    alpha: float
    reason: str = ""
    over: str = "streams"

    @property
    def caption(self) -> str:
        """What the table is."""
        return f"{self.metric or 'results'} of {len(self.learners)} learners on {len(self.streams)} streams"

    def to_arrow(self) -> pa.Table:
        """Return the results: stream, learner, value, rank."""
        n, k = self.values.shape
        return pa.table(
            {
                "stream": np.repeat(np.array(self.streams, dtype=object), k),
                "learner": np.tile(np.array(self.learners, dtype=object), n),
                "value": self.values.ravel(),
                "rank": self.ranks.ravel(),
            }
        )

    def pair(self, a: str, b: str) -> PairTest:
        """Return the Wilcoxon test of two learners, in the order of the columns."""
        wanted = {self.learners.index(a), self.learners.index(b)}
        return next(pair for pair in self.pairs if {pair.a, pair.b} == wanted)


@checked_call
def ranking(
    values: npt.ArrayLike,
    learners: Sequence[str],
    streams: Sequence[str] | None = None,
    *,
    better: Better = "higher",
    metric: str = "result",
    alpha: float = 0.05,
    over: Literal["streams", "folds", "seeds"] = "streams",
) -> Ranking:
    """Rank several learners on several streams and test which of them differ.

    Parameters
    ----------
    values
        Results, streams in rows and learners in columns.
    learners, streams
        Names of the columns and rows; streams are numbered by default.
    better
        Whether higher or lower results are better.
    metric
        Name of the metric of the results, for tables and figures.
    alpha
        The error rate of each test.
    over
        What the rows are, for tables and figures.

    Examples
    --------
    >>> table = [[0.9, 0.8, 0.7], [0.6, 0.5, 0.4], [0.9, 0.7, 0.8], [0.8, 0.7, 0.6]]
    >>> result = ranking(table, ["tree", "bayes", "sgd"])
    >>> result.friedman.mean_ranks, round(result.nemenyi.critical_difference, 3), result.reason
    ((1.0, 2.25, 2.75), 1.657, "Wilcoxon's test needs at least 6 streams at α = 0.05; there are 4")
    """
    table = results_table(values)
    n, k = table.shape
    names = tuple(f"{over[:-1]} {i + 1}" for i in range(n)) if streams is None else tuple(map(str, streams))
    for what, given, number in (("learners", tuple(learners), k), (over, names, n)):
        if len(given) != number:
            raise InputError(f"There are {len(given)} names of {what} for {number} {what}.")
        if len(set(given)) != number:
            twice = next(name for name in given if given.count(name) > 1)
            raise InputError(f"Two {what} have the name {twice!r}. Names must be unique.")
    tested = friedman(table, better=better, alpha=alpha)
    need = least_pairs(alpha)
    return Ranking(
        learners=tuple(map(str, learners)),
        streams=names,
        values=np.array(table),
        metric=metric,
        better=better,
        ranks=ranks(table, better=better),
        friedman=tested,
        nemenyi=nemenyi(tested.mean_ranks, n_streams=n, alpha=alpha),
        pairs=pairwise_wilcoxon(table, better=better, alpha=alpha) if n >= need else (),
        alpha=alpha,
        reason="" if n >= need else f"Wilcoxon's test needs at least {need} {over} at α = {alpha:g}; there are {n}",
        over=over,
    )
