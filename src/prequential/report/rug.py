"""Alarms as marks along the upper edge of a panel: what is marked and where, apart from how it is drawn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from prequential.runs.alarms import by_watch
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest
from prequential.types import IntArray

MOST_MARKS = 400
"""Marks of a row that are drawn; of more alarms, those that are close share one."""
_ROW, _MOST = 0.045, 0.28
"""The share of a panel that a row takes, and that all rows take at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The alarms of one detector beside one learner.

    ``n`` is where the marks stand; ``n_alarms`` how many alarms each stands for, from there on.
    """

    learner: str
    detector: str
    n: IntArray
    n_alarms: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Rug:
    """The marks of a panel, a row a detector and learner, in a strip that no curve enters.

    ``detectors`` are those of the run, in its order, so that all panels give a detector the same shape.
    """

    rows: tuple[Marks, ...] = ()
    detectors: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The share of the panel's height that the strip takes."""
        return min(_ROW * len(self.rows), _MOST)

    @property
    def heights(self) -> list[float]:
        """The height of each row: 0 is the lower edge of the strip, 1 the upper."""
        return [1 - (i + 0.5) / len(self.rows) for i in range(len(self.rows))]


def rug(directory: RunDirectory, manifest: Manifest, last: float) -> Rug:
    """Read the alarms of a run, up to the last record that is drawn; a row for each detector and learner that has any.

    Of more than 400 alarms in a row, one mark stands for all that share a 400th of the records.
    """
    if not manifest.detectors:
        return Rug()
    found = by_watch(directory.alarms(), manifest.learners, manifest.detectors)
    rows = []
    for detector in manifest.detectors:
        for learner in manifest.learners:
            n, n_alarms = gathered(found[learner, detector], last)
            if len(n):
                rows.append(Marks(learner, detector, n, n_alarms))
    return Rug(tuple(rows), tuple(manifest.detectors))


def gathered(n: IntArray, last: float, most: int = MOST_MARKS) -> tuple[IntArray, IntArray]:
    """Return where marks stand and how many alarms each stands for, at most ``most`` of them, up to ``last``.

    Examples
    --------
    >>> n, n_alarms = gathered(np.array([1, 2, 3, 51, 90]), 100, most=4)
    >>> n.tolist(), n_alarms.tolist()
    ([1, 51, 90], [3, 1, 1])
    """
    n = np.sort(n[n <= last])
    if len(n) <= most:
        return n, np.ones(len(n), np.int64)
    bins = ((n - 1) * most / last).astype(np.int64)
    _, first, n_alarms = np.unique(bins, return_index=True, return_counts=True)
    return n[first], n_alarms.astype(np.int64)


def detector_names(labels: Sequence[str]) -> dict[str, str]:
    """Name detectors shortly: without their parameters where these do not tell them apart.

    Examples
    --------
    >>> detector_names(["ddm:on=error", "adwin:delta=0.1", "adwin:delta=0.2"])
    {'ddm:on=error': 'ddm', 'adwin:delta=0.1': 'adwin:delta=0.1', 'adwin:delta=0.2': 'adwin:delta=0.2'}
    """
    short = {label: short_name(label) for label in labels}
    times = Counter(short.values())
    return {label: name if times[name] == 1 else label for label, name in short.items()}


def short_name(label: str) -> str:
    """Return the textual form of a detector without its parameters."""
    return re.split(r"[:(]", label)[0]
