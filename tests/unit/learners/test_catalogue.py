"""The registry of reference learners."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import is_dataclass

from prequential.learners.catalogue import LEARNERS

NAMES = [
    "majority_class",
    "naive_bayes",
    "no_change",
    "sgd",
    "knn",
    "hoeffding_tree",
    "hoeffding_adaptive_tree",
    "online_bagging",
    "random_forest",
    "adaptive_random_forest",
    "adwin_bagging",
    "leveraging_bagging",
    "dynamic_weighted_majority",
    "accuracy_updated_ensemble",
    "noise_filter",
    "mean_target",
    "last_target",
    "drift_reset",
    "self_training",
]


def test_listings_show_the_learners_in_a_fixed_order() -> None:
    assert list(LEARNERS) == NAMES


def test_every_reference_learner_is_a_dataclass_of_its_parameters() -> None:
    assert all(is_dataclass(cls) for cls in LEARNERS.values())


def test_a_process_that_imports_only_an_adapter_finds_every_name() -> None:
    code = (
        "from prequential.learners.adapters import as_learner\n"
        "print(as_learner('online_bagging:base=(drift_reset:base=naive_bayes)'))\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.startswith("OnlineBagging(base=DriftReset())")
