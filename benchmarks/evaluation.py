"""What evaluation costs: against the bare learner loop of the same kernel, and against River's own evaluation.

Bare loop and evaluation take turns, and the best of each is compared, because the machine is shared.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from river import metrics, naive_bayes
from river.evaluate import progressive_val_score

import prequential as pq
from benchmarks.figure import Figure
from prequential.evaluation.execution import default_chunk
from prequential.metrics.forgetting import Forgetting

N_RECORDS, N_FEATURES = 1_000_000, 10
N_RIVER = 50_000
ROUNDS = 25
METRICS = ["accuracy", "kappa", "kappa_m", "kappa_t", "mcc", "macro_f1", "balanced_accuracy", "g_mean"]
MORE = [*METRICS, "macro_precision", "h_mean"]
FORGETTING: list[Forgetting | str] = [pq.Cumulative(), pq.Sliding(1000), pq.Fading(0.999)]


def records(n: int = N_RECORDS, seed: int = 1) -> pq.Stream:
    """Make a stream of two noisy classes in memory."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, N_FEATURES))
    y = (X[:, 0] + X[:, 1] + rng.normal(size=n) > 0).astype(np.int64)
    return pq.from_arrays(X, y)


def bare(stream: pq.Stream) -> None:
    """Test and train, and drop the scores."""
    learner = pq.learners.NaiveBayes().fresh(stream.schema, seed=1)
    for chunk in stream.chunks(default_chunk(stream.schema)):
        learner.test_then_train(chunk.X, chunk.y)


def evaluated(stream: pq.Stream, every: int = 1000, learner: str = "naive_bayes") -> pq.Run:
    """Test, train, count, compute and write."""
    return pq.evaluate(stream, learner, metrics=METRICS, forgetting=FORGETTING, every=every, progress=False)


def evaluated_seldom(stream: pq.Stream) -> pq.Run:
    """Do the same with a tenth of the checkpoints: what is left is the cost a record."""
    return evaluated(stream, every=10_000)


def evaluated_more(stream: pq.Stream) -> pq.Run:
    """Evaluate with ten metrics."""
    return pq.evaluate(stream, "naive_bayes", metrics=MORE, forgetting=FORGETTING, progress=False)


def evaluated_adwin(stream: pq.Stream) -> pq.Run:
    """Evaluate with ten metrics, and ADWIN as a fourth forgetting."""
    forgetting = [*FORGETTING, pq.AdaptiveWindow()]
    return pq.evaluate(stream, "naive_bayes", metrics=MORE, forgetting=forgetting, progress=False)


def evaluated_log_loss(stream: pq.Stream) -> pq.Run:
    """Evaluate with ten metrics and the log loss."""
    return pq.evaluate(stream, "naive_bayes", metrics=[*MORE, "log_loss"], forgetting=FORGETTING, progress=False)


def over_bare(stream: pq.Stream) -> list[Figure]:
    """Return what evaluation costs a record beyond the bare loop, by seconds of the processor."""
    kinds: dict[str, tuple[Callable[[pq.Stream], object], float]] = {
        "10 metrics under 3 forgettings": (evaluated_more, 6),
        "the same, ADWIN as a fourth forgetting": (evaluated_adwin, 15),
        "the same 3 forgettings, with log loss": (evaluated_log_loss, 25),
    }
    works = [bare, *(work for work, _ in kinds.values())]
    rounds = [[seconds(work, stream, time.process_time) for work in works] for _ in range(ROUNDS)]
    alone, *each = (min(column) for column in zip(*rounds, strict=True))
    return [
        Figure(f"{what}, over the bare loop, CPU", (spent - alone) / N_RECORDS * 1e9, "ns a record", budget, "at most")
        for (what, (_, budget)), spent in zip(kinds.items(), each, strict=True)
    ]


def seconds(
    work: Callable[[pq.Stream], object], stream: pq.Stream, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Time one call; what it made is thrown away after the clock has stopped."""
    begun = clock()
    made = work(stream)
    spent = clock() - begun
    del made
    return spent


def river_seconds(
    stream: pq.Stream,
    n: int = N_RIVER,
    model: Callable[[], Any] = naive_bayes.GaussianNB,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """Time River's progressive validation, a record."""
    chunk = next(stream.chunks(n))
    rows = [(dict(enumerate(x)), int(y)) for x, y in zip(chunk.X.tolist(), chunk.y, strict=True)]
    begun = clock()
    progressive_val_score(rows, model(), metrics.Accuracy())
    return (clock() - begun) / n


def run() -> list[Figure]:
    """Measure, and return one row a figure."""
    stream = records()
    evaluated(stream)
    kinds = (bare, evaluated, evaluated_seldom, evaluated_more, evaluated_adwin)
    rounds = [[seconds(kind, stream) for kind in kinds] for _ in range(ROUNDS)]
    alone, whole, seldom, more, adwin = (min(column) for column in zip(*rounds, strict=True))
    river = river_seconds(stream)
    setting = "naive Bayes, 1M × 10, 8 metrics under 3 forgettings"
    return [
        Figure("bare loop, naive Bayes, 1M × 10", N_RECORDS / alone, "records/s"),
        Figure(f"evaluation, {setting}", N_RECORDS / whole, "records/s"),
        Figure("evaluation against the bare loop, 1,000 checkpoints", whole / alone, "× its time", 1.10, "at most"),
        Figure("evaluation against the bare loop, 100 checkpoints", seldom / alone, "× its time"),
        Figure("the same, 1,000 checkpoints, 10 metrics", more / alone, "× its time", 1.05, "at most"),
        Figure("the same, 10 metrics, ADWIN as a fourth forgetting", adwin / alone, "× its time", 1.15, "at most"),
        Figure(f"River progressive_val_score, GaussianNB, {N_RIVER:,} records", 1 / river, "records/s"),
        Figure("evaluation against River", river / (whole / N_RECORDS), "× as fast", 500),
        *over_bare(stream),
    ]
