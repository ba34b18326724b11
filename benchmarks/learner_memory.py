"""Memory of the learners against the length of the stream: made chunk by chunk, never held, each in a new process."""

from __future__ import annotations

from benchmarks.figure import Figure
from benchmarks.memory import printed
from prequential.learners.catalogue import LEARNERS
from prequential.learners.native import NativeLearner

FEW, MANY = 1_000_000, 10_000_000
TREE_BYTES = 1_048_576
SMALL_TREE = "(hoeffding_tree:max_bytes=100000)"
# Trees grow until they meet their bound: a low one, so that they do. Ensembles are small, to save time.
OF_TREES = (
    "online_bagging",
    "random_forest",
    "adwin_bagging",
    "leveraging_bagging",
    "accuracy_updated_ensemble",
    "adaptive_random_forest",
)
SETTINGS = {
    "knn": "knn:window_size=100",
    "hoeffding_tree": f"hoeffding_tree:delta=0.01,max_bytes={TREE_BYTES}",
    "hoeffding_adaptive_tree": f"hoeffding_adaptive_tree:delta=0.01,max_bytes={TREE_BYTES}",
    **{name: f"{name}:base={SMALL_TREE},n_models=3" for name in OF_TREES},
}

LEARNING = """
import sys
import prequential as pq
stream = pq.streams.SEA(seed=1, noise=0.1).take(int(sys.argv[3]))
learner = pq.as_learner(sys.argv[1]).fresh(stream.schema, seed=1)
few, seen, most = int(sys.argv[2]), 0, 0
for chunk in stream.chunks(100_000):
    learner.test_then_train(chunk.X, chunk.y)
    seen += len(chunk)
    most = max(most, learner.nbytes)
    if seen in (few, int(sys.argv[3])):
        peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
        print(learner.nbytes, most, peak)
"""


def run() -> list[Figure]:
    """Measure, and return one row a figure."""
    figures = []
    for name, cls in LEARNERS.items():
        if not issubclass(cls, NativeLearner):
            continue
        learner = SETTINGS.get(name, name)
        small, _, low, large, most, high, _ = printed(LEARNING, learner, FEW, MANY)
        figures.append(Figure(f"{learner}, model after {MANY:,} records", large / 1024, "KiB"))
        if name.startswith("hoeffding"):
            figures.append(Figure("its largest size against its bound", most / TREE_BYTES, "×", 1, "at most"))
        elif name not in OF_TREES:
            figures.append(Figure(f"model, {MANY:,} records against {FEW:,}", large / small, "×", 1.05, "at most"))
        figures.append(
            Figure(f"peak of the process, {MANY:,} records against {FEW:,}", high / low, "×", 1.05, "at most")
        )
    return figures
