"""An interrupted run continues from its last save point to the same result, bit for bit."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from river import drift, naive_bayes
from support.importable_learners import Failing, Last

import prequential as pq
from prequential.errors import InputError, StorageError
from prequential.evaluation.begin_run import LearnerFailedWarning, carry_out
from prequential.evaluation.evaluate import learning
from prequential.evaluation.execution import EngineName, Execution
from prequential.evaluation.saving import NotResumableWarning
from prequential.evaluation.settings import UncheckedSettings
from prequential.learners.naming import named_learners
from prequential.runs import save_points
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest, versions
from prequential.streams.chunk import Chunk
from prequential.streams.schema import Schema

N = 900
KILLS = int(os.environ.get("PREQUENTIAL_KILLS", "8"))
"""How often the run on Electricity is killed."""
EVERYTHING = ("trace", "pairs", "significance", "alarms", "bins", "irregular")


class Killed(BaseException):
    """An exception that is never caught: the run ends as if its process had been killed."""


class Breaking(pq.Stream):
    """A stream during which the process is killed."""

    def __init__(self, source: pq.Stream, at: int) -> None:
        self._source, self._at = source, at
        self.name, self.n_records, self.events = source.name, source.n_records, source.events

    @property
    def schema(self) -> Schema:
        return self._source.schema

    def chunks(self, size: int = 4096, start: int = 0) -> Iterator[Chunk]:
        for chunk in self._source.chunks(min(size, 70), start):
            if chunk.start >= self._at:
                raise Killed
            yield chunk

    def describe(self) -> dict[str, object]:
        return self._source.describe()


def rows(table: pa.Table) -> str:
    """Return all rows in sorted order, to the last bit; NaN equals NaN."""
    return repr(sorted(map(repr, table.to_pylist())))


def content(run: pq.Run, *, predictions: bool = False) -> dict[str, Any]:
    """Return the content of a run, without times."""
    found: dict[str, Any] = {name: rows(getattr(run.directory, name)()) for name in EVERYTHING}
    found["order"] = repr(run.to_arrow().to_pylist())
    if predictions:
        found |= {name: repr(run.predictions(name).to_pylist()) for name in run.learners}
    for name, entry in run.manifest.learners.items():
        found[name] = (entry.status, entry.failure and entry.failure.record, entry.n_records, entry.n_abstained)
        found[name] += (entry.n_unlabelled, entry.n_nonfinite)
    found["events"] = {**(run.manifest.events or {}), "latency": None}
    found["run"] = (run.status, run.manifest.n_records)
    return found


LEARNERS = {
    "bayes": "naive_bayes",
    "tree": "hoeffding_tree:grace_period=50",
    "river": naive_bayes.GaussianNB(),
    "last": Last(),
}
CASES: dict[str, dict[str, Any]] = {
    "prequential": {
        "protocol": pq.Prequential(pretrain=30),
        "predictions": True,
        "detectors": ["ddm:level=1", drift.PageHinkley(threshold=3)],
        "forgetting": ["cumulative", "sliding:100", "fading:0.99", "adaptive"],
        "metrics": ["accuracy", "kappa", "kappa_m", "kappa_t", "recall", "auc", "log_loss"],
    },
    "holdout": {"protocol": pq.Holdout(share=0.2)},
    "folds": {"protocol": pq.KFold(6, "cross"), "forgetting": ["cumulative", "sliding:100"]},
    "delayed": {"protocol": pq.Delayed(bins=5, horizon=60), "forgetting": ["cumulative", "fading:0.99"]},
}


def source(case: str) -> pq.Stream:
    stream = pq.streams.SEA(seed=3, noise=0.1)
    return stream.take(N // 2).delayed(pq.streams.UniformDelay(5, 80)) if case == "delayed" else stream.take(N)


@pytest.mark.parametrize(
    ("case", "engine"), [*((case, "serial") for case in CASES), ("prequential", "threads"), ("folds", "processes")]
)
def test_an_interrupted_run_continues_to_the_same_result(case: str, engine: EngineName, tmp_path: Path) -> None:
    options = {"metrics": ["accuracy", "kappa"], "every": 130, **CASES[case]}
    whole = pq.evaluate(source(case), LEARNERS, directory=tmp_path / "whole", engine="serial", **options)
    for at in (0, 200, 640):
        with pytest.raises(Killed):
            pq.evaluate(
                Breaking(source(case), at),
                LEARNERS,
                directory=tmp_path / "stopped",
                resume=True,
                save_seconds=0,
                engine=engine,
                workers=2,
                **options,
            )
    assert pq.load(tmp_path / "stopped").status == "stopped"
    run = pq.evaluate(source(case), LEARNERS, directory=tmp_path / "stopped", resume=True, engine="serial", **options)
    assert run.status == "complete"
    assert run.manifest.resumed_at, "it started from the first record"
    assert run.manifest.resumed_at[-1] > 300
    predictions = options.get("predictions", False)
    assert content(run, predictions=predictions) == content(whole, predictions=predictions)
    assert not (tmp_path / "stopped" / "save_points").exists(), "save points of a complete run are removed"
    assert not list((tmp_path / "stopped").rglob("*.tmp"))


def test_a_complete_run_is_returned_unchanged(tmp_path: Path) -> None:
    first = pq.evaluate(source("folds"), "naive_bayes", directory=tmp_path / "run")
    again = pq.evaluate(source("folds"), "naive_bayes", directory=tmp_path / "run", resume=True)
    assert again.manifest == first.manifest


def test_a_failed_learner_stays_failed(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    X = np.column_stack([np.arange(N), rng.normal(size=N)])
    stream = pq.from_arrays(X, (X[:, 1] > 0).astype(int))
    learners = {"failing": Failing(150), "bayes": "naive_bayes", "last": Last()}
    with pytest.warns(LearnerFailedWarning):
        whole = pq.evaluate(stream, learners, directory=tmp_path / "whole", every=100)
    with pytest.raises(Killed):
        pq.evaluate(Breaking(stream, 500), learners, directory=tmp_path / "run", every=100, save_seconds=0)
    with pytest.warns(LearnerFailedWarning, match="failing failed at record 150"):
        run = pq.evaluate(stream, learners, directory=tmp_path / "run", every=100, resume=True)
    assert run.manifest.resumed_at[0] > 300
    assert content(run) == content(whole)


def stopped(path: Path, at: int = 600, **options: Any) -> pq.Run:
    """Interrupt a run, and return the uninterrupted one."""
    with pytest.raises(Killed):
        pq.evaluate(Breaking(source("folds"), at), LEARNERS, directory=path, save_seconds=0, **options)
    return pq.evaluate(source("folds"), LEARNERS, **options)


def evaluate_with_plan(plan: str, directory: Path, *, every: int = 1000, resume: bool = False) -> pq.Run:
    """Evaluate as a plan does: its text is stored with the run."""
    data = source("folds")
    settings = UncheckedSettings(caller="evaluate", every=every).checked(data)
    how = Execution(caller="evaluate", directory=directory, resume=resume, save_seconds=0, plan=plan)
    return carry_out(learning(data, named_learners(LEARNERS, "evaluate"), settings), how)


def test_damaged_save_points_are_ignored(tmp_path: Path) -> None:
    whole = stopped(tmp_path / "run", every=100)
    older, newest = sorted((tmp_path / "run" / "save_points").glob("*.state"))
    newest.write_bytes(newest.read_bytes()[:-100])
    run = pq.evaluate(source("folds"), LEARNERS, directory=tmp_path / "run", every=100, resume=True)
    assert run.manifest.resumed_at[0] > 256
    assert content(run) == content(whole)

    stopped(tmp_path / "both", every=100)
    older, newest = sorted((tmp_path / "both" / "save_points").glob("*.state"))
    newest.write_bytes(newest.read_bytes()[:50])
    spoilt = bytearray(older.read_bytes())
    spoilt[len(spoilt) // 2] ^= 1
    older.write_bytes(spoilt)
    with pytest.warns(NotResumableWarning, match="there is no intact save point, so the run starts again"):
        run = pq.evaluate(source("folds"), LEARNERS, directory=tmp_path / "both", every=100, resume=True)
    assert run.manifest.resumed_at == [], "both save points are damaged"
    assert content(run) == content(whole)


def test_a_save_point_without_its_trace_is_ignored(tmp_path: Path) -> None:
    whole = stopped(tmp_path / "run", every=100)
    max((tmp_path / "run" / "trace").iterdir()).unlink()
    run = pq.evaluate(source("folds"), LEARNERS, directory=tmp_path / "run", every=100, resume=True)
    assert content(run) == content(whole)


def test_a_full_disk_is_a_clear_error_and_the_run_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = pq.evaluate(source("folds"), LEARNERS, every=100)
    n_synced, real = 0, os.fsync

    def full_after_a_while(descriptor: int) -> None:
        nonlocal n_synced
        here = "save_points" in str(Path(f"/proc/self/fd/{descriptor}").readlink())
        n_synced += here
        if here and n_synced > 6:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(descriptor)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full_after_a_while)
        with pytest.raises(StorageError, match=r"No space left on device.*--resume"):
            pq.evaluate(source("folds"), LEARNERS, directory=tmp_path / "run", every=100, save_seconds=0, chunk_size=50)
    assert not list((tmp_path / "run").rglob("*.tmp"))
    assert pq.load(tmp_path / "run").status == "partial"
    run = pq.evaluate(source("folds"), LEARNERS, directory=tmp_path / "run", every=100, resume=True)
    assert run.manifest.resumed_at
    assert content(run) == content(whole)


def test_files_needed_to_resume_are_synced_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    real = os.fsync

    def noted(descriptor: int) -> None:
        synced.append(Path(f"/proc/self/fd/{descriptor}").readlink().relative_to(tmp_path / "run").as_posix())
        real(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    evaluate_with_plan("", tmp_path / "run", every=100)
    first = synced.index("save_points/00000001.tmp")
    assert {"plan.tmp", "manifest.tmp", "trace/00000.parquet", "trace"} <= set(synced[:first])


def test_a_manifest_that_cannot_be_written_does_not_hide_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = pq.evaluate(source("folds"), LEARNERS, every=100)
    n_written, real = 0, RunDirectory.write_manifest

    def full_after_a_while(directory: RunDirectory, manifest: Manifest) -> None:
        nonlocal n_written
        n_written += 1
        if n_written > 3:
            raise StorageError("manifest.json: No space left on device.")
        real(directory, manifest)

    with monkeypatch.context() as patched:
        patched.setattr(RunDirectory, "write_manifest", full_after_a_while)
        with pytest.raises(StorageError, match="The manifest could not be updated either") as caught:
            pq.evaluate(source("folds"), LEARNERS, directory=tmp_path / "run", every=100, save_seconds=0, chunk_size=50)
    assert isinstance(caught.value.run, pq.Run)
    run = pq.evaluate(source("folds"), LEARNERS, directory=tmp_path / "run", every=100, resume=True)
    assert run.manifest.resumed_at == [100]
    assert content(run) == content(whole)


def test_a_full_file_system(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=500k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip(f"no small disk can be had here: {mounted.stderr.decode().strip()}")
    try:
        with pytest.raises(StorageError, match="No space left on device"):
            pq.evaluate(source("folds"), LEARNERS, directory=disk / "run", every=2, save_seconds=0, chunk_size=40)
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        run = pq.evaluate(source("folds"), LEARNERS, directory=disk / "run", every=2, resume=True)
        assert run.manifest.resumed_at, "it started from the first record"
        assert content(run) == content(pq.evaluate(source("folds"), LEARNERS, every=2))
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"every": 50}, "every: 100 then, 50 now"),
        ({"seed": 2}, "seed: 1 then, 2 now"),
        ({"metrics": ["accuracy"]}, r"metrics: \['accuracy', 'kappa', 'kappa_m', 'kappa_t'\] then"),
        ({"protocol": pq.KFold(6, "bootstrap")}, "protocol.protocol: prequential then, kfold now"),
        ({"pairs": False}, "kept.pairs: True then, False now"),
        (
            {"learners": {**LEARNERS, "tree": "hoeffding_tree:grace_period=60"}},
            "learner 'tree', grace_period: 50 then, 60 now",
        ),
        ({"learners": {"bayes": "naive_bayes"}}, "learners: bayes, tree, river, last then, bayes now"),
        ({"stream": pq.streams.SEA(seed=4, noise=0.1).take(N)}, "seed: 3 then, 4 now"),
    ],
)
def test_a_different_run_is_not_resumed(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    stopped(tmp_path / "run", every=100)
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    options = {"stream": source("folds"), "learners": LEARNERS, "every": 100, **change}
    with pytest.raises(InputError, match=message):
        pq.evaluate(directory=tmp_path / "run", resume=True, **options)
    assert {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()} == before


def test_versions_of_unused_libraries_may_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Killed):
        pq.evaluate(Breaking(source("folds"), 600), "naive_bayes", directory=tmp_path / "native", save_seconds=0)
    stopped(tmp_path / "rivers", every=100)
    other = {**versions(), "river": "99.1"}
    module = sys.modules["prequential.evaluation.experiment"]
    monkeypatch.setattr(module, "versions", lambda: other)
    run = pq.evaluate(source("folds"), "naive_bayes", directory=tmp_path / "native", resume=True)
    assert run.manifest.resumed_at
    with pytest.raises(InputError, match=r"versions.river: .* then, 99.1 now"):
        pq.evaluate(source("folds"), LEARNERS, directory=tmp_path / "rivers", every=100, resume=True)
    monkeypatch.setattr(module, "versions", lambda: {**versions(), "numpy": "0.1"})
    again = pq.evaluate(source("folds"), "naive_bayes", directory=tmp_path / "native", resume=True)
    assert again.status == "complete", "versions of a finished run may differ"


def test_a_run_is_not_resumed_with_a_changed_stream(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(N, 2)), rng.integers(0, 2, N)
    with pytest.raises(Killed):
        pq.evaluate(Breaking(pq.from_arrays(X, y), 600), "naive_bayes", directory=tmp_path / "run", save_seconds=0)
    other = X.copy()
    other[600] += 1
    with pytest.raises(InputError, match=r"the records before record \d+ differ from those of the run"):
        pq.evaluate(pq.from_arrays(other, y), "naive_bayes", directory=tmp_path / "run", resume=True)
    run = pq.evaluate(pq.from_arrays(X, y), "naive_bayes", directory=tmp_path / "run", resume=True)
    assert content(run) == content(pq.evaluate(pq.from_arrays(X, y), "naive_bayes"))


def test_two_processes_cannot_write_one_run(tmp_path: Path) -> None:
    with pytest.raises(Killed):
        pq.evaluate(Breaking(source("folds"), 0), "naive_bayes", directory=tmp_path / "run")
    points = save_points.SavePoints(tmp_path / "run" / "save_points")
    with (
        points.locked(),
        pytest.raises(InputError, match="another process is writing this run"),
    ):
        pq.evaluate(source("folds"), "naive_bayes", directory=tmp_path / "run", resume=True)


def test_a_run_that_cannot_be_saved_gives_a_warning_and_continues(tmp_path: Path) -> None:
    class Odd(Last):
        def __init__(self) -> None:
            self.think = lambda x: x

        def __deepcopy__(self, memo: object) -> Odd:
            return Odd()

    with pytest.warns(
        NotResumableWarning, match="cannot be resumed if it is interrupted: Odd cannot be pickled"
    ) as caught:
        run = pq.evaluate(source("folds"), {"odd": Odd()}, directory=tmp_path / "run", save_seconds=0, engine="serial")
    assert len(caught) == 1
    assert run.status == "complete"


class Unreliable:
    """A drift detector with the interface of River; one of them fails if ``bad`` is set."""

    bad, n, drift_detected = False, 0, False

    def update(self, x: float) -> None:
        self.n += 1
        if self.bad and self.n == 500:
            Unreliable.bad = False
            raise ValueError("not today")

    def clone(self) -> Unreliable:
        return Unreliable()


def test_no_save_point_is_written_after_a_replica_was_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other replicas have processed more records, so their states do not fit together."""
    options: dict[str, Any] = {"detectors": [Unreliable()], "engine": "threads", "workers": 2, "every": 100}
    learners = {"bayes": "naive_bayes", "tree": "hoeffding_tree"}
    whole = pq.evaluate(source("folds"), learners, **options)
    with monkeypatch.context() as patched:
        patched.setattr(Unreliable, "bad", True)
        with pytest.raises(InputError, match="not today"):
            pq.evaluate(source("folds"), learners, directory=tmp_path / "run", save_seconds=0, **options)
    again: dict[str, Any] = {**options, "resume": True, "accept_changes": True}  # the code is mended
    run = pq.evaluate(source("folds"), learners, directory=tmp_path / "run", **again)
    assert run.manifest.resumed_at == [256]
    assert content(run) == content(whole)


def test_tests_over_folds_do_not_depend_on_when_they_are_written(tmp_path: Path) -> None:
    X = np.column_stack([np.arange(N), np.random.default_rng(1).normal(size=N)])
    stream = pq.from_arrays(X, (X[:, 1] > 0).astype(int))
    options: dict[str, Any] = {"protocol": pq.KFold(6, "bootstrap"), "every": 70}
    learners = {"failing": Failing(150), "bayes": "naive_bayes", "last": Last()}
    with pytest.warns(LearnerFailedWarning):
        once = pq.evaluate(stream, learners, **options)
    with pytest.warns(LearnerFailedWarning):
        often = pq.evaluate(stream, learners, directory=tmp_path / "run", save_seconds=0, chunk_size=30, **options)
    assert repr(often.folds.significance().to_pylist()) == repr(once.folds.significance().to_pylist())


def test_labels_that_would_be_restored_as_others_are_not_saved(tmp_path: Path) -> None:
    def records() -> Iterator[tuple[dict[str, float], Any]]:
        return (({"x": float(i)}, ("a", i % 2)) for i in range(600))

    with pytest.warns(NotResumableWarning, match=r"the class or nominal value \('a', 0\) cannot be saved"):
        run = pq.evaluate(pq.from_iterable(records), "naive_bayes", directory=tmp_path / "run", save_seconds=0)
    assert run.status == "complete"


def test_a_learner_that_cannot_be_restored_leaves_the_run_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = stopped(tmp_path / "run", every=100)
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    with monkeypatch.context() as patched:
        patched.delattr("support.importable_learners.Last")
        with pytest.raises(InputError, match=r"cannot be restored \(AttributeError.*Last"):
            pq.evaluate(source("folds"), LEARNERS, directory=tmp_path / "run", every=100, resume=True)
    assert {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()} == before
    run = pq.evaluate(source("folds"), LEARNERS, directory=tmp_path / "run", every=100, resume=True)
    assert content(run) == content(whole)


def test_other_files_in_the_directory_are_not_changed(tmp_path: Path) -> None:
    whole = stopped(tmp_path / "run", every=100)
    notes = [tmp_path / "run" / "trace" / "notes.txt", tmp_path / "run" / "pairs" / ".DS_Store"]
    for path in notes:
        path.write_text("mine")
    run = pq.evaluate(source("folds"), LEARNERS, directory=tmp_path / "run", every=100, resume=True)
    assert content(run) == content(whole)
    assert [path.read_text() for path in notes] == ["mine", "mine"]
    mine = tmp_path / "mine" / "predictions" / "00001.parquet"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    with pytest.raises(InputError, match=r"is not the directory of a run: .*\(predictions\)"):
        pq.evaluate(source("folds"), LEARNERS, directory=tmp_path / "mine", resume=True)
    assert mine.read_text() == "mine"


def test_a_run_that_another_process_writes_is_not_replaced(tmp_path: Path) -> None:
    stopped(tmp_path / "run", every=1000)
    before = {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    for replace_it in (
        partial(pq.evaluate, source("folds"), LEARNERS, directory=tmp_path / "run", overwrite=True),
        partial(evaluate_with_plan, "yours", tmp_path / "run", resume=True),
    ):
        with (
            save_points.SavePoints(tmp_path / "run" / "save_points").locked(),
            pytest.raises(InputError, match="another process is writing this run"),
        ):
            replace_it()
    assert {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()} == before


def test_resume_and_overwrite_exclude_each_other(tmp_path: Path) -> None:
    stopped(tmp_path / "run")
    with pytest.raises(InputError, match="give only one of them"):
        pq.evaluate(source("folds"), LEARNERS, directory=tmp_path / "run", resume=True, overwrite=True)


def test_invalid_arguments_of_resume_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"resume=True \(--resume\) needs the directory of the run"):
        pq.evaluate(source("folds"), "naive_bayes", resume=True)
    with pytest.raises(InputError, match=r"'save_seconds' parameter of evaluate must be a number of seconds"):
        pq.evaluate(source("folds"), "naive_bayes", directory=tmp_path / "run", save_seconds=-1)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("…")
    with pytest.raises(InputError, match=r"is not the directory of a run: .*\(thesis.txt\)"):
        pq.evaluate(source("folds"), "naive_bayes", directory=tmp_path / "other", resume=True)


COMMAND = "from prequential.cli import main; main()"


def test_a_run_killed_many_times_has_the_same_trace(shared_data: Path, tmp_path: Path) -> None:
    """Three learners with ten folds each on Electricity, killed at random moments and resumed each time."""
    data, plan = shared_data / "electricity.parquet", tmp_path / "plan.toml"
    learners = "".join(f'[[learner]]\ntype = "{name}"\n' for name in ("naive_bayes", "hoeffding_tree", "sgd"))
    plan.write_text(
        f"every = 1000\nsave_seconds = 0.05\n[stream]\npath = {json.dumps(str(data))}\n"
        f'[protocol]\ntype = "kfold"\nk = 10\nscheme = "bootstrap"\n{learners}'
    )

    def command(directory: str) -> subprocess.Popen[bytes]:
        options = ["run", str(plan), "-o", directory, "--resume", "--no-report", "-q"]
        return subprocess.Popen(
            [sys.executable, "-c", COMMAND, *options], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    begun = time.monotonic()
    with command("whole") as process:
        assert process.wait() == 0, process.stderr and process.stderr.read().decode()
    seconds = time.monotonic() - begun
    draw = random.Random(1)
    for _ in range(KILLS):
        with command("killed") as process:
            time.sleep(seconds * draw.uniform(0.2, 1.0))
            process.send_signal(signal.SIGKILL)
    with command("killed") as process:
        assert process.wait() == 0, process.stderr and process.stderr.read().decode()
    whole, killed = pq.load(tmp_path / "whole"), pq.load(tmp_path / "killed")
    assert content(killed) == content(whole)
    assert not list((tmp_path / "killed").rglob("*.tmp"))


def test_the_command_prints_how_to_resume(tmp_path: Path) -> None:
    options = [
        "run",
        "SEA",
        "--n",
        "1e5",
        "--learner",
        "naive_bayes",
        "-o",
        "out",
        "--save-seconds",
        "0",
        "-q",
        "--no-report",
    ]

    def command(*arguments: str) -> subprocess.Popen[bytes]:
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": tmp_path}
        return subprocess.Popen([sys.executable, "-c", COMMAND, *arguments], **pipes)

    slow = tmp_path / "slow.py"
    slow.write_text(
        "import time\nclass Slow:\n    def predict_one(self, x): return None\n"
        "    def learn_one(self, x, y): time.sleep(0.001)\n"
    )
    with command(*options, "--learner", "slow.py:Slow", "--every", "100") as process:
        point = tmp_path / "out" / "save_points"
        deadline = time.monotonic() + 60
        while not list(point.glob("*.state")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 130
    assert "Resume it: prequential run out --resume" in " ".join(errors.decode().split())
    with command("run", "out") as process:
        _, errors = process.communicate()
    assert process.returncode == 2
    assert "Add --resume to continue it" in errors.decode()
    trap = tmp_path / "trap"
    trap.mkdir()
    (trap / "plan.toml").write_text('[stream]\ntype = "SEA"\nn = 9\n[[learner]]\npython = "trap.py:Trap"\n')
    (trap / "trap.py").write_text("open('sprung', 'w')\n")
    for arguments, expected in {
        ("trap", "--resume"): "is not the directory of a run: it has no manifest.json, but other files (trap.py)",
        ("nowhere", "--resume"): "there is no such directory",
        ("SEA",): "SEA never ends",
    }.items():
        with command("run", *arguments) as process:
            _, errors = process.communicate()
        assert process.returncode == 2
        assert expected in " ".join(errors.decode().split())
    assert not (tmp_path / "sprung").exists(), "code in the working directory was run"
