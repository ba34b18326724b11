"""The ticks of the histogram of latencies."""

from __future__ import annotations

import pytest

from prequential.runs.latency_histogram import round_numbers


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (1.0, 9000.0, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]),
        (1.0, 10_000.0, [1, 10, 100, 1000, 10_000]),
        (2.0, 8.1, [2, 4, 6, 8]),
        (1e-3, 0.02, [0.001, 0.002, 0.005, 0.01, 0.02]),
        (1.0, 1e16, [1, 100, 1e4, 1e6, 1e8, 1e10, 1e12, 1e14, 1e16]),
    ],
)
def test_ticks_are_round_and_neither_few_nor_many(low: float, high: float, expected: list[float]) -> None:
    assert round_numbers(low, high) == expected
