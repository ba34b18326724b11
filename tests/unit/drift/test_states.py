"""The state of a detector takes single numbers, and detectors work in River."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from operator import methodcaller
from typing import Any

import numpy as np
import pytest
from river import drift as river_drift
from river import naive_bayes

from prequential.drift import ADWIN, DDM, EDDM, Detector, PageHinkley, Ratio, as_detector
from prequential.drift.detector import State
from prequential.errors import InputError

DETECTORS: dict[str, Detector] = {
    "adwin": ADWIN(),
    "ddm": DDM(),
    "eddm": EDDM(),
    "page_hinkley": PageHinkley(threshold=5),
    "ratio of fading factors": Ratio(threshold=5, short="fading:0.9", long="fading:0.99"),
    "ratio of windows": Ratio(threshold=5, short="sliding:10", long="sliding:100"),
    "of River": as_detector(river_drift.ADWIN()),
}
every_detector = pytest.mark.parametrize("name", DETECTORS)


def errors(n: int = 1200) -> np.ndarray:
    """Return errors whose rate rises several times; some are missing."""
    rng = np.random.default_rng(1)
    found = (rng.random(n) < np.where(np.arange(n) // 300 % 2 == 0, 0.1, 0.6)).astype(np.float64)
    found[rng.random(n) < 0.05] = np.nan
    return found


@every_detector
def test_single_numbers_give_the_alarms_of_an_array(name: str) -> None:
    series = errors()
    expected = DETECTORS[name].detect(series).tolist()
    assert expected, "the test needs alarms"
    state = DETECTORS[name].fresh()
    assert state.drift_detected is False
    found: list[int] = []
    for i, value in enumerate(series.tolist()):
        alarm = state.update(value)
        assert alarm is state.drift_detected
        found += [i] if alarm else []
    assert found == expected


@every_detector
def test_drift_detected_is_about_the_last_value(name: str) -> None:
    series = errors()
    at = int(DETECTORS[name].detect(series)[0])

    def after(*feeds: Callable[[State], object]) -> bool:
        state = DETECTORS[name].fresh()
        for feed in feeds:
            feed(state)
        return state.drift_detected

    def up_to_alarm(state: State) -> None:
        state.update(series[: at + 1])

    assert after(up_to_alarm)
    assert after(lambda state: state.until_alarm(series))
    assert not after(lambda state: state.update(series[:at]))
    assert not after(lambda state: state.update(np.append(series[: at + 1], np.nan)))
    assert not after(up_to_alarm, lambda state: state.update(math.nan))
    assert after(up_to_alarm, lambda state: state.update(np.zeros(0))), "no value was given"
    assert not after(up_to_alarm, methodcaller("reset"))


@every_detector
def test_the_state_is_saved_with_the_last_alarm(name: str) -> None:
    series = errors()
    at = int(DETECTORS[name].detect(series)[0])
    state, other = DETECTORS[name].fresh(), DETECTORS[name].fresh()
    state.update(series[: at + 1])
    other.load_bytes(state.to_bytes())
    assert other.drift_detected
    assert other.update(series[at + 1 :]).tolist() == state.update(series[at + 1 :]).tolist()


@pytest.mark.parametrize("number", [1, 1.0, True, np.float64(1), np.float32(1), np.int64(1), np.bool_(True)])
def test_numbers_of_every_type_are_taken(number: Any) -> None:
    for name, detector in DETECTORS.items():
        assert detector.fresh().update(number) is False, name


def test_a_list_is_taken_as_an_array() -> None:
    series = errors()
    assert ADWIN().fresh().update(series.tolist()).tolist() == ADWIN().detect(series).tolist()


def test_a_value_that_cannot_be_used_is_refused() -> None:
    state = DDM().fresh()
    with pytest.raises(ValueError, match=r"the value 2.000000 .* cannot be used. Accepted"):
        state.update(2)


# --- River ----------------------------------------------------------------------------------------------


@every_detector
def test_a_detector_in_river_gives_the_same_alarms(name: str) -> None:
    series = errors()
    detector = DETECTORS[name].to_river()
    copies: list[Any] = []
    found = []
    for i, value in enumerate(series.tolist()):
        detector.update(value)
        found += [i] if detector.drift_detected else []
        if i == 600:
            copies = [copy.deepcopy(detector), pickle.loads(pickle.dumps(detector))]
        for other in copies:
            if i > 600:
                other.update(value)
            assert other.drift_detected == detector.drift_detected
    assert found == DETECTORS[name].detect(series).tolist()
    fresh = detector.clone()
    assert not fresh.drift_detected
    assert type(fresh) is type(detector)
    detector._reset()
    assert not detector.drift_detected


def test_a_detector_in_river_shows_its_parameters() -> None:
    detector = PageHinkley(threshold=7).to_river()
    assert str(detector) == "PageHinkley"
    assert "threshold=7" in repr(detector)


def test_models_of_river_use_our_detectors() -> None:
    rng = np.random.default_rng(1)
    models = [
        river_drift.DriftRetrainingClassifier(naive_bayes.GaussianNB(), one.to_river(), train_in_background=False)
        for one in (DDM(), ADWIN())
    ]
    right = [0] * len(models)
    for i in range(2000):
        x = rng.normal()
        label = (x > 0) == (i < 1000)
        for k, model in enumerate(models):
            right[k] += i >= 1500 and model.predict_one({"x": x}) == label
            model.learn_one({"x": x}, label)
    assert min(right) > 450, "they were retrained after the drift"


def test_a_detector_that_reads_a_metric_under_a_forgetting_has_no_place_in_river() -> None:
    with pytest.raises(InputError, match=r"PageHinkley cannot be used in River under fading:0.99"):
        PageHinkley(under="fading:0.99").to_river()
    with pytest.raises(InputError, match="Accepted: under=None"):
        PageHinkley(on="kappa", under="sliding:100").to_river()
