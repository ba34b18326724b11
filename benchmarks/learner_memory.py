"""Memory of the learners against the length of the stream: made chunk by chunk, never held, each in a new process."""

from __future__ import annotations

from benchmarks.figure import Figure
from benchmarks.memory import printed
from prequential.learners import CATALOGUE
from prequential.learners.native import NativeLearner

LENGTHS = (1_000_000, 10_000_000)
# What would take more than a minute is asked for less: a smaller window, or a tenth of the records.
SETTINGS = {"knn": "knn:window=100"}
SLOW = ("adwin_bagging", "adaptive_random_forest")

LEARNING = """
import sys
import prequential as pq
stream = pq.streams.SEA(seed=1).take(int(sys.argv[2]))
learner = pq.learners.by_name(sys.argv[1]).fresh(stream.schema, seed=1)
for chunk in stream.chunks():
    learner.test_then_train(chunk.X, chunk.y)
print(learner.nbytes)
"""


def run() -> list[Figure]:
    """Measure, and return one row a figure."""
    figures = []
    for name, cls in CATALOGUE.items():
        if not issubclass(cls, NativeLearner):
            continue
        learner = SETTINGS.get(name, name)
        few, many = (n // 10 if name in SLOW else n for n in LENGTHS)
        (small, low), (large, high) = (printed(LEARNING, learner, n) for n in (few, many))
        figures += [
            Figure(f"{learner}, model after {many:,} records", large / 1024, "KiB"),
            Figure(f"{learner}, model, {many:,} against {few:,}", large / small, "×", 1.05, "at most"),
            Figure(f"{learner}, peak of the process, {many:,} against {few:,}", high / low, "×", 1.05, "at most"),
        ]
    return figures
