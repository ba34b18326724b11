"""What the manifest says about a learner: counts, time and memory, summed over its replicas."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from prequential.engines.replica_update import ReplicaUpdate, Usage
from prequential.evaluation.account import Account
from prequential.runs.failure import Failure
from prequential.runs.manifest import LearnerEntry, Resources

NOTHING = np.zeros(0, np.uint8)


def updated(account: Account, fold: int, n: int, usage: Usage, **more: Any) -> None:
    account.folds[fold].add(ReplicaUpdate("tree", fold, n, (), (), (), NOTHING, usage, **more))


def of_two_folds() -> Account:
    account = Account({"name": "tree"}, (1, 2))
    updated(account, 1, 100, Usage(1.0, 3.0, 0.5, 1000, 0.25))
    updated(account, 2, 80, Usage(2.0, 4.0, 0.25, 500, 0.5))
    first, second = account.folds.values()
    first.n_unlabelled, second.n_unlabelled = 7, 6
    first.n_abstained, second.n_abstained = 3, 4
    first.n_nonfinite, second.n_nonfinite = 1, 2
    first.measure_seconds = 0.125
    return account


def test_nothing_has_been_used_before_the_first_update() -> None:
    entry = Account({"name": "tree"}, (0,)).entry(None)
    assert entry == LearnerEntry({"name": "tree"})
    assert entry.resources == Resources(0.0, 0.0, 0.0, 0.0, 0, 0.0)


def test_time_memory_and_abstentions_are_totals_over_the_folds() -> None:
    entry = of_two_folds().entry(None)
    assert entry.resources == Resources(
        predict_seconds=3.0,
        learn_seconds=7.0,
        score_seconds=0.875,
        records_per_second=18.0,  # (100 + 80) records in (1 + 3) + (2 + 4) seconds: one replica after the other
        memory_bytes=1500,
        ram_hours=0.75,
    )
    assert (entry.n_abstained, entry.n_nonfinite) == (7, 3)


def test_the_learner_has_processed_what_all_its_replicas_have() -> None:
    entry = of_two_folds().entry(None)
    assert entry.n_records == 80
    assert entry.n_unlabelled == 7  # as the first replica has read them


def test_each_fold_has_its_own_time_and_memory() -> None:
    folds = of_two_folds().entry(None).folds
    assert folds == {
        "1": Resources(1.0, 3.0, 0.625, 25.0, 1000, 0.25),
        "2": Resources(2.0, 4.0, 0.25, 80 / 6, 500, 0.5),
    }


def test_a_single_replica_is_not_listed_as_a_fold() -> None:
    account = Account({}, (0,))
    updated(account, 0, 10, Usage(0.5, 0.5, 0.0, 10, 0.0))
    entry = account.entry(None)
    assert entry.folds == {}
    assert entry.resources.records_per_second == 10.0


def test_records_without_a_label_are_those_of_the_run_unless_the_learner_has_its_own_records() -> None:
    account = Account({}, (0,))
    updated(account, 0, 10, Usage())
    assert account.entry(5).n_unlabelled == 5
    updated(account, 0, 10, Usage(), n_unlabelled=2, n_unpredicted=3)
    entry = account.entry(5)
    assert (entry.n_unlabelled, entry.n_unpredicted) == (2, 3)


@pytest.mark.parametrize("failed", [False, True])
def test_the_account_can_be_restored(failed: bool) -> None:
    account = of_two_folds()
    account.folds[2].n_waiting, account.folds[2].n_unpredicted = 4, 5
    if failed:
        account.fail(Failure(81, "no memory", "Traceback"))
    restored = Account({"name": "tree"}, (1, 2))
    restored.restore(json.loads(json.dumps(account.state())))
    assert restored.entry(None) == account.entry(None)
    assert restored.state() == account.state()
    assert (restored.status, restored.failure) == (("failed", account.failure) if failed else ("running", None))


def test_the_speed_of_a_short_run_is_known_too() -> None:
    account = Account({}, (0,))
    updated(account, 0, 10, Usage(0.25, 0.25, 0.0, 10, 0.0))
    assert account.folds[0].resources.records_per_second == 20.0
    assert account.entry(None).resources.records_per_second == 20.0
