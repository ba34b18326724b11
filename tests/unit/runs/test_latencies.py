"""Latencies of labels: quantiles, exact for few labels and within one step of the histogram for many."""

from __future__ import annotations

import numpy as np
import pytest

from prequential.runs.latencies import Latencies


def added(*parts: np.ndarray) -> Latencies:
    latencies = Latencies()
    for part in parts:
        latencies.add(part)
    return latencies


@pytest.mark.parametrize("n", [1, 2, 7, 1000])
def test_quantiles_of_few_labels_are_values(n: int) -> None:
    values = np.random.default_rng(n).exponential(10.0, n)
    latencies = added(values[: n // 2], values[n // 2 :])
    for share in (0.0, 0.1, 0.5, 0.9, 1.0):
        expected = np.quantile(values, share, method="inverted_cdf")
        assert latencies.quantile(share) == expected


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_quantiles_of_many_labels_are_accurate_to_one_step(scale: float) -> None:
    values = np.random.default_rng(1).lognormal(0.0, 2.0, 20_001) * scale
    latencies = added(*np.array_split(values, 7))
    for share in (0.01, 0.25, 0.5, 0.75, 0.99):
        exact = np.quantile(values, share, method="inverted_cdf")
        assert latencies.quantile(share) == pytest.approx(exact, rel=0.0905)
    assert latencies.quantile(1.0) <= values.max()


def test_labels_without_a_delay_come_first() -> None:
    latencies = added(np.repeat([0.0, 0.25, 16.0], 1000))
    assert latencies.quantile(0.2) == 0.0
    assert latencies.quantile(0.5) == pytest.approx(0.25, rel=0.0905)
    assert latencies.quantile(0.9) == pytest.approx(16.0, rel=0.0905)


def test_a_quantile_between_two_steps_is_the_lower_one() -> None:
    latencies = added(np.repeat([1.0, 100.0], 1500))
    assert latencies.quantile(0.5) == pytest.approx(1.0, rel=0.0905)
    assert latencies.quantile(0.5001) == pytest.approx(100.0, rel=0.0905)


def test_a_constant_latency_is_its_own_quantile() -> None:
    latencies = added(np.full(5000, 3.0))
    assert [latencies.quantile(share) for share in (0.0, 0.5, 1.0)] == [3.0, 3.0, 3.0]


def test_the_state_can_be_restored() -> None:
    for n in (10, 3000):
        latencies = added(np.random.default_rng(n).exponential(1.0, n))
        other = Latencies()
        other.restore(latencies.state())
        more = np.array([0.0, 5.0])
        latencies.add(more)
        other.add(more)
        assert other.describe() == latencies.describe()


def test_nothing_is_described_before_the_first_label() -> None:
    assert added(np.zeros(0)).describe() is None


def test_every_label_is_in_one_step_of_the_histogram() -> None:
    values = np.random.default_rng(3).lognormal(0.0, 2.0, 3000)
    values[::5] = 0.0
    summary = added(*np.array_split(values, 7)).describe()
    assert summary is not None
    assert summary["histogram"][0] == [0.0, 0.0, 600]
    for low, high, n in summary["histogram"][1:]:
        assert n == np.count_nonzero((values >= low) & (values < high))
        assert high / low == pytest.approx(2 ** (1 / 8))
    assert sum(n for *_, n in summary["histogram"]) == summary["n"] == 3000
    assert (summary["least"], summary["most"]) == (0.0, values.max())
    assert summary["mean"] == pytest.approx(values.mean())
    assert not summary["exact"]
