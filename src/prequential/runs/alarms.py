"""The tidy table of alarms: one row a learner, fold, detector and alarm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prequential.drift import Alarm
from prequential.types import IntArray

_NAME = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [("learner", _NAME), ("fold", pa.int32()), ("detector", _NAME), ("n", pa.int64()), ("t", pa.float64())]
)
"""``n`` is the number of records seen when the alarm came, as in the trace."""


def rows(alarms: Sequence[tuple[str, Alarm]], *, learner: str, fold: int) -> pa.Table:
    """Return alarms, each with its detector, as rows of the table."""
    return pa.table(
        [
            pa.array([learner] * len(alarms), pa.string()).dictionary_encode(),
            pa.array([fold] * len(alarms), pa.int32()),
            pa.array([detector for detector, _ in alarms], pa.string()).dictionary_encode(),
            pa.array([alarm.n for _, alarm in alarms], pa.int64()),
            pa.array([alarm.time for _, alarm in alarms], pa.float64(), from_pandas=True),  # null without a clock
        ],
        schema=SCHEMA,
    )


def by_watch(alarms: pa.Table, learners: Iterable[str], detectors: Iterable[str]) -> dict[tuple[str, str], IntArray]:
    """Return the n of the alarms of every learner and detector, also of those that gave none."""
    known = {"learner": list(learners), "detector": list(detectors)}
    place = {
        name: pc.index_in(alarms[name].cast(pa.string()), pa.array(names, pa.string())).to_numpy()
        for name, names in known.items()
    }
    n = alarms["n"].to_numpy()
    return {
        (learner, detector): n[np.logical_and(place["learner"] == i, place["detector"] == j)]
        for i, learner in enumerate(known["learner"])
        for j, detector in enumerate(known["detector"])
    }
