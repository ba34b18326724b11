"""The role of an engine: where replicas are stepped through the chunks of a stream."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import TracebackType
from typing import ClassVar, Self

from prequential.engines.job import Key
from prequential.engines.report import Report
from prequential.streams.chunk import Chunk


class Engine(ABC):
    """Holds the replicas of a run.

    A chunk is handed over with ``submit``; ``collect`` waits until all replicas have taken it, and returns their
    reports in the order of the jobs. There is never more than one chunk on its way, so that memory stays constant.
    If ``collect`` is broken off, it can be called again.

    Whatever the engine, replicas are made of the same parameters and take the same chunks, so that their reports are
    the same.
    """

    name: ClassVar[str]
    reads_ahead: ClassVar[bool] = False
    """Whether the next chunk can be read while replicas are at work."""
    n_workers: int = 1

    @abstractmethod
    def submit(self, seq: int, chunk: Chunk) -> None:
        """Hand a chunk to all replicas."""

    @abstractmethod
    def collect(self) -> list[Report]:
        """Wait for the reports on the chunk that was handed over; none if there was none."""

    @abstractmethod
    def drop(self, learner: str) -> None:
        """Let go of all replicas of a learner."""

    @abstractmethod
    def state(self) -> dict[Key, bytes]:
        """Return the state of every replica, when all reports have been collected; whatever the engine, it is the same.

        Raises
        ------
        UnsavableError
            If a learner cannot be saved.
        """

    @abstractmethod
    def restore(self, seq: int, states: Mapping[Key, bytes]) -> None:
        """Go on with chunk ``seq``, where replicas of the same jobs were; those that have no state are let go of."""

    @abstractmethod
    def finish(self) -> list[Report]:
        """Return the last checkpoints of all replicas that have not failed."""

    @abstractmethod
    def close(self) -> None:
        """Let go of threads and processes."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
