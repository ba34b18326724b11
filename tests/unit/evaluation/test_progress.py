"""The progress bar."""

from __future__ import annotations

import pytest

from prequential.evaluation.progress import Meter


@pytest.mark.parametrize(("total", "shown"), [(100, True), (None, False)])
def test_the_remaining_time_is_shown_only_if_the_total_is_known(
    capsys: pytest.CaptureFixture[str], total: int | None, shown: bool
) -> None:
    with Meter("stream", total, show=True) as meter:
        meter.advance(50)
    text = capsys.readouterr().err
    assert "stream" in text
    assert ("left" in text) == shown
