"""What engines with several workers share: a thread for each worker that waits for it, or works itself."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ClassVar

from prequential.engines.engine import Engine
from prequential.engines.report import Report


class Pool(Engine):
    """Runs calls of its workers in threads, one chunk at a time.

    Parameters
    ----------
    n_workers
        The number of threads.
    """

    reads_ahead: ClassVar[bool] = True

    def __init__(self, n_workers: int) -> None:
        self.n_workers = n_workers
        self._threads = ThreadPoolExecutor(n_workers, thread_name_prefix="prequential")
        self._waiting: list[Future[list[Report]]] = []
        self._kept: list[Report] = []

    def start(self, calls: list[Callable[[], list[Report]]]) -> None:
        """Let the threads make some calls."""
        self._waiting = [self._threads.submit(call) for call in calls]

    def collect(self) -> list[Report]:
        """Wait for all calls; if one raises an error, the reports of the others come with the next call of this."""
        reports, error = self._kept, None
        for future in self._waiting:
            try:
                reports = reports + future.result()
            except Exception as raised:
                error = error or raised
        self._waiting, self._kept = [], []
        if error is not None:
            self._kept = reports
            raise error
        return reports

    def close(self) -> None:
        """End the threads, when they have done what they are at."""
        self._threads.shutdown(cancel_futures=True)
