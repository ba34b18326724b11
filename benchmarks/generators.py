"""Records a second of every generator, read in chunks as an evaluation reads them, in one thread.

The budgets are those of a stream that must not be what a fast learner waits for. Seconds are the least of some turns,
because the machine is shared.
"""

from __future__ import annotations

import time

from benchmarks.figure import Figure
from prequential import streams

N, ROUNDS = 1_000_000, 5
CASES: list[tuple[str, streams.Generator, float | None]] = [
    ("SEA", streams.SEA(), 5e6),
    ("LED, 7 features", streams.LED(n_features=7), 5e6),
    ("LED, 24 features", streams.LED(), 5e6),
    ("Hyperplane, 10 features", streams.Hyperplane(), 5e6),
    ("Hyperplane, 10 features, 2 weights moving", streams.Hyperplane(speed=0.001), 5e6),
    ("RandomRBF, 10 features", streams.RandomRBF(), 2e6),
    ("RandomRBF, 10 features, 50 centroids moving", streams.RandomRBF(speed=0.001), 2e6),
    ("RandomTree, 10 features", streams.RandomTree(), 2e6),
    ("Waveform, 21 features", streams.Waveform(), None),
    ("Agrawal", streams.Agrawal(), None),
    ("STAGGER", streams.STAGGER(), None),
    ("Sine", streams.Sine(), None),
    ("Mixed", streams.Mixed(), None),
    ("RotatingGaussian", streams.RotatingGaussian(), None),
]


def seconds(stream: streams.Stream, n: int) -> float:
    """Return the least seconds that reading ``n`` records takes."""
    found = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in stream.take(n).chunks():
            pass
        found.append(time.perf_counter() - began)
    return min(found)


def skip_seconds(stream: streams.Stream, n: int) -> float:
    """Return the seconds until the first record after ``n`` others."""
    began = time.perf_counter()
    next(iter(stream.skip(n).chunks(1)))
    return time.perf_counter() - began


def run() -> list[Figure]:
    """Measure, and return one row a figure."""
    figures = [Figure(name, N / seconds(stream, N), "records/s", budget) for name, stream, budget in CASES]
    walking = streams.Hyperplane(speed=0.001)
    figures.append(Figure("Hyperplane, 2 weights moving, skipping", N / skip_seconds(walking, N), "records/s"))
    return figures
