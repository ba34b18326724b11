"""Rows of several sources merged by time, however the sources are cut."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prequential.streams.merged import Timed, merged

Times = list[list[int]]


def cut(times: list[int], number: int, rng: np.random.Generator) -> Iterator[Timed]:
    """Pieces of any length, empty ones too; each row has its index."""
    rows = np.arange(len(times)) + 1000 * number
    at = 0
    while at < len(times):
        n = int(rng.integers(0, 4))
        yield Timed(np.array(times[at : at + n], dtype=float), (rows[at : at + n],))
        at += n


def in_order(sources: Times, disorder: float) -> list[int]:
    """The definition: a row that is too late comes after the latest row before it."""
    keyed = []
    for number, times in enumerate(sources):
        latest = float("-inf")
        for row, time in enumerate(times):
            key = latest if time < latest - disorder else time
            latest = max(latest, time)
            keyed.append((key, number, row))
    return [1000 * number + row for _, number, row in sorted(keyed)]


@settings(max_examples=300, deadline=None)
@given(
    sources=st.lists(st.lists(st.integers(0, 12), max_size=25), min_size=1, max_size=3),
    disorder=st.integers(0, 5),
    seed=st.integers(0, 2**32),
)
def test_rows_come_in_the_order_of_their_times_however_they_are_cut(sources: Times, disorder: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = list(merged(*(cut(times, k, rng) for k, times in enumerate(sources)), disorder=disorder))
    rows = [row for _, part in parts for row in part.columns[0].tolist()]
    assert rows == in_order(sources, disorder)
    assert [row // 1000 for row in rows] == [number for numbers, _ in parts for number in numbers.tolist()]


def test_only_as_much_is_read_ahead_as_one_source_is_behind_the_other() -> None:
    read = [0, 0]
    given = [0]
    ahead = []

    def source(number: int, step: float) -> Iterator[Timed]:
        for k in range(200):
            read[number] += 50
            yield Timed(np.arange(50 * k, 50 * (k + 1), dtype=float) * step, ())

    for numbers, _ in merged(source(0, 1.0), source(1, 0.5)):
        given[0] += len(numbers)
        ahead.append(sum(read) - given[0])
    assert sum(read) == given[0] == 20_000
    assert max(ahead) <= 200


def test_a_fault_comes_after_the_rows_before_it() -> None:
    def faulty() -> Iterator[Timed]:
        yield Timed(np.array([0.0, 2.0]), ())
        raise OSError("the disk")

    found: list[float] = []
    reading = merged(faulty(), iter([Timed(np.array([1.0, 3.0, 4.0]), ())]))
    while len(found) < 3:
        found += next(reading)[1].time.tolist()
    assert found == [0.0, 1.0, 2.0]
    with pytest.raises(OSError, match="the disk"):
        next(reading)
