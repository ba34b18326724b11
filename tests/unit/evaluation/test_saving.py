"""When a save point is due."""

from __future__ import annotations

from typing import Any
from unittest.mock import MagicMock

import pytest

from prequential.evaluation import saving
from prequential.evaluation.position import Position, Tail
from prequential.evaluation.saving import NotResumableWarning, SavePointWriter
from prequential.saved import UnsavableError


class Clock:
    """A clock that the test sets; writing a save point takes ``cost`` seconds."""

    def __init__(self) -> None:
        self.now, self.cost = 100.0, 0.0

    def perf_counter(self) -> float:
        return self.now

    def pass_cost(self, tree: Any) -> None:
        self.now += self.cost


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(saving, "time", clock)
    return clock


def writer(clock: Clock, every: float | None) -> tuple[SavePointWriter, MagicMock]:
    engine, recorder = MagicMock(), MagicMock()
    engine.state.return_value = {("tree", 0): b"state"}
    recorder.directory.save_points.write.side_effect = clock.pass_cost
    return SavePointWriter(engine, recorder, every=every), recorder


POSITION = Position(50, 3, Tail(2, {"y": 1}))


def test_a_save_point_is_due_after_the_interval_and_then_after_the_next(clock: Clock) -> None:
    one, recorder = writer(clock, 10.0)
    assert one.possible
    for _ in range(2):
        assert not one.due
        clock.now += 9.9
        assert not one.due
        clock.now += 0.2
        assert one.due
        one.write(POSITION, 50)
    assert recorder.write.call_count == 2


def test_saving_takes_at_most_a_twentieth_of_the_time(clock: Clock) -> None:
    one, _ = writer(clock, 10.0)
    clock.cost = 3.0
    one.write(POSITION, 50)
    clock.now += 59.9
    assert not one.due
    clock.now += 0.2
    assert one.due


def test_an_interval_of_0_is_a_save_point_after_every_step(clock: Clock) -> None:
    one, _ = writer(clock, 0.0)
    clock.cost = 3.0
    assert one.due
    one.write(POSITION, 50)
    assert one.due


def test_without_an_interval_there_are_no_save_points(clock: Clock) -> None:
    one, _ = writer(clock, None)
    clock.now += 1e9
    assert not one.due
    assert not one.possible


def test_the_save_point_has_the_position_and_the_state_of_every_replica(clock: Clock) -> None:
    one, recorder = writer(clock, 1.0)
    one.write(POSITION, 49)
    recorder.write.assert_called_once_with(49)
    [tree] = recorder.directory.save_points.write.call_args.args
    assert tree["position"] == {"n_records": 50, "seq": 3, "tail": {"n": 2, "sums": {"y": 1}}}
    assert tree["n_records"] == 49
    assert tree["replicas"] == [["tree", 0, b"state"]]
    assert tree["recorder"] is recorder.state.return_value


def test_a_run_that_cannot_be_saved_is_reported_once_and_not_tried_again(clock: Clock) -> None:
    one, recorder = writer(clock, 0.0)
    recorder.directory.save_points.write.side_effect = UnsavableError("a socket cannot be saved")
    with pytest.warns(NotResumableWarning, match="cannot be resumed if it is interrupted: a socket cannot be saved"):
        one.write(POSITION, 50)
    assert not one.due
    assert not one.possible
