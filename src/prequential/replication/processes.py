"""Runs with different seeds in several processes, each run complete in one of them."""

from __future__ import annotations

import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any

from prequential.engines.sending import modules_by_file, unpacked_error, why_not_sendable
from prequential.errors import InputError, LearnerError
from prequential.plans.plan import RunOptions
from prequential.replication.experiment import Experiment, Notes

_PROGRAM = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from prequential.replication.working import work; work()"
)
_TIMEOUT_SECONDS = 10.0
"""How long a process may take to save its run after an interrupt."""


def in_processes(
    experiment: Experiment, options: Mapping[int, RunOptions], n_workers: int
) -> Iterator[tuple[int, Notes]]:
    """Make the runs of all seeds; yield each seed with its warnings when its run is done.

    Results do not depend on the number of processes. After an error or Ctrl-C the runs that are under way are saved.
    """
    reason = why_not_sendable(experiment)
    if reason:
        raise InputError(f"{experiment.name}: {reason}")
    waiting: queue.SimpleQueue[tuple[int, RunOptions]] = queue.SimpleQueue()
    for item in options.items():
        waiting.put(item)
    done: queue.SimpleQueue[tuple[int, Notes]] = queue.SimpleQueue()
    workers: list[_Maker] = []
    with ThreadPoolExecutor(n_workers) as threads:
        try:
            workers += [_Maker(experiment) for _ in range(n_workers)]
            left: set[Future[None]] = {threads.submit(one.work, waiting, done) for one in workers}
            while left:
                finished, left = wait(left, timeout=0.1, return_when=FIRST_COMPLETED)
                yield from _drained(done)
                for one in finished:
                    one.result()
            yield from _drained(done)
        finally:
            for worker in workers:
                worker.stop()
            for worker in workers:
                worker.close()


def _drained(done: queue.SimpleQueue[tuple[int, Notes]]) -> Iterator[tuple[int, Notes]]:
    with suppress(queue.Empty):
        while True:
            yield done.get_nowait()


class _Maker:
    """A process that makes runs."""

    def __init__(self, experiment: Experiment) -> None:
        self._name = experiment.name
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._stopped = threading.Event()
        content = pickle.dumps(experiment, protocol=5)
        self._hello = pickle.dumps(sys.path) + pickle.dumps((content, modules_by_file()))

    def work(
        self,
        waiting: queue.SimpleQueue[tuple[int, RunOptions]],
        done: queue.SimpleQueue[tuple[int, Notes]],
    ) -> None:
        """Make runs until none is waiting."""
        try:
            self._ask(self._hello, "a worker")
        except RuntimeError as error:  # such as a module that is not found
            raise InputError(
                f"{self._name}: a worker process cannot make it: {error}. Use engine='serial' (--engine serial), or "
                "move the function to a module that can be imported."
            ) from error
        while not self._stopped.is_set():
            try:
                seed, options = waiting.get_nowait()
            except queue.Empty:
                return
            done.put((seed, self._ask(pickle.dumps((seed, options), protocol=5), f"seed {seed}")))

    def _ask(self, message: bytes, what: str) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(message)
            self._process.stdin.flush()
            kind, content = pickle.load(self._process.stdout)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as error:
            if self._stopped.is_set():
                raise KeyboardInterrupt from error
            code = self._process.wait(_TIMEOUT_SECONDS)
            raise LearnerError(f"{self._name}: the process with {what} ended with exit code {code}.") from error
        if kind == "interrupted":
            raise KeyboardInterrupt(content)
        if kind != "answer":
            raise unpacked_error(kind, content)
        return content

    def stop(self) -> None:
        """Let it save its run and end: it does when its input ends."""
        self._stopped.set()
        assert self._process.stdin is not None
        with suppress(OSError):  # it may have ended already
            self._process.stdin.close()

    def close(self) -> None:
        """Wait until it has ended; kill it after some seconds."""
        try:
            self._process.wait(_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
