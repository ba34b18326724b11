"""A random forest of Hoeffding trees."""

from __future__ import annotations

from dataclasses import dataclass

from prequential import _native
from prequential.learners.catalogue import register
from prequential.learners.forest import Forest
from prequential.streams.schema import Schema


@register("random_forest")
@dataclass(eq=False, kw_only=True, repr=False)
class RandomForest(Forest):
    """Random forest: online bagging of Hoeffding trees whose leaves consider random subsets of the features.

    No member is ever replaced, so two forests with different seeds differ only by chance. The type I experiment of
    Bifet et al. (2015) compares such forests.

    Parameters
    ----------
    n_models
        Number of members.
    lambda_
        Mean of the Poisson draws.
    max_features
        Number of features that each leaf considers, drawn at random: a number, a share in (0, 1), ``"sqrt"`` (default)
        for ⌊√features⌋ + 1, or None for all.
    base
        Another learner for the members instead of a Hoeffding tree; then no parameter of a tree may be given.

    The other parameters are those of `HoeffdingTree`.

    References
    ----------
    Breiman, "Random forests", Machine Learning 45, 2001. Bifet et al., "Efficient online evaluation of big data stream
    classifiers", KDD 2015.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, pq.learners.RandomForest(n_models=3), metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.83
    """

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.online_bagging(self._base(schema, seed), self.n_models, self.lambda_, seed)
