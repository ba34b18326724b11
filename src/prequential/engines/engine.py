"""The base class of engines, in which replicas process the chunks of a stream."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import TracebackType
from typing import ClassVar, Self

from prequential.engines.job import Key
from prequential.engines.replica_update import ReplicaUpdate
from prequential.streams.chunk import Chunk


class Engine(ABC):
    """Holds the replicas of a run.

    ``submit`` starts processing a chunk; ``collect`` waits until all replicas have processed it, and returns their
    updates in the order of the jobs. Only one chunk is processed at a time, so memory stays constant. If ``collect`` is
    interrupted, it can be called again.

    In every engine, replicas are created from the same parameters and process the same chunks, so their updates are
    the same.
    """

    name: ClassVar[str]
    reads_ahead: ClassVar[bool] = False
    """Whether the next chunk can be read while replicas process one."""
    n_workers: int = 1

    @abstractmethod
    def submit(self, seq: int, chunk: Chunk) -> None:
        """Start processing a chunk in all replicas."""

    @abstractmethod
    def collect(self) -> list[ReplicaUpdate]:
        """Wait for the submitted chunk and return the updates; an empty list if no chunk was submitted."""

    @abstractmethod
    def drop(self, learner: str) -> None:
        """Remove all replicas of a learner."""

    @abstractmethod
    def state(self) -> dict[Key, bytes]:
        """Return the state of every replica, the same in every engine; all updates must have been collected.

        Raises
        ------
        UnsavableError
            If a learner cannot be saved.
        """

    @abstractmethod
    def restore(self, seq: int, states: Mapping[Key, bytes]) -> None:
        """Restore replicas from ``state()``; chunk ``seq`` is next. Replicas without a state are removed."""

    @abstractmethod
    def finish(self) -> list[ReplicaUpdate]:
        """Return the last checkpoints of all replicas that have not failed."""

    @abstractmethod
    def close(self) -> None:
        """End threads and processes."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
