"""RAM-Hours are the integral of the bytes of a model over the time that it works."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import prequential as pq
from prequential.engines import worker


class Growing:
    """A tally whose model has ``size(t)`` bytes after working ``t`` seconds; each record takes a millisecond."""

    salvaged = None

    def __init__(self, size: Any) -> None:
        self.size = size
        self.clock = SimpleNamespace(predict_seconds=0.0, learn_seconds=0.0)

    @property
    def nbytes(self) -> int:
        return int(self.size(self.clock.predict_seconds + self.clock.learn_seconds))

    def step(self, n: int) -> None:
        self.clock.predict_seconds += 0.0003 * n
        self.clock.learn_seconds += 0.0007 * n

    def finish(self) -> None:
        pass


def ram_hours(size: Any, n: int, chunk: int) -> float:
    replica = worker._MeasuredReplica(SimpleNamespace(make=lambda: Growing(size)))  # type: ignore[arg-type]
    for start in range(0, n, chunk):
        replica.step(min(chunk, n - start))  # type: ignore[arg-type]
    replica.finish()
    return replica._ram_hours


@pytest.mark.parametrize("chunk", [1, 7, 1000, 4096])
@pytest.mark.parametrize("n", [500, 12_345])
def test_a_model_that_grows_linearly_has_half_its_last_size_on_average(n: int, chunk: int) -> None:
    """From 2 MB on, 3 MB a second: after T seconds the integral is 2 T + 3 T² / 2."""
    seconds = n / 1000
    found = ram_hours(lambda t: 2e6 + 3e6 * t, n, chunk)
    assert found == pytest.approx((2e6 * seconds + 3e6 * seconds**2 / 2) / 1e9 / 3600, rel=0.02)


def test_a_model_that_stops_growing_is_measured_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    """It grows to 10 MB in the first tenth of 10 seconds: the integral is 5 + 90 MB seconds."""
    monkeypatch.setattr(worker, "WEIGH_SECONDS", 0.0)
    found = ram_hours(lambda t: min(10e6 * t, 10e6), 10_000, 100)
    assert found == pytest.approx(95e6 / 1e9 / 3600, rel=0.02)


def test_an_evaluation_reports_less_than_its_last_size_times_its_time() -> None:
    stream = pq.streams.RandomTree(seed=1).take(20_000)
    run = pq.evaluate(stream, "hoeffding_tree:grace_period=50", progress=False)
    (used,) = [entry.resources for entry in run.manifest.learners.values()]
    assert used is not None
    whole = used.memory_bytes / 1e9 * (used.predict_seconds + used.learn_seconds) / 3600
    assert 0.3 * whole < used.ram_hours < 0.9 * whole
