"""Every detector: bad parameters are refused, states are restored, the textual form can be read back."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest

import prequential as pq
from prequential.drift import Detector, PageHinkley, as_detector
from prequential.drift.catalogue import DETECTORS
from prequential.drift.series_state import SeriesState
from prequential.drift.watch import Watch
from prequential.errors import InputError, ParameterError
from prequential.metrics.forgetting import Forgetting
from prequential.streams.chunk import Chunk
from prequential.types import FloatArray

ALL: dict[str, Detector] = {
    "page_hinkley": PageHinkley(delta=0.01, threshold=5),
    "page_hinkley, both": PageHinkley(delta=0.01, threshold=5, direction="both"),
    "page_hinkley, moa": PageHinkley(threshold=5, convention="moa"),
    "page_hinkley, multiflow": PageHinkley(threshold=5, convention="multiflow", direction="both"),
    "ratio": pq.drift.Ratio(short=pq.Fading(0.9), long=pq.Fading(0.99), threshold=5),
    "ratio, windows": pq.drift.Ratio(short=pq.Sliding(20), long=pq.Sliding(100), threshold=5),
    "adwin": pq.drift.ADWIN(clock=8),
    "adwin, river": pq.drift.ADWIN(convention="river", delta=0.1),
    "adwin, multiflow": pq.drift.ADWIN(convention="multiflow", delta=0.1),
    "ddm": pq.drift.DDM(level=2),
    "ddm, river": pq.drift.DDM(level=2, convention="river"),
    "eddm": pq.drift.EDDM(beta=0.95),
    "eddm, river": pq.drift.EDDM(beta=0.95, convention="river"),
}
each = pytest.mark.parametrize("detector", ALL.values(), ids=ALL)


def errors(n: int = 4000, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.random(n) < np.repeat([0.1, 0.5, 0.2, 0.6], n // 4)).astype(np.float64)


@each
def test_the_series_may_come_in_pieces_of_any_size(detector: Detector) -> None:
    series = errors()
    whole = detector.detect(series).tolist()
    assert whole
    for size in (1, 7, 1000):
        state = detector.fresh()
        found = [at + i for at in range(0, len(series), size) for i in state.update(series[at : at + size]).tolist()]
        assert found == whole


@each
def test_until_alarm_stops_right_after_the_alarm(detector: Detector) -> None:
    series = errors()
    state, at, found = detector.fresh(), 0, []
    while at < len(series):
        passed = state.until_alarm(series[at:])
        if passed < len(series) - at:
            found.append(at + passed)
        at += passed + 1
    assert found == detector.detect(series).tolist()


@each
def test_a_state_continues_from_its_bytes(detector: Detector) -> None:
    series = errors()
    state, again = detector.fresh(), detector.fresh()
    state.update(series[:1777])
    again.load_bytes(state.to_bytes())
    assert again.to_bytes() == state.to_bytes()
    assert again.update(series[1777:]).tolist() == state.update(series[1777:]).tolist()
    assert again.to_bytes() == state.to_bytes()


@each
def test_damaged_and_foreign_bytes_are_refused_and_change_nothing(detector: Detector) -> None:
    state = detector.fresh()
    state.update(errors()[:999])
    good = state.to_bytes()
    for bad in (b"", good[:-1], good[:40], good + b"x", good[:50] + bytes([good[50] ^ 1]) + good[51:]):
        with pytest.raises(ValueError, match=r"state|bytes"):
            state.load_bytes(bad)
        assert state.to_bytes() == good
    for other in ALL.values():
        if other is not detector:
            with pytest.raises(ValueError, match="these bytes"):
                other.fresh().load_bytes(good)


@each
def test_a_reset_detector_is_a_fresh_one(detector: Detector) -> None:
    state = detector.fresh()
    state.update(errors())
    state.reset()
    assert state.to_bytes() == detector.fresh().to_bytes()


@each
def test_nan_is_skipped(detector: Detector) -> None:
    series = errors()
    holes = np.insert(series, np.arange(0, len(series), 3), np.nan)
    there = np.flatnonzero(~np.isnan(holes))
    assert detector.detect(holes).tolist() == there[detector.detect(series)].tolist()


@each
def test_infinite_values_are_refused_before_any_value_is_used(detector: Detector) -> None:
    state = detector.fresh()
    before = state.to_bytes()
    for method in (state.update, state.until_alarm):
        with pytest.raises(ValueError, match=r"inf at position 2 cannot be used. Accepted: "):
            method(np.array([0.0, 1.0, np.inf]))
    assert state.to_bytes() == before


@each
def test_the_textual_form_can_be_read_back(detector: Detector) -> None:
    assert as_detector(detector.label) == detector
    assert as_detector(detector.label) == detector
    assert as_detector(detector) is detector


@each
def test_a_detector_is_a_value(detector: Detector) -> None:
    again = pickle.loads(pickle.dumps(detector))
    assert again == detector
    assert hash(again) == hash(detector)
    with pytest.raises(FrozenInstanceError):
        detector.on = "kappa"  # type: ignore[misc]  # it is frozen


def test_textual_forms_omit_rare_defaults() -> None:
    assert PageHinkley().label == "page_hinkley:delta=0.005,threshold=50,on=error"
    assert (
        PageHinkley(delta=0.1, threshold=100, under=pq.Fading(0.997)).label
        == "page_hinkley:delta=0.1,threshold=100,on=error,under=fading:0.997"
    )
    assert pq.drift.Ratio().label == "ratio:short=fading:0.997,long=fading:0.9994,delta=0.1,threshold=100,on=error"
    assert pq.drift.ADWIN(convention="river").label == "adwin:delta=0.002,on=error,convention=river"
    assert pq.drift.DDM(on="kappa", under="sliding:1000").label == "ddm:level=3,on=kappa,under=sliding:1000"
    assert set(DETECTORS) == {"page_hinkley", "ratio", "adwin", "ddm", "eddm"}


def test_lambda_is_another_word_for_the_threshold() -> None:
    assert as_detector("page_hinkley:delta=0.1,lambda=100") == PageHinkley(delta=0.1, threshold=100)


def test_a_class_may_have_a_comma_in_its_name() -> None:
    detector = PageHinkley(on="recall[a,b=c]", under="sliding:100")
    assert as_detector("page_hinkley:on=recall[a,b],under=sliding:100").on == "recall[a,b]"
    assert detector.on == "recall[a,b=c]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("page_hinkly", "Unknown detector 'page_hinkly'. Did you mean 'page_hinkley'.*Detectors: page_hinkley, ratio"),
        ("", "Unknown detector ''"),
        ("adwin:0.002", "ADWIN takes no arguments by position, but got 1"),
        ("adwin:dleta=0.1", "has no parameter 'dleta'. Did you mean 'delta'.*Its parameters: delta, clock"),
        ("adwin:delta=x", "The 'delta' parameter of ADWIN must be a number. Got 'x' instead"),
        ("adwin:clock=1.5", "'clock' parameter of ADWIN must be a whole number. Got 1.5 instead"),
        ("ddm:under=sliding", "The forgetting 'sliding' lacks its parameter"),
    ],
)
def test_a_bad_textual_form_is_explained(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        as_detector(text)


BAD = [
    (
        PageHinkley,
        {"delta": 0},
        "The 'delta' parameter of PageHinkley must be a number above 0. Got 0 instead",
    ),
    (PageHinkley, {"delta": -0.1}, "'delta' parameter"),
    (PageHinkley, {"delta": np.nan}, "'delta' parameter"),
    (PageHinkley, {"delta": np.inf}, "'delta' parameter"),
    (PageHinkley, {"threshold": np.inf}, "'threshold' parameter"),
    (PageHinkley, {"delta": "0.1"}, "'delta' parameter"),
    (PageHinkley, {"threshold": 0}, "'threshold' parameter of PageHinkley must be a number above 0"),
    (PageHinkley, {"alpha": 0}, "'alpha' parameter of PageHinkley must be a number in .0, 1."),
    (PageHinkley, {"alpha": 1.01}, "'alpha' parameter"),
    (
        PageHinkley,
        {"min_records": 0},
        "'min_records' parameter of PageHinkley must be a whole number from 1 to 1,000,000,000",
    ),
    (PageHinkley, {"min_records": 2.5}, "'min_records' parameter"),
    (
        PageHinkley,
        {"direction": "sideways"},
        "'direction' parameter of PageHinkley must be 'up', 'down' or 'both'",
    ),
    (
        PageHinkley,
        {"convention": "weka"},
        "'convention' parameter of PageHinkley must be 'paper', 'river', 'moa' or 'multiflow'",
    ),
    (PageHinkley, {"under": pq.Fading}, "Fading is a class that needs arguments"),
    (PageHinkley, {"under": "fading:1.5"}, "The 'alpha' parameter of Fading must be a number in .0, 1."),
    (
        PageHinkley,
        {"under": "sliding:0"},
        "'window_size' parameter of Sliding must be a whole number of at least 1",
    ),
    (
        PageHinkley,
        {"on": "accurracy"},
        "cannot watch 'accurracy'.*Did you mean 'accuracy'.*Metrics: accuracy, error",
    ),
    (PageHinkley, {"on": 3}, "cannot watch 3: there is no such metric"),
    (
        PageHinkley,
        {"on": "kappa"},
        "'under' parameter of PageHinkley must be a forgetting, such as sliding:1000",
    ),
    (
        PageHinkley,
        {"on": "recall", "under": "sliding:9"},
        "it has one value per class. Accepted: recall.CLASS.",
    ),
    (PageHinkley, {"on": "kappa[UP]", "under": "sliding:9"}, "'kappa' has one value for all classes"),
    (pq.drift.Ratio, {"short": pq.Fading(0.999), "long": pq.Fading(0.99)}, "forgets faster than 'long'"),
    (pq.drift.Ratio, {"short": pq.Fading(0.99), "long": pq.Fading(0.99)}, "forgets faster than 'long'"),
    (pq.drift.Ratio, {"short": pq.Sliding(10), "long": pq.Fading(0.99)}, "of the same kind as 'long'"),
    (pq.drift.Ratio, {"short": pq.Sliding(seconds=1), "long": pq.Sliding(seconds=9)}, "a window in records"),
    (pq.drift.Ratio, {"short": "cumulative", "long": "cumulative"}, "a fading factor or a window in records"),
    (pq.drift.Ratio, {"delta": 0}, "'delta' parameter of Ratio must be a number above 0"),
    (pq.drift.Ratio, {"threshold": -1}, "'threshold' parameter of Ratio"),
    (pq.drift.Ratio, {"on": "nothing"}, "Ratio cannot watch 'nothing'"),
    (pq.drift.ADWIN, {"delta": 0}, "'delta' parameter of ADWIN must be a number in .0, 1."),
    (pq.drift.ADWIN, {"delta": 1}, "'delta' parameter"),
    (pq.drift.ADWIN, {"clock": 0}, "'clock' parameter of ADWIN must be a whole number from 1 to 1,000,000"),
    (
        pq.drift.ADWIN,
        {"max_buckets": 1},
        "'max_buckets' parameter of ADWIN must be a whole number from 2 to 4,096",
    ),
    (pq.drift.ADWIN, {"max_buckets": 10**6}, "from 2 to 4,096"),
    (pq.drift.ADWIN, {"min_window": -1}, "'min_window' parameter"),
    (pq.drift.ADWIN, {"min_side": 0}, "'min_side' parameter"),
    (pq.drift.ADWIN, {"direction": "left"}, "'direction' parameter"),
    (pq.drift.ADWIN, {"convention": "paper"}, "must be 'moa', 'river' or 'multiflow'"),
    (pq.drift.DDM, {"level": 0}, "'level' parameter of DDM must be a number above 0"),
    (pq.drift.DDM, {"min_records": 0}, "'min_records' parameter of DDM"),
    (pq.drift.DDM, {"convention": "x"}, "'convention' parameter of DDM"),
    (pq.drift.DDM, {"on": "log_los"}, "DDM cannot watch 'log_los'"),
    (pq.drift.EDDM, {"beta": 1}, "'beta' parameter of EDDM must be a number in .0, 1."),
    (pq.drift.EDDM, {"min_errors": 0}, "'min_errors' parameter of EDDM"),
    (pq.drift.EDDM, {"on": "kappa"}, "'on' parameter of EDDM must be 'error'"),
    (pq.drift.EDDM, {"convention": "paper"}, "'convention' parameter of EDDM"),
]


@pytest.mark.parametrize(("cls", "parameters", "message"), BAD)
def test_a_bad_parameter_is_refused(cls: type[Detector], parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        cls(**parameters)


@pytest.mark.parametrize("series", ["abc", [[0.0, 1.0]], [0, "x"], 3.0])
def test_an_invalid_series_is_refused(series: Any) -> None:
    with pytest.raises(ParameterError, match="'series' parameter of PageHinkley must be a series of numbers"):
        PageHinkley().detect(series)


def test_ddm_and_eddm_refuse_values_that_are_not_errors() -> None:
    with pytest.raises(ValueError, match=r"the value 2.0* at position 1 cannot be used. Accepted: numbers from 0 to 1"):
        pq.drift.DDM().detect([0, 2])
    with pytest.raises(
        ValueError, match=r"the value 0.5.* at position 0 cannot be used. Accepted: 0 .right. and 1 .wrong."
    ):
        pq.drift.EDDM().detect([0.5])


def test_adwin_detects_a_fall_too() -> None:
    series = errors()[2000:0:-1]  # from 0.5 down to 0.1
    down = pq.drift.ADWIN(direction="down").detect(series).tolist()
    both = pq.drift.ADWIN(direction="both").detect(series).tolist()
    up = pq.drift.ADWIN(direction="up").detect(series).tolist()
    assert down
    assert sorted(down + up) == both


def test_rivers_detectors_are_accepted_and_not_changed() -> None:
    drift = pytest.importorskip("river.drift")
    original = drift.PageHinkley(threshold=10, mode="up")
    adapted = as_detector(original, on="accuracy", under="sliding:50")
    assert "river.PageHinkley(" in adapted.label
    assert "threshold=10" in adapted.label
    assert adapted.label.endswith("on=accuracy,under=sliding:50")
    ours = PageHinkley(convention="river", threshold=10, under="sliding:50")
    first = adapted.detect(errors()).tolist()
    assert first == ours.detect(errors()).tolist() == adapted.detect(errors()).tolist()
    assert original._x_mean.n == 0
    state, saved = adapted.fresh_on_series(), adapted.fresh_on_series()
    half = first[0] // 2
    assert state.update(errors()[:half]).tolist() == []
    saved.load_bytes(state.to_bytes())
    assert (half + saved.update(errors()[half:])).tolist() == first


def test_capymoas_detectors_are_accepted_and_not_changed() -> None:
    detectors = pytest.importorskip("capymoa.drift.detectors")
    original = detectors.PageHinkley(lambda_=10)
    adapted = as_detector(original)
    assert "capymoa.PageHinkley(" in adapted.label
    assert "10" in adapted.label
    with pytest.raises(InputError, match="PageHinkley cannot be pickled"):
        adapted.fresh().to_bytes()
    ours = PageHinkley(convention="moa", threshold=10)
    assert adapted.detect(errors()).tolist() == ours.detect(errors()).tolist() == adapted.detect(errors()).tolist()
    assert original.idx == 0


def test_an_object_that_is_not_a_detector_is_refused() -> None:
    with pytest.raises(InputError, match=r"3 is not a drift detector. Accepted: "):
        as_detector(3)  # type: ignore[arg-type]  # the mistake
    drift = pytest.importorskip("river.drift")
    assert "river.ADWIN" in as_detector(drift.ADWIN).label  # a class that needs no arguments
    with pytest.raises(InputError, match=r"is not a drift detector"):
        as_detector(int)
    with pytest.raises(InputError, match="set them there"):
        as_detector(pq.drift.DDM(), on="error")


def page_hinkley_on_a_mean(
    series: np.ndarray, memory: float, delta: float, threshold: float, *, fading: bool
) -> list[int]:
    """Page–Hinkley over P_w or P_α as Gama et al. (2013) write it, restarted after each alarm: an own brute force."""
    found: list[int] = []
    begun = 0
    while begun < len(series):
        since: list[float] = []
        total = m = 0.0
        lowest = np.inf
        for i in range(begun, len(series)):
            since.append(series[i])
            if fading:
                factors = memory ** np.arange(len(since))[::-1]
                mean = float((factors * since).sum() / factors.sum())
            else:
                mean = float(np.mean(since[-int(memory) :]))
            total += mean
            m += mean - total / len(since) - delta
            lowest = min(lowest, m)
            if m - lowest >= threshold:
                found.append(i)
                break
        begun = i + 1
    return found


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize(("under", "memory"), [("fading:0.98", 0.98), ("sliding:60", 60)])
def test_detect_reads_a_series_under_the_forgetting(under: str, memory: float, signed: bool) -> None:
    series = errors(1200) + (np.random.default_rng(2).normal(size=1200) if signed else 0)
    detector = PageHinkley(delta=0.02, threshold=6, under=under)
    expected = page_hinkley_on_a_mean(series, memory, 0.02, 6, fading=under.startswith("fading"))
    assert len(expected) > 1
    assert detector.detect(series).tolist() == expected
    assert PageHinkley(delta=0.02, threshold=6).detect(series).tolist() != expected


UNDER = ("cumulative", "fading:0.99", "sliding:100", "adaptive:0.002")


@pytest.mark.parametrize("under", UNDER)
@pytest.mark.parametrize("make", [PageHinkley, pq.drift.ADWIN, pq.drift.DDM])
def test_detect_equals_the_same_detector_beside_a_learner(make: Any, under: str) -> None:
    parameters = {"delta": 0.01, "threshold": 5} if make is PageHinkley else {}
    detector = make(under=under, **parameters)
    losses = errors()
    schema = pq.Schema.numeric(0, ("no", "yes"))
    chunk = Chunk(schema, 0, np.zeros((len(losses), 0)), np.zeros(len(losses), np.int64))
    beside = Watch(detector, schema).step(chunk, None, losses.astype(np.int64))
    assert beside
    assert detector.detect(losses).tolist() == [alarm.record for alarm in beside]


def test_a_series_under_a_forgetting_may_come_in_pieces_and_be_restored() -> None:
    detector = PageHinkley(delta=0.01, threshold=5, under="sliding:100")
    series = errors()
    series[::17] = np.nan
    for size in (1, 7, 1000):
        state, found = detector.fresh_on_series(), []
        for at in range(0, len(series), size):
            saved = state.to_bytes()
            state = detector.fresh_on_series()
            state.load_bytes(saved)
            found += [at + i for i in state.update(series[at : at + size]).tolist()]
        assert found == detector.detect(series).tolist()


def test_a_series_without_times_has_no_window_in_seconds() -> None:
    with pytest.raises(InputError, match="window in seconds, but the series has no times"):
        PageHinkley(under="sliding:60s").detect(errors())
    with pytest.raises(ValueError, match=r"position 1 cannot be used\. Accepted: numbers of at least 0"):
        PageHinkley(under="adaptive:0.002").detect([0, -1])


@pytest.mark.parametrize("under", [None, "fading:0.9"])
def test_values_of_a_series_that_have_no_weight_are_not_passed(under: str | None) -> None:
    values = np.repeat([0.0, 1.0], 300)
    weight = np.tile([1.0, 0.0], 300)
    noise = np.where(weight == 0, 5.0, values)  # would raise an alarm
    detector = PageHinkley(threshold=5, under=under)
    found = detector.fresh_on_series().update(noise, None, weight)
    assert len(found)
    assert found.tolist() == detector.fresh_on_series().update(np.where(weight == 0, np.nan, values)).tolist()


def test_a_mean_of_rounding_errors_is_zero() -> None:
    """0.3 − (0.1 + 0.2) is −5.6e-17; relative to that, the values after it would be huge."""
    passed: list[float] = []

    class Recording:
        def until_alarm(self, values: FloatArray) -> int:
            passed.extend(values.tolist())
            return len(values)

    state = SeriesState("recording", Recording(), pq.Cumulative())  # type: ignore[arg-type]
    state.update(np.array([0.3, -0.1, -0.2, np.nan, 4.0]))
    assert passed[:3] == [0.3, pytest.approx(0.1), 0.0]
    assert np.isnan(passed[3])
    assert passed[4] == pytest.approx(1.0)


def test_the_forgettings_of_a_ratio_may_be_given_as_text() -> None:
    losses = np.random.default_rng(1).random(2000) + np.repeat([0.0, 1.0], 1000)
    windows: list[tuple[str, str, Forgetting, Forgetting]] = [
        ("fading:0.9", "fading:0.99", pq.Fading(0.9), pq.Fading(0.99)),
        ("sliding:10", "sliding:100", pq.Sliding(10), pq.Sliding(100)),
    ]
    for short, long, first, second in windows:
        by_text = pq.drift.Ratio(short=short, long=long, threshold=5)
        by_object = pq.drift.Ratio(short=first, long=second, threshold=5)
        assert by_text == by_object
        assert (by_text.short, by_text.long) == (first, second)
        found = by_text.detect(losses).tolist()
        assert found
        assert found == by_object.detect(losses).tolist()
