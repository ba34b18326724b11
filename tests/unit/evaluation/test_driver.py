"""How many records are processed in one step; results do not depend on it."""

from __future__ import annotations

import pytest

import prequential as pq
from prequential.evaluation.driver import _next_size


@pytest.mark.parametrize(
    ("seconds", "factor"),
    [(0.0, 16), (0.0049, 16), (0.005, 4), (0.049, 4), (0.05, 1), (0.3, 1), (0.31, 0.5), (60.0, 0.5)],
)
def test_a_step_takes_about_a_tenth_of_a_second(seconds: float, factor: float) -> None:
    assert _next_size(1000, seconds, 1 << 18) == 1000 * factor


def test_a_step_has_at_least_one_record_and_at_most_a_chunk() -> None:
    assert _next_size(1, 100.0, 1000) == 1
    assert _next_size(3, 100.0, 1000) == 1
    assert _next_size(256, 0.0, 1000) == 1000
    assert _next_size(1000, 0.1, 1000) == 1000


class Fails:
    """A learner that fails at a record."""

    def __init__(self, at: int) -> None:
        self.at, self.n = at, 0

    def predict_one(self, x: dict[str, float]) -> str:
        return "groupA"

    def learn_one(self, x: dict[str, float], y: str) -> None:
        if self.n == self.at:
            raise RuntimeError("no more")
        self.n += 1


@pytest.mark.parametrize("order", ["abcd", "badc", "cdab"])
def test_every_failed_learner_is_reported_at_its_record_whatever_the_order(order: str) -> None:
    learners = {"a": "naive_bayes", "b": Fails(50), "c": "no_change", "d": Fails(70)}
    with pytest.warns(pq.LearnerFailedWarning):
        run = pq.evaluate(pq.streams.SEA().take(300), {name: learners[name] for name in order}, engine="serial")
    assert {name: failure.record for name, failure in run.failures.items()} == {"b": 50, "d": 70}
    assert run.manifest.status == "failed"
    assert {name: entry.n_records for name, entry in run.manifest.learners.items()} == {
        "a": 300,
        "b": 50,
        "c": 300,
        "d": 70,
    }
