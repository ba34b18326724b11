"""The warning above the results of an incomplete run."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.runs import make_run

from prequential.runs.manifest import Status
from prequential.runs.status import warning


def test_a_complete_run_has_no_warning(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {("a", "cumulative", "accuracy"): [(10, 0.5)]}, status="complete")
    assert warning(run.manifest) == ""


@pytest.mark.parametrize(
    ("status", "text"),
    [
        ("partial", "1,234 of 5,000 records"),
        ("interrupted", "1,234 of 5,000 records"),
        ("failed", "0 of 1 learners"),
    ],
)
def test_any_other_run_has_one_with_the_reason(status: Status, text: str, tmp_path: Path) -> None:
    points = {("a", "cumulative", "accuracy"): [(10, 0.5)]}
    run = make_run(tmp_path / "run", points, status=status, n_records=1234, n_expected=5000, reason="it broke")
    assert text in warning(run.manifest)
    assert "it broke" in warning(run.manifest)
