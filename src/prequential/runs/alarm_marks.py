"""Alarms as marks in a strip above the curves: the data to draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prequential.runs.alarms import by_watch
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest
from prequential.types import IntArray

MOST_MARKS = 400
"""The largest number of marks in a row; where there are more alarms, neighbours share a mark."""
_ROW, _MOST = 0.045, 0.28
"""The share of a panel's height for one row, and the largest share for all rows."""


@dataclass(frozen=True, slots=True, eq=False)
class AlarmRow:
    """The alarms of one detector on one learner.

    ``n`` holds the positions of the marks, ``n_alarms`` the number of alarms that each stands for.
    """

    learner: str
    detector: str
    n: IntArray
    n_alarms: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class AlarmStrip:
    """The alarms of a panel: one row per detector and learner, in a strip above the curves.

    ``detectors`` are all those of the run, in its order, so that a detector has the same shape in every panel.
    """

    rows: tuple[AlarmRow, ...] = ()
    detectors: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The share of the panel's height that the strip takes."""
        return min(_ROW * len(self.rows), _MOST)

    @property
    def heights(self) -> list[float]:
        """The height of each row: 0 is the lower edge of the strip, 1 the upper."""
        return [1 - (i + 0.5) / len(self.rows) for i in range(len(self.rows))]


def alarm_strip(directory: RunDirectory, manifest: Manifest, last: float) -> AlarmStrip:
    """Read the alarms of a run up to the record ``last``: one row per detector and learner with any."""
    if not manifest.detectors:
        return AlarmStrip()
    found = by_watch(directory.alarms(), manifest.learners, manifest.detectors)
    rows = []
    for detector in manifest.detectors:
        for learner in manifest.learners:
            n, n_alarms = gather_marks(found[learner, detector] + 1, last)
            if len(n):
                rows.append(AlarmRow(learner, detector, n, n_alarms))
    return AlarmStrip(tuple(rows), tuple(manifest.detectors))


def gather_marks(n: IntArray, last: float, most: int = MOST_MARKS) -> tuple[IntArray, IntArray]:
    """Return the positions of at most ``most`` marks up to ``last``, and the number of alarms of each.

    Examples
    --------
    >>> n, n_alarms = gather_marks(np.array([1, 2, 3, 51, 90]), 100, most=4)
    >>> n.tolist(), n_alarms.tolist()
    ([1, 51, 90], [3, 1, 1])
    """
    n = np.sort(n[n <= last])
    if len(n) <= most:
        return n, np.ones(len(n), np.int64)
    bins = ((n - 1) * most / last).astype(np.int64)
    _, first, n_alarms = np.unique(bins, return_index=True, return_counts=True)
    return n[first], n_alarms.astype(np.int64)
