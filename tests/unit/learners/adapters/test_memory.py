from __future__ import annotations

import collections
import gc
import sys
import tracemalloc
from typing import Any

import numpy as np
import pytest
from river import tree

from prequential.learners.adapters.memory import deep_size
from prequential.learners.adapters.river import RiverLearner
from prequential.streams.schema import Schema


class Slotted:
    __slots__ = ("data", "unset")

    def __init__(self, data: Any) -> None:
        self.data = data


class Open:
    def __init__(self, data: Any) -> None:
        self.data = data


BIG = b"x" * 10_000


def test_a_list_is_itself_and_its_items() -> None:
    items = [1000, 2000.0, "three"]
    assert deep_size(items) == sys.getsizeof(items) + sum(map(sys.getsizeof, items))


@pytest.mark.parametrize(
    "holder",
    [[BIG], (BIG,), {BIG}, {"k": BIG}, {BIG: "v"}, collections.deque([BIG]), Slotted(BIG), Open(BIG), [[[BIG]]]],
    ids=lambda h: type(h).__name__,
)
def test_referenced_objects_are_counted(holder: Any) -> None:
    assert 10_000 < deep_size(holder) < 11_500


def test_shared_objects_are_counted_once() -> None:
    assert deep_size([BIG, BIG, {"again": BIG}]) < 11_500


def test_a_reference_cycle_ends() -> None:
    circle: list[object] = [BIG]
    circle.append(circle)
    assert deep_size(circle) < 11_000


def test_an_array_counts_its_data_once() -> None:
    data = np.zeros(5000)
    assert 40_000 <= deep_size(data) < 40_300
    assert deep_size([data, data, data[:10]]) < 40_800


def test_a_view_counts_the_array_it_keeps_alive() -> None:
    assert deep_size(np.zeros((100, 50))[:1, :2]) > 40_000


def test_an_array_of_objects_counts_them() -> None:
    assert deep_size(np.array([BIG, BIG], dtype=object)) > 10_000


def test_code_is_not_counted() -> None:
    assert deep_size([np, Open, test_code_is_not_counted, len]) == sys.getsizeof([1, 2, 3, 4])


def test_iterators_are_not_consumed() -> None:
    waiting = iter([1, 2, 3])
    deep_size([waiting])
    assert list(waiting) == [1, 2, 3]


def test_the_size_of_a_trained_tree_is_about_the_allocated_memory() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 5))
    y = (X[:, 0] > 0).astype(np.int64)
    learner = RiverLearner(tree.HoeffdingTreeClassifier()).fresh(Schema.numeric(5, ("a", "b")), 1)
    gc.collect()
    tracemalloc.start()
    learner.learn(X, y)
    gc.collect()
    allocated = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert 0.6 * allocated < learner.nbytes < 1.4 * allocated
