"""Drift detectors on the learners of a stream, and on a series."""

from __future__ import annotations

import numpy as np
import pytest

import prequential as pq
from prequential import detect
from prequential.drift import Alarm, Detection
from prequential.drift.watch import Watch
from prequential.errors import InputError

STREAM = pq.streams.SEA(concept=3, seed=1).drift_to(pq.streams.SEA(concept=4, seed=2), at=5000).take(10_000)


def test_every_detector_watches_every_learner() -> None:
    learners = {"nb": pq.learners.NaiveBayes(), "last": pq.learners.NoChange()}
    found = detect(STREAM, learners, ["adwin", pq.drift.DDM()])
    assert [(one.learner, one.detector.partition(":")[0]) for one in found] == [
        ("nb", "adwin"),
        ("nb", "ddm"),
        ("last", "adwin"),
        ("last", "ddm"),
    ]
    assert found[0].n_records == 10_000
    learner = pq.learners.NaiveBayes().fresh(STREAM.schema, 1)
    watch = Watch(pq.drift.ADWIN(), STREAM.schema)
    alarms = [a.record for c in STREAM.chunks(333) for a in watch.step(c, learner.test_then_train(c.X, c.y, c.weight))]
    assert [a.record for a in found[0].alarms] == alarms
    assert found[0].score(STREAM.drifts, tolerance=2000).n_detected == 1
    assert found[0].verdicts(STREAM.drifts, tolerance=2000)[0] == "detected"


def test_a_series_is_watched_directly() -> None:
    rng = np.random.default_rng(1)
    values = np.where(np.arange(9000) < 4500, 0.0, 1.0) + rng.normal(size=9000)
    values[[5, 4999]] = np.nan
    series = pq.from_arrays(np.empty((9000, 0)), values, task="regression", time=np.arange(9000.0))
    (found,) = detect(series, None, ["page_hinkley"])
    assert [a.record for a in found.alarms] == pq.drift.PageHinkley().detect(values).tolist()
    assert found.alarms[0].time == found.alarms[0].record
    assert found.learner is None


def test_invalid_arguments_are_refused() -> None:
    learners = {"nb": pq.learners.NaiveBayes()}
    with pytest.raises(InputError, match="detect needs at least one detector"):
        detect(STREAM, learners, [])
    with pytest.raises(InputError, match="is given twice"):
        detect(STREAM, learners, ["adwin", pq.drift.ADWIN()])
    with pytest.raises(InputError, match="a series must consist of numbers, and this target has classes"):
        detect(STREAM, None, ["adwin"])
    numbers = pq.from_arrays(np.empty((3, 0)), [0.0, 2.0, 1.0], task="regression")
    with pytest.raises(InputError, match=r"ddm, records from 0 on: the value 2\.0+ at position 1 cannot be used"):
        detect(numbers, None, ["ddm"])
    with pytest.raises(InputError, match="'error' does not fit a regression stream"):
        detect(numbers, {"last": pq.learners.LastTarget()}, ["adwin"])


def test_a_failing_learner_is_named_with_its_record() -> None:
    class Failing:
        n = 0

        def predict_one(self, x: object) -> str:
            return "groupA"

        def learn_one(self, x: object, y: object) -> None:
            self.n += 1
            if self.n > 5000:
                raise RuntimeError("broke")

    with pytest.raises(pq.LearnerError, match=r"mine, record 5,000: RuntimeError: broke"):
        detect(STREAM, {"mine": pq.as_learner(Failing())}, ["adwin"])


def test_a_detection_holds_values() -> None:
    found = Detection(None, "adwin:delta=0.002", 100, (Alarm(10), Alarm(60)))
    assert found.score([pq.Drift(50)], tolerance=20).n_detected == 1
    assert found.verdicts([pq.Drift(50)], tolerance=20) == ["false", "detected"]
