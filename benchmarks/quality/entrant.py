"""The learners that are compared: ours, and the same of MOA and of River, with the same parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from river import naive_bayes, tree

Nominal = list[str]
"""The names of the nominal features, which River's trees must be told."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A learner of the comparison.

    Parameters
    ----------
    name
        Its name in the tables.
    ours
        Its textual form.
    moa
        Its class and options in MOA, with a place for the seed if it can be chosen. None if MOA has no such learner.
    river
        Makes River's learner for a stream whose nominal features are named; None if River has none, or takes
        milliseconds for each record.
    randomised
        Whether its results depend on a seed.
    baseline
        Whether it is equal to MOA's by definition, so that nobody can be ahead.
    """

    name: str
    ours: str
    moa: str | None = None
    river: Callable[[Nominal], Any] | None = None
    randomised: bool = False
    baseline: bool = False


_BAGS = "-l trees.HoeffdingTree -s 10 -r {seed}"
_TREE = "(trees.HoeffdingTree -g 100 -c 0.01)"

ENTRANTS = (
    Entrant("majority_class", "majority_class", "functions.MajorityClass", baseline=True),
    Entrant("no_change", "no_change", "functions.NoChange", baseline=True),
    Entrant("naive_bayes", "naive_bayes", "bayes.NaiveBayes", lambda _: naive_bayes.GaussianNB()),
    Entrant("sgd", "sgd"),
    Entrant("knn", "knn:n_neighbors=10,window_size=1000", "lazy.kNN -k 10 -w 1000", baseline=True),
    Entrant(
        "hoeffding_tree",
        "hoeffding_tree",
        "trees.HoeffdingTree",
        lambda nominal: tree.HoeffdingTreeClassifier(nominal_attributes=nominal),
    ),
    Entrant(
        "hoeffding_adaptive_tree",
        "hoeffding_adaptive_tree",
        "trees.HoeffdingAdaptiveTree",
        lambda nominal: tree.HoeffdingAdaptiveTreeClassifier(nominal_attributes=nominal, seed=1),
        randomised=True,
    ),
    Entrant("online_bagging", "online_bagging", f"meta.OzaBag {_BAGS}", randomised=True),
    Entrant("adwin_bagging", "adwin_bagging", f"meta.OzaBagAdwin {_BAGS}", randomised=True),
    Entrant(
        "leveraging_bagging",
        "leveraging_bagging",
        f"meta.LeveragingBag {_BAGS}",
        randomised=True,
    ),
    Entrant("random_forest", "random_forest", randomised=True),
    Entrant(
        "adaptive_random_forest", "adaptive_random_forest", "meta.AdaptiveRandomForest -s 10 -r {seed}", randomised=True
    ),
    Entrant("dynamic_weighted_majority", "dynamic_weighted_majority", "meta.DynamicWeightedMajority"),
    Entrant("accuracy_updated_ensemble", "accuracy_updated_ensemble", f"meta.OnlineAccuracyUpdatedEnsemble -l {_TREE}"),
)
