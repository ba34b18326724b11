"""A random forest of Hoeffding trees."""

from __future__ import annotations

from dataclasses import dataclass, field

from prequential.learners.catalogue import register
from prequential.learners.contract import Learner
from prequential.learners.hoeffding_tree import HoeffdingTree
from prequential.learners.online_bagging import OnlineBagging


def _tree() -> Learner:
    return HoeffdingTree(max_features="sqrt")


@register("random_forest")
@dataclass(eq=False, kw_only=True)
class RandomForest(OnlineBagging):
    """Random forest: online bagging of Hoeffding trees whose leaves consider random subsets of the features.

    No member is ever replaced, so two forests with different seeds differ only by chance. The type I experiment of
    Bifet et al. (2015) compares such forests.

    Parameters
    ----------
    base
        The learner of each member; by default a Hoeffding tree whose leaves consider ⌊√features⌋ + 1 features.
    n_models
        Number of members.
    lambda_
        Mean of the Poisson draws.

    References
    ----------
    Breiman, "Random forests", Machine Learning 45, 2001. Bifet et al., "Efficient online evaluation of big data stream
    classifiers", KDD 2015.
    """

    base: Learner = field(default_factory=_tree)
