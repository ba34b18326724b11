"""One replica after the other, in the thread that asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from prequential.engines.engine import Engine
from prequential.engines.job import Job, Key
from prequential.engines.report import Report
from prequential.engines.worker import Worker
from prequential.streams.chunk import Chunk


class Serial(Engine):
    """Steps all replicas itself."""

    name: ClassVar[str] = "serial"

    def __init__(self, jobs: Sequence[Job]) -> None:
        self._worker = Worker(jobs)
        self._reports: list[Report] = []

    def submit(self, seq: int, chunk: Chunk) -> None:
        """Step all replicas."""
        self._reports = self._worker.step(seq, chunk)

    def collect(self) -> list[Report]:
        """Return the reports."""
        reports, self._reports = self._reports, []
        return reports

    def drop(self, learner: str) -> None:
        """Let go of all replicas of a learner."""
        self._worker.drop(learner)

    def state(self) -> dict[Key, bytes]:
        """Return the state of every replica."""
        return self._worker.state()

    def restore(self, seq: int, states: Mapping[Key, bytes]) -> None:
        """Go on with chunk ``seq``."""
        self._worker.restore(seq, states)

    def finish(self) -> list[Report]:
        """Return the last checkpoints."""
        return self._worker.finish()

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""
