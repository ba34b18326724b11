"""Averages and curves from counts of errors in stretches of 50 records."""

from __future__ import annotations

import numpy as np
import pytest

import prequential as pq
from prequential.errors import InputError
from prequential.runs.failure import Failure
from prequential.testbed.cards.error_counts import ErrorCounts


def by_record(seed: int = 1, n: int = 1720) -> tuple[np.ndarray, ErrorCounts]:
    """Wrong predictions of three seeds record by record, and their counts."""
    wrong = np.random.default_rng(seed).random((3, n)) < 0.3
    padded = np.pad(wrong, ((0, 0), (0, -n % 50)))
    return wrong, ErrorCounts(padded.reshape(3, -1, 50).sum(axis=2), n)


def test_averages_are_those_of_the_records() -> None:
    wrong, errors = by_record()
    assert errors.error().tolist() == wrong.mean(axis=1).tolist()
    assert errors.error(500, 1250).tolist() == wrong[:, 500:1250].mean(axis=1).tolist()
    assert errors.error(1500).tolist() == wrong[:, 1500:].mean(axis=1).tolist()


def test_the_curve_is_that_of_a_sliding_window() -> None:
    wrong, errors = by_record()
    n, values = errors.curve()
    assert n.tolist() == list(range(50, 1701, 50))
    expected = [[seed[max(0, k - 500) : k].mean() for k in n] for seed in wrong]
    np.testing.assert_allclose(values, expected, rtol=1e-12)


def test_the_curve_is_that_of_an_evaluation() -> None:
    run = pq.evaluate(
        pq.streams.SEA(seed=3).take(2030),
        "naive_bayes",
        metrics="error",
        forgetting=["cumulative", "sliding:500"],
        every=50,
    )
    rows = run.to_pandas()
    whole, sliding = (rows[rows.forgetting == name] for name in ("cumulative", "sliding:500"))
    counts = np.diff(np.rint((whole.n * whole.value).to_numpy()).astype(int), prepend=0)
    n, values = ErrorCounts(counts[np.newaxis], 2030).curve()
    assert n.tolist() == sliding.n.tolist()[:-1]
    np.testing.assert_allclose(values[0], sliding.value.to_numpy()[:-1], rtol=1e-12)


def test_what_is_no_whole_stretch_is_refused() -> None:
    _, errors = by_record()
    for begin, end in ((10, None), (0, 120), (0, 1700 + 50), (100, 100), (-50, 100)):
        with pytest.raises(InputError, match="cannot be averaged"):
            errors.error(begin, end)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(InputError, match="201 columns, one for every 50"):
        ErrorCounts(np.zeros((2, 200), dtype=np.int64), 10_001)
    too_many = np.zeros((1, 3), dtype=np.int64)
    too_many[0, 2] = 2  # the last stretch has one record
    with pytest.raises(InputError, match="from 0 to its number of records"):
        ErrorCounts(too_many, 101)
    with pytest.raises(InputError, match="1 seeds, but 2 failures"):
        ErrorCounts(np.zeros((1, 3), dtype=np.int64), 150, (None, None))


def test_a_failed_seed_is_undefined_and_says_why() -> None:
    _, errors = by_record()
    failed = ErrorCounts(errors.counts, 1720, (None, Failure(1234, "ValueError: no\nmore", ""), None))
    assert np.isnan(failed.error()).tolist() == [False, True, False]
    assert np.isnan(failed.curve()[1]).all(axis=1).tolist() == [False, True, False]
    assert failed.why_undefined == "failed at record 1,234 of 1 of 3 seeds: ValueError: no more"
    assert not failed.of_seeds([2, 0]).why_undefined
