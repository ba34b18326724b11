"""Learners made of other learners: failures of a member, seeds, random draws, units of features."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
import pytest
from sklearn.neural_network import MLPClassifier

import prequential as pq
from prequential.errors import InputError, LearnerError, ParameterError
from prequential.learners import (
    AccuracyUpdatedEnsemble,
    DynamicWeightedMajority,
    HoeffdingTree,
    Learner,
    NaiveBayes,
    NoiseFilter,
    OnlineBagging,
    RandomForest,
    as_learner,
)
from prequential.learners.adapters import sklearn
from prequential.learners.catalogue import LEARNERS
from prequential.learners.contract import Clock
from prequential.streams import Schema

SCHEMA = Schema.numeric(2, ("no", "yes"))


class Fragile(Learner):
    """Predicts at random, fails on demand, and runs the garbage collector when it is deleted."""

    born: ClassVar[list[int]] = []
    fails_at = ""
    rng: np.random.Generator
    n: int
    last: int

    def fresh(self, schema: Schema, seed: int) -> Fragile:
        if self.fails_at == "birth":
            raise RuntimeError("not again")
        learner = Fragile()
        learner.schema, learner.clock, learner.fails_at = schema, Clock(), self.fails_at
        self.born.append(seed)
        learner.rng, learner.n = np.random.default_rng(seed), 0
        learner.last = seed % 2
        return learner

    def scores(self, X: Any) -> Any:
        return np.eye(2)[[self.last] * len(X)]

    def learn(self, X: Any, y: Any, w: Any = None) -> None:
        if self.fails_at == "first lesson":
            raise RuntimeError("too much")

    def __del__(self) -> None:
        gc.collect()


@pytest.fixture(autouse=True)
def small_garbage() -> Iterator[None]:
    """Let the collections of these tests look at their own objects only, not at those of all tests before."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def records(n: int = 400) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    return rng.normal(size=(n, 2)), rng.integers(2, size=n)


ENSEMBLES: dict[str, Callable[[Learner], Learner]] = {
    "experts": lambda base: DynamicWeightedMajority(base=base, period=5, n_models=3, theta=0.4),
    "members": lambda base: AccuracyUpdatedEnsemble(base=base, window_size=10, n_models=2),
}


@pytest.mark.parametrize("fails_at", ["birth", "first lesson"])
@pytest.mark.parametrize("name", ENSEMBLES)
def test_an_ensemble_can_be_used_after_a_member_has_failed(name: str, fails_at: str) -> None:
    base = Fragile()
    learner = ENSEMBLES[name](base).fresh(SCHEMA, 1)
    base.fails_at = fails_at
    X, y = records()
    for i in range(len(y)):
        with contextlib.suppress(RuntimeError):
            learner.learn(X[i : i + 1], y[i : i + 1])
        scores = learner.scores(X[i : i + 1])
        assert np.isfinite(scores).all()
        assert (scores >= 0).all()


@pytest.mark.parametrize("name", ENSEMBLES)
def test_members_may_collect_garbage_when_they_are_deleted(name: str) -> None:
    Fragile.born = []
    learner = ENSEMBLES[name](Fragile()).fresh(SCHEMA, 1)
    learner.test_then_train(*records())
    assert len(Fragile.born) > 10


def test_members_written_in_python_have_different_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    Fragile.born.clear()
    OnlineBagging(base=Fragile(), n_models=4).fresh(SCHEMA, 7)
    assert len(set(Fragile.born[-4:])) == 4
    made: list[Any] = []
    untrained = sklearn.untrained

    def noted(*given: Any) -> Any:
        made.append(untrained(*given))
        return made[-1]

    monkeypatch.setattr(sklearn, "untrained", noted)
    OnlineBagging(base=MLPClassifier(), n_models=4).fresh(SCHEMA, 7)
    assert len({model.random_state for model in made[-4:]}) == 4


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_wrapper_and_its_base_have_different_seeds(seed: int) -> None:
    Fragile.born = []
    NoiseFilter(base=Fragile()).fresh(SCHEMA, seed)
    pq.learners.DriftReset(base=Fragile()).fresh(SCHEMA, seed)
    assert 0 not in Fragile.born


def test_two_noise_filters_add_more_noise_than_one() -> None:
    X, y = records(4000)
    y = (X[:, 0] > 0).astype(np.int64)
    once, twice = (
        float((as_learner(text).fresh(SCHEMA, 1).test_then_train(X, y).argmax(axis=1) == y)[500:].mean())
        for text in ("noise_filter:p=0.2", "noise_filter:base=(noise_filter:p=0.2),p=0.2")
    )
    assert twice < once - 0.05


def test_two_learners_of_a_run_have_independent_draws() -> None:
    run = pq.evaluate(
        pq.streams.SEA(seed=1).take(3000), [RandomForest(n_models=2), RandomForest(n_models=2)], every=3000
    )
    rows = [r for r in run.to_arrow().to_pylist() if r["metric"] == "kappa" and r["forgetting"] == "cumulative"]
    first, second = (row["value"] for row in rows)
    assert first != second


@pytest.mark.parametrize("unit", [1e-8, 1e-3, 1e6])
@pytest.mark.parametrize(
    "learner", [NaiveBayes(), HoeffdingTree(grace_period=50), HoeffdingTree(grace_period=50, leaf_prediction="nb")]
)
def test_the_unit_of_a_feature_does_not_matter(learner: Learner, unit: float) -> None:
    X, _ = records(3000)
    y = (X[:, 0] * X[:, 1] > 0).astype(np.int64)
    plain, scaled = (learner.fresh(SCHEMA, 1).test_then_train(X * u, y).argmax(axis=1) for u in (1.0, unit))
    assert (plain == scaled).mean() > 0.99


def test_negative_scores_of_a_base_are_refused() -> None:
    class Negative(Fragile):
        def scores(self, X: Any) -> Any:
            return np.full((len(X), 2), -1.0)

        def fresh(self, schema: Schema, seed: int) -> Negative:
            learner = Negative()
            learner.schema, learner.clock = schema, Clock()
            return learner

    with pytest.raises(LearnerError, match="score -1: scores must not be negative"):
        OnlineBagging(base=Negative()).fresh(SCHEMA, 1).test_then_train(*records(3))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("leveraging_bagging:base=hoeffding_tree:grace_period=50,delta=0.01", "in brackets"),
        ("leveraging_bagging:n_models=3,n_models=4", "n_models is given twice"),
        ("leveraging_bagging:base=", "not a parameter"),
        ("leveraging_bagging:base=(sgd:loss=hinge", "brackets do not match"),
        ("leveraging_bagging:base=nope", "base of LeveragingBagging: Unknown learner 'nope'"),
    ],
)
def test_an_ambiguous_text_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        as_learner(text)


@pytest.mark.parametrize(
    "text", ["knn:n_neighbors=20,window_size=10", "random_forest:n_models=0", "hoeffding_tree:n_points=1000000"]
)
def test_invalid_parameters_are_refused_with_the_name_of_the_learner(text: str) -> None:
    with pytest.raises(ParameterError, match=LEARNERS[text.partition(":")[0]].__name__):
        as_learner(text)


def test_a_learner_that_is_not_fresh_cannot_predict() -> None:
    with pytest.raises(AttributeError, match="holds parameters only"):
        HoeffdingTree().to_bytes()
