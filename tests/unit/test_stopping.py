"""Ctrl-C during a step, and while the results are saved after it."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator

import pytest

from prequential import stopping
from prequential.stopping import raise_if_stopped, steps, stoppable, was_stopped


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "PATIENCE_SECONDS", 0.1)


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """Let Ctrl-C interrupt also tests that were started in the background, where a shell has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def stopped_step() -> None:
    """Receive a signal during a step, and look for it at its end."""
    with steps():
        signal.raise_signal(signal.SIGINT)
        assert was_stopped()
        raise_if_stopped()


def long_step() -> None:
    with steps():
        signal.raise_signal(signal.SIGINT)
        time.sleep(60)


def test_a_signal_waits_for_the_end_of_the_step() -> None:
    with stoppable(), pytest.raises(KeyboardInterrupt, match="interrupted"):
        stopped_step()
    assert not was_stopped()


def test_a_step_that_takes_too_long_is_interrupted() -> None:
    begun = time.monotonic()
    with stoppable(), pytest.raises(KeyboardInterrupt, match="interrupted"):
        long_step()
    assert time.monotonic() - begun < 30


def test_saving_the_results_after_the_step_is_not_interrupted() -> None:
    with stoppable():
        with pytest.raises(KeyboardInterrupt):
            stopped_step()
        time.sleep(0.3)  # longer than the patience for a step


def test_a_second_signal_interrupts_at_once() -> None:
    with stoppable():
        with pytest.raises(KeyboardInterrupt):
            stopped_step()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
