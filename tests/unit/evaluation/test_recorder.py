"""What is written during a run, and when."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import prequential as pq


class Reader:
    """A learner that reads the run directory when it learns a record."""

    def __init__(self, directory: Path, at: int) -> None:
        self.directory, self.at, self.n = directory, at, 0
        self.manifest: dict[str, Any] = {}
        self.n_parts = 0

    def __deepcopy__(self, memo: object) -> Reader:
        return self  # evaluate copies learners; the test needs this one

    def predict_one(self, x: dict[str, float]) -> str:
        return "groupA"

    def learn_one(self, x: dict[str, float], y: str) -> None:
        if self.n == self.at:
            self.manifest = json.loads((self.directory / "manifest.json").read_text())
            self.n_parts = len(list((self.directory / "trace").glob("*.parquet")))
        self.n += 1


def test_a_run_that_has_just_begun_has_used_no_time_or_memory(tmp_path: Path) -> None:
    reader = Reader(tmp_path / "run", at=0)
    pq.evaluate(pq.streams.SEA().take(10), {"reader": reader}, directory=tmp_path / "run", engine="serial")
    entry = reader.manifest["learners"]["reader"]
    assert reader.manifest["status"] == entry["status"] == "running"
    assert reader.manifest["n_records"] == entry["n_records"] == 0
    assert set(entry["resources"].values()) == {0}
    assert not any(entry[name] for name in ("n_unlabelled", "n_unpredicted", "n_abstained", "n_nonfinite", "failure"))


@pytest.mark.parametrize(
    ("n_forgettings", "step", "written"),
    [(1, 0.0, False), (100, 0.0, True), (1, 2.0, True)],
    ids=["neither", "many values", "more than a second"],
)
def test_a_run_is_written_when_a_second_has_passed_or_values_are_many(
    n_forgettings: int, step: float, written: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = itertools.count(0.0, step)
    monkeypatch.setattr("prequential.evaluation.recorder.time", SimpleNamespace(perf_counter=lambda: next(clock)))
    reader = Reader(tmp_path / "run", at=2999)
    pq.evaluate(
        pq.streams.SEA().take(3000),
        {"reader": reader},
        metrics="accuracy",
        forgetting=[f"sliding:{k}" for k in range(1, n_forgettings + 1)],
        every=1,
        chunk_size=100,
        directory=tmp_path / "run",
        engine="serial",
    )
    assert (reader.n_parts > 0) == written
