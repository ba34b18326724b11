"""Arguments of ``detect``: learners and detectors as in ``evaluate``."""

from __future__ import annotations

from typing import Any

import pytest
from river import drift as river_drift
from river import naive_bayes

import prequential as pq
from prequential.evaluation.settings import named_detector


def stream() -> pq.Stream:
    return pq.streams.SEA(concept=3, seed=1).drift_to(pq.streams.SEA(concept=4, seed=2), at=2000).take(4000)


def alarms(learners: Any, detectors: Any = "adwin") -> list[tuple[str | None, int]]:
    found = pq.detect(stream(), learners, detectors)
    return [(one.learner, len(one.alarms)) for one in found]


def test_learners_are_given_by_name_in_lists_and_from_other_libraries() -> None:
    expected = alarms({"naive_bayes": pq.learners.NaiveBayes()}, ["adwin"])
    assert alarms("naive_bayes") == alarms(["naive_bayes"]) == alarms({"naive_bayes": "naive_bayes"}) == expected
    assert [name for name, _ in alarms(naive_bayes.GaussianNB())] == ["GaussianNB"]
    with pytest.raises(pq.InputError, match="at least one learner"):
        alarms({})


def test_a_detector_of_another_library_can_be_named() -> None:
    assert named_detector("river.drift:ADWIN").label == pq.drift.as_detector(river_drift.ADWIN()).label
    run = pq.evaluate(stream(), "naive_bayes", detectors="river.drift:ADWIN")
    assert len(run.manifest.detectors) == 1
    with pytest.raises(pq.InputError, match="has no 'ADWON'"):
        named_detector("river.drift:ADWON")


def test_alarms_of_a_run_count_records_seen_and_those_of_detect_count_from_zero() -> None:
    run = pq.evaluate(stream(), "naive_bayes", detectors="adwin")
    (found,) = pq.detect(stream(), "naive_bayes", "adwin")
    assert run.alarms()["record"].to_pylist() == [alarm.record for alarm in found.alarms]
