"""One replica after the other, in the main thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from prequential.engines.engine import Engine
from prequential.engines.job import Job, Key
from prequential.engines.replica_update import ReplicaUpdate
from prequential.engines.worker import Worker
from prequential.streams.chunk import Chunk


class Serial(Engine):
    """Processes each chunk in one replica after the other."""

    name: ClassVar[str] = "serial"

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._worker = Worker(jobs)
        self._updates: list[ReplicaUpdate] = []

    def submit(self, seq: int, chunk: Chunk) -> None:
        """Process a chunk in all replicas."""
        self._updates = self._worker.step(seq, chunk)

    def collect(self) -> list[ReplicaUpdate]:
        """Return the updates."""
        updates, self._updates = self._updates, []
        return updates

    def drop(self, learner: str) -> None:
        """Remove all replicas of a learner."""
        self._worker.drop(learner)

    def state(self) -> dict[Key, bytes]:
        """Return the state of every replica."""
        return self._worker.state()

    def restore(self, seq: int, states: Mapping[Key, bytes]) -> None:
        """Restore replicas from ``state()``; chunk ``seq`` is next."""
        self._worker.restore(seq, states)

    def finish(self) -> list[ReplicaUpdate]:
        """Return the last checkpoints."""
        return self._worker.finish()

    def close(self) -> None:
        """Do nothing: there are no threads or processes."""
