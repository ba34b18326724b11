"""A learner that ends its process only ends itself; a signal ends the run, with a save point."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import prequential as pq

N = 400
LEARNER = """
import asyncio, sys, time

class Bad:
    def __init__(self, fault="none", seconds=0.0):
        self.fault, self.seconds, self.n = fault, seconds, 0

    def predict_one(self, x):
        time.sleep(self.seconds)
        return "groupA"

    def learn_one(self, x, y):
        self.n += 1
        if self.n == 150:
            if self.fault == "exit":
                sys.exit()
            if self.fault == "interrupt":
                raise KeyboardInterrupt
            if self.fault == "memory":
                raise MemoryError
            if self.fault == "cancelled":
                raise asyncio.CancelledError
            if self.fault == "recursion":
                def deeper():
                    return deeper()
                deeper()

class Slow(Bad):
    def __init__(self):
        super().__init__(seconds=0.002)
"""
PROTOCOLS: dict[str, Any] = {
    "prequential": pq.Prequential(),
    "holdout": pq.Holdout(share=0.2),
    "kfold": pq.KFold(6, "bootstrap"),
    "delayed": pq.Delayed(bins=2),
}
FAULTS = {
    "exit": "SystemExit",
    "interrupt": "KeyboardInterrupt",
    "memory": "MemoryError",
    "recursion": "RecursionError",
    "cancelled": "CancelledError",
}


@pytest.fixture
def bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "bad_learner.py").write_text(LEARNER, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import bad_learner  # type: ignore[import-not-found]  # made by the test

    yield bad_learner.Bad
    del sys.modules["bad_learner"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_learner_that_ends_the_program_fails_and_the_others_continue(bad: Any, fault: str, protocol: str) -> None:
    stream = pq.streams.SEA(seed=1).take(N)
    learners = {"bad": bad(fault), "good": "naive_bayes"}
    with pytest.warns(pq.LearnerFailedWarning, match=f"bad failed at .*{FAULTS[fault]}"):
        run = pq.evaluate(
            stream.delayed(5) if protocol == "delayed" else stream, learners, protocol=PROTOCOLS[protocol], every=100
        )
    assert run.status == "failed"
    assert run.manifest.learners["good"].status == "complete"
    assert list(run.failures) == ["bad"]


@pytest.mark.parametrize("engine", ["serial", "threads", "processes"])
def test_a_learner_that_ends_the_program_fails_in_any_engine(bad: Any, engine: Any) -> None:
    learners = {**{fault: bad(fault) for fault in FAULTS}, "good": bad()}
    with pytest.warns(pq.LearnerFailedWarning):
        run = pq.evaluate(pq.streams.SEA(seed=1).take(N), learners, engine=engine, workers=2)
    assert {name: failure.record for name, failure in run.failures.items()} == dict.fromkeys(FAULTS, 149)
    assert run.manifest.learners["good"].status == "complete"


def test_a_base_that_ends_the_program_fails_its_ensemble(bad: Any) -> None:
    learners = {"bagging": pq.learners.OnlineBagging(base=bad("exit"), n_models=2), "good": "no_change"}
    with pytest.warns(pq.LearnerFailedWarning, match="SystemExit"):
        run = pq.evaluate(pq.streams.SEA(seed=1).take(N), learners)
    assert run.manifest.learners["good"].status == "complete"


def command(*words: str) -> list[str]:
    return [sys.executable, "-c", "from prequential.cli import main; main()", *words]


def started(folder: Path, *more: str) -> subprocess.Popen[str]:
    """Start a run of a slow learner, and wait until it has a manifest."""
    (folder / "bad_learner.py").write_text(LEARNER, encoding="utf-8")
    pq.write(pq.streams.SEA(seed=1).take(3000), folder / "data.csv", overwrite=True)
    words = ["run", "data.csv", "-l", "bad_learner.py:Slow", "-l", "naive_bayes", "--every", "100", "-o", "out", *more]
    process = subprocess.Popen(
        command(*words), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ}
    )
    trace = folder / "out" / "trace"
    while not (trace.is_dir() and any(trace.iterdir())):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    return process


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_a_run_with_a_save_point_and_a_partial_report(tmp_path: Path, number: int, code: int) -> None:
    process = started(tmp_path)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == code, errors
    assert "This run is interrupted: it has what was computed before." in " ".join(errors.split())
    run = pq.load(tmp_path / "out")
    assert run.status == "interrupted"
    n_records = run.manifest.n_records
    assert (tmp_path / "out" / "report.html").is_file()
    assert list((tmp_path / "out" / "save_points").glob("*.state")), "there is a save point at the moment of the signal"
    resumed = subprocess.run(command("run", "out", "--resume", "-q"), cwd=tmp_path, capture_output=True, text=True)
    assert resumed.returncode == 0, resumed.stderr
    assert pq.load(tmp_path / "out").manifest.resumed_at == [n_records]
    whole = subprocess.run(
        command("run", "data.csv", "-l", "bad_learner.py:Slow", "-l", "naive_bayes", "--every", "100", "-o", "whole"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert whole.returncode == 0, whole.stderr
    assert pq.load(tmp_path / "out").to_arrow().equals(pq.load(tmp_path / "whole").to_arrow())


def test_a_run_whose_process_was_killed_reads_as_stopped(tmp_path: Path) -> None:
    process = started(tmp_path, "--no-report")
    assert pq.load(tmp_path / "out").status == "running"
    process.kill()
    process.communicate()
    run = pq.load(tmp_path / "out")
    assert run.status == "stopped"
    assert "Stopped: the run ended after" in str(run.table())
    assert "running" not in str(run.table())
    assert {entry.status for entry in run.manifest.learners.values()} == {"stopped"}
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["status"] == "running"
