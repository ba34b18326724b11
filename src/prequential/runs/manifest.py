"""The manifest of a run: its settings, the versions of packages, the machine, and how it ended."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from functools import cache
from importlib import metadata
from typing import Any, Literal, Self

from prequential.errors import StorageError
from prequential.metrics.metric import Better, Metric
from prequential.runs.failure import Failure
from prequential.runs.positive import Positive
from prequential.source_code import SourceCode
from prequential.streams.drift import Drift
from prequential.streams.schema import Schema

FORMAT = 1

Status = Literal["running", "complete", "failed", "partial", "interrupted", "stopped"]


@dataclass(frozen=True, slots=True)
class Resources:
    """The time and memory that a learner used.

    ``ram_hours`` is the memory of the model integrated over its computing time: 1 GB for 1 hour is 1 RAM-Hour.
    """

    predict_seconds: float = 0.0
    learn_seconds: float = 0.0
    score_seconds: float = 0.0
    records_per_second: float = 0.0
    memory_bytes: int = 0
    ram_hours: float = 0.0


@dataclass(frozen=True, slots=True)
class LearnerEntry:
    """One learner of the run: its parameters, counts, time and memory.

    With several replicas, ``folds`` has the resources of each, by fold; ``resources`` and ``n_abstained`` are totals,
    and ``records_per_second`` is the speed of one replica.

    ``n_unpredicted`` is the number of labels for which this learner has no prediction, if predictions were made
    elsewhere and labels arrived late.
    """

    description: dict[str, Any]
    status: Status = "running"
    n_records: int = 0
    n_unlabelled: int = 0
    n_unpredicted: int = 0
    n_abstained: int = 0
    n_nonfinite: int = 0
    resources: Resources = Resources()
    failure: Failure | None = None
    folds: dict[str, Resources] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MetricEntry:
    """The description of a metric, so that a reader of the run also knows metrics that the user defined."""

    better: Better
    undefined: str
    summary: str
    bound: float | None = None

    @classmethod
    def of(cls, metric: Metric) -> Self:
        """Return the description of a metric."""
        return cls(metric.better, metric.undefined, metric.summary, metric.bound)

    def of_class(self, label: str) -> MetricEntry:
        """Return the description of the metric with this positive class."""
        return replace(self, summary=f"{self.summary.rstrip('.')}; the positive class is {label}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The content of ``manifest.json``.

    ``status`` is ``running``, ``complete``, ``failed`` (a learner failed, the others are complete), ``interrupted`` (by
    Ctrl-C or SIGTERM), ``partial`` (an error ended the run early) or, when it is read, ``stopped`` (the process that
    wrote it ended without an update); ``reason`` says why. ``known_metrics`` describes the ``metrics``; ``kept`` says
    whether predictions and pairs were saved. With late labels, ``events`` has the numbers of records, labels and
    irregular events, and the latencies of labels. ``engine`` is where the learners were computed; results do not depend
    on it. ``resumed_at`` has, for each time the run was resumed, the number of records before.
    ``positive`` is the positive class, if one was given or a metric depends on it. ``code`` has fingerprints of the
    user's code, and ``accepted_changes`` lists the changes of code and versions accepted when the run was resumed.
    """

    name: str
    stream: dict[str, Any]
    schema: dict[str, Any]
    drifts: list[dict[str, Any]]
    protocol: dict[str, Any]
    metrics: list[str]
    forgetting: list[str]
    every: int
    seed: int
    abstain: str
    learners: dict[str, LearnerEntry]
    started: str
    status: Status = "running"
    reason: str = ""
    n_records: int = 0
    n_expected: int | None = None
    detectors: list[str] = field(default_factory=list)
    kept: dict[str, bool] = field(default_factory=dict)
    events: dict[str, Any] | None = None
    engine: dict[str, Any] = field(default_factory=dict)
    known_metrics: dict[str, MetricEntry] = field(default_factory=dict)
    positive: Positive | None = None
    resumed_at: list[int] = field(default_factory=list)
    accepted_changes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    versions: dict[str, str] = field(default_factory=dict)
    code: SourceCode | None = None
    machine: dict[str, Any] = field(default_factory=dict)
    format: int = FORMAT

    @property
    def finished(self) -> bool:
        """Whether the run has ended, with or without failed learners."""
        return self.status in ("complete", "failed")

    def to_json(self) -> str:
        """Return the text of ``manifest.json``, with one line per field."""
        encode = json.JSONEncoder(ensure_ascii=False, default=_shallow).encode
        lines = (f"  {encode(f.name)}: {encode(getattr(self, f.name))}" for f in fields(self))
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @classmethod
    def from_json(cls, text: str, source: str) -> Self:
        """Read ``manifest.json``; unknown fields, which a newer version may add, are ignored."""
        try:
            data = json.loads(text)
            if data["format"] > FORMAT:
                raise StorageError(f"{source} was written by a newer version of prequential (format {data['format']}).")
            known = {f.name for f in fields(cls)}
            learners = {name: _entry(entry) for name, entry in data["learners"].items()}
            metrics = {name: MetricEntry(**entry) for name, entry in data.get("known_metrics", {}).items()}
            values = {k: v for k, v in data.items() if k in known}
            positive = Positive(**data["positive"]) if data.get("positive") else None
            code = SourceCode(**data["code"]) if data.get("code") else None
            return cls(**{**values, "learners": learners, "known_metrics": metrics, "positive": positive, "code": code})
        except (ValueError, KeyError, TypeError) as error:
            raise StorageError(f"{source} is not the manifest of a run ({type(error).__name__}: {error}).") from error


def _shallow(value: object) -> object:
    """Return a dataclass as a dictionary, and any other value that JSON does not have as text."""
    if not is_dataclass(value):
        return str(value)
    return {f.name: getattr(value, f.name) for f in fields(value)}


def _entry(data: dict[str, Any]) -> LearnerEntry:
    failure = data["failure"]
    return LearnerEntry(
        **{
            **data,
            "resources": Resources(**data["resources"]),
            "failure": None if failure is None else Failure(**failure),
            "folds": {fold: Resources(**used) for fold, used in data.get("folds", {}).items()},
        }
    )


def describe_schema(schema: Schema) -> dict[str, Any]:
    """Return a schema as JSON-able data."""
    return {
        **({"open": True} if schema.open else {}),
        "target": schema.target,
        "task": schema.task,
        "classes": None if schema.classes is None else [str(c) for c in schema.classes],
        "n_features": schema.n_features,
        "features": [
            {"name": f.name, "type": "nominal" if f.nominal else "numeric", "n_values": len(f.values or ())}
            for f in schema.features
        ],
    }


def describe_drifts(drifts: tuple[Drift, ...]) -> list[dict[str, Any]]:
    """Return known drifts as JSON-able data."""
    return [asdict(d) for d in drifts]


@cache
def versions() -> dict[str, str]:
    """Return the versions of Python, of this package, and of the packages on which its numbers may depend."""
    found = {"python": platform.python_version()}
    for package in ("prequential", "numpy", "scipy", "pyarrow", "river", "scikit-learn", "capymoa"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, Any]:
    """Return the system, the processor and the number of cores, for readers of timings."""
    return {"system": platform.platform(), "processor": platform.machine(), "n_cores": os.cpu_count()}
