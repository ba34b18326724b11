"""Coverage of every interval and sequence, by simulation: independent, autocorrelated and drifting losses.

``PREQUENTIAL_COVERAGE_RUNS=10000`` runs the long version, whose figures are in docs/comparing.md; add ``-s`` to print
them. An interval that claims 95 % must cover in at least 95 % of the runs, less four standard errors and half a point
for the normal approximation; a sequence must be wrong in at most 5 %.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from prequential.comparisons.batch_means import batch_half_width
from prequential.comparisons.confidence_sequence import confidence_sequence
from prequential.comparisons.mean_interval import mean_interval
from prequential.types import FloatArray

RUNS = int(os.environ.get("PREQUENTIAL_COVERAGE_RUNS", "200"))
N, EVERY = 20_000, 500
CHECKPOINTS = np.arange(EVERY, N + 1, EVERY, dtype=np.float64)
WEIGHTS: Mapping[str, FloatArray] = {
    "cumulative": np.ones(N),
    "sliding:2000": (np.arange(N) >= N - 2000).astype(np.float64),
    "fading:0.999": 0.999 ** np.arange(N - 1, -1, -1.0),
}
MEANS: Mapping[str, Callable[[FloatArray], FloatArray]] = {
    "constant": lambda t: np.full_like(t, 0.15),
    "drifting": lambda t: 0.05 + 0.3 * t,
    "abrupt": lambda t: np.where(t < 0.95, 0.1, 0.5),
}


class Sums:
    """The weighted sums of the losses of many runs, and of their expectations, at the checkpoints."""

    def __init__(self, runs: int) -> None:
        self.errors = np.zeros((runs, len(CHECKPOINTS)))
        self.expected = np.zeros((runs, len(CHECKPOINTS)))  # given the records before
        self.last = {label: np.zeros(runs) for label in WEIGHTS}


def simulated(runs: int, mean: str, phi: float, seed: int) -> tuple[Sums, FloatArray]:
    """Return errors of a two-state Markov chain with a given mean at each record, and autocorrelation φ; and means."""
    rng = np.random.default_rng([seed, int(1000 * phi), len(mean)])
    p = MEANS[mean](np.arange(N) / N)
    sums = Sums(runs)
    wrong = rng.random(runs) < p[0]
    before = p[0]
    total, expected = np.zeros(runs), np.zeros(runs)
    for i in range(N):
        chance = np.clip(p[i] + phi * (wrong - before), 0, 1) if i else np.full(runs, p[0])
        wrong = rng.random(runs) < chance
        before = p[i]
        total += wrong
        expected += chance
        for label, w in WEIGHTS.items():
            if w[i] > 1e-12:
                sums.last[label] += w[i] * wrong
        if (i + 1) % EVERY == 0:
            k = (i + 1) // EVERY - 1
            sums.errors[:, k], sums.expected[:, k] = total, expected
    return sums, p


def n_records(label: str) -> FloatArray:
    kind, _, parameter = label.partition(":")
    if kind == "sliding":
        return np.minimum(CHECKPOINTS, float(parameter))
    alpha = float(parameter or 1)
    return CHECKPOINTS if kind == "cumulative" else (1 - alpha**CHECKPOINTS) / (1 - alpha)


def covered(sums: Sums, p: FloatArray, label: str) -> dict[str, float]:
    """Return how often each interval contains the mean expectation under a forgetting, at the last checkpoint."""
    w = WEIGHTS[label]
    target = float((w * p).sum() / w.sum())
    hits = dict.fromkeys(("batch", "wilson", "hoeffding"), 0)
    for run in range(len(sums.errors)):
        value = np.full(len(CHECKPOINTS), np.nan)
        value[-1] = sums.last[label][run] / w.sum()
        found = mean_interval(
            value,
            n_records(label),
            (CHECKPOINTS, sums.errors[run] / CHECKPOINTS),
            label,
            (0.0, 1.0),
            share=True,
        )
        for kind, prefix in (("batch", ""), ("wilson", "wilson_"), ("hoeffding", "hoeffding_")):
            hits[kind] += bool(found[f"{prefix}low"][-1] <= target <= found[f"{prefix}high"][-1])
    return {kind: n / len(sums.errors) for kind, n in hits.items()}


def least(runs: int, level: float = 0.95, approximation: float = 0.005) -> float:
    return level - approximation - 4 * float(np.sqrt(level * (1 - level) / runs))


@pytest.mark.parametrize("mean", ["constant", "drifting"])
@pytest.mark.parametrize("phi", [0.0, 0.5, 0.9])
def test_batch_means_cover_where_they_claim_to(mean: str, phi: float) -> None:
    sums, p = simulated(RUNS, mean, phi, seed=1)
    for label in WEIGHTS:
        found = covered(sums, p, label)
        print(f"{mean:9} φ={phi} {label:13}", {k: round(v, 4) for k, v in found.items()})
        assert found["batch"] >= least(RUNS), (label, found)
        assert found["batch"] <= 1.915 - least(RUNS) or mean == "drifting", "a drift widens the interval, nothing else"
        if phi == 0 and label != "fading:0.999":
            assert found["wilson"] >= least(RUNS)
        if phi == 0.9:
            assert found["wilson"] < 0.7, "it is what batch means are for"


def test_an_abrupt_change_inside_the_window_widens_the_interval() -> None:
    """The mean of a window that spans a change is still covered; it just is not the level of either side."""
    sums, p = simulated(RUNS, "abrupt", 0.0, seed=2)
    for label in WEIGHTS:
        found = covered(sums, p, label)
        print(f"abrupt    φ=0.0 {label:13}", {k: round(v, 4) for k, v in found.items()})
        assert found["batch"] >= least(RUNS)


@pytest.mark.parametrize("mean", ["constant", "drifting"])
@pytest.mark.parametrize("phi", [0.0, 0.9])
def test_the_sequence_is_right_at_all_checkpoints_together(mean: str, phi: float) -> None:
    sums, _ = simulated(RUNS, mean, phi, seed=3)
    wrong = 0
    for run in range(RUNS):
        value = sums.errors[run] / CHECKPOINTS
        found = mean_interval(value, CHECKPOINTS, (CHECKPOINTS, value), "cumulative", (0.0, 1.0), share=True)
        target = sums.expected[run] / CHECKPOINTS
        wrong += bool(((found["sequence_low"] > target) | (found["sequence_high"] < target)).any())
    print(f"{mean:9} φ={phi} sequence of one learner wrong in {wrong / RUNS:.4f}")
    assert wrong / RUNS <= 0.05


@pytest.mark.parametrize("phi", [0.0, 0.9])
def test_intervals_of_a_difference_of_equal_learners_contain_0(phi: float) -> None:
    """Two learners whose errors have the same mean: batch means at the end, the sequence at every checkpoint."""
    a, p = simulated(RUNS, "drifting", phi, seed=4)
    b, _ = simulated(RUNS, "drifting", phi, seed=5)
    for label in WEIGHTS:
        hits = 0
        for run in range(RUNS):
            m = np.full(len(CHECKPOINTS), np.nan)
            m[-1] = {"cumulative": N, "sliding:2000": 2000, "fading:0.999": 1999}[label]
            half = batch_half_width(CHECKPOINTS, a.errors[run] - b.errors[run], m)[-1]
            difference = (a.last[label][run] - b.last[label][run]) / WEIGHTS[label].sum()
            hits += bool(abs(difference) <= half)
        print(f"difference φ={phi} {label:13} {hits / RUNS:.4f}")
        assert hits / RUNS >= least(RUNS)
    wrong = 0
    for run in range(RUNS):
        total = a.errors[run] - b.errors[run]
        variance = np.cumsum(np.diff(a.errors[run] + b.errors[run], prepend=0.0))  # at least V: |d| ≤ a + b, d² ≤ |d|
        expected = (a.expected[run] - b.expected[run]) / CHECKPOINTS
        found = confidence_sequence(CHECKPOINTS, total, variance + CHECKPOINTS * 0.01)
        wrong += bool(((found.low > expected) | (found.high < expected)).any())
    print(f"difference φ={phi} sequence wrong in {wrong / RUNS:.4f}")
    assert wrong / RUNS <= 0.05
    assert len(p) == N
