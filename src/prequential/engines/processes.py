"""Replicas in processes, for learners written in Python, of which only one runs at a time within a process.

A worker process is a new Python with the search path of this one. Unlike ``multiprocessing``, it does not run the
user's script again. It ends when its input ends, also if this process is killed.
"""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar

from prequential.engines.job import Job, Key
from prequential.engines.pool import Pool
from prequential.engines.replica_update import ReplicaUpdate
from prequential.engines.sending import check_sendable, modules_by_file, unpacked_error
from prequential.errors import InputError, LearnerError
from prequential.streams.chunk import Chunk
from prequential.streams.stream import Stream
from prequential.wording import listing

_PROGRAM = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from prequential.engines.serving import serve; serve()"
)
_TIMEOUT_SECONDS = 5.0


class Processes(Pool):
    """Divides the replicas among several processes.

    Chunks are sent to the processes through pipes, unless these read the stream themselves, and updates are sent back.
    Only one chunk is sent at a time, so nothing accumulates before a slow process.

    Parameters
    ----------
    jobs
        One job per replica; its learner must be picklable.
    n_workers
        Number of processes.
    stream
        The stream, if processes read its records themselves.
    """

    name: ClassVar[str] = "processes"

    def __init__(self, jobs: Sequence[Job], n_workers: int, stream: Stream | None = None) -> None:
        n_workers = min(n_workers, len(jobs))
        super().__init__(n_workers)
        self._place = {job.key: i for i, job in enumerate(jobs)}
        self._reads = stream is not None
        self._workers: list[_Remote] = []
        try:
            check_sendable(jobs)
            for k in range(n_workers):
                self._workers.append(_Remote(jobs[k::n_workers], stream))
            self.start([worker.ready for worker in self._workers])
            self.collect()
        except BaseException:
            self.close()
            raise

    def submit(self, seq: int, chunk: Chunk) -> None:
        """Send a chunk, or only its position if workers read the stream, to all processes."""
        call = ("read", seq, chunk.start, len(chunk)) if self._reads else ("step", seq, chunk)
        message = pickle.dumps(call, protocol=5)
        self.start([partial(worker.ask, message) for worker in self._workers])

    def collect(self) -> list[ReplicaUpdate]:
        """Wait for all processes."""
        return sorted(super().collect(), key=lambda update: self._place[update.learner, update.fold])

    def drop(self, learner: str) -> None:
        """Remove all replicas of a learner."""
        self.ask_all(("drop", learner))

    def state(self) -> dict[Key, bytes]:
        """Return the state of every replica."""
        found: dict[Key, bytes] = {}
        for states in self.ask_all(("state",)):
            found |= states
        return dict(sorted(found.items(), key=lambda item: self._place[item[0]]))

    def restore(self, seq: int, states: Mapping[Key, bytes]) -> None:
        """Restore replicas from ``state()``; chunk ``seq`` is next."""
        self.ask_all(("restore", seq, dict(states)))

    def ask_all(self, message: tuple[Any, ...]) -> list[Any]:
        """Send a message to all processes, and wait for their answers."""
        content = pickle.dumps(message, protocol=5)
        return list(self._threads.map(lambda worker: worker.ask(content), self._workers))

    def finish(self) -> list[ReplicaUpdate]:
        """Return the last checkpoints, without those of processes that have died."""
        message = pickle.dumps(("finish",))
        self.start([partial(worker.ask, message) for worker in self._workers if worker.alive])
        return self.collect()

    def close(self) -> None:
        """End the processes; those that are still busy after an error are killed."""
        for worker in self._workers:
            worker.close_input()
        for worker in self._workers:
            worker.wait()
        super().close()


class _Remote:
    """A worker in another process."""

    def __init__(self, jobs: Sequence[Job], stream: Stream | None) -> None:
        self._names = listing(dict.fromkeys(job.name for job in jobs))
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._busy = True
        self._turn = threading.Lock()  # after Ctrl-C a message may be sent before the last one is answered
        content = pickle.dumps((list(jobs), stream), protocol=5)
        self._hello = pickle.dumps(sys.path) + pickle.dumps((content, modules_by_file()))

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def ready(self) -> list[ReplicaUpdate]:
        """Send the jobs, and wait until the replicas are created."""
        try:
            self.ask(self._hello)
            return []
        except RuntimeError as error:  # such as a module that is not found
            raise InputError(
                f"{self._names}: a worker process cannot create it: {error}. Use engine='serial' (--engine serial), or "
                "move its classes and functions to a module that can be imported."
            ) from error

    def ask(self, message: bytes) -> Any:
        """Send a message, and wait for the answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._turn:
            self._busy = True
            try:
                self._process.stdin.write(message)
                self._process.stdin.flush()
                kind, content = pickle.load(self._process.stdout)
            except (EOFError, OSError, ValueError, pickle.UnpicklingError) as error:
                raise LearnerError(f"A process with replicas of {self._names} {self._how_it_ended()}.") from error
            self._busy = False
        if kind != "answer":
            raise unpacked_error(kind, content)
        return content

    def close_input(self) -> None:
        """Close its input, after which it ends; kill it if it is busy."""
        assert self._process.stdin is not None
        if self._busy:
            self._process.kill()
        with suppress(OSError):  # it may have ended already
            self._process.stdin.close()

    def wait(self) -> None:
        """Wait until it has ended; kill it after some seconds."""
        assert self._process.stdout is not None
        try:
            self._process.wait(_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            return "does not answer"
        if code < 0:
            return f"was killed by {signal.Signals(-code).name}"
        return f"ended with exit code {code}"
