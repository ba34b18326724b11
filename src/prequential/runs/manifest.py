"""What a run directory says of itself: what was asked, with which versions, on which machine, and how it ended."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from functools import cache
from importlib import metadata
from typing import Any, Literal, Self

from prequential.errors import StorageError
from prequential.measures.measure import Better, Measure
from prequential.streams.drift import Drift
from prequential.streams.schema import Schema

FORMAT = 1

Status = Literal["running", "complete", "failed", "partial"]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a learner stopped."""

    record: int
    message: str
    traceback: str


@dataclass(frozen=True, slots=True)
class Resources:
    """What a learner used.

    ``ram_hours`` is the integral of the model's bytes over the time it worked: 1 GB held for 1 hour is 1 RAM-Hour.
    """

    predict_seconds: float = 0.0
    learn_seconds: float = 0.0
    score_seconds: float = 0.0
    records_per_second: float = 0.0
    memory_bytes: int = 0
    ram_hours: float = 0.0


@dataclass(frozen=True, slots=True)
class LearnerEntry:
    """One learner of the run, and how it fared.

    Where it had several replicas, ``folds`` says what each of them used, by its number; ``resources`` and abstentions
    are those of all together, and ``records_per_second`` is the speed of one.

    ``n_unpredicted`` counts, where predictions were made elsewhere and labels came late, the labels that came for no
    prediction of this learner.
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
class MeasureEntry:
    """What a reader must know of a measure, also of one of the user's own, which no registry has."""

    better: Better
    undefined: str
    summary: str

    @classmethod
    def of(cls, measure: Measure) -> Self:
        """Take it from the measure itself."""
        return cls(measure.better, measure.undefined, measure.summary)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The whole of ``manifest.json``.

    ``status`` is ``running`` while the run goes on, ``complete`` at its end, ``failed`` when a learner failed (the
    others are complete), ``partial`` when it was interrupted; ``reason`` says why. ``known_measures`` says what each of
    the ``measures`` means, ``kept`` what else there is to read. ``events`` tells of a run with delayed labels how many
    records, labels and irregular events there were, and how long labels took. ``engine`` says where the learners
    worked, which changes no result. ``resumed_at`` has the number of records at which the run was taken up again, each
    time that it was.
    """

    name: str
    stream: dict[str, Any]
    schema: dict[str, Any]
    drifts: list[dict[str, Any]]
    protocol: dict[str, Any]
    measures: list[str]
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
    known_measures: dict[str, MeasureEntry] = field(default_factory=dict)
    resumed_at: list[int] = field(default_factory=list)
    seconds: float = 0.0
    versions: dict[str, str] = field(default_factory=dict)
    machine: dict[str, Any] = field(default_factory=dict)
    format: int = FORMAT

    def to_json(self) -> str:
        """Return the text of ``manifest.json``, a line a field."""
        encode = json.JSONEncoder(ensure_ascii=False, default=_shallow).encode
        lines = (f"  {encode(f.name)}: {encode(getattr(self, f.name))}" for f in fields(self))
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @classmethod
    def from_json(cls, text: str, source: str) -> Self:
        """Read ``manifest.json``; fields that a newer version added are passed over."""
        try:
            data = json.loads(text)
            if data["format"] > FORMAT:
                raise StorageError(f"{source}: written by a newer version of prequential (format {data['format']}).")
            known = {f.name for f in fields(cls)}
            learners = {name: _entry(entry) for name, entry in data["learners"].items()}
            measures = {name: MeasureEntry(**entry) for name, entry in data.get("known_measures", {}).items()}
            kept = {k: v for k, v in data.items() if k in known}
            return cls(**{**kept, "learners": learners, "known_measures": measures})
        except (ValueError, KeyError, TypeError) as error:
            raise StorageError(f"{source}: not a manifest of a run ({type(error).__name__}: {error}).") from error


def _shallow(value: object) -> object:
    """Return a dataclass as a dictionary, anything else that JSON does not know as text."""
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
    """Return the versions of this package and of what its numbers may depend on."""
    found = {"python": platform.python_version()}
    for package in ("prequential", "numpy", "scipy", "pyarrow", "river", "scikit-learn", "capymoa"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, Any]:
    """Return what a reader of timings must know of the machine."""
    return {"system": platform.platform(), "processor": platform.machine(), "n_cores": os.cpu_count()}
