"""The critical-difference diagram, as data."""

import pytest

from prequential.comparisons import ranking
from prequential.figures.ranks import RankLabel, rank_bars, rank_labels

VALUES = [[0.9, 0.8, 0.7, 0.1], [0.9, 0.7, 0.8, 0.2]] * 6


def test_the_worse_half_is_at_the_left_and_extremes_are_on_top() -> None:
    assert rank_labels(ranking(VALUES, ["a", "b", "c", "d"])) == [
        RankLabel("d  4.000", 4.0, 0, left=True),
        RankLabel("b  2.500", 2.5, 1, left=True),
        RankLabel("c  2.500", 2.5, 1, left=False),
        RankLabel("a  1.000", 1.0, 0, left=False),
    ]


def test_a_bar_reaches_from_the_worst_to_the_best_rank_of_its_group() -> None:
    found = ranking(VALUES, ["a", "b", "c", "d"])
    assert found.nemenyi.critical_difference == pytest.approx(1.354, abs=1e-3)
    assert rank_bars(found) == [(2.5, 2.5)]
