"""The progress bar says no more than it knows."""

from __future__ import annotations

import pytest

from prequential.experiment.progress import Meter


@pytest.mark.parametrize(("total", "told"), [(100, True), (None, False)])
def test_what_is_left_is_told_only_where_the_total_is_known(
    capsys: pytest.CaptureFixture[str], total: int | None, told: bool
) -> None:
    with Meter("stream", total, show=True) as meter:
        meter.advance(50)
    said = capsys.readouterr().err
    assert "stream" in said
    assert ("left" in said) == told
