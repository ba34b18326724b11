"""Replicas in Ray actors, on one machine or many. Actors that die are replaced, and no result is lost.

Each worker is an actor. The chunks sent to it since its replicas were last saved are kept here. If it dies, alone or
with its machine, a new actor gets the saved replicas and the same chunks and continues. Its updates are those that the
first would have sent, so results are the same to the last bit.
"""

from __future__ import annotations

import logging
import pickle
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar

from prequential.engines.actor import Actor
from prequential.engines.cluster import Cluster, n_cores
from prequential.engines.job import Job, Key
from prequential.engines.pool import Pool
from prequential.engines.replica_update import ReplicaUpdate
from prequential.engines.sending import check_sendable, modules_by_file, unpacked_error
from prequential.errors import InputError, LearnerError
from prequential.runs.manifest import versions
from prequential.saved import UnsavableError
from prequential.streams.chunk import Chunk
from prequential.streams.stream import Stream
from prequential.wording import listing

_LOG = logging.getLogger(__name__)
MOST_CHUNKS, MOST_BYTES = 256, 128 * 2**20
"""Chunks and bytes to keep; then replicas are saved."""
MOST_DEATHS = 3
"""Deaths of an actor during the same call, after which the worker is given up."""
_CPU_SECONDS, _PLACE_SECONDS = 20.0, 90.0
"""Time to wait for an actor on a free CPU, and on any node."""


class RayActors(Pool):
    """Divides the replicas among several actors.

    Parameters
    ----------
    jobs
        One job per replica; its learner must be picklable.
    n_workers
        Number of actors, at most one per job; by default the number of CPUs of the cluster.
    stream
        The stream, if actors read its records themselves.
    address
        ``HOST:PORT`` of the cluster; by default a private one on this machine.
    most_chunks, most_bytes
        Chunks and bytes to keep for a new actor; then replicas are saved.
    """

    name: ClassVar[str] = "ray"

    def __init__(
        self,
        jobs: Sequence[Job],
        n_workers: int | None = None,
        stream: Stream | None = None,
        *,
        address: str | None = None,
        most_chunks: int = MOST_CHUNKS,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        check_sendable(jobs)
        self._cluster = Cluster(address, min(len(jobs), n_workers or n_cores()))
        self._stream = stream
        self._workers: list[_Remote] = []
        self._unsaved = _UnsavedChunks(most_chunks, most_bytes)
        self._place = {job.key: i for i, job in enumerate(jobs)}
        try:
            n_workers = min(len(jobs), n_workers or self._cluster.n_cpus)
            super().__init__(n_workers)
            n_free = self._cluster.n_free
            for k in range(n_workers):
                share = jobs[k::n_workers]
                self._workers.append(_Remote(self._cluster, share, stream, self._unsaved, free=k < n_free))
            self._call_all(_Remote.begin)
        except BaseException:
            self.close()
            raise

    def submit(self, seq: int, chunk: Chunk) -> None:
        """Send a chunk, or only its position if workers read the stream, to all actors."""
        if self._unsaved.full:
            self._call_all(_Remote.save)
            self._unsaved.clear()
        call = ("step", seq, chunk) if self._stream is None else ("read", seq, chunk.start, len(chunk))
        content = pickle.dumps(call, protocol=5)
        self._unsaved.add(seq, content)
        message = self._cluster.argument(content)
        self.start([partial(worker.step, seq, message) for worker in self._workers])

    def collect(self) -> list[ReplicaUpdate]:
        """Wait for all actors."""
        return sorted(super().collect(), key=lambda update: self._place[update.learner, update.fold])

    def drop(self, learner: str) -> None:
        """Remove all replicas of a learner."""
        self._call_all(lambda worker: worker.drop(learner))

    def state(self) -> dict[Key, bytes]:
        """Return the state of every replica."""
        found: dict[Key, bytes] = {}
        for worker, states in zip(self._workers, self._call_all(_Remote.save), strict=True):
            if states is None:
                raise UnsavableError(worker.unsavable)
            found |= states
        self._unsaved.clear()
        return dict(sorted(found.items(), key=lambda item: self._place[item[0]]))

    def restore(self, seq: int, states: Mapping[Key, bytes]) -> None:
        """Restore replicas from ``state()``; chunk ``seq`` is next."""
        self._unsaved.clear()
        self._call_all(lambda worker: worker.restore(seq, states))

    def finish(self) -> list[ReplicaUpdate]:
        """Return the last checkpoints, without those of workers that were given up."""
        message = pickle.dumps(("finish",))
        self.start([partial(worker.ask, message) for worker in self._workers if not worker.given_up])
        return self.collect()

    def close(self) -> None:
        """End the actors, and the cluster if it is private."""
        for worker in self._workers:
            worker.end()
        if hasattr(self, "_threads"):
            super().close()
        self._cluster.close()

    def _call_all(self, call: Callable[[_Remote], Any]) -> list[Any]:
        """Make a call with every worker, in parallel."""
        return list(self._threads.map(call, self._workers))


class _UnsavedChunks:
    """The messages with the chunks since replicas were last saved, by the number of the chunk."""

    def __init__(self, most_chunks: int, most_bytes: int) -> None:
        self._most_chunks, self._most_bytes = most_chunks, most_bytes
        self.messages: dict[int, bytes] = {}
        self._n_bytes = 0

    @property
    def full(self) -> bool:
        """Whether the replicas should be saved."""
        return len(self.messages) >= self._most_chunks or self._n_bytes >= self._most_bytes

    def add(self, seq: int, message: bytes) -> None:
        """Keep a message."""
        self.messages[seq] = message
        self._n_bytes += len(message)

    def clear(self) -> None:
        """Remove all messages."""
        self.messages, self._n_bytes = {}, 0


class _Death(Exception):  # noqa: N818  # another actor replaces it
    """An actor has died."""


class _Remote:
    """A worker in an actor, which is replaced if it dies."""

    def __init__(
        self, cluster: Cluster, jobs: Sequence[Job], stream: Stream | None, unsaved: _UnsavedChunks, *, free: bool
    ) -> None:
        self._cluster, self._jobs, self._stream, self._unsaved = cluster, list(jobs), stream, unsaved
        self._free = free
        self._ray = cluster.ray
        self._actor: Any = None
        self._states: Mapping[Key, bytes] | None = None
        self._since = self._next = self._n_records = 0
        self._ended = threading.Event()
        self._turn = threading.Lock()  # after Ctrl-C a message may be sent before the last one is answered
        self.pid = 0
        self.given_up = False
        self.unsavable = ""

    def begin(self) -> None:
        """Start the actor."""
        self._retried(lambda: None)

    def step(self, seq: int, message: Any) -> list[ReplicaUpdate]:
        """Process a chunk."""
        updates: list[ReplicaUpdate] = self.ask(message)
        self._next = seq + 1
        self._n_records = max((update.n_records for update in updates), default=self._n_records)
        return updates

    def save(self) -> Mapping[Key, bytes] | None:
        """Save its replicas and return their states; None if they cannot be saved."""
        if self.unsavable:
            return None
        try:
            self._states = self.ask(pickle.dumps(("state",)))
        except UnsavableError as error:
            self.unsavable = str(error)
            return None
        self._since = self._next
        return self._states

    def restore(self, seq: int, states: Mapping[Key, bytes]) -> None:
        """Restore its replicas; chunk ``seq`` is next."""
        self._jobs = [job for job in self._jobs if job.key in states]
        self._states = {job.key: states[job.key] for job in self._jobs}
        self._since = self._next = seq
        self.ask(self._cluster.argument(pickle.dumps(("restore", seq, self._states), protocol=5)))

    def drop(self, learner: str) -> None:
        """Remove the replicas of a learner."""
        self._jobs = [job for job in self._jobs if job.name != learner]
        if not self.given_up:
            self.ask(pickle.dumps(("drop", learner)))

    def ask(self, message: Any) -> Any:
        """Send a message, and wait for the answer; if the actor dies, that of its successor."""
        return self._retried(lambda: self._answer(message))

    def end(self) -> None:
        """End the actor, even if it is busy."""
        self._ended.set()
        self._kill()

    def _retried(self, call: Callable[[], Any]) -> Any:
        """Start an actor if there is none, and make a call; repeat both if the actor dies."""
        n_deaths = 0
        while True:
            try:
                with self._turn:
                    if self._actor is None:
                        self._start()
                    return call()
            except _Death as death:
                n_deaths += 1
                self._kill()
                if n_deaths == MOST_DEATHS or self._ended.is_set():
                    self.given_up = True
                    raise LearnerError(
                        f"An actor with {self._names()} died {n_deaths} times in a row, after record "
                        f"{self._n_records}. The last time: {death}"
                    ) from death
                _LOG.warning("An actor with %s died and is replaced. %s", self._names(), death)
                self._ended.wait(0.5 * n_deaths)

    def _start(self) -> None:
        """Start the actor, and bring it to the state of the last one."""
        if self._since < self._next and self._since not in self._unsaved.messages:
            self.given_up = True
            raise LearnerError(
                f"An actor with {self._names()} died after record {self._n_records} and cannot be replaced: "
                f"{self.unsavable}."
            )
        self._place()
        try:
            self._send((pickle.dumps((self._jobs, self._stream), protocol=5), modules_by_file()))
        except RuntimeError as error:  # for example a module is not found
            raise InputError(
                f"A Ray actor cannot create {self._names()}: {error}. Move their classes and functions to a module "
                "that every node of the cluster can import, or use another engine (--engine)."
            ) from error
        if self._states is not None:
            own = {job.key: self._states[job.key] for job in self._jobs if job.key in self._states}
            self._send(("restore", self._since, own))
        for seq in range(self._since, self._next):  # their updates have been collected before
            self._answer(self._cluster.argument(self._unsaved.messages[seq]))

    def _place(self) -> None:
        """Create the actor on a free CPU, or on any node if all CPUs are reserved.

        Several attempts may be necessary: Ray needs some seconds to notice that a node is dead, and places actors there
        until then.
        """
        begun, reason = time.monotonic(), ""
        n_cpus = 1 if self._free or self._cluster.n_free > 0 else 0
        self._free = False  # known at the start only
        kind = self._ray.remote(Actor)
        while time.monotonic() - begun < _PLACE_SECONDS and not self._ended.wait(0.5 if reason else 0):
            self._actor = kind.options(num_cpus=n_cpus, max_restarts=0, scheduling_strategy="SPREAD").remote(sys.path)
            try:
                self.pid, theirs = self._call("about", timeout=_CPU_SECONDS if n_cpus else _PLACE_SECONDS)
                _check_versions(theirs)
                return
            except self._ray.exceptions.GetTimeoutError:
                n_cpus, reason = 0, "No node of the cluster accepts it."
            except _Death as death:
                reason = str(death)
            self._kill()
        raise _Death(reason or "The run has ended.")

    def _send(self, message: tuple[Any, ...]) -> Any:
        return self._answer(self._cluster.argument(pickle.dumps(message, protocol=5)))

    def _answer(self, message: Any) -> Any:
        kind, content = pickle.loads(self._call("ask", message))
        if kind != "answer":
            raise unpacked_error(kind, content)
        return content

    def _call(self, method: str, *arguments: Any, timeout: float | None = None) -> Any:
        """Call a method of the actor, and wait for the result."""
        problems, actor = self._ray.exceptions, self._actor
        if actor is None or self._ended.is_set():
            raise _Death("The run has ended.")
        try:
            return self._ray.get(getattr(actor, method).remote(*arguments), timeout=timeout)
        except problems.GetTimeoutError:
            raise
        except problems.RayActorError as error:
            if getattr(error, "actor_init_failed", False):
                raise InputError(
                    f"A node of the cluster cannot start a worker: {_last_line(error)}. Every node needs the same "
                    "version of prequential."
                ) from error
            raise _Death(_reason(error)) from error
        except problems.RayTaskError as error:
            raise RuntimeError(_last_line(error)) from error
        except problems.RayError as error:
            raise _Death(_reason(error)) from error

    def _kill(self) -> None:
        """End the actor."""
        actor, self._actor = self._actor, None
        if actor is not None:
            with suppress(Exception):  # the actor or the cluster may have ended
                self._ray.kill(actor)

    def _names(self) -> str:
        """Return the learners and folds of its replicas, for a message."""
        folds: dict[str, list[int]] = {}
        for job in self._jobs:
            folds.setdefault(job.name, []).extend([job.fold] if job.fold else [])
        learners = [f"{name} (fold {listing(numbers)})" if numbers else name for name, numbers in folds.items()]
        return f"replicas of {listing(learners)}"


def _check_versions(theirs: Mapping[str, str]) -> None:
    """Raise an error for a node with other versions, which might give other numbers."""
    ours = versions()
    differing = [name for name in ours if theirs.get(name, ours[name]) != ours[name]]
    if differing:
        found = listing(f"{name} {theirs[name]} instead of {ours[name]}" for name in differing)
        raise InputError(f"A node of the cluster has {found}. Install the same versions: results may depend on them.")


def _last_line(error: Exception) -> str:
    return str(error).strip().splitlines()[-1].strip()


def _reason(error: Exception) -> str:
    """Return Ray's reason for the death of an actor, without its ids and its advice."""
    lines = [line.strip() for line in str(error).splitlines()]
    labels = ("class_name:", "actor_id:", "pid:", "name:", "namespace:", "ip:", "The actor died unexpectedly before")
    text = " ".join(line for line in lines if line and not line.startswith(labels)) or type(error).__name__
    return text.partition(" Some common causes")[0].partition(" There are some potential")[0]
