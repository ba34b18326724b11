"""The boundary of the compiled module: the stub matches it, and invalid arrays are rejected."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import prequential
from prequential import _native

X = np.zeros((4, 2))
Y = np.array([0, 1, 0, 1])


def test_the_stub_matches_the_binary(tmp_path: Path) -> None:
    pytest.importorskip("nanobind")
    stub = tmp_path / "_native.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "prequential._native", "-o", stub], check=True
    )
    ruff = Path(sys.executable).with_name("ruff")
    package = Path(prequential.__file__).parent
    config = package.parents[1] / "pyproject.toml"
    subprocess.run([ruff, "format", "-q", "--config", config, stub], check=True)
    assert (package / "_native.pyi").read_text() == stub.read_text(), "run make stubs"


def grid(*, regression: bool = False) -> _native.Grid:
    made = _native.Grid(0 if regression else 2, regression, False, False)
    made.add_cumulative()
    made.add_sliding(3, np.inf)
    made.add_fading(0.9)
    made.add_exponential_histogram(5, np.inf, 0.2)
    return made


def count(**changed: Any) -> _native.Updated:
    arguments: dict[str, Any] = {
        "y": Y,
        "target": None,
        "scores": np.ones((4, 2)),
        "prediction": None,
        "w": None,
        "t": None,
        "every": 1,
    }
    return grid().update(**{**arguments, **changed})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"scores": np.ones((3, 2))}, "scores has 3 records where 4 are expected"),
        ({"scores": None, "prediction": np.array([0, 1])}, "prediction has 2 records where 4"),
        ({"w": np.ones(5)}, "w has 5 records where 4"),
        ({"t": np.ones(1)}, "t has 1 records where 4"),
        ({"y": None}, "labels, and scores or predictions, are needed"),
        ({"scores": None}, "labels, and scores or predictions, are needed"),
        ({"y": np.array([0, 1, -2, 0])}, "y holds the code -2 at record 2"),
        ({"y": np.array([0, 2**40, 0, 0])}, "codes run from 0 to 4095"),
        ({"y": np.array([0, 1, np.iinfo(np.int64).min, 0])}, "y holds the code -9223372036854775808"),
        ({"prediction": np.array([0, 1, -5, 0])}, "prediction holds the code -5"),
        ({"w": np.array([1.0, np.nan, 1, 1])}, "the weight of record 1 of this call is nan"),
        ({"w": np.array([1.0, -0.5, 1, 1])}, "a weight is a finite number of at least 0"),
        ({"w": np.array([1.0, np.inf, 1, 1])}, "a weight is a finite number of at least 0"),
    ],
)
def test_a_grid_rejects_invalid_values(changed: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        count(**changed)


@pytest.mark.parametrize(
    "changed",
    [
        {"y": Y.astype(np.float64)},
        {"y": Y.astype(np.int32)},
        {"y": [0, 1, 0, 1]},
        {"y": Y.reshape(2, 2)},
        {"prediction": Y.astype(np.float64)},
        {"scores": np.ones(4)},
        {"scores": np.ones((4, 2), dtype=object)},
        {"w": np.ones((4, 1))},
        {"w": "1111"},
        {"every": -1},
        {"every": 2**64},
        {"every": None},
    ],
)
def test_a_grid_rejects_other_types_and_shapes(changed: dict[str, object]) -> None:
    with pytest.raises(TypeError):
        count(**changed)


@pytest.mark.parametrize(
    "same",
    [
        lambda s: np.asfortranarray(s),
        lambda s: np.repeat(s, 2, axis=1)[:, ::2],
        lambda s: s.astype(np.float32),
        lambda s: s.astype(np.int8),
        lambda s: s[::-1].copy()[::-1],
    ],
)
def test_numbers_in_another_layout_or_width_are_the_same_numbers(same: Callable[[np.ndarray], np.ndarray]) -> None:
    scores = np.array([[3.0, 1], [0, 2], [1, 4], [5, 0]])
    other = same(scores)
    found, expected = count(scores=other), count(scores=scores)
    np.testing.assert_array_equal(found.head, expected.head)
    np.testing.assert_array_equal(found.counts, expected.counts)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Y, None, None, None, None, None, 0), "labels, and scores or predictions, are needed"),
        ((Y, None, None, None, None, None, 0, None, np.ones(3), 1), "margin has 3 records where 4"),
        ((Y, None, None, None, None, None, 0, None, np.ones(4), 2), "a margin is between two classes"),
        ((Y + 1, None, None, None, None, None, 0, None, np.ones(4), 1), "a margin is between two classes"),
    ],
)
def test_a_grid_rejects_invalid_margins(arguments: tuple[Any, ...], message: str) -> None:
    made = _native.Grid(2, False, False, False, 1)
    made.add_sliding(5, float("inf"))
    with pytest.raises(ValueError, match=message):
        made.update(*arguments)
    assert made.n_seen == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda one: one.update_one(0, None, None), "labels, and scores or predictions, are needed"),
        (lambda one: one.update_one(4096, None, 0), "codes run from 0 to 4095"),
        (lambda one: one.update_one(0, None, -2), "codes run from 0 to 4095"),
        (lambda one: one.update_one(0, None, 1, -1.0), "a weight is a finite number of at least 0"),
        (lambda one: one.update_one(0, [0.5, -0.5], None), "of class code 1 is negative"),
        (lambda one: one.update_one(0, [0.5] * 5000, None), "n_classes must be from 0 to 4096"),
        (lambda one: one.update_margin(2, 0.5, 1), "a margin is between two classes"),
        (lambda one: one.update_margin(1, 0.5, 1, float("inf")), "a weight is a finite number"),
        (lambda one: one.update_number(0.5, 0.5), "a grid of classes has no targets"),
        (lambda one: one.set_positive(1), "the grid has a positive class already"),
        (lambda one: one.groups(0, 1), "this forgetting keeps no order of scores"),
        (lambda one: one.groups(7, 1), "this forgetting keeps no order of scores"),
    ],
)
def test_a_grid_rejects_an_invalid_record_and_counts_nothing(call: Callable[[Any], object], message: str) -> None:
    made = _native.Grid(2, False, False, False)
    made.add_cumulative()
    with pytest.raises(ValueError, match=message):
        call(made)
    assert made.n_seen == 0
    assert not made.snapshot().counts.any()


@pytest.mark.parametrize("positive", [-3, 2])
def test_a_grid_rejects_a_positive_class_that_it_does_not_have(positive: int) -> None:
    with pytest.raises(ValueError, match="positive must be the code of a class"):
        _native.Grid(2, False, False, False, 1, positive)


def test_a_grid_rejects_invalid_ranks() -> None:
    with pytest.raises(ValueError, match="ranks must be from 0 to 15"):
        _native.Grid(2, False, False, False, 16)


def test_records_before_a_rejected_score_are_counted() -> None:
    made = grid()
    scores = np.array([[1.0, 0], [1, 0], [-1, 0], [1, 0]])
    updated = made.update(Y, None, scores, None, None, None, 1)
    assert updated.fault.startswith("the score -1.0")
    assert updated.fault.endswith("of class code 0 is negative")
    assert updated.head[:, 0].tolist() == [1, 2], "the checkpoints before it are not lost"
    assert made.n_seen == 2
    assert made.snapshot().head[0, 0] == 2


def test_a_regression_grid_needs_one_number_per_record() -> None:
    target = np.zeros(4)
    with pytest.raises(ValueError, match="are needed"):
        grid(regression=True).update(Y, None, np.ones((4, 1)), None, None, None, 1)
    with pytest.raises(ValueError, match="a single number"):
        grid(regression=True).update(None, target, np.ones((4, 2)), None, None, None, 1)
    with pytest.raises(ValueError, match="scores has 3 records"):
        grid(regression=True).update(None, target, np.ones((3, 1)), None, None, None, 1)


def test_a_grid_accepts_no_records_and_no_forgettings() -> None:
    updated = grid().update(Y[:0], None, np.ones((0, 2)), None, None, None, 1)
    assert updated.head.shape == (0, 5)
    assert updated.counts.shape == (0, 4, 11)
    updated = _native.Grid(2, False, False, False).update(Y, None, np.ones((4, 2)), None, None, None, 2)
    assert updated.counts.shape == (2, 0, 11)
    updated = grid().update(Y, None, np.ones((4, 0)), None, None, None, 4)  # no column: all records are abstentions
    assert updated.head[0, 3] == 4


def test_the_arrays_of_a_result_are_not_copied_and_outlive_it() -> None:
    updated = count()
    assert np.shares_memory(updated.head, updated.head)
    head = updated.head
    expected = head.copy()
    del updated
    np.testing.assert_array_equal(head, expected)


def test_the_fields_of_a_result_are_read_only() -> None:
    for result, field in ((count(), "head"), (_native.Waiting(0, 2, 1, np.inf, 10).take(2), "event")):
        with pytest.raises(AttributeError):
            setattr(result, field, None)


@pytest.mark.parametrize("n_classes", [-1, 4097, 2**31 - 1])
def test_invalid_numbers_of_classes_are_rejected(n_classes: int) -> None:
    for make in (
        lambda n: _native.Grid(n, False, False, False),
        lambda n: _native.naive_bayes(n, [0], False),
        lambda n: _native.no_change(n, [0]),
        lambda n: _native.majority_class(n, [0], 0),
        lambda n: _native.sgd(n, [0], False, 0.1, 0.0, True),
        lambda n: _native.knn(n, [0], 1, 1),
        lambda n: _native.no_change(2, [0]).grow(n),
        lambda n: grid().grow(n),
    ):
        with pytest.raises(ValueError, match="n_classes must be from 0 to 4096"):
            make(n_classes)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: g.add_sliding(0.0, np.inf), "records"),
        (lambda g: g.add_sliding(np.nan, np.inf), "records"),
        (lambda g: g.add_sliding(2.5, np.inf), "records"),
        (lambda g: g.add_sliding(np.inf, np.inf), "one of"),
        (lambda g: g.add_sliding(np.inf, -1.0), "seconds"),
        (lambda g: g.add_exponential_histogram(0.5, np.inf, 0.1), "records"),
        (lambda g: g.add_exponential_histogram(np.inf, np.inf, 0.1), "one of"),
        (lambda g: g.add_exponential_histogram(10, 10, 0.1), "one of"),
        (lambda g: g.add_exponential_histogram(10, np.inf, 0.0), "error"),
        (lambda g: g.add_exponential_histogram(10, np.inf, 1.0), "error"),
        (lambda g: g.add_exponential_histogram(10, np.inf, np.nan), "error"),
        (lambda g: g.add_fading(0.0), "alpha"),
        (lambda g: g.add_fading(1.5), "alpha"),
        (lambda g: g.add_fading(np.nan), "alpha"),
    ],
)
def test_invalid_forgettings_are_rejected(call: Callable[[_native.Grid], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(grid())


def test_grids_with_different_forgettings_are_not_merged() -> None:
    def of(*calls: Callable[[_native.Grid], object]) -> _native.Grid:
        made = _native.Grid(2, False, False, False)
        for call in calls:
            call(made)
        made.update(Y, None, np.ones((4, 2)), None, None, None, 0)
        return made

    def sliding(g: _native.Grid) -> None:
        g.add_sliding(5, np.inf)

    def histogram(g: _native.Grid) -> None:
        g.add_exponential_histogram(5, np.inf, 0.1)

    for one, other, message in (
        (of(sliding), of(), "different forgettings"),
        (of(sliding), of(histogram), "different forgettings"),
        (of(sliding), of(lambda g: g.add_sliding(6, np.inf)), "different sliding windows"),
        (of(histogram), of(lambda g: g.add_exponential_histogram(5, np.inf, 0.2)), "different exponential histograms"),
        (of(lambda g: g.add_fading(0.5)), of(lambda g: g.add_fading(0.6)), "different fading factors"),
    ):
        before = one.to_bytes()
        with pytest.raises(ValueError, match=message):
            one.merge(other)
        assert one.to_bytes() == before


LEARNERS: dict[str, Callable[[], _native.Learner]] = {
    "naive_bayes": lambda: _native.naive_bayes(2, [0, 3], False),
    "sgd": lambda: _native.sgd(2, [0, 3], False, 0.1, 0.0, True),
    "knn": lambda: _native.knn(2, [0, 3], 3, 100),
    "majority_class": lambda: _native.majority_class(2, [0, 3], 5),
    "no_change": lambda: _native.no_change(2, [0, 3]),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_learners_reject_arrays_that_do_not_fit(name: str) -> None:
    learner = LEARNERS[name]()
    for call in (
        lambda x, y, w: learner.learn(x, y, w),
        lambda x, y, w: learner.test_then_train(x, y, w),
    ):
        with pytest.raises(ValueError, match="X has 3 features where the schema has 2"):
            call(np.zeros((4, 3)), Y, None)
        with pytest.raises(ValueError, match="y has 3 records where 4"):
            call(X, Y[:3], None)
        with pytest.raises(ValueError, match="y holds the code -7"):
            call(X, np.array([0, 1, -7, 0]), None)
        with pytest.raises(ValueError, match="the weight of record 3"):
            call(X, Y, np.array([1, 1, 1, np.nan]))
        with pytest.raises(TypeError):
            call(X, Y.astype(np.float64), None)
        with pytest.raises(TypeError):
            call(X[0], Y, None)
    with pytest.raises(ValueError, match="X has 1 features"):
        learner.scores(np.zeros((4, 1)))
    assert learner.scores(X).shape == (4, 2)


@pytest.mark.parametrize("value", [-1.0, 0.5, np.inf, 2.0**24, 1e300])
@pytest.mark.parametrize("name", LEARNERS)
def test_learners_reject_nominal_values_that_are_not_codes(name: str, value: float) -> None:
    bad = X.copy()
    bad[2, 1] = value
    learner = LEARNERS[name]()
    for call in (lambda: learner.scores(bad), lambda: learner.learn(bad, Y, None)):
        with pytest.raises(ValueError, match="at record 2 of this call, nominal feature 1"):
            call()


@pytest.mark.parametrize("name", LEARNERS)
def test_learners_accept_no_records(name: str) -> None:
    learner = LEARNERS[name]()
    learner.learn(X[:0], Y[:0], None)
    assert learner.scores(X[:0]).shape == (0, 2)
    assert learner.test_then_train(X[:0], Y[:0], None).scores.shape == (0, 2)
    assert (learner.scores(X) == 0).all()


@pytest.mark.parametrize("name", LEARNERS)
def test_counting_at_once_is_scoring_then_counting(name: str) -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(-1, 4, size=5000)
    records = np.column_stack([rng.normal(y), rng.integers(3, size=5000)]).astype(np.float64)
    w, t = rng.choice([0.5, 1.0], size=5000), np.cumsum(rng.random(5000))
    for weight, time in ((None, None), (w, None), (None, t), (w, t)):
        one, other = LEARNERS[name](), LEARNERS[name]()
        at_once, apart = grid(), grid()
        found = one.test_and_count(at_once, records, y, weight, time, 7)
        expected = apart.update(y, None, other.test_then_train(records, y, weight).scores, None, weight, time, 7)
        np.testing.assert_array_equal(found.head, expected.head)
        np.testing.assert_array_equal(found.counts, expected.counts)
        assert at_once.to_bytes() == apart.to_bytes()
        assert one.to_bytes() == other.to_bytes()


@pytest.mark.parametrize("concept", [0, 5, -1])
def test_a_sea_concept_that_does_not_exist_is_rejected(concept: int) -> None:
    with pytest.raises(ValueError, match="concept must be 1, 2, 3 or 4"):
        _native.Sea(1, concept, 0.1)


@pytest.mark.parametrize("state", [b"", b"x", b"\x00" * 100, "text", None])
def test_bytes_that_are_not_a_state_are_rejected(state: Any) -> None:
    several: list[_native.Grid | _native.Learner] = [grid(), *(make() for make in LEARNERS.values())]
    for made in several:
        with pytest.raises((ValueError, TypeError)):
            made.load_bytes(state)
