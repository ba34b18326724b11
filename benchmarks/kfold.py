"""What k-fold validation costs beside its learners, and what a second core saves.

The ways take turns, and the best of each is compared, because the machine is shared. Engines are timed from their first
chunk to their last report; how long processes and actors take to start stands beside.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from river import naive_bayes

import prequential as pq
from benchmarks.evaluation import records
from benchmarks.figure import Figure
from prequential.engines.choice import make_engine
from prequential.engines.cluster import Cluster
from prequential.engines.job import Job, ReplicaJob
from prequential.engines.worker import Worker
from prequential.evaluation.execution import default_chunk
from prequential.evaluation.settings import UncheckedSettings
from prequential.learners import as_learner
from prequential.metrics.grid import Grid
from prequential.streams.chunk import Chunk

_HELD: list[Chunk] = []
"""The chunks of a process that works by itself."""
N_NATIVE, N_RIVER, FOLDS, ROUNDS = 200_000, 5_000, 10, 25


def jobs(stream: pq.Stream, learner: Any, protocol: pq.KFold) -> list[Job]:
    """Make the jobs of one learner."""
    setting = UncheckedSettings(caller="benchmark", protocol=protocol, metrics="accuracy", forgetting="cumulative")
    shared = setting.checked(stream).setting()
    return [ReplicaJob("learner", fold, as_learner(learner), protocol, shared, 1) for fold in protocol.folds]


def bare(chunks: Sequence[Chunk], protocol: pq.KFold) -> float:
    """Time the replicas of naive Bayes by themselves: draws known beforehand, nothing counted."""
    schema = chunks[0].schema
    learners = [pq.learners.NaiveBayes().fresh(schema, 1) for _ in protocol.folds]
    draws = [[protocol.draws(fold, 1, chunk.start, len(chunk)) for chunk in chunks] for fold in protocol.folds]
    grid = Grid(schema, [], probabilities=False, skip_abstained=False)
    begun = time.perf_counter()
    for k, chunk in enumerate(chunks):
        for learner, drawn in zip(learners, draws, strict=True):
            grid.counted(learner.counting_fold(chunk, *drawn[k]), chunk)
    return time.perf_counter() - begun


def worked(chunks: Sequence[Chunk], wanted: Sequence[Job], engine: str, workers: int) -> tuple[float, float]:
    """Time an engine: its start, and its work."""
    begun = time.perf_counter()
    with make_engine(engine, wanted, workers=workers) as made:
        ready = time.perf_counter()
        for seq, chunk in enumerate(chunks):
            made.submit(seq, chunk)
            made.collect()
        made.finish()
        return ready - begun, time.perf_counter() - ready


def by_themselves(chunks: Sequence[Chunk], wanted: Sequence[Job]) -> float:
    """Time two processes, each of which has half of the replicas and all chunks, and is asked for nothing else."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn"), initializer=_hold, initargs=(chunks,)) as pool:
        list(pool.map(_half, [(wanted[:1], 0.0)] * 2))  # both have started
        start = time.time() + 1.0
        ends = list(pool.map(_half, [(wanted[k::2], start) for k in (0, 1)]))
    return max(ends) - start


def _hold(chunks: Sequence[Chunk]) -> None:
    _HELD[:] = chunks


def _half(work: tuple[Sequence[Job], float]) -> float:
    worker = Worker(work[0])
    time.sleep(max(0.0, work[1] - time.time()))
    for seq, chunk in enumerate(_HELD):
        worker.step(seq, chunk)
    return time.time()


def best(rounds: int, *ways: Callable[[], float]) -> list[float]:
    """Return the least time of each way; they take turns."""
    return [min(column) for column in zip(*([way() for way in ways] for _ in range(rounds)), strict=True)]


def run() -> list[Figure]:
    """Measure, and return one row a figure."""
    figures: list[Figure] = []
    stream = records(N_NATIVE)
    chunks = list(stream.chunks(default_chunk(stream.schema)))
    chunks = [chunk[i : i + 50_000] for chunk in chunks for i in range(0, len(chunk), 50_000)]
    for scheme in ("bootstrap", "cross"):
        protocol = pq.KFold(FOLDS, scheme, "all")
        wanted = jobs(stream, "naive_bayes", protocol)
        alone, whole = best(
            ROUNDS,
            lambda protocol=protocol: bare(chunks, protocol),  # type: ignore[misc]  # bound as it is now
            lambda wanted=wanted: worked(chunks, wanted, "serial", 1)[1],  # type: ignore[misc]  # bound as it is now
        )
        what = f"{FOLDS} folds of naive Bayes, {scheme}, all tested, against the replicas alone"
        figures.append(Figure(what, whole / alone, "× their time", 1.10, "at most"))
    for learner in ("naive_bayes", "hoeffding_tree"):
        wanted = jobs(stream, learner, pq.KFold(FOLDS, "bootstrap"))
        one, two = best(
            ROUNDS,
            lambda wanted=wanted: worked(chunks, wanted, "threads", 1)[1],  # type: ignore[misc]  # bound as it is now
            lambda wanted=wanted: worked(chunks, wanted, "threads", 2)[1],  # type: ignore[misc]  # bound as it is now
        )
        (apart,) = best(5, lambda wanted=wanted: by_themselves(chunks, wanted))  # type: ignore[misc]  # as above
        what = f"{FOLDS} folds of {learner}, two threads against one"
        figures.append(Figure(what, one / two, "× as fast", 1.8))
        figures.append(
            Figure("the same, two programs that share nothing: what the machine can do", one / apart, "× as fast")
        )
        figures.append(Figure(f"{what}, against those two programs", apart / two, "×", 0.95))
    river = records(N_RIVER)
    few = list(river.chunks(1000))
    wanted = jobs(river, naive_bayes.GaussianNB(), pq.KFold(FOLDS, "bootstrap"))
    timed = [[worked(few, wanted, "processes", workers) for workers in (1, 2)] for _ in range(3)]
    one, two = (min(turn[k][1] for turn in timed) for k in (0, 1))
    figures.append(
        Figure(f"{FOLDS} folds of River's GaussianNB, two processes against one", one / two, "× as fast", 1.7)
    )
    figures.append(Figure("two processes start in", min(turn[1][0] for turn in timed), "s"))
    return figures + on_ray(chunks, jobs(stream, "naive_bayes", pq.KFold(FOLDS, "bootstrap")), few, wanted)


def on_ray(chunks: Sequence[Chunk], native: Sequence[Job], few: Sequence[Chunk], river: Sequence[Job]) -> list[Figure]:
    """Measure what Ray costs on one machine, beside engines that do the same without it."""
    begun = time.perf_counter()
    cluster = Cluster(None, 2)
    try:
        started = time.perf_counter() - begun
        serial, actor = best(
            3, lambda: worked(chunks, native, "serial", 1)[1], lambda: worked(chunks, native, "ray", 1)[1]
        )
        turns = [[worked(few, river, engine, 2) for engine in ("processes", "ray")] for _ in range(3)]
    finally:
        cluster.close()
    processes, actors = (min(turn[k][1] for turn in turns) for k in (0, 1))
    what = f"{FOLDS} folds of"
    return [
        Figure(f"{what} naive_bayes, one actor of Ray against serial", actor / serial, "× its time"),
        Figure(f"{what} River's GaussianNB, two actors against two processes", actors / processes, "× their time"),
        Figure("Ray on this machine starts in", started, "s"),
        Figure("two actors of it in", min(turn[1][0] for turn in turns), "s"),
    ]
