"""Native learners in River's own loop, record by record, beside River's learners: `learner.to_river()`."""

from __future__ import annotations

from river import naive_bayes, tree

import prequential as pq
from benchmarks.evaluation import records, river_seconds
from benchmarks.figure import Figure

N = 20_000


def run() -> list[Figure]:
    """Measure in turns, take the best of each, and return one row a figure."""
    stream = records(N)
    figures = []
    for words, ours, theirs in (
        ("naive Bayes", pq.learners.NaiveBayes, naive_bayes.GaussianNB),
        ("Hoeffding tree", pq.learners.HoeffdingTree, tree.HoeffdingTreeClassifier),
    ):
        rounds = [
            (river_seconds(stream, N, lambda made=ours: made().to_river()), river_seconds(stream, N, theirs))  # type: ignore[misc]  # mypy cannot infer the default
            for _ in range(3)
        ]
        mine, river = (min(column) for column in zip(*rounds, strict=True))
        figures += [
            Figure(f"{words}.to_river() in progressive_val_score, {N:,} × 10", 1 / mine, "records/s"),
            Figure(f"River's {words} in progressive_val_score, {N:,} × 10", 1 / river, "records/s"),
            Figure(f"{words}.to_river() against River's", river / mine, "× as fast", 5),
        ]
    return figures
