"""The timeline of alarms, as data."""

import math

import pytest

from prequential import Drift
from prequential.drift import Alarm, Detection
from prequential.figures.timeline import TimelineDrift, timeline

FOUND = [
    ("adwin", Detection("nb", "adwin", 1000, (Alarm(90), Alarm(130), Alarm(140)))),
    ("ddm", Detection("nb", "ddm", 1000, ())),
]


def test_alarms_are_grouped_by_verdict() -> None:
    drawn = timeline("s", FOUND, [Drift(100)], 50)
    assert drawn.names == ["adwin", "ddm"]
    assert drawn.rows[0][1] == {"false": [90], "detected": [130], "repeat": [140]}
    assert drawn.rows[1][1] == {}
    assert drawn.n_records == 1000


def test_without_known_drifts_every_alarm_is_just_an_alarm() -> None:
    drawn = timeline("s", FOUND, None, math.inf)
    assert drawn.rows[0][1] == {"alarm": [90, 130, 140]}
    assert drawn.drifts == ()


@pytest.mark.parametrize(
    ("drift", "tolerance", "expected"),
    [
        (Drift(100), 50, TimelineDrift(100, 100, 150, temporary=False)),
        (Drift(100), math.inf, TimelineDrift(100, 100, None, temporary=False)),
        (Drift(600, width=100), 50, TimelineDrift(550, 650, 700, temporary=False)),
        (Drift(405, 10, temporary=True), 50, TimelineDrift(400, 410, None, temporary=True)),
        (Drift(405, temporary=True), 50, TimelineDrift(405, 406, None, temporary=True)),
    ],
)
def test_a_drift_has_its_extent_and_where_alarms_count(drift: Drift, tolerance: float, expected: TimelineDrift) -> None:
    assert timeline("s", FOUND, [drift], tolerance).drifts == (expected,)
