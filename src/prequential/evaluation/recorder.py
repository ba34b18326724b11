"""The recorder, the only writer of a run directory: trace, summary, pairs, significance, alarms, predictions, manifest.

Checkpoints are collected for about a second, then their metrics are computed together: the arrays are long enough for
NumPy to be fast, and a reader can still follow the run.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from prequential.engines.replica_update import ReplicaUpdate
from prequential.evaluation.account import Account, ReplicaAccount
from prequential.evaluation.event_log import EventLog
from prequential.evaluation.experiment import Experiment
from prequential.evaluation.holdout_pairing import HoldoutPairing
from prequential.evaluation.late_pairing import LatePairing
from prequential.evaluation.pairing import Pairing
from prequential.evaluation.significance import Significance
from prequential.metrics.grid import Checkpoints
from prequential.runs.alarms import rows as alarm_rows
from prequential.runs.directory import RunDirectory
from prequential.runs.holdout_tests import PARTIAL, partial_tests
from prequential.runs.manifest import Manifest, Status, describe_schema
from prequential.runs.predictions import join_predictions, predictions_table
from prequential.runs.summary import summary_rows
from prequential.runs.trace import Measured, bin_rows, measured, reported, rows
from prequential.streams.schema import Schema
from prequential.types import FloatArray

_MOST_WAITING = 1 << 18
"""Number of unwritten values above which they are written, so that memory stays constant."""


class Recorder:
    """Collects the updates of all replicas and writes them.

    Parameters
    ----------
    directory
        Directory of the run.
    manifest
        Manifest at the start.
    experiment
        The experiment of the run.
    """

    def __init__(self, directory: RunDirectory, manifest: Manifest, experiment: Experiment) -> None:
        settings = experiment.settings
        protocol, names = settings.protocol, list(experiment.learners)
        self.directory = directory
        self.accounts = {name: Account(experiment.learners[name], protocol.folds) for name in names}
        waiting = protocol.events()
        self.events = None if waiting is None else EventLog(waiting, versions=not experiment.elsewhere)
        self.pairing: Pairing | HoldoutPairing | LatePairing | None = (
            settings.pairing(names) if experiment.pairs else None
        )
        n_folds = len(protocol.folds)
        self._significance = (
            Significance(settings.metrics, settings.forgetting, n_folds) if n_folds > 1 and len(names) > 1 else None
        )
        self._manifest = manifest
        self._settings = settings
        self._metrics, self._labels, self._binned = settings.metrics, settings.labels, protocol.binned
        self._schema, self._n_declared = settings.schema, settings.schema.n_classes
        self._label_shares: FloatArray = np.zeros(0)
        self._weighted = False
        self._n_waiting = 0
        self._n_values = 7 * len(self._labels) * len(self._metrics)  # values in the trace per checkpoint
        if self._binned is not None:
            self._n_values *= self._binned.bins + 2 + len(self._binned.stages)
        self._begun = self._written = time.perf_counter()
        if not directory.begun:  # of a run to resume, it is written once the run has been restored
            directory.write_manifest(manifest)

    def extend(self, schema: Schema) -> None:
        """Adopt a schema with new classes or nominal values."""
        self._schema = schema

    def add(self, update: ReplicaUpdate) -> None:
        """Add the update of a replica."""
        account = self.accounts[update.learner]
        account.folds[update.fold].add(update)
        self._n_waiting += sum(c.counts.matrix.size + len(c) * self._n_values for c in update.passed)
        if self.pairing is not None:
            self.pairing.add(update.learner, update.tests)
        if update.alarms:
            account.alarms.append(alarm_rows(update.alarms, learner=update.learner, fold=update.fold))
            self._n_waiting += account.alarms[-1].num_rows * account.alarms[-1].num_columns
        for tested in update.tested:
            account.predictions.append(predictions_table(tested))
            self._n_waiting += account.predictions[-1].num_rows * account.predictions[-1].num_columns

    def write_if_due(self, n_records: int) -> None:
        """Write what is collected if a second or more has passed, or if it is much."""
        now = time.perf_counter()
        due = now - self._written > max(1.0, 0.02 * (now - self._begun))
        n_waiting = self._n_waiting + (0 if self.pairing is None else self.pairing.n_waiting)
        n_waiting += 0 if self.events is None else self.events.n_waiting_rows
        if due or n_waiting > _MOST_WAITING:
            self.write(n_records)

    def write(self, n_records: int, status: Status = "running", reason: str = "") -> None:
        """Write what is collected, and the manifest."""
        self._write_trace()
        self._write_predictions()
        self._write_alarms()
        irregular = None if self.events is None else self.events.drain()
        if irregular is not None:
            self.directory.append_irregular(irregular)
        pairs = None if self.pairing is None else self.pairing.drain()
        if pairs is not None:
            self.directory.append_pairs(pairs)
        tests = None if self._significance is None else self._significance.drain(pairs)
        if tests is not None:
            self.directory.append_significance(tests)
        self._n_waiting = 0
        n_unlabelled = None if self.events is None else self.events.n_unlabelled
        self._manifest = replace(
            self._manifest,
            status=status,
            reason=reason,
            n_records=n_records,
            seconds=time.perf_counter() - self._begun,
            schema=self._described_schema(),
            positive=self._settings.positive_of(self._schema, self._label_shares),
            known_metrics=self._settings.metric_entries(self._schema)[1],
            events=None if self.events is None else self.events.describe(),
            learners={name: account.entry(n_unlabelled) for name, account in self.accounts.items()},
        )
        self.directory.write_manifest(self._manifest)
        self._written = time.perf_counter()

    def state(self) -> dict[str, Any]:
        """Return the whole state and the names of the written parts; everything must have been written."""
        return {
            "parts": self.directory.parts(),
            "seconds": time.perf_counter() - self._begun,
            "weighted": self._weighted,
            "resumed_at": self._manifest.resumed_at,
            "accounts": [[name, account.state()] for name, account in self.accounts.items()],
            "pairing": None if self.pairing is None else self.pairing.state(),
            "events": None if self.events is None else self.events.state(),
        }

    def restore(self, state: dict[str, Any], n_records: int) -> None:
        """Restore from ``state()``, which was saved after ``n_records`` records."""
        self.directory.truncate_to(state["parts"])
        for name, account in state["accounts"]:
            self.accounts[name].restore(account)
        if self.pairing is not None:
            self.pairing.restore(state["pairing"])
        if self.events is not None:
            self.events.restore(state["events"])
        self._begun = time.perf_counter() - state["seconds"]
        self._weighted = state["weighted"]
        self._manifest = replace(self._manifest, resumed_at=[*state["resumed_at"], n_records])
        self.write(n_records)

    def _described_schema(self) -> dict[str, Any]:
        """Return the schema as it is now; ``weighted`` says that a record had a weight other than 1."""
        known = describe_schema(self._schema) if self._schema.open else self._manifest.schema
        return {**known, "weighted": True} if self._weighted else known

    def _write_trace(self) -> None:
        tables: list[pa.Table] = []
        summary: list[pa.Table] = []
        bins: list[pa.Table] = []
        for name, account in self.accounts.items():
            values: list[Measured] = []
            for fold, replica in account.folds.items():
                if replica.unwritten:
                    values.append(self._measured(name, fold, replica, bins))
                    tables += self._rows(values[-1], name, fold)
            if len(account.folds) > 1 and len(values) == len(account.folds):
                summary.append(summary_rows(values, learner=name, forgetting=self._labels))
                if self._significance is not None:
                    self._significance.add(name, values)
        if tables:
            self.directory.append_trace(_joined(tables))
            for account in self.accounts.values():
                for replica in account.folds.values():
                    replica.unwritten = []
        if summary:
            self.directory.append_summary(_joined(summary))
        if bins:
            self.directory.append_bins(_joined(bins))

    def _rows(self, found: Measured, learner: str, fold: int) -> list[pa.Table]:
        """Return values as rows of the trace; those of a partial holdout test have a forgetting of their own."""
        partial = partial_tests(self._manifest, found.n)
        if not partial.any():
            return [rows(found, learner=learner, fold=fold, forgetting=self._labels)]
        kinds = [(~partial, self._labels), (partial, [PARTIAL])]
        return [
            rows(found.select(which), learner=learner, fold=fold, forgetting=labels)
            for which, labels in kinds
            if which.any()
        ]

    def _measured(self, name: str, fold: int, replica: ReplicaAccount, bins: list[pa.Table]) -> Measured:
        """Compute the metrics of a replica's unwritten checkpoints; those by bin are added to ``bins``."""
        begun = time.perf_counter()
        checkpoints = Checkpoints.join(replica.unwritten)
        replica.n_unlabelled = int(checkpoints.n_unlabelled[-1])
        replica.n_abstained = int(checkpoints.n_abstained[-1])
        replica.n_nonfinite = int(checkpoints.n_nonfinite[-1])
        if checkpoints.counts.n_classes:
            self._label_shares = checkpoints.counts.label_shares()
        counts = checkpoints.counts
        self._weighted = self._weighted or not np.allclose(counts.weight, counts.n_records, rtol=1e-9, equal_nan=True)
        classes = self._schema.classes or ()
        values = measured(checkpoints, metrics=self._metrics, classes=classes, n_declared=self._n_declared)
        if self._binned is not None:
            bins.append(bin_rows(values, learner=name, fold=fold, forgetting=self._labels))
            values = reported(values, self._binned, self._metrics)
        replica.measure_seconds += time.perf_counter() - begun
        return values

    def _write_predictions(self) -> None:
        for name, account in self.accounts.items():
            if account.predictions:
                self.directory.append_predictions(name, join_predictions(account.predictions))
                account.predictions = []

    def _write_alarms(self) -> None:
        tables = [table for account in self.accounts.values() for table in account.alarms]
        if tables:
            self.directory.append_alarms(_joined(tables))
            for account in self.accounts.values():
                account.alarms = []


def _joined(tables: list[pa.Table]) -> pa.Table:
    return pa.concat_tables(tables).unify_dictionaries()
