"""Plans in which labels come late."""

from __future__ import annotations

from typing import Any

import pytest

import prequential as pq

GOOD: dict[str, Any] = {
    "every": 100,
    "metrics": ["accuracy"],
    "stream": {"generator": "SEA", "n": 500, "delay": "uniform:5:15", "delay_seed": 3, "delay_first": "labels"},
    "protocol": {"name": "delayed", "bins": 3, "alpha": [1, 4], "reevaluate_every": 2, "horizon": 50.0},
    "learner": [{"name": "naive_bayes"}],
}


def test_a_plan_gives_the_result_of_the_same_call() -> None:
    run = pq.Plan(GOOD).run()
    stream = pq.streams.SEA().take(500).delayed(pq.streams.UniformDelay(5, 15), seed=3, first="labels")
    protocol = pq.Delayed(bins=3, alpha=[1, 4], reevaluate_every=2, horizon=50.0)
    ours = pq.evaluate(stream, {"naive_bayes": "naive_bayes"}, protocol=protocol, metrics=["accuracy"], every=100)
    assert run.to_arrow().equals(ours.to_arrow())
    assert run.delays.bins().equals(ours.delays.bins())
    assert 'delay = "uniform:5:15"' in (run.path / "plan.toml").read_text()


def test_records_are_changed_before_their_labels_are_late() -> None:
    stream = {**GOOD["stream"], "change": [{"op": "label_noise", "share": 0.2}], "take": 300}
    checked = pq.Plan({**GOOD, "stream": stream}).check()
    assert checked.stream.events
    assert sum(len(chunk) for chunk in checked.stream.chunks()) == 600


@pytest.mark.parametrize(
    ("table", "change", "expected"),
    [
        ("stream", {"delay": [5]}, "delay must be a number or text, not [5]"),
        ("stream", {"delay": -1}, "The 'delay' parameter of delayed"),
        ("stream", {"delay": True}, "delay must be a number or text"),
        ("stream", {"delay_clock": "hours"}, "The 'clock' parameter of delayed must be 'records' or 'time'"),
        ("stream", {"delay_clock": 5}, "delay_clock must be text"),
        ("stream", {"delay_rest": 1}, "delay_rest must be true or false"),
        ("protocol", {"bins": "many"}, "bins must be a whole number"),
        ("protocol", {"alpha": "x"}, "The 'alpha' parameter of Delayed"),
        ("protocol", {"binz": 5}, "Did you mean 'bins'?"),
        ("protocol", {"first_class": 1}, "first_class must be true or false"),
    ],
)
def test_a_mistake_is_named(table: str, change: dict[str, object], expected: str) -> None:
    with pytest.raises(pq.PlanError) as caught:
        pq.Plan({**GOOD, table: {**GOOD[table], **change}}).check()
    assert expected in str(caught.value)


def test_late_labels_under_another_protocol_are_refused_before_the_run() -> None:
    with pytest.raises(pq.PlanError, match=r"Evaluate it with protocol=pq.Delayed\(\)"):
        pq.Plan({**GOOD, "protocol": {"name": "prequential"}}).check()
