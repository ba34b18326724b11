"""A randomised Hoeffding forest."""

from __future__ import annotations

from dataclasses import dataclass, field

from prequential.learners.contract import Learner
from prequential.learners.hoeffding_tree import HoeffdingTree
from prequential.learners.online_bagging import OnlineBagging


def _tree() -> Learner:
    return HoeffdingTree(subspace="sqrt")


@dataclass(eq=False, kw_only=True)
class RandomForest(OnlineBagging):
    """Online bagging of Hoeffding trees whose leaves look at a few features each, drawn at random.

    No member is ever replaced: two forests with different seeds differ by chance alone. That is what the type I
    experiment of Bifet et al. (2015) compares.

    Parameters
    ----------
    base
        What the members are; a Hoeffding tree whose leaves look at ⌊√features⌋ + 1 features.
    size
        Number of members.
    mean
        Mean of the Poisson weights.

    References
    ----------
    Breiman, "Random forests", Machine Learning 45, 2001. Bifet et al., "Efficient online evaluation of big data stream
    classifiers", KDD 2015.
    """

    base: Learner = field(default_factory=_tree)
