"""Replicas in actors of Ray, on one machine or many: those that die are made again, and nothing is lost.

Each worker is an actor. The chunks that went to it since its replicas were last saved are kept here. If it dies, with
its process or its whole machine, another is made, gets the saved replicas and the same chunks, and goes on: what it
tells is what the first would have told, so that results are the same to the last bit.
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
from prequential.engines.processes import modules_by_file, raised, why_not_sent
from prequential.engines.report import Report
from prequential.errors import InputError, LearnerError, listing
from prequential.runs.manifest import versions
from prequential.saved import UnsavableError
from prequential.streams.chunk import Chunk
from prequential.streams.stream import Stream

_LOG = logging.getLogger(__name__)
MOST_CHUNKS, MOST_BYTES = 256, 128 * 2**20
"""Chunks kept, after which replicas are saved."""
MOST_DEATHS = 3
"""Deaths of an actor at the same work, after which it is given up."""
_CPU_SECONDS, _PLACE_SECONDS = 20.0, 90.0
"""How long to wait for a place on a free CPU, and for any place."""


class Ray(Pool):
    """Steps a share of the replicas in each of several actors.

    Parameters
    ----------
    jobs
        What the replicas are made of; learners must be such that ``pickle`` can write them.
    n_workers
        The number of actors; by default as many as the cluster has CPUs, but not more than jobs.
    stream
        The stream, if actors are to read its records by themselves.
    address
        The cluster; by default one of our own on this machine.
    most_chunks, most_bytes
        How much is kept to be sent again, before replicas are saved.
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
        for name, one in {job.name: job for job in jobs}.items():
            refused = why_not_sent(one)
            if refused:
                raise InputError(f"{name}: {refused}")
            one.replica()  # what is wrong with it is better said here than there
        self._cluster = Cluster(address, min(len(jobs), n_workers or n_cores()))
        self._stream = stream
        self._workers: list[_Remote] = []
        self._past = _Past(most_chunks, most_bytes)
        self._place = {job.key: i for i, job in enumerate(jobs)}
        try:
            n_workers = min(len(jobs), n_workers or self._cluster.n_cpus)
            super().__init__(n_workers)
            n_free = self._cluster.n_free
            for k in range(n_workers):
                share = jobs[k::n_workers]
                self._workers.append(_Remote(self._cluster, share, stream, self._past, free=k < n_free))
            self._all(_Remote.begin)
        except BaseException:
            self.close()
            raise

    def submit(self, seq: int, chunk: Chunk) -> None:
        """Send a chunk to all actors, or say which it is."""
        if self._past.full:
            self._all(_Remote.save)
            self._past.forget()
        told = ("step", seq, chunk) if self._stream is None else ("read", seq, chunk.start, len(chunk))
        written = pickle.dumps(told, protocol=5)
        self._past.keep(seq, written)
        message = self._cluster.sent(written)
        self.start([partial(worker.step, seq, message) for worker in self._workers])

    def collect(self) -> list[Report]:
        """Wait for all actors."""
        return sorted(super().collect(), key=lambda report: self._place[report.learner, report.fold])

    def drop(self, learner: str) -> None:
        """Let go of all replicas of a learner."""
        self._all(lambda worker: worker.drop(learner))

    def state(self) -> dict[Key, bytes]:
        """Return the state of every replica."""
        found: dict[Key, bytes] = {}
        for worker, states in zip(self._workers, self._all(_Remote.save), strict=True):
            if states is None:
                raise UnsavableError(worker.unsavable)
            found |= states
        self._past.forget()
        return dict(sorted(found.items(), key=lambda kept: self._place[kept[0]]))

    def restore(self, seq: int, states: Mapping[Key, bytes]) -> None:
        """Go on with chunk ``seq``."""
        self._past.forget()
        self._all(lambda worker: worker.restore(seq, states))

    def finish(self) -> list[Report]:
        """Return the last checkpoints; an actor that was given up has none."""
        message = pickle.dumps(("finish",))
        self.start([partial(worker.ask, message) for worker in self._workers if not worker.given_up])
        return self.collect()

    def close(self) -> None:
        """End the actors, and the cluster if it is ours."""
        for worker in self._workers:
            worker.end()
        if hasattr(self, "_threads"):
            super().close()
        self._cluster.close()

    def _all(self, call: Callable[[_Remote], Any]) -> list[Any]:
        """Call something of all workers beside each other."""
        return list(self._threads.map(call, self._workers))


class _Past:
    """The messages with chunks that actors may need again, by the numbers of the chunks."""

    def __init__(self, most_chunks: int, most_bytes: int) -> None:
        self._most_chunks, self._most_bytes = most_chunks, most_bytes
        self.messages: dict[int, bytes] = {}
        self._n_bytes = 0

    @property
    def full(self) -> bool:
        """Whether it is time to save the replicas."""
        return len(self.messages) >= self._most_chunks or self._n_bytes >= self._most_bytes

    def keep(self, seq: int, message: bytes) -> None:
        """Keep a message."""
        self.messages[seq] = message
        self._n_bytes += len(message)

    def forget(self) -> None:
        """Let go of all of them."""
        self.messages, self._n_bytes = {}, 0


class _Death(Exception):  # noqa: N818  # it is what happened
    """An actor is no more."""


class _Remote:
    """A worker in an actor, which is made again if it dies."""

    def __init__(
        self, cluster: Cluster, jobs: Sequence[Job], stream: Stream | None, past: _Past, *, free: bool
    ) -> None:
        self._cluster, self._jobs, self._stream, self._past = cluster, list(jobs), stream, past
        self._free = free
        self._ray = cluster.ray
        self._actor: Any = None
        self._states: Mapping[Key, bytes] | None = None
        self._since = self._next = self._n_records = 0
        self._ended = threading.Event()
        self._turn = threading.Lock()  # after Ctrl-C somebody may ask while the answer to another has not come
        self.pid = 0
        self.given_up = False
        self.unsavable = ""

    def begin(self) -> None:
        """Make the actor."""
        self._alive(lambda: None)

    def step(self, seq: int, message: Any) -> list[Report]:
        """Let it take a chunk."""
        reports: list[Report] = self.ask(message)
        self._next = seq + 1
        self._n_records = max((report.n_records for report in reports), default=self._n_records)
        return reports

    def save(self) -> Mapping[Key, bytes] | None:
        """Save its replicas; nothing is returned if they cannot be."""
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
        """Let it go on with a chunk."""
        self._jobs = [job for job in self._jobs if job.key in states]
        self._states = {job.key: states[job.key] for job in self._jobs}
        self._since = self._next = seq
        self.ask(self._cluster.sent(pickle.dumps(("restore", seq, self._states), protocol=5)))

    def drop(self, learner: str) -> None:
        """Let go of the replicas of a learner."""
        self._jobs = [job for job in self._jobs if job.name != learner]
        if not self.given_up:
            self.ask(pickle.dumps(("drop", learner)))

    def ask(self, message: Any) -> Any:
        """Send a message, and wait for the answer, if need be of another actor than the one that got it first."""
        return self._alive(lambda: self._answer(message))

    def end(self) -> None:
        """End the actor, whatever it is at."""
        self._ended.set()
        self._let_go()

    def _alive(self, call: Callable[[], Any]) -> Any:
        """Make a call when there is an actor, and again with another one if it dies."""
        n_deaths = 0
        while True:
            try:
                with self._turn:
                    if self._actor is None:
                        self._make()
                    return call()
            except _Death as death:
                n_deaths += 1
                self._let_go()
                if n_deaths == MOST_DEATHS or self._ended.is_set():
                    self.given_up = True
                    raise LearnerError(
                        f"An actor with {self._names()} died {n_deaths} times in a row, after record "
                        f"{self._n_records}. The last time: {death}"
                    ) from death
                _LOG.warning("An actor with %s died, and is made again. %s", self._names(), death)
                self._ended.wait(0.5 * n_deaths)

    def _make(self) -> None:
        """Make the actor, and bring it to where the last one was."""
        if self._since < self._next and self._since not in self._past.messages:
            self.given_up = True
            raise LearnerError(
                f"An actor with {self._names()} died after record {self._n_records}, and cannot be made again: "
                f"{self.unsavable}."
            )
        self._place()
        try:
            self._send((pickle.dumps((self._jobs, self._stream), protocol=5), modules_by_file()))
        except RuntimeError as error:  # such as a module that is not found
            raise InputError(
                f"{self._names()}: an actor cannot make it: {error}. Put what it is made of into a module that every "
                "node of the cluster can import, or choose another engine."
            ) from error
        if self._states is not None:
            own = {job.key: self._states[job.key] for job in self._jobs if job.key in self._states}
            self._send(("restore", self._since, own))
        for seq in range(self._since, self._next):  # what it tells of these has been told before
            self._answer(self._cluster.sent(self._past.messages[seq]))

    def _place(self) -> None:
        """Find a place for a new actor: a free CPU, or if all are taken, any node.

        It may have to be tried again: Ray needs some seconds to notice that a node is dead, and gives it actors until
        then.
        """
        begun, reason = time.monotonic(), ""
        n_cpus = 1 if self._free or self._cluster.n_free > 0 else 0
        self._free = False  # what is known of the beginning is not known later
        kind = self._ray.remote(Actor)
        while time.monotonic() - begun < _PLACE_SECONDS and not self._ended.wait(0.5 if reason else 0):
            self._actor = kind.options(num_cpus=n_cpus, max_restarts=0, scheduling_strategy="SPREAD").remote(sys.path)
            try:
                self.pid, theirs = self._got("about", patience=_CPU_SECONDS if n_cpus else _PLACE_SECONDS)
                _check_versions(theirs)
                return
            except self._ray.exceptions.GetTimeoutError:
                n_cpus, reason = 0, "No node of the cluster takes it."
            except _Death as death:
                reason = str(death)
            self._let_go()
        raise _Death(reason or "The run has ended.")

    def _send(self, message: tuple[Any, ...]) -> Any:
        return self._answer(self._cluster.sent(pickle.dumps(message, protocol=5)))

    def _answer(self, message: Any) -> Any:
        kind, content = pickle.loads(self._got("ask", message))
        if kind != "answer":
            raise raised(kind, content)
        return content

    def _got(self, what: str, *arguments: Any, patience: float | None = None) -> Any:
        """Call the actor, and wait for what it returns."""
        problems, actor = self._ray.exceptions, self._actor
        if actor is None or self._ended.is_set():
            raise _Death("The run has ended.")
        try:
            return self._ray.get(getattr(actor, what).remote(*arguments), timeout=patience)
        except problems.GetTimeoutError:
            raise
        except problems.RayActorError as error:
            if getattr(error, "actor_init_failed", False):
                raise InputError(
                    f"A node of the cluster cannot make a worker: {_last_line(error)}. Every node needs this package, "
                    "in the same version."
                ) from error
            raise _Death(_reason(error)) from error
        except problems.RayTaskError as error:
            raise RuntimeError(_last_line(error)) from error
        except problems.RayError as error:
            raise _Death(_reason(error)) from error

    def _let_go(self) -> None:
        """End the actor."""
        actor, self._actor = self._actor, None
        if actor is not None:
            with suppress(Exception):  # it may be no more, or the cluster
                self._ray.kill(actor)

    def _names(self) -> str:
        """Return whose replicas it has."""
        folds: dict[str, list[int]] = {}
        for job in self._jobs:
            folds.setdefault(job.name, []).extend([job.fold] if job.fold else [])
        told = [f"{name} (fold {listing(numbers)})" if numbers else name for name, numbers in folds.items()]
        return f"replicas of {listing(told)}"


def _check_versions(theirs: Mapping[str, str]) -> None:
    """Refuse a node where numbers might come out differently."""
    ours = versions()
    differing = [name for name in ours if theirs.get(name, ours[name]) != ours[name]]
    if differing:
        told = listing(f"{name} {theirs[name]} instead of {ours[name]}" for name in differing)
        raise InputError(f"A node of the cluster has {told}. Results are the same only where versions are.")


def _last_line(error: Exception) -> str:
    return str(error).strip().splitlines()[-1].strip()


def _reason(error: Exception) -> str:
    """Return why an actor died, in the words of Ray, without its numbers and its advice."""
    lines = [line.strip() for line in str(error).splitlines()]
    labels = ("class_name:", "actor_id:", "pid:", "name:", "namespace:", "ip:", "The actor died unexpectedly before")
    told = " ".join(line for line in lines if line and not line.startswith(labels)) or type(error).__name__
    return told.partition(" Some common causes")[0].partition(" There are some potential")[0]
