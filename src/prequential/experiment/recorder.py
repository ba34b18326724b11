"""Writes a run directory as the run goes: trace, pairs, significance, alarms, predictions, manifest.

Checkpoints wait until a second or so has passed, then their measures are computed all at once: the arrays are then long
enough for NumPy to be fast, and a reader can still follow.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa

from prequential.engines.report import Report, Usage
from prequential.experiment.event_log import EventLog
from prequential.experiment.pairing import Pairing
from prequential.experiment.significance import Significance
from prequential.measures.binned import Binned
from prequential.measures.grid import Checkpoints
from prequential.measures.measure import Measure
from prequential.protocols.protocol import Tested
from prequential.runs.alarms import rows as alarm_rows
from prequential.runs.directory import RunDirectory, join_predictions
from prequential.runs.manifest import Failure, LearnerEntry, Manifest, Resources, Status, describe_schema
from prequential.runs.trace import Measured, averaged, bin_rows, measured, reported, rows
from prequential.streams.schema import Schema
from prequential.types import Labels

_MOST_WAITING = 1 << 18
"""Numbers in waiting checkpoints and predictions, over which they are written: memory stays constant."""
_KNOWN = (
    *("n_records", "n_unlabelled", "n_abstained", "n_nonfinite"),
    *("n_waiting", "n_unpredicted", "measure_seconds"),
)
"""What a save point holds of a replica's account, beside what it has used."""


@dataclass(slots=True)
class FoldAccount:
    """What is known so far of one replica."""

    n_records: int = 0
    n_unlabelled: int = 0
    n_abstained: int = 0
    n_nonfinite: int = 0
    n_waiting: int | None = None
    n_unpredicted: int = 0
    usage: Usage = field(default_factory=Usage)
    measure_seconds: float = 0.0
    waiting: list[Checkpoints] = field(default_factory=list)

    def state(self) -> dict[str, Any]:
        """Return all that is known; nothing waits."""
        return {**{name: getattr(self, name) for name in _KNOWN}, "usage": asdict(self.usage)}

    def restore(self, state: dict[str, Any]) -> None:
        """Know all that was known."""
        for name in _KNOWN:
            setattr(self, name, state[name])
        self.usage = Usage(**state["usage"])

    @property
    def resources(self) -> Resources:
        """What it has used."""
        used = self.usage
        return Resources(
            predict_seconds=used.predict_seconds,
            learn_seconds=used.learn_seconds,
            score_seconds=used.score_seconds + self.measure_seconds,
            records_per_second=self.n_records / used.worked_seconds if used.worked_seconds > 0 else 0.0,
            memory_bytes=used.memory_bytes,
            ram_hours=used.ram_hours,
        )


@dataclass(slots=True)
class Account:
    """What is known so far of one learner, and of each of its replicas."""

    folds: dict[int, FoldAccount]
    status: Status = "running"
    failure: Failure | None = None
    predictions: list[pa.Table] = field(default_factory=list)
    alarms: list[pa.Table] = field(default_factory=list)

    def state(self) -> dict[str, Any]:
        """Return all that is known; nothing waits."""
        return {
            "folds": [[fold, replica.state()] for fold, replica in self.folds.items()],
            "status": self.status,
            "failure": None if self.failure is None else asdict(self.failure),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Know all that was known."""
        for fold, kept in state["folds"]:
            self.folds[fold].restore(kept)
        self.status = state["status"]
        self.failure = None if state["failure"] is None else Failure(**state["failure"])


class Recorder:
    """The one writer of a run directory.

    Parameters
    ----------
    directory, manifest
        Where to write, and what is known at the start; its learners are those that will report.
    measures, forgetting
        What to compute, and what the trace calls the forgettings.
    schema
        The schema at the start.
    folds
        The numbers of the replicas that each learner has. Where there are several, their mean is fold 0 of the trace.
    pairing
        What counts the pairs of learners, if anything does.
    binned
        The bins of a run with delayed labels.
    events
        What is known of its events.
    significance
        What tests the differences between learners over the folds, if anything does.
    """

    def __init__(
        self,
        directory: RunDirectory,
        manifest: Manifest,
        *,
        measures: Sequence[Measure],
        forgetting: Sequence[str],
        schema: Schema,
        folds: Sequence[int] = (0,),
        pairing: Pairing | None = None,
        binned: Binned | None = None,
        events: EventLog | None = None,
        significance: Significance | None = None,
    ) -> None:
        self.directory = directory
        self._binned, self._events = binned, events
        self._pairing, self._significance = pairing, significance
        self.accounts = {name: Account({fold: FoldAccount() for fold in folds}) for name in manifest.learners}
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
        if not directory.begun:  # that of a run that is taken up stays as it is until it has been
            directory.write_manifest(manifest)

    def extend(self, schema: Schema) -> None:
        """Take note of classes and nominal values that have appeared in the stream."""
        self._schema = schema

    def take(self, report: Report) -> None:
        """Take what a replica has to tell."""
        account = self.accounts[report.learner]
        replica = account.folds[report.fold]
        replica.n_records, replica.usage = report.n_records, report.usage
        replica.n_waiting, replica.n_unpredicted = report.n_unlabelled, report.n_unpredicted
        replica.waiting += report.passed
        self._n_waiting += sum(c.counts.matrix.size + len(c) * self._n_rows for c in report.passed)
        if report.alarms:
            account.alarms.append(alarm_rows(report.alarms, learner=report.learner, fold=report.fold))
            self._n_waiting += account.alarms[-1].num_rows * account.alarms[-1].num_columns
        for tested in report.tested:
            account.predictions.append(predictions_table(tested))
            self._n_waiting += account.predictions[-1].num_rows * account.predictions[-1].num_columns

    def fail(self, name: str, failure: Failure) -> None:
        """Note that a learner has failed."""
        self.accounts[name].failure = failure
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
        tables: list[pa.Table] = []
        bins: list[pa.Table] = []
        for name, account in self.accounts.items():
            self._measure(name, account, tables, bins)
            if account.predictions:
                self.directory.append_predictions(name, join_predictions(account.predictions))
                account.predictions = []
        if tables:
            whole = tables[0] if len(tables) == 1 else pa.concat_tables(tables).unify_dictionaries()
            self.directory.append_trace(whole)
            for account in self.accounts.values():
                for replica in account.folds.values():
                    replica.waiting = []
        if bins:
            self.directory.append_bins(pa.concat_tables(bins).unify_dictionaries())
        self._write_alarms()
        irregular = None if self._events is None else self._events.drain()
        if irregular is not None:
            self.directory.append_irregular(irregular)
        pairs = None if self._pairing is None else self._pairing.drain()
        if pairs is not None:
            self.directory.append_pairs(pairs)
        tests = None if self._significance is None else self._significance.drain(pairs)
        if tests is not None:
            self.directory.append_significance(tests)
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

    def state(self) -> dict[str, Any]:
        """Return the whole state, and which parts of the trace are written; nothing waits to be."""
        return {
            "parts": self.directory.parts(),
            "seconds": time.perf_counter() - self._begun,
            "resumed_at": self._manifest.resumed_at,
            "accounts": [[name, account.state()] for name, account in self.accounts.items()],
            "pairing": None if self._pairing is None else self._pairing.state(),
            "events": None if self._events is None else self._events.state(),
        }

    def restore(self, state: dict[str, Any], n_records: int) -> None:
        """Go on where the recorder of the same run was, ``n_records`` records on."""
        self.directory.go_back(state["parts"])
        for name, kept in state["accounts"]:
            self.accounts[name].restore(kept)
        if self._pairing is not None:
            self._pairing.restore(state["pairing"])
        if self._events is not None:
            self._events.restore(state["events"])
        self._begun = time.perf_counter() - state["seconds"]
        self._manifest = replace(self._manifest, resumed_at=[*state["resumed_at"], n_records])
        self.write(n_records)

    def _write_alarms(self) -> None:
        tables = [table for account in self.accounts.values() for table in account.alarms]
        if tables:
            self.directory.append_alarms(pa.concat_tables(tables).unify_dictionaries())
            for account in self.accounts.values():
                account.alarms = []

    def _measure(self, name: str, account: Account, tables: list[pa.Table], bins: list[pa.Table]) -> None:
        """Compute what waits of a learner: the rows of each replica, and of their mean where there are several."""
        found: list[Measured] = []
        for fold, replica in account.folds.items():
            if not replica.waiting:
                continue
            begun = time.perf_counter()
            checkpoints = Checkpoints.join(replica.waiting)
            replica.n_unlabelled = int(checkpoints.n_unlabelled[-1])
            replica.n_abstained = int(checkpoints.n_abstained[-1])
            replica.n_nonfinite = int(checkpoints.n_nonfinite[-1])
            values = measured(
                checkpoints,
                measures=self._measures,
                classes=self._schema.classes or (),
                n_declared=self._n_declared,
            )
            if self._binned is not None:
                bins.append(bin_rows(values, learner=name, fold=fold, forgetting=self._forgetting))
                values = reported(values, self._binned)
            tables.append(rows(values, learner=name, fold=fold, forgetting=self._forgetting))
            found.append(values)
            replica.measure_seconds += time.perf_counter() - begun
        if len(account.folds) > 1 and len(found) == len(account.folds):
            tables.append(rows(averaged(found), learner=name, fold=0, forgetting=self._forgetting))
            if self._significance is not None:
                self._significance.add(name, found)

    def _n_unlabelled(self, replica: FoldAccount) -> int:
        if replica.n_waiting is not None:
            return replica.n_waiting
        return replica.n_unlabelled if self._events is None else self._events.n_unlabelled

    def _entry(self, name: str, account: Account) -> LearnerEntry:
        folds = list(account.folds.values())
        each = [fold.resources for fold in folds]
        worked = sum(one.predict_seconds + one.learn_seconds for one in each)
        n_taken = sum(fold.n_records for fold in folds)
        return LearnerEntry(
            description=self._manifest.learners[name].description,
            status=account.status,
            n_records=min(fold.n_records for fold in folds),
            n_unlabelled=self._n_unlabelled(folds[0]),
            n_unpredicted=folds[0].n_unpredicted,
            n_abstained=sum(fold.n_abstained for fold in folds),
            n_nonfinite=sum(fold.n_nonfinite for fold in folds),
            resources=Resources(
                predict_seconds=sum(one.predict_seconds for one in each),
                learn_seconds=sum(one.learn_seconds for one in each),
                score_seconds=sum(one.score_seconds for one in each),
                records_per_second=n_taken / worked if worked > 0 else 0.0,
                memory_bytes=sum(one.memory_bytes for one in each),
                ram_hours=sum(one.ram_hours for one in each),
            ),
            failure=account.failure,
            folds={}
            if len(folds) == 1
            else {str(number): one for number, one in zip(account.folds, each, strict=True)},
        )


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
