"""What could go wrong between a learner and those it is made of: failures half-way, seeds, draws, units."""

from __future__ import annotations

import contextlib
import gc
from typing import Any, ClassVar

import numpy as np
import pytest
from sklearn.neural_network import MLPClassifier

import prequential as pq
from prequential.errors import InputError, LearnerError, ParameterError
from prequential.learners import (
    CATALOGUE,
    AccuracyUpdatedEnsemble,
    DynamicWeightedMajority,
    HoeffdingTree,
    Learner,
    NaiveBayes,
    NoiseFilter,
    OnlineBagging,
    RandomForest,
    by_name,
)
from prequential.learners.adapters import sklearn
from prequential.learners.contract import Clock
from prequential.streams import Schema

SCHEMA = Schema.numeric(2, ("no", "yes"))


class Nervous(Learner):
    """Guesses at random; fails at will; looks for garbage when it dies."""

    born: ClassVar[list[int]] = []
    fails_at = ""

    def fresh(self, schema: Schema, seed: int) -> Nervous:
        if self.fails_at == "birth":
            raise RuntimeError("not again")
        learner = Nervous()
        learner.schema, learner.clock, learner.fails_at = schema, Clock(), self.fails_at
        self.born.append(seed)
        learner.rng, learner.n = np.random.default_rng(seed), 0  # type: ignore[attr-defined]
        learner.last = seed % 2  # type: ignore[attr-defined]
        return learner

    def scores(self, X: Any) -> Any:
        return np.eye(2)[[self.last] * len(X)]  # type: ignore[attr-defined]

    def learn(self, X: Any, y: Any, w: Any = None) -> None:
        if self.fails_at == "first lesson":
            raise RuntimeError("too much")

    def __del__(self) -> None:
        gc.collect()


def records(n: int = 400) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    return rng.normal(size=(n, 2)), rng.integers(2, size=n)


ENSEMBLES = {
    "experts": lambda base: DynamicWeightedMajority(base=base, period=5, size=3, theta=0.4),
    "members": lambda base: AccuracyUpdatedEnsemble(base=base, window=10, size=2),
}


@pytest.mark.parametrize("fails_at", ["birth", "first lesson"])
@pytest.mark.parametrize("name", ENSEMBLES)
def test_an_ensemble_is_in_order_after_a_member_has_failed(name: str, fails_at: str) -> None:
    base = Nervous()
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
def test_members_may_look_for_garbage_when_they_go(name: str) -> None:
    Nervous.born = []
    learner = ENSEMBLES[name](Nervous()).fresh(SCHEMA, 1)
    learner.test_then_train(*records())
    assert len(Nervous.born) > 10


def test_members_written_in_python_have_seeds_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    Nervous.born.clear()
    OnlineBagging(base=Nervous(), size=4).fresh(SCHEMA, 7)
    assert len(set(Nervous.born[-4:])) == 4
    made: list[Any] = []
    untrained = sklearn._untrained
    monkeypatch.setattr(sklearn, "_untrained", lambda *given: made.append(untrained(*given)) or made[-1])
    OnlineBagging(base=MLPClassifier(), size=4).fresh(SCHEMA, 7)
    assert len({model.random_state for model in made[-4:]}) == 4


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_around_a_learner_has_other_seeds_than_it(seed: int) -> None:
    Nervous.born = []
    NoiseFilter(base=Nervous()).fresh(SCHEMA, seed)
    pq.DriftReset(base=Nervous()).fresh(SCHEMA, seed)
    assert 0 not in Nervous.born


def test_noise_upon_noise_is_more_noise() -> None:
    X, y = records(4000)
    y = (X[:, 0] > 0).astype(np.int64)
    once, twice = (
        float((by_name(text).fresh(SCHEMA, 1).test_then_train(X, y).argmax(axis=1) == y)[500:].mean())
        for text in ("noise_filter:p=0.2", "noise_filter:base=(noise_filter:p=0.2),p=0.2")
    )
    assert twice < once - 0.05


def test_two_learners_of_a_run_share_no_draw() -> None:
    run = pq.evaluate(pq.streams.SEA(seed=1).take(3000), [RandomForest(size=2), RandomForest(size=2)], every=3000)
    rows = [r for r in run.to_arrow().to_pylist() if r["measure"] == "kappa" and r["forgetting"] == "cumulative"]
    first, second = (row["value"] for row in rows)
    assert first != second


@pytest.mark.parametrize("unit", [1e-8, 1e-3, 1e6])
@pytest.mark.parametrize("learner", [NaiveBayes(), HoeffdingTree(grace=50), HoeffdingTree(grace=50, leaf="nb")])
def test_the_unit_of_a_feature_does_not_matter(learner: Learner, unit: float) -> None:
    X, _ = records(3000)
    y = (X[:, 0] * X[:, 1] > 0).astype(np.int64)
    plain, scaled = (learner.fresh(SCHEMA, 1).test_then_train(X * u, y).argmax(axis=1) for u in (1.0, unit))
    assert (plain == scaled).mean() > 0.99


def test_negative_scores_of_a_base_are_refused() -> None:
    class Negative(Nervous):
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
        ("leveraging_bagging:base=hoeffding_tree:grace=50,delta=0.01", "goes into brackets"),
        ("leveraging_bagging:size=3,size=4", "size is given twice"),
        ("leveraging_bagging:base=", "not a parameter"),
        ("leveraging_bagging:base=(sgd:loss=hinge", "brackets do not match"),
        ("leveraging_bagging:base=nope", "base of leveraging_bagging: Unknown learner 'nope'"),
    ],
)
def test_a_text_that_could_mean_two_things_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        by_name(text)


@pytest.mark.parametrize("text", ["knn:k=20,window=10", "random_forest:size=0", "hoeffding_tree:n_points=1000000"])
def test_impossible_parameters_are_refused_in_the_name_of_the_learner(text: str) -> None:
    with pytest.raises(ParameterError, match=CATALOGUE[text.partition(":")[0]].__name__):
        by_name(text)


def test_parameters_alone_cannot_be_asked() -> None:
    with pytest.raises(AttributeError, match="holds parameters only"):
        HoeffdingTree().to_bytes()
