"""The registry of reference learners, and their textual form for the command line and plans.

A textual form is a name, then parameters after a colon: ``naive_bayes``, ``majority_class:window_size=1000``. A value
that has parameters itself is written in brackets:
``online_bagging:base=(sgd:loss=hinge,learning_rate=0.1),n_models=25``.

This module imports no learner: each module of a learner registers its class, and ``prequential.learners`` imports all
of them. So a learner that is made of others can look up its base here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from prequential.arguments import checked_call
from prequential.learners.contract import Learner
from prequential.textual import Catalogue

LearnerType = TypeVar("LearnerType", bound=type[Learner])

LEARNERS: Catalogue[Learner] = Catalogue(
    "learner",
    aliases={
        "nb": "naive_bayes",
        "vfdt": "hoeffding_tree",
        "ht": "hoeffding_tree",
        "hat": "hoeffding_adaptive_tree",
        "arf": "adaptive_random_forest",
        "oaue": "accuracy_updated_ensemble",
        "dwm": "dynamic_weighted_majority",
    },
    synonyms={
        "gaussian_nb": "naive_bayes",
        "hoeffding_tree_classifier": "hoeffding_tree",
        "very_fast_decision_tree": "hoeffding_tree",
        "extremely_fast_decision_tree": "hoeffding_tree",
        "efdt": "hoeffding_tree",
        "decision_tree": "hoeffding_tree",
        "tree": "hoeffding_tree",
        "hoeffding_adaptive_tree_classifier": "hoeffding_adaptive_tree",
        "arf_classifier": "adaptive_random_forest",
        "adaptive_random_forest_classifier": "adaptive_random_forest",
        "srp": "adaptive_random_forest",
        "streaming_random_patches": "adaptive_random_forest",
        "forest": "random_forest",
        "rf": "random_forest",
        "online_accuracy_updated_ensemble": "accuracy_updated_ensemble",
        "accuracy_weighted_ensemble": "accuracy_updated_ensemble",
        "aue": "accuracy_updated_ensemble",
        "dynamic_weighted_majority_classifier": "dynamic_weighted_majority",
        "oza_bag": "online_bagging",
        "bagging": "online_bagging",
        "bagging_classifier": "online_bagging",
        "oza_bag_adwin": "adwin_bagging",
        "leveraging_bagging_classifier": "leveraging_bagging",
        "lev_bag": "leveraging_bagging",
        "knn_classifier": "knn",
        "sam_knn": "knn",
        "logistic_regression": "sgd",
        "sgd_classifier": "sgd",
        "perceptron": "sgd",
        "svm": "sgd",
        "majority": "majority_class",
        "prior": "majority_class",
        "dummy": "majority_class",
        "last_class": "no_change",
        "persistent": "no_change",
    },
)
"""The reference learners by name, in the order of registration."""


def register(name: str) -> Callable[[LearnerType], LearnerType]:
    """Add the class that follows, a dataclass of its parameters, to the catalogue.

    A parameter may be given as text if its type hint includes ``Learner`` or ``str``. A value that is neither a learner
    nor of a JSON type must have its textual form in an attribute ``label``.
    """
    return lambda cls: LEARNERS.add(name, cls)


@checked_call
def names() -> tuple[str, ...]:
    """Return the names of the reference learners.

    Examples
    --------
    >>> names()[:3]
    ('majority_class', 'naive_bayes', 'no_change')
    """
    return LEARNERS.names()
