"""Sliding AUC read at every record, against River's rolling AUC in the same run; and what it adds to an evaluation.

Ours and River's take turns, and the best of each is compared, because the machine is shared.
"""

from __future__ import annotations

import time

import numpy as np
from river import metrics

import prequential as pq
from benchmarks.evaluation import N_RECORDS, bare, records, seconds
from benchmarks.figure import Figure
from prequential.evaluation.execution import default_chunk
from prequential.types import FloatArray, IntArray

WINDOWS = {1000: (20, 100_000), 10_000: (200, 12_000)}
"""By window: the budget against River, and the records that River gets after its window is full."""
ROUNDS = 5


def scores(n: int = N_RECORDS, seed: int = 1) -> tuple[IntArray, FloatArray]:
    """Return labels and scores of a fair classifier; no two scores are equal, which is the slowest case."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n)
    return y, 1 / (1 + np.exp(-rng.normal(1.5 * y - 0.75)))


def ours_seconds(y: IntArray, s: FloatArray, w: int) -> float:
    """Time our rolling AUC, a record."""
    scorer = pq.Scorer("auc", pq.Sliding(w), classes=(0, 1))
    begun = time.perf_counter()
    scorer.trace(y, scores=s)
    return (time.perf_counter() - begun) / len(y)


def river_seconds(y: IntArray, s: FloatArray, w: int) -> float:
    """Time ``update`` and ``get`` of River's rolling AUC, a record, once its window is full."""
    metric = metrics.RollingROCAUC(window_size=w)
    rows = list(zip((y == 1).tolist(), s.tolist(), strict=True))
    for label, score in rows[:w]:
        metric.update(label, {True: score, False: 1 - score})
    begun = time.perf_counter()
    for label, score in rows[w:]:
        metric.update(label, {True: score, False: 1 - score})
        metric.get()
    return (time.perf_counter() - begun) / (len(rows) - w)


def with_auc(stream: pq.Stream) -> pq.Run:
    """Evaluate naive Bayes with the AUC alone, over the last thousand records, every thousand records."""
    return pq.evaluate(stream, "naive_bayes", metrics="auc", forgetting=pq.Sliding(1000), progress=False)


def with_auc_always(stream: pq.Stream) -> None:
    """Test and train naive Bayes, and read the AUC of the last thousand records at every record."""
    learner = pq.learners.NaiveBayes().fresh(stream.schema, seed=1)
    scorer = pq.Scorer("auc", pq.Sliding(1000), classes=(0, 1))
    for chunk in stream.chunks(default_chunk(stream.schema)):
        scorer.trace(chunk.y, scores=learner.test_then_train(chunk.X, chunk.y))


def run() -> list[Figure]:
    """Measure, and return one row a figure."""
    y, s = scores()
    figures: list[Figure] = []
    for w, (budget, n_river) in WINDOWS.items():
        rounds = [(ours_seconds(y, s, w), river_seconds(y[: w + n_river], s[: w + n_river], w)) for _ in range(ROUNDS)]
        ours, river = (min(column) for column in zip(*rounds, strict=True))
        least = 2_000_000 if w == max(WINDOWS) else None
        figures += [
            Figure(f"sliding AUC read at every record, w = {w:,}", 1 / ours, "records/s", least),
            Figure(f"River RollingROCAUC update + get, w = {w:,}", 1 / river, "records/s"),
            Figure(f"sliding AUC against River, w = {w:,}", river / ours, "× as fast", budget),
        ]
    stream = records()
    kinds = (bare, with_auc, with_auc_always)
    times = [[seconds(kind, stream, time.process_time) for kind in kinds] for _ in range(ROUNDS)]
    alone, ranked, always = (min(column) for column in zip(*times, strict=True))
    return [
        *figures,
        Figure(
            "naive Bayes with AUC, w = 1,000, 1,000 checkpoints, against the bare loop", ranked / alone, "× its time"
        ),
        Figure("the same, AUC read at every record", always / alone, "× its time", 1.8, "at most"),
        Figure(
            "the same, over the bare loop, CPU",
            (always - alone) / N_RECORDS * 1e9,
            "ns a record",
            80,
            "at most",
        ),
    ]
