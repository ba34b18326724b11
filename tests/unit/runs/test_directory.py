"""Run directories: copying and replacing lose no files."""

from __future__ import annotations

from pathlib import Path

import pytest

import prequential as pq


def test_saving_a_run_to_its_own_directory_changes_nothing(tmp_path: Path) -> None:
    run = pq.evaluate(pq.streams.SEA().take(2000), "naive_bayes", directory=tmp_path / "run")
    before = run.to_arrow()
    run.save(tmp_path / "run", overwrite=True)
    assert pq.load(tmp_path / "run").to_arrow().drop_columns(["value"]).equals(before.drop_columns(["value"]))


def test_a_run_is_not_saved_into_itself(tmp_path: Path) -> None:
    run = pq.evaluate(pq.streams.SEA().take(2000), "naive_bayes", directory=tmp_path / "run")
    with pytest.raises(pq.InputError, match="lies within"):
        run.save(tmp_path / "run" / "copy")


def test_replacing_a_run_leaves_other_files_alone(tmp_path: Path) -> None:
    pq.evaluate(pq.streams.SEA().take(2000), "naive_bayes", directory=tmp_path / "run")
    (tmp_path / "run" / "notes.txt").write_text("mine")
    pq.evaluate(pq.streams.SEA().take(2000), "no_change", directory=tmp_path / "run", overwrite=True)
    assert (tmp_path / "run" / "notes.txt").read_text() == "mine"
    assert pq.load(tmp_path / "run").learners == ["no_change"]


def test_a_directory_that_is_not_a_run_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(pq.InputError, match="not the directory of a run"):
        pq.evaluate(pq.streams.SEA().take(2000), "no_change", directory=tmp_path, overwrite=True)


def test_a_failing_metric_leaves_a_partial_run_and_its_error_is_reported() -> None:
    def broken(counts: pq.metrics.Counts) -> object:
        raise ZeroDivisionError("mine")

    metric = pq.Metric("broken", broken)  # type: ignore[arg-type]
    with pytest.raises(pq.InputError, match="ZeroDivisionError: mine") as caught:
        pq.evaluate(pq.streams.SEA().take(2000), "naive_bayes", metrics=[metric])
    assert caught.value.run.status == "partial"  # type: ignore[attr-defined]
