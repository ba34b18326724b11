"""Alarms over the records of a stream, with its known drifts: the data to draw."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from prequential.drift.detection import Detection
from prequential.drift.scoring import extent
from prequential.runs.alarm_marks import gather_marks
from prequential.streams.drift import Drift


@dataclass(frozen=True, slots=True)
class TimelineDrift:
    """A known drift: its first and last record, and up to where an alarm detects it (None: not limited).

    An abrupt drift has the same first and last record.
    """

    begin: float
    end: float
    detected_until: float | None
    temporary: bool


@dataclass(frozen=True, slots=True)
class Timeline:
    """The alarms of several detectors.

    Parameters
    ----------
    title
        The stream.
    n_records
        The length of the stream.
    rows
        Name and marks of each detector: the records of its alarms by verdict, ``detected``, ``repeat``, ``false``, or
        ``alarm`` where no drifts are known. Many alarms share marks.
    drifts
        The known drifts.
    """

    title: str
    n_records: int
    rows: tuple[tuple[str, dict[str, list[int]]], ...]
    drifts: tuple[TimelineDrift, ...]

    @property
    def names(self) -> list[str]:
        """The names of the rows."""
        return [name for name, _ in self.rows]


def timeline(
    title: str, detections: Sequence[tuple[str, Detection]], drifts: Sequence[Drift] | None, tolerance: float
) -> Timeline:
    """Return the timeline of named detections, at least one; None for ``drifts``: they are not known."""
    return Timeline(
        title,
        detections[0][1].n_records,
        tuple((name, _marks(one, drifts, tolerance)) for name, one in detections),
        tuple(_timeline_drift(drift, tolerance) for drift in drifts or ()),
    )


def _marks(detection: Detection, drifts: Sequence[Drift] | None, tolerance: float) -> dict[str, list[int]]:
    verdicts: list[str] = ["alarm"] * len(detection.alarms)
    if drifts is not None:
        verdicts = list(detection.verdicts(drifts, tolerance=tolerance))
    marks: dict[str, list[int]] = {}
    for alarm, verdict in zip(detection.alarms, verdicts, strict=True):
        marks.setdefault(verdict, []).append(alarm.record)
    return {key: gather_marks(np.array(at), detection.n_records)[0].tolist() for key, at in marks.items()}


def _timeline_drift(drift: Drift, tolerance: float) -> TimelineDrift:
    begin, length = extent(drift)
    if drift.temporary:
        return TimelineDrift(begin, begin + max(1, length), None, temporary=True)
    until = None if math.isinf(tolerance) else begin + length + tolerance
    return TimelineDrift(begin, begin + length, until, temporary=False)
