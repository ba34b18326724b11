"""The base class of engines with several workers: one thread per worker, which computes or waits for a process."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ClassVar

from prequential.engines.engine import Engine
from prequential.engines.replica_update import ReplicaUpdate


class Pool(Engine):
    """An engine that calls its workers in threads, one chunk at a time.

    Parameters
    ----------
    n_workers
        Number of threads.
    """

    reads_ahead: ClassVar[bool] = True

    def __init__(self, n_workers: int) -> None:
        self.n_workers = n_workers
        self._threads = ThreadPoolExecutor(n_workers, thread_name_prefix="prequential")
        self._running: list[Future[list[ReplicaUpdate]]] = []
        self._uncollected: list[ReplicaUpdate] = []

    def start(self, calls: list[Callable[[], list[ReplicaUpdate]]]) -> None:
        """Start some calls in the threads."""
        self._running = [self._threads.submit(call) for call in calls]

    def collect(self) -> list[ReplicaUpdate]:
        """Wait for all calls; if one raises an error, the next ``collect`` returns the updates of the others."""
        updates, error = self._uncollected, None
        for future in self._running:
            try:
                updates = updates + future.result()
            except Exception as raised:
                error = error or raised
        self._running, self._uncollected = [], []
        if error is not None:
            self._uncollected = updates
            raise error
        return updates

    def close(self) -> None:
        """Wait for running calls, and end the threads."""
        self._threads.shutdown(cancel_futures=True)
