"""The alarms that are kept with a run, as detections that can be tabled, scored and drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow.compute as pc

from prequential.drift.detection import Detection
from prequential.drift.scoring import extent
from prequential.drift.watch import Alarm
from prequential.report.detections import DetectionTable
from prequential.report.status import one_line
from prequential.runs.alarms import by_watch
from prequential.runs.directory import RunDirectory
from prequential.streams.drift import Drift

TOLERANCE = 0.2
"""The share of the mean distance between drifts in which an alarm still detects one."""


def run_detections(directory: RunDirectory) -> DetectionTable | None:
    """Return what every detector said of every learner; None where a run had no detectors, or no learner to score.

    A learner that failed is left out: it has not met all drifts. Of an interrupted run the records count that all
    other learners have seen.
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
            said = tuple(Alarm(i - 1) for i in at.tolist() if i <= n)
            found.append(Detection(name, detector, n, said))
    known = _known(directory)
    drifts = tuple(drift for drift in known if drift.at < n) or None
    length = max(manifest.n_expected or 0, n)
    return DetectionTable(one_line(manifest.name), tuple(found), drifts, default_tolerance(known, length))


def default_tolerance(drifts: Sequence[Drift], n: int) -> int:
    """Return the records after a drift in which an alarm still detects it: a fifth of those from drift to drift.

    The start and the end of the stream count as drifts here, blips do not. It depends on the stream alone, not on what
    was found.

    Examples
    --------
    >>> default_tolerance([Drift(5_000)], 10_000)
    1000
    """
    return int(TOLERANCE * n / (1 + sum(not drift.temporary for drift in drifts)))


def _known(directory: RunDirectory) -> list[Drift]:
    """Return the known drifts; of those that begin at one record, which no alarm can tell apart, the longest."""
    drifts = [
        Drift(drift["at"], drift["width"], drift["real"], drift.get("temporary", False))
        for drift in directory.manifest.drifts
    ]
    by_begin = {(extent(drift)[0], drift.temporary): drift for drift in sorted(drifts, key=lambda drift: drift.width)}
    return [by_begin[begin] for begin in sorted(by_begin)]
