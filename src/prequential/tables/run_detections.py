"""The alarms of a run as detections that can be scored and drawn."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc

from prequential.drift.detection import Detection
from prequential.drift.scoring import default_tolerance, extent
from prequential.drift.watch import Alarm
from prequential.runs.alarms import by_watch
from prequential.runs.directory import RunDirectory
from prequential.runs.status import one_line
from prequential.streams.drift import Drift
from prequential.tables.detection_table import DetectionTable


def run_detections(directory: RunDirectory) -> DetectionTable | None:
    """Return the detections of every detector on every learner; None without detectors or learners to score.

    Learners that failed are left out, as they have not seen all drifts. An interrupted run is scored up to the last
    record that all other learners have seen.
    """
    manifest = directory.manifest
    whole = {
        name: entry for name, entry in manifest.learners.items() if entry.status != "failed" and entry.n_records > 0
    }
    if not manifest.detectors or not whole:
        return None
    n = min(entry.n_records for entry in whole.values())
    alarms = directory.alarms()
    folds = np.unique(alarms["fold"].to_numpy()).tolist() or [0]
    found = []
    for fold in folds:
        ours = by_watch(alarms.filter(pc.equal(alarms["fold"], fold)), whole, manifest.detectors)
        for (learner, detector), at in ours.items():
            name = one_line(learner) if len(folds) == 1 else f"{one_line(learner)}, fold {fold}"
            found.append(Detection(name, detector, n, tuple(Alarm(i) for i in at.tolist() if i < n)))
    known = _known_drifts(directory)
    drifts = tuple(drift for drift in known if drift.at < n) or None
    length = max(manifest.n_expected or 0, n)
    return DetectionTable(one_line(manifest.name), tuple(found), drifts, default_tolerance(known, length))


def _known_drifts(directory: RunDirectory) -> list[Drift]:
    """Return the known drifts; of several that begin at one record, which alarms cannot distinguish, the longest."""
    drifts = [
        Drift(drift["at"], drift["width"], drift["real"], drift.get("temporary", False))
        for drift in directory.manifest.drifts
    ]
    by_begin = {(extent(drift)[0], drift.temporary): drift for drift in sorted(drifts, key=lambda drift: drift.width)}
    return [by_begin[begin] for begin in sorted(by_begin)]
