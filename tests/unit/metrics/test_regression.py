"""Metrics of regression where they are undefined or near a limit."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import prequential as pq
from prequential.metrics import Counts
from prequential.metrics.grid import Grid
from prequential.metrics.metric import REGISTRY


def last(values: list[float], predictions: list[float], metric: str, weight: list[float] | None = None) -> float:
    run = pq.score(values, predictions, metrics=metric, forgetting="cumulative", task="regression", weight=weight)
    return float(run.to_arrow()["value"][-1].as_py())


def test_r2_of_equal_targets_is_undefined() -> None:
    assert math.isnan(last([2.0, 2.0, 2.0], [1.0, 2.0, 3.0], "r2"))
    assert last([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], "r2") == 1.0


@pytest.mark.parametrize(("weight", "defined"), [(1e12, False), (1e8, True)])
def test_r2_is_undefined_rather_than_inaccurate_if_nearly_all_targets_are_far_from_the_first(
    weight: float, defined: bool
) -> None:
    found = last([0.0, 5.0, 5.0], [0.0, 5.0, 4.0], "r2", weight=[1.0, weight, weight])
    assert math.isnan(found) != defined


def test_a_rounding_error_below_0_is_an_error_of_0() -> None:
    grid = Grid(pq.Schema.numeric(1, None), [pq.Cumulative()], probabilities=False, skip_abstained=False)
    counts: Counts = grid.checkpoint().counts
    rounding = replace(counts, losses=np.full_like(counts.losses, -1e-18), weight=np.ones_like(counts.weight))
    assert REGISTRY["rmse"](rounding).ravel().tolist() == [0.0]
