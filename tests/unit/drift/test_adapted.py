"""Detectors of other libraries: every series gets a new one with the same parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import prequential as pq
from prequential.drift import as_detector


class Counting:
    """A detector like River's that gives an alarm at every ``period``-th value; this one has seen one already."""

    def __init__(self, period: int = 3, n: int = 0) -> None:
        self.period, self.n = period, n
        self.drift_detected = False

    def update(self, x: float) -> None:
        self.n += 1
        self.drift_detected = self.n % self.period == 0


class Cloned(Counting):
    def clone(self) -> Cloned:
        return Cloned(self.period)


class WithParameters(Counting):
    def get_params(self) -> dict[str, Any]:
        return {"period": self.period}


class Both(Cloned):
    """Has both methods; only ``clone`` knows how to copy it."""

    def get_params(self) -> dict[str, Any]:
        return {"period": self.period, "other": 1}


@pytest.mark.parametrize("kind", [Cloned, WithParameters, Both])
def test_a_detector_that_was_used_before_starts_fresh(kind: type[Counting]) -> None:
    model = kind(period=3, n=1)
    state = as_detector(model).fresh()
    assert state.update(np.zeros(7)).tolist() == [2, 5]
    assert model.n == 1, "the object itself is not fed"
    assert as_detector(model).fresh().update(np.zeros(3)).tolist() == [2]


def test_an_object_with_neither_method_is_copied_as_it_is() -> None:
    model = Counting(period=3, n=1)
    assert as_detector(model).fresh().update(np.zeros(7)).tolist() == [1, 4]
    assert model.n == 1


def test_missing_values_are_not_passed_and_the_state_can_be_saved() -> None:
    detector = as_detector(Counting(period=3))
    state = detector.fresh()
    assert state.until_alarm(np.array([0.0, np.nan])) == 2
    other = detector.fresh()
    other.load_bytes(state.to_bytes())
    assert other.update(np.array([np.nan, 0.0, 0.0])).tolist() == [2]
    other.reset()
    assert other.update(np.zeros(3)).tolist() == [2]


def test_the_metric_of_a_detector_of_this_package_is_set_in_the_detector() -> None:
    with pytest.raises(pq.InputError, match="set them there"):
        as_detector("ddm", on="kappa")
    assert as_detector(Counting(), on="kappa", under="sliding:100").label.endswith(":on=kappa,under=sliding:100")
