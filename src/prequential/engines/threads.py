"""Replicas in threads: native learners work outside Python, so that their threads run beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from prequential.engines.job import Job, Key
from prequential.engines.pool import Pool
from prequential.engines.report import Report
from prequential.engines.worker import Worker
from prequential.streams.chunk import Chunk


class Threads(Pool):
    """Steps the replicas through a chunk in threads: whichever is free takes the next replica.

    Parameters
    ----------
    jobs
        What the replicas are made of.
    n_workers
        The number of threads.
    """

    name: ClassVar[str] = "threads"

    def __init__(self, jobs: Sequence[Job], n_workers: int) -> None:
        super().__init__(n_workers)
        self._workers = [Worker([job]) for job in jobs]

    def submit(self, seq: int, chunk: Chunk) -> None:
        """Hand a chunk to all replicas."""
        self.start([partial(worker.step, seq, chunk) for worker in self._workers])

    def drop(self, learner: str) -> None:
        """Let go of all replicas of a learner."""
        for worker in self._workers:
            worker.drop(learner)

    def state(self) -> dict[Key, bytes]:
        """Return the state of every replica."""
        return {key: kept for worker in self._workers for key, kept in worker.state().items()}

    def restore(self, seq: int, states: Mapping[Key, bytes]) -> None:
        """Go on with chunk ``seq``."""
        for worker in self._workers:
            worker.restore(seq, states)

    def finish(self) -> list[Report]:
        """Return the last checkpoints."""
        self.start([worker.finish for worker in self._workers])
        return self.collect()
