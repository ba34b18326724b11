"""Writes a run directory as the run goes: trace, pairs, alarms, predictions, manifest.

Checkpoints wait until a second or so has passed, then their measures are computed all at once: the arrays are then long
enough for NumPy to be fast, and a reader can still follow.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from prequential.experiment.event_log import EventLog
from prequential.experiment.pairing import Pairing
from prequential.measures.binned import Binned
from prequential.measures.grid import Checkpoints
from prequential.measures.measure import Measure
from prequential.protocols.protocol import Replica, Tested
from prequential.runs.alarms import rows as alarm_rows
from prequential.runs.directory import RunDirectory, join_predictions
from prequential.runs.manifest import Failure, LearnerEntry, Manifest, Resources, Status, describe_schema
from prequential.runs.trace import rows
from prequential.streams.schema import Schema
from prequential.types import Labels

_MOST_WAITING = 1 << 18
"""Numbers in waiting checkpoints and predictions, over which they are written: memory stays constant."""
_GB = 1e9


@dataclass(slots=True)
class Account:
    """What is known so far of one learner."""

    replica: Replica
    status: Status = "running"
    failure: Failure | None = None
    n_unlabelled: int = 0
    n_abstained: int = 0
    n_nonfinite: int = 0
    memory_bytes: int = 0
    ram_hours: float = 0.0
    weighed_at: float = 0.0
    weighing_seconds: float = 0.0
    waiting: list[Checkpoints] = field(default_factory=list)
    predictions: list[pa.Table] = field(default_factory=list)
    alarms: list[pa.Table] = field(default_factory=list)


class Recorder:
    """The one writer of a run directory.

    Parameters
    ----------
    directory, manifest
        Where to write, and what is known at the start.
    replicas
        The learners by name.
    measures, forgetting
        What to compute, and what the trace calls the forgettings.
    schema
        The schema at the start.
    pairing
        What counts the pairs of learners, if anything does.
    binned
        The bins of a run with delayed labels.
    events
        What is known of its events.
    """

    def __init__(
        self,
        directory: RunDirectory,
        manifest: Manifest,
        replicas: dict[str, Replica],
        *,
        measures: Sequence[Measure],
        forgetting: Sequence[str],
        schema: Schema,
        pairing: Pairing | None = None,
        binned: Binned | None = None,
        events: EventLog | None = None,
    ) -> None:
        self.directory = directory
        self._binned, self._events = binned, events
        self._pairing = pairing
        self.accounts = {name: Account(replica) for name, replica in replicas.items()}
        self._manifest = manifest
        self._measures = measures
        self._forgetting = forgetting
        self._schema = schema
        self._n_declared = schema.n_classes
        self._n_waiting = 0
        self._n_rows = 7 * len(forgetting) * len(measures)  # numbers in the trace, a checkpoint
        if binned is not None:
            self._n_rows *= binned.bins + 2 + len(binned.stages)
        self._begun = self._written = time.perf_counter()
        directory.write_manifest(manifest)

    def extend(self, schema: Schema) -> None:
        """Take note of classes and nominal values that have appeared in the stream."""
        self._schema = schema

    def note(self, name: str, tested: Tested | None = None) -> None:
        """Take what a replica has passed, and its predictions if they are to be saved."""
        account = self.accounts[name]
        passed = account.replica.drain()
        account.waiting += passed
        alarms = account.replica.drain_alarms()
        if alarms:
            account.alarms.append(alarm_rows(alarms, learner=name, fold=0))
            self._n_waiting += account.alarms[-1].num_rows * account.alarms[-1].num_columns
        self._n_waiting += sum(c.counts.matrix.size + len(c) * self._n_rows for c in passed)
        if tested is not None:
            account.predictions.append(predictions_table(tested))
            self._n_waiting += account.predictions[-1].num_rows * account.predictions[-1].num_columns

    def fail(self, name: str, record: int, message: str, traceback: str) -> None:
        """Note that a learner has failed."""
        self.accounts[name].failure = Failure(record, message, traceback)
        self.accounts[name].status = "failed"

    def breathe(self, n_records: int) -> None:
        """Write what is waiting, if it is time."""
        now = time.perf_counter()
        due = now - self._written > max(1.0, 0.02 * (now - self._begun))
        n_waiting = self._n_waiting + (0 if self._pairing is None else self._pairing.n_waiting)
        n_waiting += 0 if self._events is None else self._events.n_waiting_rows
        if due or n_waiting > _MOST_WAITING:
            self.write(n_records)

    def write(self, n_records: int, status: Status = "running", reason: str = "") -> Manifest:
        """Write what is waiting, and the manifest."""
        tables, bins = [], []
        for name, account in self.accounts.items():
            if account.waiting:
                begun = time.perf_counter()
                table, binned = self._rows(name, Checkpoints.join(account.waiting))
                tables.append(table)
                bins += [] if binned is None else [binned]
                account.replica.score_seconds += time.perf_counter() - begun
            if account.predictions:
                self.directory.append_predictions(name, join_predictions(account.predictions))
                account.predictions = []
            _weigh(account, last=status != "running")
        if tables:
            whole = tables[0] if len(tables) == 1 else pa.concat_tables(tables).unify_dictionaries()
            self.directory.append_trace(whole)
            for account in self.accounts.values():
                account.waiting = []
        if bins:
            self.directory.append_bins(pa.concat_tables(bins).unify_dictionaries())
        self._write_alarms()
        irregular = None if self._events is None else self._events.drain()
        if irregular is not None:
            self.directory.append_irregular(irregular)
        pairs = None if self._pairing is None else self._pairing.drain()
        if pairs is not None:
            self.directory.append_pairs(pairs)
        self._n_waiting = 0
        self._manifest = replace(
            self._manifest,
            status=status,
            reason=reason,
            n_records=n_records,
            seconds=time.perf_counter() - self._begun,
            schema=describe_schema(self._schema) if self._schema.open else self._manifest.schema,
            events=None if self._events is None else self._events.describe(),
            learners={name: self._entry(name, account) for name, account in self.accounts.items()},
        )
        self.directory.write_manifest(self._manifest)
        self._written = time.perf_counter()
        return self._manifest

    def _write_alarms(self) -> None:
        tables = [table for account in self.accounts.values() for table in account.alarms]
        if tables:
            self.directory.append_alarms(pa.concat_tables(tables).unify_dictionaries())
            for account in self.accounts.values():
                account.alarms = []

    def _rows(self, name: str, checkpoints: Checkpoints) -> tuple[pa.Table, pa.Table | None]:
        account = self.accounts[name]
        account.n_unlabelled = int(checkpoints.n_unlabelled[-1])
        account.n_abstained = int(checkpoints.n_abstained[-1])
        account.n_nonfinite = int(checkpoints.n_nonfinite[-1])
        return rows(
            checkpoints,
            learner=name,
            fold=0,
            forgetting=self._forgetting,
            measures=self._measures,
            classes=self._schema.classes or (),
            n_declared=self._n_declared,
            binned=self._binned,
        )

    def _n_unlabelled(self, account: Account) -> int:
        if account.replica.n_unlabelled is not None:
            return account.replica.n_unlabelled
        return account.n_unlabelled if self._events is None else self._events.n_unlabelled

    def _entry(self, name: str, account: Account) -> LearnerEntry:
        replica = account.replica
        clock = replica.learner.clock
        worked = clock.predict_seconds + clock.learn_seconds
        return LearnerEntry(
            description=self._manifest.learners[name].description,
            status=account.status,
            n_records=replica.n_records,
            n_unlabelled=self._n_unlabelled(account),
            n_unpredicted=replica.n_unpredicted,
            n_abstained=account.n_abstained,
            n_nonfinite=account.n_nonfinite,
            resources=Resources(
                predict_seconds=clock.predict_seconds,
                learn_seconds=clock.learn_seconds,
                score_seconds=replica.score_seconds,
                records_per_second=replica.n_records / worked if worked > 0 else 0.0,
                memory_bytes=account.memory_bytes,
                ram_hours=account.ram_hours,
            ),
            failure=account.failure,
        )


def _weigh(account: Account, *, last: bool) -> None:
    """Measure the model, but not so often that measuring takes more than a twentieth of the learner's time."""
    clock = account.replica.learner.clock
    worked = clock.predict_seconds + clock.learn_seconds
    if not last and account.weighing_seconds > 0.05 * worked:
        return
    begun = time.perf_counter()
    account.memory_bytes = account.replica.learner.nbytes
    account.weighing_seconds += time.perf_counter() - begun
    account.ram_hours += account.memory_bytes / _GB * (worked - account.weighed_at) / 3600
    account.weighed_at = worked


def predictions_table(tested: Tested) -> pa.Table:
    """Return predictions in the form that ``prequential score`` reads."""
    chunk, scores = tested.chunk, tested.scores
    n = len(chunk)
    columns: dict[str, pa.Array] = {"n": pa.array(np.arange(chunk.start, chunk.start + n))}
    classes = chunk.schema.classes
    if classes is None:
        columns["label"] = pa.array(chunk.y, from_pandas=True)
        columns["prediction"] = pa.array(scores[:, 0], from_pandas=True)
    else:
        usable = np.isfinite(scores).all(axis=1) & (scores.sum(axis=1) > 0)
        columns["label"] = _decoded(chunk.y, chunk.schema)
        columns["prediction"] = _decoded(np.where(usable, scores.argmax(axis=1), -1), chunk.schema)
        for c, label in enumerate(classes):
            score = scores[:, c] if c < scores.shape[1] else np.zeros(n)
            columns[f"score_{label}"] = pa.array(np.ascontiguousarray(score))
    for name in ("time", "weight", "id"):
        values = getattr(chunk, name)
        if values is not None:
            columns[name] = pa.array(values)
    return pa.table(columns)


def _decoded(codes: Labels, schema: Schema) -> pa.Array:
    names = pa.array(_names(schema) or [], pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32), mask=codes < 0), names)


def _names(schema: Schema) -> list[str] | None:
    return None if schema.classes is None else [str(c) for c in schema.classes]
