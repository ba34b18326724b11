"""The native exponential histogram against its Python twin, at every record."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.records import flat, random_records, through_grid
from twins import counts as twin

from prequential.metrics.forgetting import ExponentialHistogram


def assert_same_as_twin(
    forgetting: ExponentialHistogram, seed: int, n: int, n_classes: int, weights: str, *, skip: bool, abstain: float
) -> None:
    records = random_records(seed, n, n_classes, weights=weights, abstain=abstain)
    found = through_grid(records, [forgetting], n_classes=n_classes, probabilities=True, skip=skip, cuts=[n // 3 + 1])
    rows = flat(found.counts)[:, 0]
    grid = twin.ExponentialGrid(
        n_classes,
        forgetting.error,
        w=forgetting.n_records or math.inf,
        seconds=forgetting.seconds or math.inf,
        skip=skip,
    )
    for i, record in enumerate(records):
        expected = grid.update(record)
        numbers = [*np.ravel(expected.matrix), expected.majority_hits, expected.no_change_hits]
        numbers += [expected.weight, expected.n_records, *expected.losses]
        np.testing.assert_allclose(rows[i], numbers, rtol=1e-12, atol=1e-12, err_msg=f"{forgetting.label}, record {i}")


@pytest.mark.parametrize("weights", ["none", "fractional"])
@pytest.mark.parametrize("skip", [False, True])
@pytest.mark.parametrize(
    "forgetting",
    [
        ExponentialHistogram(1),
        ExponentialHistogram(50, 0.01),
        ExponentialHistogram(300, 0.1),
        ExponentialHistogram(200, 0.5),
        ExponentialHistogram(seconds=100, error=0.25),
        ExponentialHistogram(seconds=400, error=0.05),
    ],
)
def test_counts_are_those_of_the_twin_at_every_record(
    forgetting: ExponentialHistogram, weights: str, skip: bool
) -> None:
    assert_same_as_twin(forgetting, 3, 700, 3, weights, skip=skip, abstain=0.1)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(1, 300),
    n_classes=st.integers(1, 4),
    weights=st.sampled_from(["none", "fractional"]),
    timed=st.booleans(),
    length=st.integers(1, 200),
    error=st.sampled_from([0.02, 0.1, 0.25, 0.75]),
    skip=st.booleans(),
    abstain=st.sampled_from([0.0, 0.3, 1.0]),
)
def test_counts_are_those_of_the_twin_whatever_comes(
    seed: int,
    n: int,
    n_classes: int,
    weights: str,
    timed: bool,
    length: int,
    error: float,
    skip: bool,
    abstain: float,
) -> None:
    kind = {"seconds": length} if timed else {"window_size": length}
    assert_same_as_twin(
        ExponentialHistogram(error=error, **kind), seed, n, n_classes, weights, skip=skip, abstain=abstain
    )
