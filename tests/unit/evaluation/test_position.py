"""The fingerprint of the records before a save point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import prequential as pq
from prequential.evaluation.position import Tail
from prequential.streams.chunk import Chunk

N = 300


def chunk(start: int = 0, n: int = N, seed: int = 1) -> Chunk:
    rng = np.random.default_rng(seed)
    X, y, time, weight = rng.random((N, 2)), rng.integers(2, size=N), np.linspace(0.0, 450.0, N), rng.random(N)
    names = np.array([f"r{i}" for i in range(N)], dtype=object)
    whole = Chunk(pq.Schema.numeric(2, ("a", "b")), 0, X, y, time=time, weight=weight, id=names)
    return whole[start : start + n]


def test_the_last_256_records_count() -> None:
    assert Tail.of(chunk()).n == 256
    assert Tail.of(chunk()) == Tail.of(chunk(N - 256, 256))
    assert Tail.of(chunk(0, 100)).n == 100


def test_the_fingerprint_does_not_depend_on_chunks() -> None:
    tail = Tail()
    for start, n in ((44, 1), (45, 200), (245, 55)):
        tail.add(chunk(start, n))
    assert tail == Tail.of(chunk())


@pytest.mark.parametrize("name", ["X", "y", "time", "weight", "id"])
def test_another_value_of_any_column_is_another_fingerprint(name: str) -> None:
    one = chunk()
    values = getattr(one, name).copy()
    values[-3] = "other" if name == "id" else values[-3] + 1
    assert Tail.of(replace(one, **{name: values})) != Tail.of(one)


def test_records_in_another_order_have_another_fingerprint() -> None:
    one = chunk()
    order = np.arange(N)
    order[[-1, -2]] = order[[-2, -1]]
    other = Chunk(one.schema, 0, one.X[order], one.y[order], time=one.time, weight=one.weight, id=one.id)
    assert Tail.of(other) != Tail.of(one)
