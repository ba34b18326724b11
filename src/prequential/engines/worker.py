"""Some replicas that take the same chunks, one after the other, wherever they are."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterable, Mapping
from typing import Any

from prequential.engines.job import Job, Key
from prequential.engines.own_reading import OwnReading
from prequential.engines.report import Report
from prequential.errors import LearnerError
from prequential.protocols.protocol import Tested
from prequential.runs.manifest import Failure
from prequential.saved import pack, unpack
from prequential.streams.chunk import Chunk
from prequential.streams.stream import Stream

_GB = 1e9


class SequenceGap(Exception):  # noqa: N818  # it says what is missing, not that something is wrong
    """Chunks are missing between those that a worker has taken and the one it was given."""

    def __init__(self, expected: int, given: int) -> None:
        super().__init__(f"chunk {expected} is next, not {given}")
        self.expected = expected


class Worker:
    """Holds replicas, and steps them through numbered chunks.

    A chunk whose number it has seen is passed over, so that one may be sent again; one that comes too early is refused.

    Parameters
    ----------
    jobs
        What the replicas are made of.
    stream
        The stream, if its records are to be read here.
    """

    def __init__(self, jobs: Iterable[Job], stream: Stream | None = None) -> None:
        self._reading = None if stream is None else OwnReading(stream)
        self._posts = [_Post(job) for job in jobs]
        self._next = 0

    def step(self, seq: int, chunk: Chunk) -> list[Report]:
        """Take a chunk; return what each replica has to tell.

        Raises
        ------
        SequenceGap
            If another chunk is next.
        """
        if seq < self._next:
            return []
        if seq > self._next:
            raise SequenceGap(self._next, seq)
        self._next += 1
        working = [post for post in self._posts if post.failure is None]
        for post in working:  # all of them before the first report: if this is broken off, what they know is kept
            post.step(chunk)
        return [post.report() for post in working]

    def read(self, seq: int, start: int, n: int) -> list[Report]:
        """Take a chunk that is read here: ``n`` records from ``start`` on."""
        assert self._reading is not None
        return self.step(seq, self._reading.take(start, n)) if seq == self._next else []

    def drop(self, learner: str) -> None:
        """Let go of the replicas of a learner, one of which has failed here or elsewhere."""
        self._posts = [post for post in self._posts if post.job.name != learner]

    def state(self) -> dict[Key, bytes]:
        """Return the state of every replica after the last chunk; what they had to tell of it has been told.

        Raises
        ------
        UnsavableError
            If a learner cannot be saved.
        """
        return {post.job.key: pack(post.state()) for post in self._posts if post.failure is None}

    def restore(self, seq: int, states: Mapping[Key, bytes]) -> None:
        """Go on with chunk ``seq``, where replicas of the same jobs were; those that have no state are let go of."""
        self._posts = [post for post in self._posts if post.job.key in states]
        for post in self._posts:
            post.restore(unpack(states[post.job.key]))
        self._next = seq

    def finish(self) -> list[Report]:
        """Return the last checkpoints."""
        working = [post for post in self._posts if post.failure is None]
        for post in working:
            post.finish()
        return [post.report() for post in working]


class _Post:
    """One replica at work, and what it weighs."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.replica = job.replica()
        self.failure: Failure | None = None
        self._tested: list[Tested] = []
        self._seconds = 0.0
        self._memory_bytes, self._ram_hours = 0, 0.0
        self._weighed_at = self._weighing_seconds = 0.0
        self._looked = time.perf_counter()

    def step(self, chunk: Chunk) -> None:
        begun = time.perf_counter()
        try:
            tested = self.replica.step(chunk)
            if tested is not None:
                self._tested.append(tested)
        except LearnerError as failure:
            self._fail(failure)
        now = time.perf_counter()
        self._seconds += now - begun
        if now - self._looked > 1.0:
            self._weigh()

    def finish(self) -> None:
        try:
            self.replica.finish()
        except LearnerError as failure:
            self._fail(failure)
        self._weigh(last=True)

    def state(self) -> dict[str, Any]:
        weighed = [self._memory_bytes, self._ram_hours, self._weighed_at, self._weighing_seconds]
        return {"replica": self.replica.state(), "weighed": weighed}

    def restore(self, state: dict[str, Any]) -> None:
        self.replica.restore(state["replica"])
        self._memory_bytes, self._ram_hours, self._weighed_at, self._weighing_seconds = state["weighed"]

    def report(self) -> Report:
        tested, self._tested = self._tested, []
        seconds, self._seconds = self._seconds, 0.0
        return Report.of(
            self.job.name,
            self.job.fold,
            self.replica,
            tested=tested,
            memory_bytes=self._memory_bytes,
            ram_hours=self._ram_hours,
            seconds=seconds,
            failure=self.failure,
        )

    def _fail(self, failure: LearnerError) -> None:
        text = "".join(traceback.format_exception(failure.__cause__ or failure))
        self.failure = Failure(self.replica.n_records, str(failure), text)
        self.replica.abandon()
        if self.replica.salvaged is not None:
            self._tested.append(self.replica.salvaged)
        self._weigh(last=True)

    def _weigh(self, *, last: bool = False) -> None:
        """Measure the model, but not so often that measuring takes more than a twentieth of the learner's time."""
        clock = self.replica.learner.clock
        worked = clock.predict_seconds + clock.learn_seconds
        self._looked = begun = time.perf_counter()
        if not last and self._weighing_seconds > 0.05 * worked:
            return
        self._memory_bytes = self.replica.learner.nbytes
        self._weighing_seconds += time.perf_counter() - begun
        self._ram_hours += self._memory_bytes / _GB * (worked - self._weighed_at) / 3600
        self._weighed_at = worked
