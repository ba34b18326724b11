"""The parameter of a detector for an admissible rate of false alarms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy

import prequential as pq
from prequential.evaluation.threshold_search import poisson_rate

LOSSES = (np.random.default_rng(1).random(30_000) < 0.2).astype(float)


@pytest.mark.parametrize(
    "detector",
    [
        pq.drift.PageHinkley(delta=0.05),
        pq.drift.PageHinkley(delta=0.05, under="fading:0.99"),
        pq.drift.ADWIN(direction="up"),
        pq.drift.DDM(),
        pq.drift.EDDM(),
        pq.drift.Ratio(delta=0.05),
    ],
    ids=lambda one: one.label,
)
def test_the_value_is_where_the_rate_becomes_admissible(detector: pq.drift.Detector) -> None:
    series = LOSSES[:12_000]
    found = pq.calibrate(detector, series, false_alarms_per=1500)

    def n_alarms(value: float) -> int:
        return len(detector.with_params({found.parameter: value}).detect(series))

    bold, cautious = found.interval
    assert n_alarms(found.value) == found.n_alarms <= 12_000 / 1500
    assert found.detector == detector.with_params({found.parameter: found.value})
    sign = -1 if found.parameter in ("delta", "beta") else 1
    assert sign * bold <= sign * found.value <= sign * cautious
    assert n_alarms(bold) >= found.n_alarms >= n_alarms(cautious)
    assert found.rate_interval[0] <= found.rate == found.n_alarms / 12_000 <= found.rate_interval[1]


def test_the_value_is_that_of_a_fine_grid() -> None:
    found = pq.calibrate(pq.drift.PageHinkley(delta=0.05), LOSSES, false_alarms_per=1000)
    grid = np.geomspace(1, 100, 2000)
    rates = np.array([len(pq.drift.PageHinkley(delta=0.05, threshold=one).detect(LOSSES)) for one in grid]) / 30_000
    first = grid[np.flatnonzero(rates > 1 / 1000).max() + 1]
    assert found.value == pytest.approx(first, rel=0.03)


def test_the_interval_of_a_rate_is_the_exact_one_of_a_poisson_count() -> None:
    counts = np.array([3, 3, 3])
    rate, low, high, dispersion = poisson_rate(counts, 1000, 0.05)
    assert (rate, dispersion) == (0.009, 1)
    assert scipy.stats.poisson.sf(8, 1000 * low) == pytest.approx(0.025)
    assert scipy.stats.poisson.cdf(9, 1000 * high) == pytest.approx(0.025)
    assert poisson_rate(np.array([0, 0]), 1000, 0.05)[:2] == (0, 0)
    wide = poisson_rate(np.array([0, 0, 9]), 1000, 0.05)
    assert wide.dispersion == pytest.approx(9)
    assert wide.low < low < high < wide.high


def test_the_rate_holds_on_fresh_data() -> None:
    rng = np.random.default_rng(5)
    found = pq.calibrate("page_hinkley:delta=0.05", list(rng.random((10, 8000)) < 0.2), false_alarms_per=1000)
    assert found.n_parts == 10
    fresh = rng.random((40, 8000)) < 0.2
    at = [[len(found.detector.with_params({"threshold": one}).detect(row)) for row in fresh] for one in found.interval]
    bold, cautious = np.sum(at, axis=1) / fresh.size
    assert cautious < 1 / 1000 < bold


def test_next_to_a_learner_the_alarms_are_those_of_detect() -> None:
    stream = pq.streams.SEA(noise=0.1).take(2500)
    found = pq.calibrate("page_hinkley", stream, "naive_bayes", false_alarms_per=1000, seeds=3)
    n = [
        len(pq.detect(stream.reseeded(seed), "naive_bayes", found.detector, seed=seed)[0].alarms) for seed in (1, 2, 3)
    ]
    assert (sum(n), found.n_records, found.n_parts) == (found.n_alarms, 7500, 3)
    assert "at most one false alarm per 1,000 records" in str(found)
    assert found.to_dict()["detector"] == found.detector.label


def test_a_file_is_used_once(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    pq.write(pq.streams.SEA(seed=1).take(4000), path)
    found = pq.calibrate("page_hinkley", path, "naive_bayes", false_alarms_per=500, seeds=5)
    assert (found.n_records, found.n_parts) == (4000, 10)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: pq.calibrate("page_hinkley", LOSSES, false_alarms_per=10_000), "too few"),
        (lambda: pq.calibrate("page_hinkley", LOSSES, false_alarms_per=0), "false_alarms_per"),
        (lambda: pq.calibrate("page_hinkley", LOSSES, false_alarms_per=100, alpha=1), "alpha"),
        (lambda: pq.calibrate("page_hinkley", pq.streams.SEA(), false_alarms_per=9), "a learner that the detector"),
        (lambda: pq.calibrate("page_hinkley", pq.streams.SEA(), "nb", false_alarms_per=9), "never ends"),
        (lambda: pq.calibrate("page_hinkley", ["a", "b"], false_alarms_per=9), "a series of numbers"),
        (
            lambda: pq.calibrate(
                "adwin", pq.streams.SEA().drift_to(pq.streams.SEA(concept=4), at=50).take(99), "nb", false_alarms_per=9
            ),
            "without known drifts",
        ),
        (lambda: pq.calibrate("page_hinkly", LOSSES, false_alarms_per=9), "page_hinkley"),
    ],
)
def test_bad_input_is_refused(call: object, words: str) -> None:
    with pytest.raises(pq.InputError, match=words):
        call()  # type: ignore[operator]
