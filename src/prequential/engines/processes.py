"""Replicas in processes: learners written in Python, of which only one at a time can work in a process.

A worker process is a new Python that knows nothing of this one but its search path: it does not run the user's script
again, as ``multiprocessing`` would. It ends when its input ends, also if this process is killed.
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
from pathlib import Path
from typing import Any, ClassVar

from prequential.engines.job import Job, Key
from prequential.engines.pool import Pool
from prequential.engines.report import Report
from prequential.errors import InputError, LearnerError, PrequentialError, StorageError, listing
from prequential.saved import UnsavableError
from prequential.streams.chunk import Chunk
from prequential.streams.stream import Stream

_PROGRAM = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from prequential.engines.serving import serve; serve()"
)
_PATIENCE_SECONDS = 5.0


class Processes(Pool):
    """Steps a share of the replicas in each of several processes.

    Chunks go to the processes through pipes, unless they read the stream by themselves, and their reports come back
    the same way. There is one chunk on its way at a time, so that nothing piles up before a slow process.

    Parameters
    ----------
    jobs
        What the replicas are made of; learners must be such that ``pickle`` can write them.
    n_workers
        The number of processes.
    stream
        The stream, if processes are to read its records by themselves.
    """

    name: ClassVar[str] = "processes"

    def __init__(self, jobs: Sequence[Job], n_workers: int, stream: Stream | None = None) -> None:
        n_workers = min(n_workers, len(jobs))
        super().__init__(n_workers)
        self._place = {job.key: i for i, job in enumerate(jobs)}
        self._reads = stream is not None
        self._workers: list[_Remote] = []
        try:
            for name, one in {job.name: job for job in jobs}.items():
                refused = why_not_sent(one)
                if refused:
                    raise InputError(f"{name}: {refused}")
                one.replica()  # what is wrong with it is better said here than there
            for k in range(n_workers):
                self._workers.append(_Remote(jobs[k::n_workers], stream))
            self.start([worker.ready for worker in self._workers])
            self.collect()
        except BaseException:
            self.close()
            raise

    def submit(self, seq: int, chunk: Chunk) -> None:
        """Send a chunk to all processes, or say which it is."""
        told = ("read", seq, chunk.start, len(chunk)) if self._reads else ("step", seq, chunk)
        message = pickle.dumps(told, protocol=5)
        self.start([partial(worker.ask, message) for worker in self._workers])

    def collect(self) -> list[Report]:
        """Wait for all processes."""
        return sorted(super().collect(), key=lambda report: self._place[report.learner, report.fold])

    def drop(self, learner: str) -> None:
        """Let go of all replicas of a learner."""
        self.ask_all(("drop", learner))

    def state(self) -> dict[Key, bytes]:
        """Return the state of every replica."""
        found: dict[Key, bytes] = {}
        for states in self.ask_all(("state",)):
            found |= states
        return dict(sorted(found.items(), key=lambda kept: self._place[kept[0]]))

    def restore(self, seq: int, states: Mapping[Key, bytes]) -> None:
        """Go on with chunk ``seq``."""
        self.ask_all(("restore", seq, dict(states)))

    def ask_all(self, message: tuple[Any, ...]) -> list[Any]:
        """Send a message to all processes, and wait for their answers."""
        written = pickle.dumps(message, protocol=5)
        return list(self._threads.map(lambda worker: worker.ask(written), self._workers))

    def finish(self) -> list[Report]:
        """Return the last checkpoints; a process that has died has none."""
        message = pickle.dumps(("finish",))
        self.start([partial(worker.ask, message) for worker in self._workers if worker.lives])
        return self.collect()

    def close(self) -> None:
        """End the processes: those that are still at work, because something has gone wrong, by force."""
        for worker in self._workers:
            worker.dismiss()
        for worker in self._workers:
            worker.end()
        super().close()


class _Remote:
    """A worker in another process."""

    def __init__(self, jobs: Sequence[Job], stream: Stream | None) -> None:
        self._names = listing(dict.fromkeys(job.name for job in jobs))
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._busy = True
        self._turn = threading.Lock()  # after Ctrl-C somebody may ask while the answer to another has not come
        content = pickle.dumps((list(jobs), stream), protocol=5)
        self._hello = pickle.dumps(sys.path) + pickle.dumps((content, modules_by_file()))

    @property
    def lives(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def ready(self) -> list[Report]:
        """Send the jobs, and wait until their replicas are made."""
        try:
            self.ask(self._hello)
            return []
        except RuntimeError as error:  # such as a module that is not found
            raise InputError(
                f"{self._names}: a process cannot make it: {error}. Choose engine='serial', or put what it is made of "
                "into a module that can be imported."
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
                raise LearnerError(f"A process with replicas of {self._names} {self._end_told()}.") from error
            self._busy = False
        if kind != "answer":
            raise raised(kind, content)
        return content

    def dismiss(self) -> None:
        """End its input, after which it ends; by force if it is still at work."""
        assert self._process.stdin is not None
        if self._busy:
            self._process.kill()
        with suppress(OSError):  # it may have ended already
            self._process.stdin.close()

    def end(self) -> None:
        """Wait until it has ended."""
        assert self._process.stdout is not None
        try:
            self._process.wait(_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def _end_told(self) -> str:
        try:
            code = self._process.wait(_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            return "does not answer"
        if code < 0:
            return f"was ended by {signal.Signals(-code).name}"
        return f"ended with exit code {code}"


def why_not_sent(job: Job) -> str:
    """Return why a job cannot be sent to another process; nothing if it can be."""
    try:
        written = pickle.dumps(job, protocol=5)
    except Exception as error:  # whatever the objects of others raise
        return (
            f"it cannot be sent to another process: {type(error).__name__}: {error}. Make it of classes and functions "
            "that a module has, or choose engine='serial'."
        )
    if b"__main__" in written:
        return (
            "it is made of something that the script itself defines (__main__), which a worker process does not run. "
            "Put it into a module of its own, or choose engine='serial'."
        )
    return ""


def modules_by_file() -> dict[str, str]:
    """Return the modules that were loaded by the name of their file, as a plan names it, and not found on the path."""
    return {
        name: str(module.__file__)
        for name, module in list(sys.modules.items())
        if "." not in name
        and name != "__main__"
        and str(getattr(module, "__file__", None) or "").endswith(".py")
        and not hasattr(module, "__path__")
        and str(Path(str(module.__file__)).parent) not in sys.path
    }


def raised(kind: str, content: Any) -> Exception:
    """Return the error that a worker has told of."""
    kinds = (UnsavableError, InputError, LearnerError, StorageError)
    known: dict[str, type[PrequentialError]] = {one.__name__: one for one in kinds}
    return known[kind](content) if kind in known else RuntimeError(content)
