from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from prequential.errors import ParameterError
from prequential.learners import KNN
from prequential.streams import Feature, Schema

NAN = float("nan")
NUMBER = Schema((Feature("x"),), (0, 1, 2))
MIXED = Schema((Feature("x"), Feature("colour", ("red", "green", "blue"))), (0, 1, 2))


def learned(k: int, window: int, rows: Sequence[tuple[float, int]], weights: list[float] | None = None) -> KNN:
    learner = KNN(n_neighbors=k, window_size=window).fresh(NUMBER, 1)
    x, y = zip(*rows, strict=True)
    learner.learn(np.array(x, dtype=float)[:, np.newaxis], np.array(y), None if weights is None else np.array(weights))
    return learner


def scored(learner: KNN, *x: float) -> list[float]:
    return [float(score) for score in learner.scores(np.array([x]))[0]]


def nearer(x: tuple[float, float], rows: list[tuple[float, float]]) -> list[int]:
    """Return the positions of the rows from near to far, found by increasing k."""
    order: list[int] = []
    schema = Schema(MIXED.features, tuple(range(len(rows))))
    for k in range(1, len(rows) + 1):
        learner = KNN(n_neighbors=k, window_size=100).fresh(schema, 1)
        learner.learn(np.array(rows), np.arange(len(rows)))
        order += sorted({i for i, score in enumerate(scored(learner, *x)) if score > 0} - set(order))
    return order


def test_all_records_at_the_distance_of_the_kth_neighbour_vote() -> None:
    """MOA's votes for the same records: 1, 1, 2."""
    learner = learned(2, 100, [(0, 0), (1, 1), (1, 2), (-1, 2), (5, 0)])
    assert scored(learner, 0) == [0.25, 0.25, 0.5]


def test_a_vote_counts_its_weight_but_k_counts_records() -> None:
    learner = learned(2, 100, [(0, 0), (1, 1), (3, 2)], weights=[3.0, 1.0, 100.0])
    assert scored(learner, 0) == [0.75, 0.25, 0.0]


def test_the_oldest_record_leaves_the_window() -> None:
    rows = [(0, 0), (100, 1), (1, 2)]
    assert scored(learned(1, 3, rows), 0) == [1, 0, 0]
    assert scored(learned(1, 2, rows), 0) == [0, 0, 1]


def test_fewer_records_than_k_all_vote() -> None:
    assert scored(learned(10, 100, [(0, 0), (9, 1)]), 0) == [0.5, 0.5, 0]


def test_it_abstains_until_the_first_label() -> None:
    assert scored(KNN().fresh(NUMBER, 1), 0) == [0, 0, 0]


def test_a_missing_value_has_the_largest_distance() -> None:
    """Distances of MOA's EuclideanDistance from (2, red): 0.2, 0.8, 1.044, 0.8, 1.166, 1.281."""
    rows = [(0.0, 0.0), (10.0, 0.0), (5.0, 1.0), (NAN, 0.0), (8.0, NAN), (NAN, NAN)]
    assert nearer((2.0, 0.0), rows) == [0, 1, 3, 2, 4, 5]


def test_a_value_outside_the_range_has_a_distance_above_1() -> None:
    """Distances of MOA's EuclideanDistance from (20, red): 2, 1, 1.803, 2, 1.562, 2.236."""
    rows = [(0.0, 0.0), (10.0, 0.0), (5.0, 1.0), (NAN, 0.0), (8.0, NAN), (NAN, NAN)]
    assert nearer((20.0, 0.0), rows) == [1, 4, 2, 0, 3, 5]


def test_a_missing_number_has_the_largest_distance() -> None:
    learner = learned(1, 100, [(0, 0), (NAN, 1), (10, 2)])
    assert scored(learner, 1) == [1, 0, 0]
    assert scored(learner, NAN) == [1 / 3, 1 / 3, 1 / 3]


def test_a_feature_with_one_value_has_no_influence() -> None:
    assert scored(learned(1, 100, [(3, 0), (3, 1)]), 1000) == [0.5, 0.5, 0]
    assert scored(learned(1, 100, [(NAN, 0), (NAN, 1)]), 1000) == [0.5, 0.5, 0]


@pytest.mark.parametrize("kind", ["steps", "rising", "falling", "few values", "with gaps"])
def test_the_range_is_that_of_the_window_at_every_record(kind: str) -> None:
    """Two features, one almost constant: which of two records is nearer depends on the range of the other."""
    rng = np.random.default_rng(1)
    n, window = 400, 30
    x = {
        "steps": np.cumsum(rng.normal(size=n)),
        "rising": np.arange(n) ** 1.5,
        "falling": -(np.arange(n) ** 1.5),
        "few values": rng.integers(3, size=n).astype(float),
        "with gaps": np.where(rng.random(n) < 0.7, NAN, rng.normal(size=n)),
    }[kind]
    X = np.column_stack([x, rng.normal(size=n)])
    y = rng.integers(3, size=n)
    found = KNN(n_neighbors=3, window_size=window).fresh(Schema.numeric(2, (0, 1, 2)), 1).test_then_train(X, y)
    for i in range(window, n):
        fresh = KNN(n_neighbors=3, window_size=window).fresh(Schema.numeric(2, (0, 1, 2)), 1)
        fresh.learn(X[i - window : i].copy(), y[i - window : i].copy())
        np.testing.assert_array_equal(found[i : i + 1], fresh.scores(X[i : i + 1].copy()))


def test_two_threads_can_score_with_one_learner() -> None:
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(3000, 4)), rng.integers(3, size=3000)
    learner = KNN().fresh(Schema.numeric(4, (0, 1, 2)), 1)
    learner.learn(X, y)
    expected = learner.scores(X)
    found: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: found.append(learner.scores(X))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for scores in found:
        np.testing.assert_array_equal(scores, expected)


class _Allocated(ctypes.Structure):
    """The result of glibc's mallinfo2."""

    _fields_ = [(name, ctypes.c_size_t) for name in ("a", "b", "c", "d", "mapped", "e", "f", "used", "g", "h")]


@pytest.mark.parametrize("window", [1000, 50_000])
def test_nbytes_is_the_allocated_memory(window: int) -> None:
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallinfo2") or "PREQUENTIAL_SANITIZED" in os.environ:
        pytest.skip("THE ALLOCATOR DOES NOT SAY WHAT IT HOLDS: glibc 2.33 or newer is needed, and no sanitiser")
    libc.mallinfo2.restype = _Allocated

    def allocated() -> int:
        info = libc.mallinfo2()
        return int(info.used + info.mapped)

    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60_000, 5)), rng.integers(3, size=60_000)
    for n in (window // 2, 60_000):
        learner = KNN(window_size=window).fresh(Schema.numeric(5, (0, 1, 2)), 1)
        before = allocated() - learner.nbytes
        learner.learn(X[:n], y[:n])
        assert learner.nbytes == pytest.approx(allocated() - before, rel=0.05)


def test_memory_stays_the_same_once_the_window_is_full() -> None:
    rng = np.random.default_rng(4)
    learner = KNN(window_size=100).fresh(Schema.numeric(2, (0, 1, 2)), 1)
    sizes = []
    for _ in range(5):
        learner.learn(rng.normal(size=(100, 2)), rng.integers(3, size=100))
        sizes.append(learner.nbytes)
    assert all(a == b for a, b in pairwise(sizes))


@pytest.mark.parametrize("bad", [{"n_neighbors": 0}, {"n_neighbors": 1.5}, {"window_size": 0}, {"window_size": None}])
def test_invalid_parameters_are_refused(bad: dict[str, int]) -> None:
    with pytest.raises(ParameterError, match="a whole number of at least 1"):
        KNN(**bad)
