"""The learners beside those of River and MOA, and two replicas of a learner beside one.

Our whole evaluation stands against River's progressive validation and MOA's EvaluatePrequential, by seconds of the
processor (ours of all threads), which another program on the machine disturbs less than those of the clock. Against MOA
from memory, and from the same ARFF file with its reading. We compute eight metrics under three forgettings at every
1,000 records; River computes accuracy, MOA accuracy and kappas.
"""

from __future__ import annotations

import math
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from river import naive_bayes, neighbors, tree

import prequential as pq
from benchmarks import moa
from benchmarks.evaluation import evaluated, records, river_seconds
from benchmarks.figure import Figure
from prequential.learners import as_learner
from prequential.types import FloatArray, Labels

ROUNDS = 5
ROUNDS_MOA, ROUNDS_FILE = 10, 3  # its figure swings by a tenth and more
ROUNDS_THREADS, N_THREADS = 40, 200_000


def _river_knn() -> Any:
    return neighbors.KNNClassifier(n_neighbors=10, engine=neighbors.LazySearch(window_size=1000))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A learner, its peers, and what it must reach."""

    learner: str
    n: int
    """Records we and MOA get."""
    rate: float | None = None
    """Records a second that are needed."""
    moa: str | None = None
    moa_file: bool = False
    """Whether MOA is run from a file too."""
    moa_budget: float | None = None
    file_budget: float | None = None
    river: Callable[[], Any] | None = None
    n_river: int = 0
    river_budget: float | None = None
    threads: bool = False
    """Whether two replicas in two threads are measured."""


CASES = [
    Case(
        learner="naive_bayes",
        n=1_000_000,
        moa="bayes.NaiveBayes",
        moa_file=True,
        moa_budget=15,
        file_budget=10,
        river=naive_bayes.GaussianNB,
        n_river=50_000,
        river_budget=1500,
        threads=True,
    ),
    Case(
        learner="hoeffding_tree",
        n=1_000_000,
        moa="trees.HoeffdingTree",
        moa_file=True,
        moa_budget=15,
        file_budget=12,
        river=tree.HoeffdingTreeClassifier,
        n_river=20_000,
        river_budget=350,
        threads=True,
    ),
    Case(
        learner="knn",
        n=50_000,
        rate=50_000,
        moa="lazy.kNN -k 10 -w 1000",
        moa_budget=30,
        river=_river_knn,
        n_river=2000,
    ),
    Case(
        learner="adwin_bagging:n_models=10",
        n=100_000,
        moa="meta.OzaBagAdwin -l trees.HoeffdingTree -s 10",
        moa_budget=15,
    ),
    Case(
        learner="adaptive_random_forest:n_models=10",
        n=100_000,
        moa="meta.AdaptiveRandomForest -s 10",
        moa_budget=18,
    ),
]


def best(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Return the least seconds of the clock and of the processor of some calls."""
    clock, processor = [], []
    for _ in range(rounds):
        began, began_processor = time.perf_counter(), time.process_time()
        work()
        clock.append(time.perf_counter() - began)
        processor.append(time.process_time() - began_processor)
    return min(clock), min(processor)


def replicas(learner: str, schema: pq.Schema, chunks: list[tuple[FloatArray, Labels]], n_threads: int) -> None:
    """Let some replicas learn the same chunks, each in a thread of its own."""

    def work(seed: int) -> None:
        replica = as_learner(learner).fresh(schema, seed)
        for X, y in chunks:
            replica.test_then_train(X, y)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def speed_up(learner: str, stream: pq.Stream) -> float:
    """Return the work of two threads a second over that of one: many short turns, because the machine is shared."""
    chunks = [(chunk.X, chunk.y) for chunk in stream.chunks(50_000)]
    one = two = math.inf
    for _ in range(ROUNDS_THREADS):
        one = min(one, best(partial(replicas, learner, stream.schema, chunks, 1), 1)[0])
        two = min(two, best(partial(replicas, learner, stream.schema, chunks, 2), 1)[0])
    return 2 * one / two


def figures_of(case: Case, stream: pq.Stream, folder: Path, jar: Path | None) -> list[Figure]:
    """Measure one case."""
    name = case.learner
    clock, processor = best(lambda: evaluated(stream, learner=name), ROUNDS)
    figures = [Figure(f"{name}, evaluation, {case.n:,} × 10", case.n / clock, "records/s", case.rate)]
    if case.river is not None:
        theirs = river_seconds(stream, case.n_river, case.river, time.process_time)
        what = f"{name} against River, its first {case.n_river:,} records, CPU"
        figures.append(Figure(what, theirs / (processor / case.n), "× as fast", case.river_budget))
    if case.moa is not None and jar is not None:
        arff = folder / f"{case.n}.arff"
        if not arff.exists():
            moa.write_arff(stream, arff)
        theirs = min(moa.cpu_seconds(jar, case.moa, arff, case.n, cached=True) for _ in range(ROUNDS_MOA))
        figures.append(Figure(f"MOA {case.moa}, from memory, its CPU figure", 1 / theirs, "records/s"))
        what = f"{name} against MOA, both from memory, CPU"
        figures.append(Figure(what, theirs / (processor / case.n), "× as fast", case.moa_budget))
        if case.moa_file:
            _, processor = best(lambda: evaluated(pq.read(arff), learner=name), ROUNDS_FILE)
            theirs = min(moa.cpu_seconds(jar, case.moa, arff, case.n, cached=False) for _ in range(ROUNDS_FILE))
            figures.append(Figure(f"MOA {case.moa}, reading ARFF included, its CPU figure", 1 / theirs, "records/s"))
            what = f"{name} against MOA, both reading the ARFF file, CPU"
            figures.append(Figure(what, theirs / (processor / case.n), "× as fast", case.file_budget))
    if case.threads:
        what = f"{name}, two replicas in two threads against one"
        figures.append(Figure(what, speed_up(name, stream.take(N_THREADS)), "× the records/s", 1.8))
    return figures


def run() -> list[Figure]:
    """Measure, and return one row a figure."""
    jar = moa.jar()
    streams: dict[int, pq.Stream] = {}
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            stream = streams.setdefault(case.n, records(case.n))
            figures += figures_of(case, stream, Path(folder), jar)
    return figures
