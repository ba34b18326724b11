"""The progress bar."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import prequential as pq
from prequential.evaluation.progress import Meter, _Rate


@pytest.mark.parametrize(("total", "shown"), [(100, True), (None, False)])
def test_the_remaining_time_is_shown_only_if_the_total_is_known(
    capsys: pytest.CaptureFixture[str], total: int | None, shown: bool
) -> None:
    with Meter("stream", total, show=True) as meter:
        meter.advance(50)
    text = capsys.readouterr().err
    assert "stream" in text
    assert ("left" in text) == shown


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ({"engine": "serial"}, "sea "),
        ({"engine": "threads", "workers": 2}, "sea, 2 threads "),
        ({"engine": "serial", "protocol": pq.KFold(10, "bootstrap")}, "sea, 2 x 10 replicas "),
    ],
)
def test_the_title_of_an_evaluation_has_the_stream_the_replicas_and_the_workers(
    options: dict[str, Any], title: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    stream = pq.streams.SEA().take(2000)
    pq.evaluate(stream, ["naive_bayes", "no_change"], progress=True, **options)
    text = capsys.readouterr().err
    assert text.strip().startswith(title.replace("sea", stream.name))
    assert "2000/2000" in text


@pytest.mark.parametrize(
    ("speed", "text"),
    [
        (None, ""),
        (0.25, "0.25 passes/s"),
        (9.5, "9.5 passes/s"),
        (10.0, "10 passes/s"),
        (1234567.8, "1,234,568 passes/s"),
    ],
)
def test_the_speed_has_two_digits_or_is_a_whole_number(speed: float | None, text: str) -> None:
    running: Any = SimpleNamespace(finished_speed=None, speed=speed)
    assert _Rate("passes").render(running).plain == text
    finished: Any = SimpleNamespace(finished_speed=speed, speed=3.0 if speed else None)
    assert _Rate("passes").render(finished).plain == text
