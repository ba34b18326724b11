"""How many records are processed in one step; results do not depend on it."""

from __future__ import annotations

import pytest

from prequential.evaluation.driver import _next_size


@pytest.mark.parametrize(
    ("seconds", "factor"),
    [(0.0, 16), (0.0049, 16), (0.005, 4), (0.049, 4), (0.05, 1), (0.3, 1), (0.31, 0.5), (60.0, 0.5)],
)
def test_a_step_takes_about_a_tenth_of_a_second(seconds: float, factor: float) -> None:
    assert _next_size(1000, seconds, 1 << 18) == 1000 * factor


def test_a_step_has_at_least_one_record_and_at_most_a_chunk() -> None:
    assert _next_size(1, 100.0, 1000) == 1
    assert _next_size(3, 100.0, 1000) == 1
    assert _next_size(256, 0.0, 1000) == 1000
    assert _next_size(1000, 0.1, 1000) == 1000
