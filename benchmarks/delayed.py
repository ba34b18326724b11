"""Labels that come late: asking only where the answer may have changed, beside asking all; and a real stream.

Both ways of asking give the same predictions (tests/properties/test_delayed.py). How much is saved depends on how many
leaves a tree has, and how evenly records fall into them: a label touches the records that wait in its own leaf, and of
what is kept of them one class. So a short stream saves less than a long one, and a tree that never splits, or naive
Bayes, least; these are measured too. The ratio is given for the records that wait alone, and for a whole evaluation,
where each label is counted in 102 bins.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

import prequential as pq
from benchmarks.figure import Figure
from benchmarks.memory import printed
from prequential import _native
from prequential.learners import as_learner
from prequential.learners.native import NativeLearner
from prequential.protocols.delayed import DelayedReplica
from prequential.streams.chunk import Chunk

DELAY = 1000
N_SHORT, N_LONG, N_ONE_LEAF = 30_000, 100_000, 10_000
N_KNN = 3_000
ROUNDS = 2
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SEVEN = ["naive_bayes", "no_change", "majority_class", "knn", "hoeffding_tree", "hoeffding_adaptive_tree"]
SEVEN += ["adaptive_random_forest"]

ELECTRICITY = """
import sys, time
import prequential as pq
stream = pq.read(sys.argv[1], target="ValueToPredict", id="instanceId", time="timeStamp", numeric="trueDate")
protocol = pq.Delayed(bins=100, psi_alpha=2, reevaluate_every=int(sys.argv[2]), first_class=True)
begun = time.perf_counter()
run = pq.evaluate(stream, sys.argv[3].split(";"), protocol=protocol, progress=False)
assert run.status == "complete"
print(round(1000 * (time.perf_counter() - begun)))
"""


def waited(learner: str, chunks: list[Chunk], *, ask_all: bool) -> None:
    """Let a learner live through some events, without counting what it says."""
    model = as_learner(learner).fresh(chunks[0].schema, 1)
    assert isinstance(model, NativeLearner)
    room = _native.Waiting(chunks[0].schema.n_features, 100, 1, math.inf, 100_000)
    for chunk in chunks:
        assert chunk.id is not None
        assert chunk.time is not None
        room.step(model.model, chunk.X, chunk.id, chunk.time, chunk.y, None, ask_all=ask_all)
        room.take(100)


def evaluated(learner: str, stream: pq.Stream, *, ask_all: bool) -> None:
    """Evaluate a learner, its bins included."""
    before, DelayedReplica.ask_all = DelayedReplica.ask_all, ask_all
    try:
        pq.evaluate(stream, learner, protocol=pq.Delayed(), progress=False)
    finally:
        DelayedReplica.ask_all = before


def seconds(work: Callable[[bool], None]) -> tuple[float, float]:
    """Return the least processor seconds of a few turns, asking selectively and asking all."""
    found: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(ROUNDS):
        for ask_all, taken in found.items():
            begun = time.process_time()
            work(ask_all)
            taken.append(time.process_time() - begun)
    return min(found[False]), min(found[True])


def of_waiting(what: str, learner: str, stream: pq.Stream, budget: float | None = None) -> list[Figure]:
    """Return how much faster selective asking is, of the records that wait alone."""
    chunks = list(stream.chunks(1 << 14))
    some, every = seconds(lambda ask_all: waited(learner, chunks, ask_all=ask_all))
    n_labels = sum(int(chunk.labelled.sum()) for chunk in chunks)
    return [
        Figure(f"{what}: labels a second, {DELAY:,} records waiting, asked again at each", n_labels / some, "labels/s"),
        Figure(f"{what}: against asking all", every / some, "× as fast", budget),
    ]


def of_evaluation(what: str, learner: str, stream: pq.Stream) -> list[Figure]:
    """Return how much faster selective asking is, of a whole evaluation."""
    some, every = seconds(lambda ask_all: evaluated(learner, stream, ask_all=ask_all))
    n_labels = sum(int(chunk.labelled.sum()) for chunk in stream.chunks(1 << 14))
    return [
        Figure(f"{what}: whole evaluation, 102 bins counted", n_labels / some, "labels/s"),
        Figure(f"{what}: whole evaluation, against asking all", every / some, "× as fast"),
    ]


def electricity(period: int) -> list[Figure]:
    """Return the time and the peak memory of seven learners on the delayed Electricity of Grzenda et al."""
    path = DATA / "delayed_electricity.parquet"
    milliseconds, peak = printed(ELECTRICITY, path, period, ";".join(SEVEN))
    what = f"delayed Electricity (44,204 × 149), seven learners, B = 100, asked again every {period} labels"
    return [
        Figure(what, milliseconds / 1000, "s", 600.0, "at most"),
        Figure(f"{what}: peak memory", peak / 1024, "MiB"),
    ]


def run() -> list[Figure]:
    """Measure, and return one row a figure."""
    tree, one_leaf = "hoeffding_tree", "hoeffding_tree:grace_period=1000000000"
    figures = []
    for n in (N_SHORT, N_LONG):
        what, late = f"Hoeffding tree, RandomTree (10 features), {n:,}", pq.streams.RandomTree().take(n).delayed(DELAY)
        figures += of_waiting(what, tree, late, 5.0) + of_evaluation(what, tree, late)
    late = pq.streams.RandomTree().take(N_ONE_LEAF).delayed(DELAY)
    figures += of_waiting(f"Hoeffding tree that never splits, RandomTree, {N_ONE_LEAF:,}", one_leaf, late)
    figures += of_waiting(f"naive Bayes, RandomTree, {N_ONE_LEAF:,}", "naive_bayes", late)
    late = pq.streams.SEA(seed=1).take(N_KNN).delayed(DELAY)
    what = "k nearest neighbours, SEA"
    figures += of_waiting(what, "knn", late) + of_evaluation(what, "knn", late)
    if DATA.is_dir():
        what, late = "Hoeffding tree, Electricity (8 features)", pq.read(DATA / "electricity.parquet").delayed(DELAY)
        figures += of_waiting(what, tree, late, 5.0) + of_evaluation(what, tree, late)
        figures += electricity(10)
    return figures
