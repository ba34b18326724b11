"""Noise in the predictions of a learner."""

from __future__ import annotations

import math

import numpy as np
import pytest

from prequential.learners import SGD, MajorityClass, NaiveBayes, NoChange, NoiseFilter
from prequential.streams import Schema

SCHEMA = Schema.numeric(2, (0, 1, 2))
# Bounds of 3.3 standard deviations are exceeded by chance once in a thousand times; seeds are fixed.


def records(n: int, seed: int = 1, n_classes: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n)
    y[:n_classes] = np.arange(n_classes)
    return rng.normal(y[:, np.newaxis], 0.7, size=(n, 2)), y


def predictions(learner: object, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.asarray(learner.fresh(SCHEMA, 7).test_then_train(X, y).argmax(axis=1))  # type: ignore[attr-defined]


@pytest.mark.parametrize("p", [0.05, 0.1, 0.5])
@pytest.mark.parametrize("base", [NaiveBayes(), SGD(), NoChange()], ids=lambda base: type(base).__name__)
def test_the_share_of_changed_predictions_is_p(base: NaiveBayes, p: float) -> None:
    X, y = records(20_000)
    changed = (predictions(NoiseFilter(base=base, p=p), X, y) != predictions(base, X, y))[10:]
    assert abs(changed.mean() - p) < 3.3 * math.sqrt(p * (1 - p) / len(changed))


def test_the_other_class_is_drawn_uniformly() -> None:
    X, y = records(20_000)
    plain, noisy = predictions(NaiveBayes(), X, y), predictions(NoiseFilter(p=1), X, y)
    assert (plain != noisy)[10:].all()
    step = ((noisy - plain) % 3)[10:]
    assert abs((step == 1).mean() - 0.5) < 3.3 * math.sqrt(0.25 / len(step))


def test_accuracy_falls_as_in_the_formula() -> None:
    """The errors of this base are spread evenly: it is the majority class of random labels."""
    rng = np.random.default_rng(3)
    y = rng.choice(3, p=[0.6, 0.2, 0.2], size=40_000)
    X = rng.normal(size=(len(y), 2))
    right = (predictions(MajorityClass(), X, y) == y).mean()
    noisy = (predictions(NoiseFilter(base=MajorityClass(), p=0.1), X, y) == y).mean()
    assert noisy == pytest.approx(right * 0.9 + (1 - right) * 0.1 / 2, abs=3.3 * math.sqrt(0.1 / len(y)))


def test_changes_at_different_records_are_independent() -> None:
    X, y = records(20_000)
    changed = (predictions(NoiseFilter(p=0.2), X, y) != predictions(NaiveBayes(), X, y))[10:].astype(float)
    assert abs(np.corrcoef(changed[1:], changed[:-1])[0, 1]) < 3.3 / math.sqrt(len(changed))


def test_records_scored_while_nothing_is_learned_are_changed_independently() -> None:
    X, y = records(20_000)
    learners = [one.fresh(SCHEMA, 7) for one in (NaiveBayes(), NoiseFilter(p=0.1))]
    for learner in learners:
        learner.learn(X[:500], y[:500])
    plain, noisy = (learner.scores(X).argmax(axis=1) for learner in learners)
    assert abs((plain != noisy).mean() - 0.1) < 3.3 * math.sqrt(0.09 / len(X))


def test_another_seed_changes_other_predictions() -> None:
    X, y = records(2000)
    one, other = (NoiseFilter(p=0.5).fresh(SCHEMA, seed).test_then_train(X, y).argmax(axis=1) for seed in (1, 2))
    assert 0.2 < (one != other).mean() < 0.8


def test_the_base_learns_as_if_alone() -> None:
    X, y = records(500)
    noisy, plain = NoiseFilter(p=1).fresh(SCHEMA, 1), NaiveBayes().fresh(SCHEMA, 1)
    noisy.test_then_train(X, y)
    plain.test_then_train(X, y)
    np.testing.assert_array_equal(np.sort(noisy.scores(X), axis=1), np.sort(plain.scores(X), axis=1))
    silent = NoiseFilter(p=0).fresh(SCHEMA, 1)
    np.testing.assert_array_equal(
        silent.test_then_train(X, y), NaiveBayes().fresh(SCHEMA, 1).test_then_train(X, y), strict=True
    )


def test_an_abstention_and_a_single_class_are_not_changed() -> None:
    X, _ = records(50)
    learner = NoiseFilter(p=1).fresh(SCHEMA, 1)
    assert not learner.scores(X).any()
    learner.learn(X, np.full(50, 2))
    assert (learner.scores(X).argmax(axis=1) == 2).all()


def test_a_class_with_a_tied_highest_score_is_changed_too() -> None:
    learner = NoiseFilter(base=MajorityClass(), p=1).fresh(SCHEMA, 1)
    learner.learn(np.zeros((4, 2)), np.array([0, 1, 1, 0]))
    assert (learner.scores(np.random.default_rng(1).normal(size=(100, 2))).argmax(axis=1) == 1).all()


def test_equal_records_are_equal_with_any_kind_of_zero_or_nan() -> None:
    learner = NoiseFilter(p=0.5).fresh(SCHEMA, 1)
    learner.learn(*records(100))
    other_nan = np.frombuffer(np.uint64(0xFFF8000000000001).tobytes(), dtype=np.float64)[0]
    X = np.random.default_rng(1).normal(size=(200, 2))
    for column, (a, b) in enumerate([(0.0, -0.0), (np.nan, other_nan)]):
        one, other = X.copy(), X.copy()
        one[:, column], other[:, column] = a, b
        np.testing.assert_array_equal(learner.scores(one), learner.scores(other))


@pytest.mark.parametrize("p", [-0.1, 1.1, math.nan, "half", None])
def test_a_probability_lies_between_0_and_1(p: object) -> None:
    with pytest.raises(ValueError, match=r"must be a number in \[0, 1\]"):
        NoiseFilter(p=p)  # type: ignore[arg-type]
