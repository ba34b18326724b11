"""One pass over the stream: its chunks go to the engine that holds the replicas, their reports to the recorder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from prequential.engines import Engine, Report
from prequential.errors import InputError
from prequential.experiment.event_log import EventLog
from prequential.experiment.pairing import Pairing
from prequential.experiment.progress import Meter
from prequential.experiment.recorder import Recorder
from prequential.experiment.saving import Position, Saving, Tail
from prequential.experiment.settings import check_classes
from prequential.measures.forgetting import Forgetting
from prequential.runs.manifest import Failure, Status
from prequential.streams.chunk import Chunk
from prequential.streams.stream import Stream

_FIRST = 256
"""Records of the first step."""


class SinglePass:
    """Feeds all replicas of a run from one pass over its stream.

    Where the engine allows it, the next chunk is read while the replicas are at work on this one.

    Parameters
    ----------
    stream, engine, recorder
        Where records come from, where they go, and who writes down what becomes of them.
    pairing
        What counts the pairs of learners, if anything does.
    events
        What follows the events of a run with delayed labels.
    title, show
        Of the progress bar, and whether to show it.
    forgetting
        The forgettings, of which some may need the time of each record.
    saving
        What saves the run now and then, if anything does.
    """

    def __init__(
        self,
        stream: Stream,
        engine: Engine,
        recorder: Recorder,
        pairing: Pairing | None,
        events: EventLog | None,
        *,
        title: str,
        show: bool | None,
        forgetting: Sequence[Forgetting],
        saving: Saving | None = None,
    ) -> None:
        self._stream, self._engine, self._recorder = stream, engine, recorder
        self._pairing, self._events = pairing, events
        self._title, self._show = title, show
        self._needs_time = [f.label for f in forgetting if f.needs_time]
        self._alive = set(recorder.accounts)
        self._saving = saving
        self._from: Position | None = None
        self._given: Chunk | None = None
        self._read: Chunk | None = None
        self._seq, self._size, self._most = 0, _FIRST, _FIRST
        self.n_records = 0

    def take_up(self, position: Position) -> None:
        """Go on where the run was saved."""
        self._from = position
        self._seq, self.n_records = position.seq, position.n_records
        self._alive = {name for name, account in self._recorder.accounts.items() if account.failure is None}

    def go(self, chunk_size: int) -> None:
        """Take all records, or all that are left."""
        self._size, self._most = min(chunk_size, _FIRST), chunk_size
        with Meter(self._title, self._stream.n_records, show=self._show) as meter:
            meter.begin_at(self.n_records)
            for chunk in self._chunks(chunk_size):
                if self._needs_time and chunk.time is None:
                    raise InputError(
                        f"{self._needs_time[0]} needs the time of each record: name the column that has it."
                    )
                at = 0
                while at < len(chunk):
                    meter.advance(self._settle())
                    if not self._alive:
                        return
                    part = chunk[at : at + self._size]
                    self._submit(part)
                    at += len(part)
                    if not self._engine.reads_ahead:
                        meter.advance(self._settle())
                        if not self._alive:
                            return
            meter.advance(self._settle())
        if not self.n_records:
            raise InputError(f"{self._stream.name} has no record: there is nothing to evaluate.")
        if self._alive and self._events is not None and not self._events.n_labels:
            raise InputError(
                f"{self._stream.name} has no label for a record that waits: there is nothing to score. "
                "A record arrives in a row without a label; a later row with the same id has its label."
            )

    def _chunks(self, size: int) -> Iterator[Chunk]:
        """Give the records that are left; the last of those before must be the ones that were there before."""
        if self._from is None:
            yield from self._stream.chunks(size)
            return
        at, tail = self._from.n_records, Tail()
        for chunk in self._stream.chunks(size, start=at - self._from.tail.n):
            n_known = min(len(chunk), self._from.tail.n - tail.n)
            if n_known:
                tail.add(chunk[:n_known])
                self._recorder.extend(chunk.schema)
                if tail.n == self._from.tail.n and tail != self._from.tail:
                    raise InputError(
                        f"{self._stream.name}: the records before record {at:,} are not those that the run took there "
                        "before it was stopped. It can go on only with the same stream, from its first record on."
                    )
            if n_known < len(chunk):
                yield chunk[n_known:]
        if tail.n < self._from.tail.n:
            raise InputError(
                f"{self._stream.name} ends before record {at:,}, where the run was stopped. It can go on only with the "
                "same stream, from its first record on."
            )

    def _submit(self, chunk: Chunk) -> None:
        """Give some records to every replica."""
        self._read = chunk
        check_classes(chunk.schema)
        self._recorder.extend(chunk.schema)
        if self._events is not None:
            chunk = self._events.step(chunk)
        self._given = chunk
        self._engine.submit(self._seq, chunk)
        self._seq += 1

    def _settle(self) -> int:
        """Wait until the records given are done, and write down what became of them; return how many they were."""
        if self._given is None:
            return 0
        reports = self._engine.collect()
        chunk, self._given = self._given, None
        if not reports:  # the step was broken off before there was anything to tell
            return 0
        self.n_records = chunk.start + len(chunk)
        failed = self._failed(reports)
        reports = [r.until(failed[r.learner].record) if r.learner in failed else r for r in reports]
        for report in reports:
            self._recorder.take(report)
        if self._pairing is not None:
            self._pairing.step(chunk, {(r.learner, r.fold): r.verdicts for r in reports})
            for name in failed:
                self._pairing.end(name)
        for name in failed:
            self._engine.drop(name)
        self._recorder.breathe(self.n_records)
        if self._saving is not None and self._read is not None and self._alive:
            self._saving.breathe(self._seq, self.n_records, self._read)
        self._size = _next_size(self._size, sum(r.seconds for r in reports) / self._engine.n_workers, self._most)
        return len(chunk)

    def _failed(self, reports: Sequence[Report]) -> dict[str, Failure]:
        """Note which learners have failed: that replica of each counts which failed first."""
        found: dict[str, Failure] = {}
        for report in reports:
            failure = report.failure
            if failure is None or (report.learner in found and found[report.learner].record <= failure.record):
                continue
            if report.fold:
                failure = replace(failure, message=f"fold {report.fold}: {failure.message}")
            found[report.learner] = failure
        for name, failure in found.items():
            self._alive.discard(name)
            self._recorder.fail(name, failure)
        return found

    def finish(self, status: Status, reason: str) -> None:
        """Report the last checkpoints and how it ended."""
        self._saving = None  # replicas of which one broke off are no state to go on from
        self._settle()
        reports = self._engine.finish()
        failed = self._failed(reports)
        for report in reports:
            self._recorder.take(report.until(failed[report.learner].record) if report.learner in failed else report)
        for name in self._alive:
            self._recorder.accounts[name].status = status
        if self._pairing is not None:
            self._pairing.end()
        fallen = [name for name, account in self._recorder.accounts.items() if account.status == "failed"]
        if status == "complete" and fallen:
            status, reason = "failed", f"{', '.join(fallen)} failed"
        self._recorder.write(self.n_records, status, reason)


def _next_size(size: int, seconds: float, most: int) -> int:
    """Return how many records to take next: so many that progress shows and little is lost when a slow run is stopped.

    It never changes a result.
    """
    if seconds > 0.3:
        return max(1, size // 2)
    growth = 16 if seconds < 0.005 else 4 if seconds < 0.05 else 1
    return min(most, size * growth)
