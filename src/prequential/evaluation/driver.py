"""The driver: one pass over a source. It passes chunks to the engine, and the updates of replicas to the recorder.

Every run uses it, with any source: a stream, predictions made elsewhere, logs, a series of numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from prequential.engines.engine import Engine
from prequential.engines.replica_update import ReplicaUpdate
from prequential.errors import InputError
from prequential.evaluation.experiment import Experiment
from prequential.evaluation.position import Position, Tail
from prequential.evaluation.progress import Meter
from prequential.evaluation.recorder import Recorder
from prequential.evaluation.saving import SavePointWriter
from prequential.evaluation.settings import check_classes
from prequential.runs.failure import Failure
from prequential.runs.manifest import Status
from prequential.stopping import raise_if_stopped, was_stopped
from prequential.streams.chunk import Chunk

_FIRST = 256
"""Number of records in the first step."""


class Driver:
    """Passes the records of a source to all tallies of a run, in one pass.

    If the engine allows it, the next chunk is read while the replicas process this one.

    Parameters
    ----------
    experiment
        The source, the jobs and the settings of the run.
    engine
        The engine that holds the replicas.
    recorder
        The recorder that writes the run.
    saving
        The writer of save points.
    """

    def __init__(self, experiment: Experiment, engine: Engine, recorder: Recorder, saving: SavePointWriter) -> None:
        self._experiment, self._source = experiment, experiment.source
        self._engine, self._recorder = engine, recorder
        self._saving: SavePointWriter | None = saving
        self._needs_time = [f.label for f in experiment.settings.forgetting if f.needs_time]
        self._alive = set(recorder.accounts)
        self._from: Position | None = None
        self._submitted: Chunk | None = None
        self._read: Chunk | None = None
        self._seq, self._size, self._most = 0, _FIRST, _FIRST
        self._n_done = 0

    @property
    def n_records(self) -> int:
        """Number of records processed; if each learner has its own records, the largest number of a learner."""
        if not self._experiment.own_records:
            return self._n_done
        return max(account.n_records for account in self._recorder.accounts.values())

    def resume_from(self, position: Position) -> None:
        """Continue at the position of a save point; engine and recorder have been restored from it."""
        self._from = position
        self._seq, self._n_done = position.seq, position.n_records
        self._alive = {name for name, account in self._recorder.accounts.items() if account.failure is None}

    def run(self, chunk_size: int, meter: Meter) -> None:
        """Process all records, or after a resume the remaining ones."""
        self._size, self._most = min(chunk_size, _FIRST), chunk_size
        meter.begin_at(self._n_done)
        for chunk in self._chunks(chunk_size):
            if self._needs_time and chunk.time is None:
                raise InputError(
                    f"{self._needs_time[0]} needs the time of each record: name its column with time= (--time)."
                )
            at = 0
            while at < len(chunk):
                meter.advance(self._collect())
                raise_if_stopped()
                if not self._alive:
                    return
                part = chunk[at : at + self._size]
                self._submit(part)
                at += len(part)
                if not self._engine.reads_ahead:
                    meter.advance(self._collect())
                    raise_if_stopped()
                    if not self._alive:
                        return
        meter.advance(self._collect())
        self._check_any()

    def finish(self, status: Status, reason: str) -> None:
        """Record the last checkpoints and how the run ended."""
        self._saving = None  # after an interrupt, replicas may be at different records
        self._collect()
        updates = self._engine.finish()
        failed = self._failed(updates)
        for update in updates:
            self._recorder.add(update.until(failed[update.learner].record) if update.learner in failed else update)
        for name in self._alive:
            self._recorder.accounts[name].status = status
        if self._recorder.pairing is not None:
            self._recorder.pairing.end()
        failed_learners = [name for name, account in self._recorder.accounts.items() if account.status == "failed"]
        if status == "complete" and failed_learners:
            status, reason = "failed", f"{', '.join(failed_learners)} failed"
        if self._alive and status in ("partial", "interrupted"):  # replicas may be ahead of the collected records
            done = [self._recorder.accounts[name].n_records for name in self._alive]
            self._n_done = max(self._n_done, min(done))
        self._recorder.write(self.n_records, status, reason)

    def _chunks(self, size: int) -> Iterator[Chunk]:
        """Yield the remaining records; the records just before them must be those of the save point."""
        if self._from is None:
            yield from self._source.chunks(size)
            return
        at, tail = self._from.n_records, Tail()
        for chunk in self._source.chunks(size, start=at - self._from.tail.n):
            n_known = min(len(chunk), self._from.tail.n - tail.n)
            if n_known:
                tail.add(chunk[:n_known])
                self._recorder.extend(chunk.schema)
                if tail.n == self._from.tail.n and tail != self._from.tail:
                    raise InputError(
                        f"{self._source.name}: the records before record {at:,} differ from those of the run that was "
                        "stopped there. A run can only be resumed with the same stream, from its first record."
                    )
            if n_known < len(chunk):
                yield chunk[n_known:]
        if tail.n < self._from.tail.n:
            raise InputError(
                f"{self._source.name} ends before record {at:,}, where the run was stopped. A run can only be resumed "
                "with the same stream, from its first record."
            )

    def _submit(self, chunk: Chunk) -> None:
        """Start processing some records in every replica."""
        self._read = chunk
        check_classes(chunk.schema)
        self._recorder.extend(chunk.schema)
        if self._recorder.events is not None:
            chunk = self._recorder.events.step(chunk)
        self._submitted = chunk
        self._engine.submit(self._seq, chunk)
        self._seq += 1

    def _collect(self) -> int:
        """Wait until the submitted records are processed, and record the updates; return the number of records."""
        if self._submitted is None:
            return 0
        updates = self._engine.collect()
        chunk, self._submitted = self._submitted, None
        if not updates:  # the step was interrupted before its first update
            return 0
        self._n_done = chunk.start + len(chunk)
        failed = self._failed(updates)
        updates = [u.until(failed[u.learner].record) if u.learner in failed else u for u in updates]
        for update in updates:
            self._recorder.add(update)
        if self._recorder.pairing is not None:
            verdicts = {(u.learner, u.fold): u.verdicts if u.late is None else u.late for u in updates}
            self._recorder.pairing.step(chunk, verdicts)
            for name in failed:
                self._recorder.pairing.end(name)
        for name in failed:
            self._engine.drop(name)
        self._recorder.write_if_due(self.n_records)
        saving = self._saving
        if saving and self._read and self._alive and (saving.due or (was_stopped() and saving.possible)):
            saving.write(Position(self._n_done, self._seq, Tail.of(self._read)), self.n_records)
        self._size = _next_size(self._size, sum(u.seconds for u in updates) / self._engine.n_workers, self._most)
        return len(chunk)

    def _failed(self, updates: Sequence[ReplicaUpdate]) -> dict[str, Failure]:
        """Mark the learners that have failed; of several failed replicas, the one with the first record counts."""
        found: dict[str, Failure] = {}
        for update in updates:
            failure = update.failure
            if failure is None or (update.learner in found and found[update.learner].record <= failure.record):
                continue
            if update.fold:
                failure = replace(failure, message=f"fold {update.fold}: {failure.message}")
            found[update.learner] = failure
        for name, failure in found.items():
            self._alive.discard(name)
            self._recorder.accounts[name].fail(failure)
        return found

    def _check_any(self) -> None:
        """Raise an error for a source without records, or if no label arrived for any record."""
        if not self._n_done:
            raise InputError(f"{self._source.name} has no records: there is nothing to evaluate.")
        events = self._recorder.events
        if self._alive and events is not None and not events.n_labels:
            parts = (
                f"{self._source.name}: no label arrived for a record that was waiting, so there is nothing to score.",
                events.summary,
                self._experiment.without_labels,
            )
            raise InputError(" ".join(filter(None, parts)))


def _next_size(size: int, seconds: float, most: int) -> int:
    """Return the number of records of the next step: small enough to show progress and to lose little if a run stops.

    Results do not depend on it.
    """
    if seconds > 0.3:
        return max(1, size // 2)
    growth = 16 if seconds < 0.005 else 4 if seconds < 0.05 else 1
    return min(most, size * growth)
