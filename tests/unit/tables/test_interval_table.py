"""Intervals around the estimates of a run."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

import prequential as pq


@pytest.fixture(scope="module")
def run() -> pq.Run:
    return pq.evaluate(
        pq.streams.SEA(seed=1).take(10_000),
        ["naive_bayes", "no_change"],
        metrics=["accuracy", "kappa", "brier"],
        forgetting=["cumulative", "sliding:1000", "fading:0.999"],
        every=500,
    )


def test_every_mean_over_records_has_intervals_around_its_value(run: pq.Run) -> None:
    found = run.intervals()
    assert {row["metric"] for row in found.last()} == {"accuracy", "brier"}
    for row in found.last():
        assert row["low"] <= row["value"] <= row["high"]
        assert (not np.isnan(row["sequence_low"])) == (row["forgetting"] == "cumulative")
    assert found.to_arrow().num_rows == 2 * 2 * 3 * 20
    assert "batch means" in str(found)


def test_wilson_is_scipys(run: pq.Run) -> None:
    for row in run.intervals("accuracy", forgetting="sliding:1000").last():
        other = binomtest(round(1000 * row["value"]), 1000).proportion_ci(method="wilson")
        assert (row["wilson_low"], row["wilson_high"]) == pytest.approx((other.low, other.high), abs=1e-9)


def test_the_fading_interval_counts_its_effective_records(run: pq.Run) -> None:
    w = 0.999 ** np.arange(10_000)
    (row, _) = run.intervals("accuracy", forgetting="fading:0.999").last()
    assert row["n_effective"] == pytest.approx(w.sum() ** 2 / (w**2).sum())


def test_what_has_no_interval_says_why(run: pq.Run) -> None:
    with pytest.raises(pq.InputError, match="means over records"):
        run.intervals("kappa")
    with pytest.raises(pq.InputError, match="confidence"):
        run.intervals(confidence=2)
    alone = pq.evaluate(pq.streams.SEA(seed=1).take(6000), "naive_bayes", metrics="accuracy", forgetting="sliding:1000")
    assert "add the forgetting 'cumulative'" in str(alone.intervals())
