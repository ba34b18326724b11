"""Alarms against known drifts (convention 9)."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import prequential as pq
from prequential.drift import Alarm
from prequential.drift.detection import Detection
from prequential.drift.scoring import verdicts
from prequential.errors import InputError
from prequential.tables.detection_table import detection_table


def test_a_drift_is_detected_once_and_later_alarms_are_repeats() -> None:
    """CapyMOA counts ten alarms for one of two drifts as a recall of .91."""
    score = pq.drift.score_alarms(list(range(1001, 1011)), [1000, 2000], 3000, tolerance=100)
    assert (score.n_detected, score.n_missed, score.n_false, score.n_repeats) == (1, 1, 0, 9)
    assert (score.precision, score.recall) == (1.0, 0.5)
    assert score.f1 == pytest.approx(2 / 3)


def test_misses_do_not_shrink_the_mean_delay() -> None:
    """MOA divides by all drifts."""
    score = pq.drift.score_alarms([1100, 3300], [1000, 2000, 3000], 4000, tolerance=500)
    assert score.delays == (100, 300)
    assert score.delay_mean == 200
    assert score.delay_median == 200
    assert score.delay_sd == pytest.approx(math.sqrt(20_000))
    assert score.delay_normalised == pytest.approx(0.4)
    assert score.n_missed == 1


def test_an_alarm_before_the_drift_or_after_the_tolerance_is_false() -> None:
    score = pq.drift.score_alarms([999, 1000, 1050, 1051], [1000], 2000, tolerance=50)
    assert (score.n_detected, score.n_repeats, score.n_false) == (1, 1, 2)
    assert score.delays == (0,)
    assert score.time_between_false == (2000 - 51) / 2


def test_an_alarm_after_the_next_drift_belongs_to_that_one() -> None:
    score = pq.drift.score_alarms([1500], [1000, 1400], 3000, tolerance=1000)
    assert (score.n_detected, score.n_missed, score.delays) == (1, 1, (100,))


def test_a_gradual_drift_counts_from_its_first_record_to_its_last_and_the_tolerance() -> None:
    drift = pq.Drift(1000, width=200)
    score = pq.drift.score_alarms([899, 900, 1150], [drift], 2000, tolerance=50)
    assert (score.n_detected, score.n_repeats, score.n_false, score.delays) == (1, 1, 1, (0,))
    late = pq.drift.score_alarms([1150], [drift], 2000, tolerance=50)
    assert late.delays == (250,)
    assert late.delay_normalised == 1.0
    assert pq.drift.score_alarms([1151], [drift], 2000, tolerance=50).n_false == 1


def test_the_default_tolerance_is_a_fifth_of_the_mean_distance_between_drifts_everywhere() -> None:
    score = pq.drift.score_alarms([3990], [1000], 4000)  # 2,990 records late
    assert (score.tolerance, score.recall, score.n_false) == (400, 0, 1)
    assert score.dummy is not None
    assert score.dummy.tolerance == score.to_dict()["tolerance"] == 400
    found = Detection(None, "adwin", 4000, (Alarm(1400), Alarm(1401)))
    assert found.score([pq.Drift(1000)]).to_dict() == pq.drift.score_alarms([1400, 1401], [1000], 4000).to_dict()
    assert found.verdicts([pq.Drift(1000)]) == verdicts([1400, 1401], [1000], 4000) == ["detected", "false"]
    table = detection_table("s", [found], [pq.Drift(1000)])
    assert table.tolerance == 400
    assert "tolerance 400" in table.sheet().caption


def test_with_an_infinite_tolerance_an_alarm_counts_up_to_the_next_drift() -> None:
    score = pq.drift.score_alarms([500, 1999, 2000], [1000, 2000], 3000, tolerance=math.inf)
    assert (score.n_detected, score.n_false) == (2, 1)
    assert math.isnan(score.delay_normalised)
    assert score.reasons["delay_normalised"] == "there is no tolerance to compare with"


def test_undefined_is_nan_with_a_reason() -> None:
    nothing = pq.drift.score_alarms([], [], 100)
    for name in ("delay_mean", "delay_sd", "delay_median", "delay_normalised", "precision", "recall", "f1"):
        assert math.isnan(getattr(nothing, name))
        assert nothing.reasons[name]
    assert nothing.reasons["recall"] == "there were no drifts"
    assert nothing.reasons["time_between_false"] == "there was no false alarm"
    one = pq.drift.score_alarms([10], [5], 100, tolerance=10)
    assert one.reasons["delay_sd"] == "there is only one delay"
    assert "delay_mean" not in one.reasons


def test_every_score_has_a_dummy_with_the_same_number_of_evenly_spaced_alarms() -> None:
    """Alarms every 100 records; of the 100 starts, 61 fall into the 61 records in which an alarm counts."""
    score = pq.drift.score_alarms([130, 140, 150, 160], [100, 300], 400, tolerance=60)
    dummy = score.dummy
    assert dummy is not None
    assert dummy.n_alarms == 4
    assert dummy.n_detected == pytest.approx(2 * 0.61)
    assert dummy.n_false == pytest.approx(4 - 2 * 0.61)
    assert dummy.recall == pytest.approx(0.61)
    assert dummy.delay_mean == 30
    assert dummy.delay_normalised == 0.5
    assert dummy.dummy is None


def test_the_dummy_does_not_profit_from_evenly_spaced_drifts() -> None:
    """Two alarms in the middle of two halves would hit the drifts of a usual benchmark immediately."""
    score = pq.drift.score_alarms([10_500, 30_500], [10_000, 20_000, 30_000], 40_000, tolerance=2000)
    assert score.dummy is not None
    assert score.dummy.delay_mean == pytest.approx(1000, abs=100)
    assert score.dummy.recall == pytest.approx(0.1, abs=0.01)


def test_without_alarms_the_dummy_gives_none_either() -> None:
    dummy = pq.drift.score_alarms([], [100], 400).dummy
    assert dummy is not None
    assert (dummy.n_alarms, dummy.n_missed, dummy.recall) == (0, 1, 0.0)


def test_constant_alarms_detect_everything_but_so_does_the_dummy() -> None:
    score = pq.drift.score_alarms(np.arange(0, 1000), [500], 1000, tolerance=100)
    assert score.recall == 1
    assert score.dummy is not None
    assert score.dummy.f1 == pytest.approx(score.f1)


def test_alarms_of_a_watch_and_indices_have_the_same_score() -> None:
    watched = pq.drift.score_alarms([Alarm(120, 1.5)], [100], 200)
    assert watched.to_dict() == pq.drift.score_alarms(np.array([120]), [pq.Drift(100)], 200).to_dict()
    assert Alarm(120).n == 121


def test_a_score_is_json() -> None:
    data = json.loads(json.dumps(pq.drift.score_alarms([5], [50], 100, tolerance=math.inf).to_dict()))
    assert data["n_missed"] == 1
    assert data["tolerance"] is None
    assert data["dummy"]["n_alarms"] == 1
    assert data["reasons"]["delay_mean"] == "no drift was detected"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], [], 0), "'n' parameter of score_alarms must be a whole number of at least 1"),
        (([100], [], 100), "'alarms' parameter of score_alarms must be record indices from 0 to 99. Got 100"),
        (([-1], [], 100), "record indices from 0 to 99"),
        (([1.5], [], 100), "which are whole numbers"),
        (([], [100], 100), "'drifts' parameter of score_alarms must be at record indices from 0 to 99"),
        (([], ["x"], 100), "drifts, or record indices of abrupt ones. Got 'x'"),
        (([], [5, 5], 100), "the drift at record 5 is given twice"),
    ],
)
def test_bad_input_is_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        pq.drift.score_alarms(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("tolerance", [-1, math.nan, "10"])
def test_a_bad_tolerance_is_refused(tolerance: object) -> None:
    with pytest.raises(InputError, match="'tolerance' parameter of score_alarms must be a number of at least 0"):
        pq.drift.score_alarms([], [], 10, tolerance=tolerance)  # type: ignore[arg-type]


def test_an_alarm_for_a_blip_is_false() -> None:
    drifts = [pq.Drift(100), pq.Drift(205, 10, temporary=True)]
    score = pq.drift.score_alarms([110, 203], drifts, 300, tolerance=50)
    assert (score.n_drifts, score.n_detected, score.n_missed, score.n_false) == (1, 1, 0, 1)
    assert repr(score) == repr(pq.drift.score_alarms([110, 203], drifts[:1], 300, tolerance=50))
    assert verdicts([110, 203], drifts, 300, tolerance=50) == ["detected", "false"]
