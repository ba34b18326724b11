"""The densities of naive Bayes and of the leaves of trees: what a class of which little was seen may claim."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.native_learners import LEARNERS, MIXED, mixed

from prequential.errors import ParameterError
from prequential.learners import HoeffdingTree, NaiveBayes
from prequential.learners.native import NativeLearner
from prequential.streams import Feature, Schema

WITHOUT_UNITS = [name for name in LEARNERS if "sgd" not in name and name != "noise_filter"]
"""The weights of a linear model have units, and noise is drawn from a hash of the record."""
LEAF = HoeffdingTree(leaf_prediction="nb", grace_period=10**9)
TWO = Schema.numeric(1, (0, 1))


def column(*values: float) -> np.ndarray:
    return np.array(values, dtype=float)[:, np.newaxis]


def scaled(X: np.ndarray, factors: tuple[float, float, float]) -> np.ndarray:
    found = X.copy()
    found[:, [0, 2, 4]] *= factors
    return found


@pytest.mark.parametrize("name", WITHOUT_UNITS)
def test_a_feature_in_units_of_a_power_of_two_gives_the_same_scores(name: str) -> None:
    """Powers of two are exact in binary numbers, so nothing is rounded differently."""
    X, y = mixed(600)
    X[:, 2] = np.where(X[:, 2] > 0, 1.0, 0.0)  # of two values
    factors = (2.0**40, 2.0**-30, 2.0**3)
    plain, other = (LEARNERS[name].fresh(MIXED, 1) for _ in range(2))
    np.testing.assert_array_equal(
        other.test_then_train(scaled(X, factors), y), plain.test_then_train(X, y), err_msg=name
    )


@pytest.mark.parametrize("name", ["naive_bayes", "hoeffding_tree", "hoeffding_adaptive_tree", "adwin_bagging"])
def test_a_feature_in_any_unit_gives_the_same_predictions(name: str) -> None:
    X, y = mixed(600)
    plain, other = (LEARNERS[name].fresh(MIXED, 1) for _ in range(2))
    expected = plain.test_then_train(X, y)
    found = other.test_then_train(scaled(X, (1e-9, 3.7, 1234567.0)), y)
    np.testing.assert_array_equal(found.argmax(axis=1), expected.argmax(axis=1))
    np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize("learner", [NaiveBayes(), LEAF])
def test_a_rare_class_with_a_constant_value_does_not_win_against_the_prior(learner: NativeLearner) -> None:
    """A card of 1 to 13 says nothing of the class, and class 1 was seen twice, with the same card each time.

    As long as all cards were as likely in class 1, its share would be 2/1302; a spike at that card would give it all.
    """
    rng = np.random.default_rng(1)
    X, y = column(*rng.integers(1, 14, size=1300), 7, 7), np.array([0] * 1300 + [1, 1])
    model = learner.fresh(TWO, 1)
    model.learn(X, y)
    assert model.scores(column(7))[0, 1] < 0.02


@pytest.mark.parametrize("learner", [NaiveBayes(), LEAF])
def test_the_variance_of_a_class_seen_once_is_a_quarter_of_that_within_classes(learner: NativeLearner) -> None:
    """By hand, at the last summary: values −2, −1, 0, 1, 2 of class 0, then 3 of class 1.

    Within classes 10 / (6 − 2) = 2.5. Class 0: mean 0, variance 2.5; class 1: mean 3, variance 2.5 / 4. The gap is 1.
    """
    model = learner.fresh(TWO, 1)
    model.learn(column(-2, -1, 0, 1, 2, 3), np.array([0, 0, 0, 0, 0, 1]))
    known = [(5, 0, 2.5), (1, 3, 0.625)]
    odds = [n / math.sqrt(2 * math.pi * v) * math.exp(-((1.5 - m) ** 2) / 2 / v) for n, m, v in known]
    np.testing.assert_allclose(model.scores(column(1.5))[0], np.array(odds) / sum(odds), rtol=1e-12)


@pytest.mark.parametrize("learner", [NaiveBayes(), LEAF])
def test_no_recorded_value_is_likelier_than_one(learner: NativeLearner) -> None:
    """Whole numbers: class 0 only has the value 5, whose Gaussian would be 8 times as high as a probability can be."""
    n = 1000
    X = column(*[5.0] * n, *([4.0, 5.0, 6.0] * (n // 3)))
    y = np.array([0] * n + [1] * (n // 3 * 3))
    model = learner.fresh(TWO, 1)
    model.learn(X, y)
    variance = 2 / 3 * 999 / 998  # of class 1; that of class 0 is 0.0001
    others = 999 / math.sqrt(2 * math.pi * variance)
    assert model.scores(column(5))[0, 0] == pytest.approx(1000 / (1000 + others), rel=1e-6)


@pytest.mark.parametrize("learner", [NaiveBayes(), LEAF])
def test_a_feature_of_two_values_is_counted(learner: NativeLearner) -> None:
    """By hand: 1 was seen in 3 of 4 records of class 0 and in 1 of 3 of class 1, so in (4 + ½) / 8 of all."""
    model = learner.fresh(TWO, 1)
    model.learn(column(1, 1, 1, 0, 1, 0, 0), np.array([0, 0, 0, 0, 1, 1, 1]))
    odds = np.array([4 * (3 + 4.5 / 8) / 5, 3 * (1 + 4.5 / 8) / 4])
    np.testing.assert_allclose(model.scores(column(1))[0], odds / odds.sum(), rtol=1e-12)


def test_naive_bayes_smooths_a_nominal_value_towards_its_share_in_all_classes() -> None:
    """By hand: of 8 records 6 have the value 0, so its share is 7/10; of 2 values, 4 more records are added."""
    schema = Schema((Feature("a", (0, 1)),), (0, 1))
    model = NaiveBayes().fresh(schema, 1)
    model.learn(column(0, 0, 0, 0, 0, 1, 0, 1), np.array([0, 0, 0, 0, 0, 0, 1, 1]))
    odds = np.array([6 * (5 + 4 * 0.7) / (6 + 4), 2 * (1 + 4 * 0.7) / (2 + 4)])
    np.testing.assert_allclose(model.scores(column(0))[0], odds / odds.sum(), rtol=1e-12)


def test_naive_bayes_with_the_densities_of_moa_gives_a_constant_class_density_one() -> None:
    """MOA's GaussianEstimator: 1 at the only value, 0 elsewhere; then the first class, if no class has a density."""
    model = NaiveBayes(densities="moa").fresh(TWO, 1)
    assert not model.scores(column(0)).any()
    model.learn(column(1, 2), np.array([0, 1]))
    np.testing.assert_array_equal(model.scores(column(2, 1, 3)), [[0, 1], [1, 0], [1, 0]])


def test_unknown_densities_are_refused() -> None:
    with pytest.raises(ParameterError, match="'densities' parameter of NaiveBayes must be"):
        NaiveBayes(densities="spiky")  # type: ignore[arg-type]  # what a user may write


def test_bytes_of_an_older_version_are_refused() -> None:
    """The version follows two texts, each after its length in eight bytes; the checksum is made again."""
    model = NaiveBayes().fresh(TWO, 1)
    state = bytearray(model.to_bytes())
    at = 8 + len("prequential") + 8 + len("naive_bayes")
    assert int.from_bytes(state[at : at + 4], "little") == 3
    state[at : at + 4] = (1).to_bytes(4, "little")
    checksum = 0xCBF29CE484222325
    for byte in state[:-8]:
        checksum = ((checksum ^ byte) * 0x100000001B3) % 2**64
    state[-8:] = checksum.to_bytes(8, "little")
    with pytest.raises(ValueError, match="version 1 of a naive_bayes; this build reads version 3"):
        model.load_bytes(bytes(state))
