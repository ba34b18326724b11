"""What holds of detectors for any series."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import prequential as pq
from prequential.drift.scoring import verdicts as drift_verdicts

bits = st.lists(st.sampled_from([0.0, 1.0]), max_size=400)
reals = st.lists(st.floats(-1e6, 1e6), max_size=400)


@settings(deadline=None)
@given(reals, st.floats(-100, 100))
def test_page_hinkley_does_not_care_where_zero_is(series: list[float], shift: float) -> None:
    """Whole numbers, so that adding one is exact."""
    values = np.round(np.array(series) / 1e3)
    detector = pq.drift.PageHinkley(delta=1, threshold=500)
    assert detector.detect(values + round(shift)).tolist() == detector.detect(values).tolist()


@settings(deadline=None)
@given(reals)
def test_adwin_finds_the_mirror_image_in_the_mirror(series: list[float]) -> None:
    up, down = (pq.drift.ADWIN(direction=d, clock=4, delta=0.2) for d in ("up", "down"))
    assert up.detect(series).tolist() == down.detect([-x for x in series]).tolist()


@settings(deadline=None)
@given(bits)
def test_the_window_of_adwin_is_a_suffix_and_its_mean_exact(series: list[float]) -> None:
    state = pq.drift.ADWIN(clock=4, delta=0.3).fresh()
    state.update(np.array(series))
    width = state._state.width  # type: ignore[attr-defined]
    assert width <= len(series)
    if width:
        assert state._state.mean == sum(series[-width:]) / width  # type: ignore[attr-defined]


@settings(deadline=None)
@given(st.floats(-1e6, 1e6), st.integers(0, 3000))
def test_a_constant_series_has_no_alarm(value: float, n: int) -> None:
    series = np.full(n, value)
    assert not len(pq.drift.ADWIN(direction="both").detect(series))
    assert not len(pq.drift.PageHinkley(direction="both").detect(series))
    assert not len(pq.drift.Ratio(threshold=1).detect(np.abs(series)))


alarm_lists = st.lists(st.integers(0, 999), max_size=60)
drift_lists = st.lists(st.integers(0, 999), max_size=8, unique=True)


@settings(deadline=None)
@given(alarm_lists, drift_lists, st.one_of(st.just(math.inf), st.integers(0, 500)))
def test_every_alarm_and_every_drift_is_counted_once(alarms: list[int], drifts: list[int], tolerance: float) -> None:
    score = pq.drift.score_alarms(alarms, drifts, 1000, tolerance=tolerance)
    assert score.n_detected + score.n_false + score.n_repeats == len(alarms)
    assert score.n_detected + score.n_missed == len(drifts)
    verdicts = drift_verdicts(alarms, drifts, 1000, tolerance=tolerance)
    assert verdicts.count("false") == score.n_false
    assert verdicts.count("detected") == score.n_detected
    assert all(0 <= delay <= tolerance for delay in score.delays)
    assert not 0 <= score.delay_normalised > 1
    dummy = score.dummy
    assert dummy is not None
    assert math.isclose(dummy.n_detected + dummy.n_false + dummy.n_repeats, len(alarms), abs_tol=1e-9)
    assert math.isclose(dummy.n_detected + dummy.n_missed, len(drifts), abs_tol=1e-9)
