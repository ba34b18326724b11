"""The progress of each learner of a run, and of each of its replicas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import pyarrow as pa

from prequential.engines.replica_update import ReplicaUpdate, Usage
from prequential.metrics.grid import Checkpoints
from prequential.runs.failure import Failure
from prequential.runs.manifest import LearnerEntry, Resources, Status

_COUNTS = (
    *("n_records", "n_unlabelled", "n_abstained", "n_nonfinite"),
    *("n_waiting", "n_unpredicted", "measure_seconds"),
)
"""The fields of a replica's account that a save point holds, in addition to its usage."""


@dataclass(slots=True)
class ReplicaAccount:
    """The progress of one replica; ``unwritten`` are checkpoints that are not in the trace yet."""

    n_records: int = 0
    n_unlabelled: int = 0
    n_abstained: int = 0
    n_nonfinite: int = 0
    n_waiting: int | None = None
    n_unpredicted: int = 0
    usage: Usage = field(default_factory=Usage)
    measure_seconds: float = 0.0
    unwritten: list[Checkpoints] = field(default_factory=list)

    def add(self, update: ReplicaUpdate) -> None:
        """Add an update."""
        self.n_records, self.usage = update.n_records, update.usage
        self.n_waiting, self.n_unpredicted = update.n_unlabelled, update.n_unpredicted
        self.unwritten += update.passed

    def state(self) -> dict[str, Any]:
        """Return the whole state; all checkpoints must have been written."""
        return {**{name: getattr(self, name) for name in _COUNTS}, "usage": asdict(self.usage)}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore from ``state()``."""
        for name in _COUNTS:
            setattr(self, name, state[name])
        self.usage = Usage(**state["usage"])

    @property
    def resources(self) -> Resources:
        """Time and memory that the replica has used."""
        used = self.usage
        return Resources(
            predict_seconds=used.predict_seconds,
            learn_seconds=used.learn_seconds,
            score_seconds=used.score_seconds + self.measure_seconds,
            records_per_second=self.n_records / used.worked_seconds if used.worked_seconds > 0 else 0.0,
            memory_bytes=used.memory_bytes,
            ram_hours=used.ram_hours,
        )


class Account:
    """The progress of one learner, and of each of its replicas.

    Parameters
    ----------
    description
        Class and parameters of the learner, for the manifest.
    folds
        The folds of its replicas.
    """

    def __init__(self, description: dict[str, Any], folds: Sequence[int]) -> None:
        self.folds = {fold: ReplicaAccount() for fold in folds}
        self.status: Status = "running"
        self.failure: Failure | None = None
        self.predictions: list[pa.Table] = []
        self.alarms: list[pa.Table] = []
        self._description = description

    def fail(self, failure: Failure) -> None:
        """Mark the learner as failed."""
        self.failure, self.status = failure, "failed"

    @property
    def n_records(self) -> int:
        """Number of records that all replicas have processed."""
        return min(fold.n_records for fold in self.folds.values())

    def state(self) -> dict[str, Any]:
        """Return the whole state; everything must have been written."""
        return {
            "folds": [[fold, replica.state()] for fold, replica in self.folds.items()],
            "status": self.status,
            "failure": None if self.failure is None else asdict(self.failure),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore from ``state()``."""
        for fold, replica in state["folds"]:
            self.folds[fold].restore(replica)
        self.status = state["status"]
        self.failure = None if state["failure"] is None else Failure(**state["failure"])

    def entry(self, n_unlabelled: int | None) -> LearnerEntry:
        """Return the entry of the manifest; ``n_unlabelled`` is given if it is the same for all learners."""
        folds = list(self.folds.values())
        each = [fold.resources for fold in folds]
        worked = sum(one.predict_seconds + one.learn_seconds for one in each)
        if folds[0].n_waiting is not None:
            n_unlabelled = folds[0].n_waiting
        return LearnerEntry(
            description=self._description,
            status=self.status,
            n_records=self.n_records,
            n_unlabelled=folds[0].n_unlabelled if n_unlabelled is None else n_unlabelled,
            n_unpredicted=folds[0].n_unpredicted,
            n_abstained=sum(fold.n_abstained for fold in folds),
            n_nonfinite=sum(fold.n_nonfinite for fold in folds),
            resources=Resources(
                predict_seconds=sum(one.predict_seconds for one in each),
                learn_seconds=sum(one.learn_seconds for one in each),
                score_seconds=sum(one.score_seconds for one in each),
                records_per_second=sum(fold.n_records for fold in folds) / worked if worked > 0 else 0.0,
                memory_bytes=sum(one.memory_bytes for one in each),
                ram_hours=sum(one.ram_hours for one in each),
            ),
            failure=self.failure,
            folds={} if len(folds) == 1 else {str(number): used for number, used in zip(self.folds, each, strict=True)},
        )
