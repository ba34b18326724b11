"""Ensembles with any base: their behaviour record by record."""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import pytest
from river import naive_bayes
from scipy import stats
from twins import counts as twin

from prequential import _native
from prequential.errors import ParameterError
from prequential.learners import (
    AccuracyUpdatedEnsemble,
    AdwinBagging,
    DynamicWeightedMajority,
    Learner,
    LeveragingBagging,
    MajorityClass,
    OnlineBagging,
    as_learner,
)
from prequential.learners.contract import Clock
from prequential.streams import Feature, Schema
from prequential.testing import check_learner
from prequential.types import FloatArray, IntArray, Labels

SCHEMA = Schema.numeric(2, ("no", "yes"))
ENSEMBLES = {
    "online_bagging": "n_models=3",
    "adwin_bagging": "n_models=3,delta=0.1",
    "leveraging_bagging": "n_models=3,delta=0.1",
    "dynamic_weighted_majority": "period=20,n_models=5",
    "accuracy_updated_ensemble": "n_models=3,window_size=40",
}


def ensemble(name: str, base: str = "naive_bayes") -> Learner:
    return as_learner(f"{name}:base=({base}),{ENSEMBLES[name]}")


def drifting(n: int = 1200, period: int = 300, seed: int = 1) -> tuple[FloatArray, IntArray]:
    """The class is the sign of the first feature, with some noise; it flips every ``period`` records."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = (X[:, 0] > 0) ^ (np.arange(n) // period % 2 == 1) ^ (rng.random(n) < 0.05)
    return X, y.astype(np.int64)


class Table:
    """Counts of labels by the sign of the first feature: small whole numbers, so that all sums are exact."""

    def __init__(self) -> None:
        self.counts = [[0.0, 0.0], [0.0, 0.0]]

    def scores(self, x: Any) -> list[float]:
        return list(self.counts[int(x[0] > 0)])

    def learn(self, x: Any, y: int, w: float) -> None:
        self.counts[int(x[0] > 0)][y] += w


class TableLearner(Learner):
    """A table as a learner written in Python."""

    table: Table

    def fresh(self, schema: Schema, seed: int) -> Self:
        learner = type(self)()
        learner.schema, learner.clock, learner.table = schema, Clock(), Table()
        return learner

    def scores(self, X: FloatArray) -> FloatArray:
        return np.array([self.table.scores(x) for x in X])

    def learn(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> None:
        for i, x in enumerate(X):
            self.table.learn(x, int(y[i]), 1.0 if w is None else float(w[i]))

    def to_bytes(self) -> bytes:
        return pickle.dumps(self.table)

    def load_bytes(self, state: bytes) -> None:
        self.table = pickle.loads(state)


TABLE = TableLearner()
OF_TABLES: dict[str, tuple[Learner, Callable[[], Any]]] = {
    "online bagging": (OnlineBagging(base=TABLE, n_models=6), lambda: twin.OnlineBagging(Table, 7, 6)),
    "adwin bagging": (AdwinBagging(base=TABLE, n_models=5), lambda: twin.AdwinBagging(Table, 7, 5)),
    "leveraging bagging": (LeveragingBagging(base=TABLE, n_models=3), lambda: twin.AdwinBagging(Table, 7, 3, 6.0)),
    "dynamic weighted majority": (
        DynamicWeightedMajority(base=TABLE, period=7, beta=0.7),
        lambda: twin.DynamicWeightedMajority(Table, 2, 7, beta=0.7),
    ),
    "dynamic weighted majority that is full": (
        DynamicWeightedMajority(base=TABLE, period=3, beta=0.9, theta=0.0, n_models=4),
        lambda: twin.DynamicWeightedMajority(Table, 2, 3, beta=0.9, theta=0.0, size=4),
    ),
    "accuracy updated ensemble": (
        AccuracyUpdatedEnsemble(base=TABLE, n_models=4, window_size=50),
        lambda: twin.AccuracyUpdatedEnsemble(Table, 2, 4, 50),
    ),
}


@pytest.mark.parametrize("name", OF_TABLES)
def test_scores_are_exactly_those_of_the_twin_around_a_base_written_in_python(name: str) -> None:
    learner, make = OF_TABLES[name]
    X, y = drifting()
    found = learner.fresh(SCHEMA, 7).test_then_train(X, y)
    expected = make()
    for i, x in enumerate(X.tolist()):
        assert found[i].tolist() == expected.scores(x), f"record {i}"
        expected.learn(x, int(y[i]), 1.0)
    assert getattr(expected, "n_replaced", 1) > 0


@pytest.mark.parametrize("name", OF_TABLES)
def test_a_base_written_in_python_is_saved_with_its_ensemble(name: str) -> None:
    learner, _ = OF_TABLES[name]
    _continues_from_its_saved_state(learner, SCHEMA)


# --- weights of bagging ---------------------------------------------------------------------------------


class Diary(Learner):
    """Logs which member learns which record (its first feature), with which weight."""

    notes: ClassVar[list[tuple[int, int, float]]] = []
    seed: int

    def fresh(self, schema: Schema, seed: int) -> Self:
        learner = type(self)()
        learner.schema, learner.clock, learner.seed = schema, Clock(), seed
        return learner

    def scores(self, X: FloatArray) -> FloatArray:
        return np.zeros((len(X), 2))

    def learn(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> None:
        self.notes.append((self.seed, int(X[0, 0]), 1.0 if w is None else float(w[0])))


def noted(mean: float, n: int, size: int, chunk: int) -> list[tuple[int, int, float]]:
    Diary.notes.clear()
    learner = OnlineBagging(base=Diary(), n_models=size, lambda_=mean).fresh(SCHEMA, 3)
    X = np.column_stack([np.arange(n), np.zeros(n)]).astype(np.float64)
    for i in range(0, n, chunk):
        learner.test_then_train(X[i : i + chunk], np.zeros(len(X[i : i + chunk]), dtype=np.int64))
    return list(Diary.notes)


@pytest.mark.parametrize("mean", [0.3, 1.0, 6.0])
def test_weights_are_poisson_draws_with_the_given_mean(mean: float) -> None:
    n, size = 1500, 6
    weights = np.array([w for *_, w in noted(mean, n, size, n)])
    assert abs(weights.sum() / (n * size) - mean) < 4 * np.sqrt(mean / (n * size))
    most = int(stats.poisson.ppf(0.999, mean))
    counts = np.bincount(np.minimum(weights.astype(int), most), minlength=most + 1)
    counts[0] = n * size - len(weights)
    shares = stats.poisson.pmf(np.arange(most + 1), mean)
    shares[-1] = stats.poisson.sf(most - 1, mean)
    assert stats.chisquare(counts, shares * n * size).pvalue > 0.001


def test_weights_of_two_members_and_of_two_records_are_independent() -> None:
    n, size = 2000, 3
    found = np.zeros((n, size))
    columns: dict[int, int] = {}
    for seed, i, w in noted(1.0, n, size, n):
        found[i, columns.setdefault(seed, len(columns))] = w
    for a, b in ((found[:, 0], found[:, 1]), (found[:, 1], found[:, 2]), (found[1:, 0], found[:-1, 0])):
        assert abs(np.corrcoef(a, b)[0, 1]) < 4 / np.sqrt(n)


def test_weights_do_not_depend_on_chunks() -> None:
    expected = noted(1.0, 200, 5, 200)
    assert noted(1.0, 200, 5, 1) == expected
    assert noted(1.0, 200, 5, 37) == expected


# --- replaced members -----------------------------------------------------------------------------------


def seed_of_birth(seed: int, birth: int) -> int:
    """The seed that the ``birth``-th learner gets, if it is written in Python."""
    return _native.philox(seed, int.from_bytes(b"MEMB"), birth)[0] >> 33


@dataclass(eq=False)
class Scripted(Learner):
    """Predicts the value of the feature with the number of its birth, or class 0; logs who learns which record."""

    births: ClassVar[dict[int, int]] = {seed_of_birth(5, birth): birth for birth in range(9)}
    learning: ClassVar[list[tuple[int, int]]] = []
    birth: int = -1

    def fresh(self, schema: Schema, seed: int) -> Self:
        learner = type(self)(self.births.get(seed, -1))
        learner.schema, learner.clock = schema, Clock()
        return learner

    def scores(self, X: FloatArray) -> FloatArray:
        predicted = X[:, 1 + self.birth] if 0 <= self.birth < 3 else np.zeros(len(X))
        scores: FloatArray = np.eye(2)[predicted.astype(int)]
        return scores

    def learn(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> None:
        self.learning.append((int(X[0, 0]), self.birth))


def test_when_an_error_rises_the_worst_member_is_replaced_and_no_other() -> None:
    """Member 1 errs from record 400 on; the error of member 2 is 0.9 all the time and does not rise."""
    n = 500
    i = np.arange(n)
    y = np.zeros(n, dtype=np.int64)
    X = np.column_stack([i, 0 * i, i >= 400, i % 10 > 0]).astype(np.float64)
    Scripted.learning.clear()
    # With a mean of 50 every member learns every record.
    learner = AdwinBagging(base=Scripted(), n_models=3, lambda_=50.0).fresh(Schema.numeric(4, ("a", "b")), 5)
    learner.test_then_train(X, y)
    learned = {k: [birth for record, birth in Scripted.learning if record == k] for k in range(n)}
    replaced = next(k for k in range(n) if 3 in learned[k])
    assert replaced % 32 == 31
    assert 400 < replaced < 470
    assert learned[replaced] == [0, 1, 2, 3]  # the new member learns the record at which it is created
    assert learned[replaced + 1] == [0, 1, 3]
    assert all(learned[k] == [0, 1, 2] for k in range(replaced))


def test_a_falling_error_replaces_no_member() -> None:
    n = 600
    i = np.arange(n)
    X = np.column_stack([i, i < 300, i < 300, i < 300]).astype(np.float64)
    Scripted.learning.clear()
    learner = AdwinBagging(base=Scripted(), n_models=3, lambda_=50.0).fresh(Schema.numeric(4, ("a", "b")), 5)
    learner.test_then_train(X, np.zeros(n, dtype=np.int64))
    assert {birth for _, birth in Scripted.learning} == {0, 1, 2}


@pytest.mark.parametrize("name", [name for name in ENSEMBLES if name != "online_bagging"])
def test_adaptive_ensembles_recover_from_a_drift_better_than_their_base(name: str) -> None:
    X, y = drifting(4000, 1000)
    base = as_learner("naive_bayes").fresh(SCHEMA, 1).test_then_train(X, y)
    found = ensemble(name).fresh(SCHEMA, 1).test_then_train(X, y)
    assert (found.argmax(axis=1) == y).mean() > (base.argmax(axis=1) == y).mean() + 0.1


@pytest.mark.parametrize("name", ["online_bagging", "adwin_bagging", "leveraging_bagging"])
def test_each_member_has_one_vote(name: str) -> None:
    X, y = drifting()
    scores = ensemble(name).fresh(SCHEMA, 1).test_then_train(X, y)
    np.testing.assert_allclose(scores[20:].sum(axis=1), 3, rtol=1e-12)


# --- state ----------------------------------------------------------------------------------------------

MIXED = Schema((Feature("a"), Feature("b", (0, 1, 2))), ("no", "yes"))


def mixed(n: int) -> tuple[FloatArray, IntArray]:
    X, y = drifting(n, 150)
    X[:, 1] = np.abs(np.round(X[:, 1])) % 3
    return X, y


def _continues_from_its_saved_state(learner: Learner, schema: Schema) -> None:
    X, y = mixed(700)
    whole: Any = learner.fresh(schema, 7)
    expected = whole.test_then_train(X, y)
    for at in (0, 1, 95, 333, 640):
        first: Any = learner.fresh(schema, 7)
        first.test_then_train(X[:at], y[:at])
        second: Any = learner.fresh(schema, 99)
        second.load_bytes(first.to_bytes())
        assert second.to_bytes() == first.to_bytes()
        np.testing.assert_array_equal(second.test_then_train(X[at:], y[at:]), expected[at:])
        assert second.to_bytes() == whole.to_bytes()


BASES = (
    "naive_bayes",
    "majority_class:window_size=30",
    "sgd",
    "online_bagging:n_models=2",
    "adwin_bagging:n_models=2,delta=0.2",
)


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("name", ENSEMBLES)
def test_a_restored_ensemble_continues_from_its_saved_state(name: str, base: str) -> None:
    _continues_from_its_saved_state(ensemble(name, base), MIXED)


@pytest.mark.parametrize("name", ENSEMBLES)
def test_a_state_with_other_parameters_or_damage_is_refused_and_changes_nothing(name: str) -> None:
    X, y = mixed(300)
    learner: Any = ensemble(name).fresh(MIXED, 1)
    learner.learn(X, y)
    state = learner.to_bytes()
    for parameter in ENSEMBLES[name].split(","):
        key = parameter.partition("=")[0]
        other: Any = as_learner(f"{name}:{key}={0.3 if key == 'delta' else 7}").fresh(MIXED, 1)
        before = other.scores(X)
        with pytest.raises(ValueError, match="these bytes are the state of"):
            other.load_bytes(state)
        np.testing.assert_array_equal(other.scores(X), before)
    for damaged in (state[:-1], state[: len(state) // 2], state[:50] + bytes([state[50] ^ 1]) + state[51:], b""):
        with pytest.raises(ValueError, match=r"damaged|not a state|other"):
            learner.load_bytes(damaged)
    assert learner.to_bytes() == state


@pytest.mark.parametrize("name", ENSEMBLES)
def test_a_damaged_count_under_a_right_checksum_is_refused(name: str) -> None:
    """Every eight bytes in turn are set to a huge number: the state has that value, or it is refused."""
    X, y = mixed(100)
    learner: Any = ensemble(name, "majority_class:window_size=5").fresh(MIXED, 1)
    learner.learn(X, y)
    state = learner.to_bytes()[:-8]
    for at in range(11 + 8 + len(name) + 8 + 4, len(state) - 8, 4):
        damaged = state[:at] + b"\xf1" * 8 + state[at + 8 :]
        other: Any = ensemble(name, "majority_class:window_size=5").fresh(MIXED, 1)
        try:
            other.load_bytes(damaged + checksum(damaged))
        except ValueError:
            continue
        other.test_then_train(X, y)


def checksum(data: bytes) -> bytes:
    """FNV-1a."""
    found = 0xCBF29CE484222325
    for byte in data:
        found = (found ^ byte) * 0x100000001B3 & (2**64 - 1)
    return found.to_bytes(8, "little")


@pytest.mark.parametrize("name", ENSEMBLES)
def test_two_threads_can_score_with_one_ensemble(name: str) -> None:
    X, y = mixed(600)
    learner = ensemble(name).fresh(MIXED, 1)
    learner.learn(X, y)
    expected = learner.scores(X)
    with ThreadPoolExecutor(2) as threads:
        for found in threads.map(lambda _: learner.scores(X), range(40)):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", ENSEMBLES)
def test_classes_that_appear_late_change_no_earlier_score(name: str) -> None:
    rng = np.random.default_rng(2)
    y = np.concatenate([rng.integers(2, size=300), rng.integers(40, size=300)])
    X = rng.normal(y[:, np.newaxis], 1.0, size=(600, 2))
    known = ensemble(name).fresh(Schema.numeric(2, tuple(range(40))), 1).test_then_train(X, y)
    late = ensemble(name).fresh(Schema.numeric(2, (0, 1)), 1)
    np.testing.assert_array_equal(late.test_then_train(X[:300], y[:300]), known[:300, :2])
    late.extend(Schema.numeric(2, tuple(range(40))))
    np.testing.assert_array_equal(late.test_then_train(X[300:], y[300:]), known[300:])


# --- memory ---------------------------------------------------------------------------------------------


def in_use() -> int:
    """Bytes allocated by the C allocator."""
    found = allocator().mallinfo2()
    return int(found.uordblks + found.hblkhd)


def allocator() -> Any:
    names = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")
    info = type("mallinfo2", (ctypes.Structure,), {"_fields_": [(name, ctypes.c_size_t) for name in names]})
    library = ctypes.CDLL(None)
    library.mallinfo2.restype = info
    return library


@pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "mallinfo2") or "PREQUENTIAL_SANITIZED" in os.environ,
    reason="only glibc tells what it has given out",
)
@pytest.mark.parametrize("base", ["naive_bayes", "majority_class:window_size=30"])
@pytest.mark.parametrize("name", ENSEMBLES)
def test_nbytes_is_within_five_percent_of_the_allocated_memory(name: str, base: str) -> None:
    X, y = mixed(1000)
    ensemble(name, base).fresh(MIXED, 1).test_then_train(X, y)
    for _ in range(5):  # other code uses the heap too, and may free its memory in between
        gc.collect()
        before = in_use()
        learners = [ensemble(name, base).fresh(MIXED, seed) for seed in range(100)]
        for learner in learners:
            learner.learn(X, y)
        gc.collect()
        held, reported = in_use() - before, sum(learner.nbytes for learner in learners)
        if reported == pytest.approx(held, rel=0.05):
            return
    pytest.fail(f"{reported} bytes reported and {held} allocated")


@pytest.mark.parametrize(
    "text",
    [
        "adwin_bagging:n_models=5,delta=0.9",
        "dynamic_weighted_majority:period=1,theta=0.0,n_models=8",
        "accuracy_updated_ensemble:n_models=5,window_size=20",
    ],
)
def test_memory_stays_constant_while_members_are_replaced(text: str) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(20_000, 2))
    y = rng.integers(2, size=20_000)
    learner = as_learner(text).fresh(SCHEMA, 1)
    sizes = []
    for i in range(0, 20_000, 500):
        learner.learn(X[i : i + 500], y[i : i + 500])
        sizes.append(learner.nbytes)
    assert max(sizes[20:]) < 1.5 * max(sizes[:20])


# --- the contract ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("name", ENSEMBLES)
def test_the_contract_holds_around_native_learners(name: str, base: str) -> None:
    check_learner(ensemble(name, base))
    check_learner(ensemble(name, base), schema=MIXED)


@pytest.mark.parametrize("name", ENSEMBLES)
def test_the_contract_holds_around_a_model_of_river(name: str) -> None:
    learner: Any = ensemble(name)
    learner.__init__(base=naive_bayes.GaussianNB(), n_models=2)
    check_learner(learner)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: AdwinBagging(n_models=0), "The 'n_models' parameter of AdwinBagging"),
        (lambda: AdwinBagging(delta=1.0), "The 'delta' parameter of AdwinBagging"),
        (lambda: LeveragingBagging(lambda_=0.0), "The 'lambda_' parameter of LeveragingBagging"),
        (lambda: DynamicWeightedMajority(period=0), "The 'period' parameter of DynamicWeightedMajority"),
        (lambda: DynamicWeightedMajority(beta=1.0), "The 'beta' parameter of DynamicWeightedMajority"),
        (lambda: DynamicWeightedMajority(theta=1.0), "The 'theta' parameter of DynamicWeightedMajority"),
        (lambda: DynamicWeightedMajority(n_models=0), "The 'n_models' parameter of DynamicWeightedMajority"),
        (lambda: AccuracyUpdatedEnsemble(window_size=0), "The 'window_size' parameter of AccuracyUpdatedEnsemble"),
        (lambda: AccuracyUpdatedEnsemble(n_models=1.5), "The 'n_models' parameter of Accu"),  # type: ignore[arg-type]
    ],
)
def test_wrong_parameters_are_named(make: Callable[[], Learner], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()


def test_an_ensemble_describes_itself_and_its_base() -> None:
    assert LeveragingBagging(base=MajorityClass(window_size=5)).describe() == {
        "learner": "LeveragingBagging",
        "base": {"learner": "MajorityClass", "window_size": 5},
        "n_models": 10,
        "lambda_": 6.0,
        "delta": 0.002,
    }
