"""What holds of every native learner of the catalogue, whatever the records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.native_learners import LEARNERS

from prequential.learners.native import NativeLearner
from prequential.streams import Feature, Schema

NUMBERS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "plain": lambda rng, n: rng.normal(size=n),
    "constant": lambda rng, n: np.full(n, rng.choice([0.0, 1.0, -1e308, 1e-320])),
    "huge": lambda rng, n: rng.choice([1e308, -1e308, 1e155, -1e40, 1e20, 0.0, 1.0], size=n),
    "tiny": lambda rng, n: rng.choice([5e-324, -1e-310, 1e-160, 0.0, -0.0], size=n),
    "far away": lambda rng, n: 1e15 + rng.normal(size=n),
}
WEIGHTS: dict[str, Callable[[np.random.Generator, int], np.ndarray | None]] = {
    "none": lambda rng, n: None,
    "whole": lambda rng, n: rng.integers(4, size=n).astype(np.float64),
    "any": lambda rng, n: rng.choice([0.0, 5e-324, 1e-300, 0.5, 1.0, 1e30, 1e300, 1.7e308], size=n),
}


@dataclass(frozen=True)
class Case:
    """A schema, as it is known in the end, how many classes are known in the beginning, and records."""

    schema: Schema
    n_known: int
    X: np.ndarray
    y: np.ndarray
    w: np.ndarray | None

    def fresh(self, learner: NativeLearner, *, late: bool = False) -> NativeLearner:
        classes = self.schema.classes or ()
        return learner.fresh(Schema(self.schema.features, classes[: self.n_known] if late else classes), 1)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    kinds = draw(st.lists(st.sampled_from([*NUMBERS, "nominal"]), max_size=6))
    n_classes = draw(st.integers(1, 12))
    single = draw(st.booleans())
    weights = draw(st.sampled_from(list(WEIGHTS)))
    missing = draw(st.sampled_from([0.0, 0.2, 1.0]))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n = 70
    features = tuple(Feature(f"x{j}", ("a", "b") if kind == "nominal" else None) for j, kind in enumerate(kinds))
    X = np.empty((n, len(kinds)))
    for j, kind in enumerate(kinds):  # of nominal values only two are known beforehand
        X[:, j] = rng.integers(40, size=n) if kind == "nominal" else NUMBERS[kind](rng, n)
    X[rng.random(X.shape) < missing] = np.nan
    y = np.full(n, rng.integers(n_classes)) if single else rng.integers(n_classes, size=n)
    y[rng.random(n) < 0.1] = -1
    schema = Schema(features, tuple(range(n_classes)))
    return Case(schema, draw(st.integers(1, n_classes)), X, y, WEIGHTS[weights](rng, n))


def part(array: np.ndarray | None, cut: slice) -> np.ndarray | None:
    return None if array is None else array[cut]


@pytest.mark.parametrize("name", LEARNERS)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(case=cases())
def test_scores_are_finite_and_depend_on_nothing_but_the_records_before(name: str, case: Case) -> None:
    learner = LEARNERS[name]
    whole = case.fresh(learner)
    expected = whole.test_then_train(case.X, case.y, case.w)
    assert np.isfinite(expected).all()
    assert (expected >= 0).all()

    # Scored twice, in pieces, by hand: the same.
    pieces = case.fresh(learner)
    for begin in range(0, len(case.y), 7):
        cut = slice(begin, begin + 7)
        first = pieces.scores(case.X[cut])
        np.testing.assert_array_equal(first, pieces.scores(case.X[cut]))
        np.testing.assert_array_equal(first[:1], expected[begin : begin + 1])
        if begin % 2 or whole.learns_unlabelled:  # learn() leaves out records without a label
            np.testing.assert_array_equal(
                pieces.test_then_train(case.X[cut], case.y[cut], part(case.w, cut)), expected[cut]
            )
        else:
            pieces.learn(case.X[cut], case.y[cut], part(case.w, cut))
    assert np.isfinite(whole.scores(case.X)).all()
    assert pieces.to_bytes() == whole.to_bytes()


@pytest.mark.parametrize("name", LEARNERS)
@settings(max_examples=15, deadline=None, derandomize=True)
@given(case=cases())
def test_it_does_not_matter_when_classes_are_announced_nor_that_the_learner_was_saved(name: str, case: Case) -> None:
    learner = LEARNERS[name]
    expected = case.fresh(learner).test_then_train(case.X, case.y, case.w)
    late = case.fresh(learner, late=True)
    new = np.flatnonzero(case.y >= case.n_known)
    cut = int(new[0]) if len(new) else 40
    first = late.test_then_train(case.X[:cut], case.y[:cut], part(case.w, slice(cut)))
    np.testing.assert_array_equal(first, expected[:cut, : case.n_known])
    assert not expected[:cut, case.n_known :].any()
    restored = case.fresh(learner, late=True)
    restored.load_bytes(late.to_bytes())
    restored.extend(case.schema)
    rest = restored.test_then_train(case.X[cut:], case.y[cut:], part(case.w, slice(cut, None)))
    np.testing.assert_array_equal(rest, expected[cut:])


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_values_are_refused_and_change_nothing(name: str, value: float) -> None:
    learner = LEARNERS[name].fresh(Schema.numeric(2, (0, 1)), 1)
    X, y = np.array([[1.0, 2.0], [3.0, value]]), np.array([0, 1])
    before = learner.to_bytes()
    for act in (lambda: learner.scores(X), lambda: learner.learn(X, y), lambda: learner.test_then_train(X, y)):
        with pytest.raises(ValueError, match="X holds an infinite value at record 1 of this call, feature 1"):
            act()
    assert learner.to_bytes() == before
