"""Run directories written by hand, for the tests of reports, tables and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from prequential.runs.alarms import SCHEMA as ALARMS
from prequential.runs.directory import RunDirectory
from prequential.runs.events import SCHEMA as IRREGULAR
from prequential.runs.failure import Failure
from prequential.runs.manifest import LearnerEntry, Manifest, Resources
from prequential.runs.trace import BINS, SCHEMA

Points = Mapping[tuple[str, str, str], list[tuple[int, float]]]
"""Values by learner, forgetting and metric."""


def entry(learner: str = "NaiveBayes", **changes: Any) -> LearnerEntry:
    fields: dict[str, Any] = {
        "description": {"learner": learner},
        "status": "complete",
        "n_records": 2000,
        "resources": Resources(0.5, 1.25, 0.125, 1_066.7, 150_000, 2e-8),
        **changes,
    }
    return LearnerEntry(**fields)


def failed(record: int = 1234, message: str = "ValueError: no", traceback: str = "Traceback …") -> LearnerEntry:
    return entry(status="failed", n_records=record, failure=Failure(record, message, traceback))


def make_run(
    path: Path, points: Points, *, folds: int = 1, alarms: Sequence[tuple[str, str, int]] = (), **changes: Any
) -> RunDirectory:
    """Write a run directory with these values in its trace, the same in every fold.

    Alarms are learner, detector, record.
    """
    names = list(dict.fromkeys(learner for learner, _, _ in points))
    fields: dict[str, Any] = {
        "name": "elec",
        "stream": {"name": "elec.csv", "n_records": 2000},
        "schema": {
            "target": "class",
            "task": "classification",
            "classes": ["UP", "DOWN"],
            "n_features": 2,
            "features": [
                {"name": "price", "type": "numeric", "n_values": 0},
                {"name": "day", "type": "nominal", "n_values": 7},
            ],
        },
        "drifts": [],
        "protocol": {"protocol": "Prequential"},
        "metrics": list(dict.fromkeys(m.partition("[")[0] for _, _, m in points)),
        "forgetting": list(dict.fromkeys(f for _, f, _ in points)),
        "every": 1000,
        "seed": 7,
        "abstain": "wrong",
        "learners": {name: entry() for name in names},
        "started": "2026-07-22T10:00:00+00:00",
        "status": "complete",
        "n_records": 2000,
        "n_expected": 2000,
        "seconds": 3.5,
        "versions": {"python": "3.11.2", "prequential": "0.1.0"},
        "detectors": list(dict.fromkeys(detector for _, detector, _ in alarms)),
        "machine": {"system": "Linux", "processor": "x86_64", "n_cores": 2},
        **changes,
    }
    directory = RunDirectory.create(path)
    rows = [
        {"learner": name, "fold": fold, "n": n, "t": np.nan, "forgetting": f, "metric": m, "value": value}
        for fold in range(folds)
        for (name, f, m), values in points.items()
        for n, value in values
    ]
    if rows:
        directory.append_trace(pa.Table.from_pylist(rows, schema=SCHEMA))
    if alarms:
        given = [
            {"learner": name, "fold": 0, "detector": detector, "record": record, "time": None}
            for name, detector, record in alarms
        ]
        directory.append_alarms(pa.Table.from_pylist(given, schema=ALARMS))
    directory.write_manifest(Manifest(**fields))
    return directory


def events(**changes: Any) -> dict[str, Any]:
    """Return the events of a manifest; half of the labels took 8 to 9, the others 80 to 90."""
    return {
        "n_events": 4000,
        "n_records": 2100,
        "n_versions": 0,
        "n_labels": 2000,
        "n_waiting": 100,
        "n_expired": 0,
        "irregular": {},
        "latency": {
            "n": 2000,
            "least": 8.0,
            "most": 90.0,
            "mean": 47.0,
            "quantiles": {"0.05": 8.4, "0.25": 8.4, "0.5": 8.4, "0.75": 85.0, "0.95": 85.0, "0.99": 85.0},
            "histogram": [[8.0, 8.72, 1000], [82.98, 90.51, 1000]],
        },
        **changes,
    }


def delayed_run(
    path: Path,
    points: Points,
    *,
    bins: Mapping[tuple[str, str, str], Sequence[tuple[int, int, float]]] | None = None,
    irregular: Sequence[tuple[str, str]] = (),
    **changes: Any,
) -> RunDirectory:
    """Write the directory of a run with delayed labels.

    Bins are (n, bin, value) by learner, forgetting and metric; irregular events are (kind, id).
    """
    counts = {kind: sum(one == kind for one, _ in irregular) for kind, _ in irregular}
    defaults = {"protocol": {"protocol": "delayed", "bins": 4, "alpha": [2.0]}, "events": events(irregular=counts)}
    directory = make_run(path, points, **{**defaults, **changes})
    rows = [
        {"learner": name, "fold": 0, "n": n, "t": None, "forgetting": f, "metric": m, "bin": b, "value": value}
        for (name, f, m), values in (bins or {}).items()
        for n, b, value in values
    ]
    if rows:
        directory.append_bins(pa.Table.from_pylist(rows, schema=BINS))
    if irregular:
        given = [{"kind": kind, "id": name, "event": i, "t": float(i)} for i, (kind, name) in enumerate(irregular)]
        directory.append_irregular(pa.Table.from_pylist(given, schema=IRREGULAR))
    return directory
