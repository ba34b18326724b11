"""The tidy table of alarms: one row per learner, fold, detector and alarm."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prequential.drift import Alarm
from prequential.types import IntArray

_NAME = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [("learner", _NAME), ("fold", pa.int32()), ("detector", _NAME), ("record", pa.int64()), ("time", pa.float64())]
)
"""``record`` is the index of the record at which the alarm was given; the first record is 0."""


def rows(alarms: Sequence[tuple[str, Alarm]], *, learner: str, fold: int) -> pa.Table:
    """Return alarms, each with its detector, as rows of the table."""
    return pa.table(
        [
            pa.array([learner] * len(alarms), pa.string()).dictionary_encode(),
            pa.array([fold] * len(alarms), pa.int32()),
            pa.array([detector for detector, _ in alarms], pa.string()).dictionary_encode(),
            pa.array([alarm.record for _, alarm in alarms], pa.int64()),
            pa.array([alarm.time for _, alarm in alarms], pa.float64(), from_pandas=True),  # null without a clock
        ],
        schema=SCHEMA,
    )


def by_watch(alarms: pa.Table, learners: Iterable[str], detectors: Iterable[str]) -> dict[tuple[str, str], IntArray]:
    """Return the record indices of the alarms by learner and detector; an empty array for a pair without alarms."""
    known = {"learner": list(learners), "detector": list(detectors)}
    place = {
        name: pc.index_in(alarms[name].cast(pa.string()), pa.array(names, pa.string())).to_numpy()
        for name, names in known.items()
    }
    record = alarms["record"].to_numpy()
    return {
        (learner, detector): record[np.logical_and(place["learner"] == i, place["detector"] == j)]
        for i, learner in enumerate(known["learner"])
        for j, detector in enumerate(known["detector"])
    }


def detector_names(labels: Sequence[str]) -> dict[str, str]:
    """Return short names of detectors: without parameters unless two detectors differ only in them.

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
