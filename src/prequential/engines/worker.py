"""A worker: some replicas that process the same chunks one after the other, in any thread or process."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterable, Mapping
from typing import Any

from prequential.engines.job import Job, Key
from prequential.engines.own_reading import OwnReading
from prequential.engines.replica_update import ReplicaUpdate
from prequential.errors import LearnerError
from prequential.protocols.setting import Tested
from prequential.runs.failure import Failure
from prequential.saved import pack, unpack
from prequential.streams.chunk import Chunk
from prequential.streams.stream import Stream

_GB = 1e9
WEIGH_SECONDS = 0.05
"""How often models are measured, as far as that is cheap."""


class SequenceGap(Exception):  # noqa: N818  # the sender can recover from it
    """A worker got a chunk, but not the chunks before it."""

    def __init__(self, expected: int, given: int) -> None:
        super().__init__(f"expected chunk {expected}, got chunk {given}")
        self.expected = expected


class Worker:
    """Holds replicas and passes numbered chunks to them.

    A chunk that it has processed already is ignored, so a chunk may be sent again; a gap in the numbers is an error.

    Parameters
    ----------
    jobs
        One job per replica.
    stream
        The stream, if the worker reads its records itself.
    """

    def __init__(self, jobs: Iterable[Job], stream: Stream | None = None) -> None:
        self._reading = None if stream is None else OwnReading(stream)
        self._replicas = [_MeasuredReplica(job) for job in jobs]
        self._next = 0

    def step(self, seq: int, chunk: Chunk) -> list[ReplicaUpdate]:
        """Process a chunk; return the update of each replica.

        Raises
        ------
        SequenceGap
            If an earlier chunk is missing.
        """
        if seq < self._next:
            return []
        if seq > self._next:
            raise SequenceGap(self._next, seq)
        self._next += 1
        working = [replica for replica in self._replicas if replica.failure is None]
        for replica in working:  # updates are drained last, so an interrupt loses none
            replica.step(chunk)
        return [replica.update() for replica in working]

    def read(self, seq: int, start: int, n: int) -> list[ReplicaUpdate]:
        """Read a chunk from the stream, ``n`` records from ``start`` on, and process it."""
        assert self._reading is not None
        return self.step(seq, self._reading.take(start, n)) if seq == self._next else []

    def drop(self, learner: str) -> None:
        """Remove the replicas of a learner; one of them has failed, here or in another worker."""
        self._replicas = [replica for replica in self._replicas if replica.job.name != learner]

    def state(self) -> dict[Key, bytes]:
        """Return the state of every replica after the last chunk, whose updates must have been collected.

        Raises
        ------
        UnsavableError
            If a learner cannot be saved.
        """
        return {replica.job.key: pack(replica.state()) for replica in self._replicas if replica.failure is None}

    def restore(self, seq: int, states: Mapping[Key, bytes]) -> None:
        """Restore replicas from ``state()``; chunk ``seq`` is next. Replicas without a state are removed."""
        self._replicas = [replica for replica in self._replicas if replica.job.key in states]
        for replica in self._replicas:
            replica.restore(unpack(states[replica.job.key]))
        self._next = seq

    def finish(self) -> list[ReplicaUpdate]:
        """Return the last checkpoints."""
        working = [replica for replica in self._replicas if replica.failure is None]
        for replica in working:
            replica.finish()
        return [replica.update() for replica in working]


class _MeasuredReplica:
    """A replica, with its failure and the memory and time that it uses."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.tally = job.make()
        self.failure: Failure | None = None
        self._tested: list[Tested] = []
        self._seconds = 0.0
        self._memory_bytes, self._ram_hours = self.tally.nbytes, 0.0
        self._measured_at = self._measuring_seconds = 0.0
        self._last_check = time.perf_counter()

    def step(self, chunk: Chunk) -> None:
        begun = time.perf_counter()
        try:
            tested = self.tally.step(chunk)
            if tested is not None:
                self._tested.append(tested)
        except LearnerError as failure:
            self._fail(failure)
        now = time.perf_counter()
        self._seconds += now - begun
        if now - self._last_check > WEIGH_SECONDS:
            self._measure_memory()

    def finish(self) -> None:
        try:
            self.tally.finish()
        except LearnerError as failure:
            self._fail(failure)
        self._measure_memory(last=True)

    def state(self) -> dict[str, Any]:
        memory = [self._memory_bytes, self._ram_hours, self._measured_at, self._measuring_seconds]
        return {"tally": self.tally.state(), "weighed": memory}

    def restore(self, state: dict[str, Any]) -> None:
        self.tally.restore(state["tally"])
        self._memory_bytes, self._ram_hours, self._measured_at, self._measuring_seconds = state["weighed"]

    def update(self) -> ReplicaUpdate:
        tested, self._tested = self._tested, []
        seconds, self._seconds = self._seconds, 0.0
        memory = (self._memory_bytes, self._ram_hours)
        return ReplicaUpdate.drained(
            self.job.key, self.tally, tested=tested, memory=memory, seconds=seconds, failure=self.failure
        )

    def _fail(self, failure: LearnerError) -> None:
        text = "".join(traceback.format_exception(failure.__cause__ or failure))
        self.failure = Failure(self.tally.n_records, str(failure), text)
        self.tally.abandon()
        if self.tally.salvaged is not None:
            self._tested.append(self.tally.salvaged)
        self._measure_memory(last=True)

    def _measure_memory(self, *, last: bool = False) -> None:
        """Measure the memory of the model, unless measuring has taken more than a twentieth of the learner's time.

        RAM-Hours are an integral: between two measurements, memory is taken to grow evenly.
        """
        clock = self.tally.clock
        worked = clock.predict_seconds + clock.learn_seconds
        self._last_check = begun = time.perf_counter()
        if not last and self._measuring_seconds > 0.05 * worked:
            return
        before, self._memory_bytes = self._memory_bytes, self.tally.nbytes
        self._measuring_seconds += time.perf_counter() - begun
        self._ram_hours += (before + self._memory_bytes) / 2 / _GB * (worked - self._measured_at) / 3600
        self._measured_at = worked
