"""How many values a second the drift detectors take, beside River's."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import prequential as pq
from benchmarks.figure import Figure
from prequential.drift import Detector, PageHinkley
from prequential.drift.watch import Watch
from prequential.types import FloatArray

N = 5_000_000
N_SLOW = 200_000
BUDGETS = {"Page–Hinkley": 10_000_000.0, "ADWIN": 5_000_000.0}
DETECTORS: dict[str, Detector] = {
    "Page–Hinkley": PageHinkley(),
    "ADWIN": pq.drift.ADWIN(),
    "ratio of fading factors": pq.drift.Ratio(),
    "ratio of windows": pq.drift.Ratio(short=pq.Sliding(1000), long=pq.Sliding(5000)),
    "DDM": pq.drift.DDM(),
    "EDDM": pq.drift.EDDM(),
}


def losses(n: int, seed: int = 1) -> FloatArray:
    """Make errors whose rate jumps between 0.1 and 0.3 every 50,000 records."""
    rate = np.where(np.arange(n) // 50_000 % 2 == 0, 0.1, 0.3)
    return (np.random.default_rng(seed).random(n) < rate).astype(np.float64)


def rate(work: Callable[[], object], n: int, repeats: int = 3) -> float:
    """Return the values a second of the fastest of some runs."""
    best = 0.0
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        best = max(best, n / (time.perf_counter() - began))
    return best


def river(detector: Callable[[], Any], values: list[float]) -> int:
    """Feed River's detector value by value, as it must be."""
    model, n_alarms = detector(), 0
    for value in values:
        model.update(value)
        n_alarms += model.drift_detected
    return n_alarms


def watched(detector: Detector, n: int) -> Callable[[], object]:
    """Return the work of watching a learner of two classes: counting, the metric at every record, the detector."""
    stream = pq.streams.SEA(seed=1).take(n)
    chunks = list(stream.chunks())
    scores = np.random.default_rng(1).random((n, 2))

    def work() -> None:
        watch = Watch(detector, stream.schema)
        for chunk in chunks:
            watch.step(chunk, scores[chunk.start : chunk.start + len(chunk)])

    return work


def run() -> list[Figure]:
    """Measure, and return one row a figure."""
    from river import drift

    values, few = losses(N), losses(N_SLOW)
    figures = [
        Figure(f"{name}, one call an array", rate(partial(detector.detect, values), N), "values/s", BUDGETS.get(name))
        for name, detector in DETECTORS.items()
    ]
    ours = {figure.what.partition(",")[0]: figure.value for figure in figures}
    peers = {"ADWIN": drift.ADWIN, "Page–Hinkley": drift.PageHinkley}
    for name, peer in peers.items():
        theirs = rate(partial(river, peer, few.tolist()), N_SLOW)
        figures.append(Figure(f"River {name}, update by update", theirs, "values/s"))
        figures.append(Figure(f"{name} against River's", ours[name] / theirs, "×"))
    n = 1_000_000
    for words, detector in {
        "Page–Hinkley beside a learner, on each error": PageHinkley(),
        "Page–Hinkley beside a learner, on κ under sliding:1000": PageHinkley(on="kappa", under=pq.Sliding(1000)),
    }.items():
        figures.append(Figure(words, rate(watched(detector, n), n), "records/s"))
    return figures
