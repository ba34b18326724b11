"""Run directories: copying and replacing lose no files."""

from __future__ import annotations

import errno
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

import prequential as pq
from prequential.errors import StorageError
from prequential.runs.directory import RunDirectory
from prequential.runs.trace import SCHEMA


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


def test_a_copy_replaces_a_run_only_if_that_is_wanted(tmp_path: Path) -> None:
    run = pq.evaluate(pq.streams.SEA().take(200), "naive_bayes")
    copy = run.save(tmp_path / "copy")
    assert copy.to_arrow().equals(run.to_arrow())
    with pytest.raises(pq.InputError, match="exists already"):
        run.save(tmp_path / "copy")
    assert run.save(tmp_path / "copy", overwrite=True).learners == ["naive_bayes"]


def test_a_run_that_was_killed_before_it_had_a_manifest_starts_in_its_directory(tmp_path: Path) -> None:
    (tmp_path / "run" / "trace").mkdir(parents=True)
    directory = RunDirectory.resume(tmp_path / "run")
    assert directory.path == tmp_path / "run"
    (tmp_path / "run" / "notes.txt").write_text("mine")
    with pytest.raises(pq.InputError, match=r"no manifest.json, but other files \(notes.txt\)"):
        RunDirectory.resume(tmp_path / "run")
    assert RunDirectory.resume(tmp_path / "new").path.is_dir()


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(errno.ENOSPC, "system text"), "No space left on device"),
        (OSError("the network is away"), "the network"),
    ],
)
def test_an_error_of_the_file_system_has_its_path_and_reason(
    error: OSError, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise error

    directory = RunDirectory.create(tmp_path / "run")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", failing)
        with pytest.raises(StorageError, match=f"run/trace: {reason}"):
            directory.append_trace(SCHEMA.empty_table())
        with pytest.raises(StorageError, match=rf"00000001.state: cannot be written \({reason}"):
            directory.save_points.write({"n": 1})
    assert not list((tmp_path / "run").rglob("*.tmp"))


def test_a_copy_to_the_same_directory_is_that_directory(tmp_path: Path) -> None:
    home = pq.evaluate(pq.streams.SEA().take(100), "naive_bayes", directory=tmp_path / "run").directory
    assert home.copy_to(tmp_path / "run").path == home.path


def test_a_part_with_other_columns_is_damaged(tmp_path: Path) -> None:
    pq.evaluate(pq.streams.SEA().take(2000), ["naive_bayes", "no_change"], directory=tmp_path / "run")
    part = tmp_path / "run" / "pairs" / "00000.parquet"
    table = pa.parquet.read_table(part)
    pa.parquet.write_table(table.rename_columns(["other", *table.column_names[1:]]), part)
    with pytest.raises(StorageError, match=r"00000\.parquet: damaged \(its columns are other, b, "):
        pq.load(tmp_path / "run").directory.pairs()


def test_save_points_are_locked_only_while_a_process_writes_the_run(tmp_path: Path) -> None:
    points = RunDirectory.create(tmp_path / "run").save_points
    assert points.are_locked is False
    with points.locked():
        assert points.are_locked is True
    assert points.are_locked is False


def test_a_part_with_text_that_is_not_utf_8_is_damaged(tmp_path: Path) -> None:
    home = pq.evaluate(pq.streams.SEA().take(50), "naive_bayes", directory=tmp_path / "run").directory
    [part] = (tmp_path / "run" / "trace").glob("*.parquet")
    table = home.trace()
    invalid = pa.array([b"naive\xff"] * len(table)).view(pa.string()).dictionary_encode()
    pa.parquet.write_table(table.set_column(table.column_names.index("learner"), "learner", invalid), part)
    with pytest.raises(StorageError, match=r"00000.parquet: damaged .*Restore the file, or run again"):
        home.trace()


def test_a_directory_is_begun_when_it_has_a_manifest(tmp_path: Path) -> None:
    assert RunDirectory.create(tmp_path / "empty").begun is False
    assert pq.evaluate(pq.streams.SEA().take(50), "naive_bayes", directory=tmp_path / "run").directory.begun is True
