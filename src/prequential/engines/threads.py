"""Replicas in threads: native learners release the interpreter lock, so their threads run in parallel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from prequential.engines.job import Job, Key
from prequential.engines.pool import Pool
from prequential.engines.replica_update import ReplicaUpdate
from prequential.engines.worker import Worker
from prequential.streams.chunk import Chunk


class Threads(Pool):
    """Processes each chunk in several threads; a free thread takes the next replica.

    Parameters
    ----------
    jobs
        One job per replica.
    n_workers
        Number of threads.
    """

    name: ClassVar[str] = "threads"

    def __init__(self, jobs: Sequence[Job], n_workers: int) -> None:
        super().__init__(n_workers)
        self._workers = [Worker([job]) for job in jobs]

    def submit(self, seq: int, chunk: Chunk) -> None:
        """Start processing a chunk in all replicas."""
        self.start([partial(worker.step, seq, chunk) for worker in self._workers])

    def drop(self, learner: str) -> None:
        """Remove all replicas of a learner."""
        for worker in self._workers:
            worker.drop(learner)

    def state(self) -> dict[Key, bytes]:
        """Return the state of every replica."""
        return {key: state for worker in self._workers for key, state in worker.state().items()}

    def restore(self, seq: int, states: Mapping[Key, bytes]) -> None:
        """Restore replicas from ``state()``; chunk ``seq`` is next."""
        for worker in self._workers:
            worker.restore(seq, states)

    def finish(self) -> list[ReplicaUpdate]:
        """Return the last checkpoints."""
        self.start([worker.finish for worker in self._workers])
        return self.collect()
