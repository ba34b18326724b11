"""Plans in which labels come late."""

from __future__ import annotations

from typing import Any

import pytest

import prequential as pq

LABELS_FIRST = {"seed": 3, "first": "labels"}
GOOD: dict[str, Any] = {
    "every": 100,
    "metrics": ["accuracy"],
    "stream": {"type": "SEA", "n": 500, "delay": {"type": "uniform", "low": 5, "high": 15, **LABELS_FIRST}},
    "protocol": {"type": "delayed", "bins": 3, "psi_alpha": [1, 4], "reevaluate_every": 2, "horizon": 50.0},
    "learner": [{"type": "naive_bayes"}],
}


def test_a_plan_gives_the_result_of_the_same_call() -> None:
    run = pq.Plan(GOOD).run()
    stream = pq.streams.SEA().take(500).delayed(pq.streams.UniformDelay(5, 15), seed=3, first="labels")
    protocol = pq.Delayed(bins=3, psi_alpha=[1, 4], reevaluate_every=2, horizon=50.0)
    ours = pq.evaluate(stream, {"naive_bayes": "naive_bayes"}, protocol=protocol, metrics=["accuracy"], every=100)
    assert run.to_arrow().equals(ours.to_arrow())
    assert run.delays.bins().equals(ours.delays.bins())
    assert 'type = "uniform"' in (run.path / "plan.toml").read_text()


def test_records_are_changed_before_their_labels_are_late() -> None:
    stream = {**GOOD["stream"], "change": [{"type": "label_noise", "share": 0.2}], "take": 300}
    checked = pq.Plan({**GOOD, "stream": stream}).check()
    assert checked.stream.events
    assert sum(len(chunk) for chunk in checked.stream.chunks()) == 600


@pytest.mark.parametrize(
    ("table", "change", "expected"),
    [
        ("stream", {"delay": [5]}, "delay must be a number, text or a table, not [5]"),
        ("stream", {"delay": -1}, "The 'delay' parameter of delayed"),
        ("stream", {"delay": True}, "delay must be a number, text or a table"),
        (
            "stream",
            {"delay": {"type": "fixed", "delay": 5, "clock": "hours"}},
            "The 'clock' parameter of delayed must be 'records' or 'time'",
        ),
        ("stream", {"delay": {"type": "fixed", "delay": 5, "clock": 5}}, "clock must be text"),
        ("stream", {"delay": {"type": "fixed", "delay": 5, "rest": 1}}, "rest must be true or false"),
        ("protocol", {"bins": "many"}, "'bins' parameter of Delayed must be a whole number"),
        ("protocol", {"psi_alpha": "x"}, "The 'psi_alpha' parameter of Delayed"),
        ("stream", {"delay": "uniform:5"}, "UniformDelay needs 'high'"),
        ("stream", {"delay": {"type": "unifrom", "low": 5}}, "Did you mean 'uniform'?"),
        ("stream", {"delay": {"type": "uniform", "low": 5, "most": 7}}, "Did you mean 'high'?"),
        ("stream", {"delay": {"type": "column"}}, "the delay 'column' needs 'column'"),
        ("protocol", {"binz": 5}, "Did you mean 'bins'?"),
        ("protocol", {"first_class": 1}, "'first_class' parameter of Delayed must be True or False"),
    ],
)
def test_a_mistake_is_named(table: str, change: dict[str, object], expected: str) -> None:
    with pytest.raises(pq.PlanError) as caught:
        pq.Plan({**GOOD, table: {**GOOD[table], **change}}).check()
    assert expected in str(caught.value)


def test_late_labels_under_another_protocol_are_refused_before_the_run() -> None:
    with pytest.raises(pq.PlanError, match=r"Evaluate it with protocol=pq.Delayed\(\)"):
        pq.Plan({**GOOD, "protocol": {"type": "prequential"}}).check()
