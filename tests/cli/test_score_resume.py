"""``score`` and ``detect`` on the command line are resumed, and run on any engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import prequential as pq

EXAMPLES = Path(__file__).parents[2] / "examples"
INTERRUPTED = """
import sys
from prequential.runs.save_points import SavePoints
write = SavePoints.write
def interrupting(self, tree):
    write(self, tree)
    raise KeyboardInterrupt
SavePoints.write = interrupting
from prequential.cli import main
sys.argv = ["prequential", *sys.argv[1:]]
main()
"""


def run(*words: object, code: str | None = None, cwd: Path) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", code or "from prequential.cli import main; main()"]
    environment = {**os.environ, "COLUMNS": "200"}
    return subprocess.run([*program, *map(str, words)], capture_output=True, text=True, cwd=cwd, env=environment)


SCORE = ("score", EXAMPLES / "predictions.csv", "--every", 200, "-o")
DELAYED = ("score", "--delayed", EXAMPLES / "late_predictions.csv", EXAMPLES / "late_labels.csv", "--every", 50, "-o")
DETECT = ("detect", EXAMPLES / "data.csv", "--target", "class", "-d", "adwin", "--no-figure", "--directory")


@pytest.mark.parametrize("words", [SCORE, DELAYED, DETECT], ids=["score", "delayed", "detect"])
def test_an_interrupted_command_is_resumed_to_the_same_trace(words: tuple[object, ...], tmp_path: Path) -> None:
    done = run(*words, "whole", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    stopped = run(*words, "run", "--save-seconds", 0, code=INTERRUPTED, cwd=tmp_path)
    assert stopped.returncode == 130, stopped.stderr
    assert pq.load(tmp_path / "run").status == "interrupted"
    assert "Resume it: add --resume to the same command; the run is in run" in " ".join(stopped.stderr.split())
    done = run(*words, "run", "--resume", "--engine", "threads", "--workers", 2, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    resumed, whole = pq.load(tmp_path / "run"), pq.load(tmp_path / "whole")
    assert resumed.status == "complete"
    assert resumed.manifest.resumed_at
    assert resumed.to_arrow().equals(whole.to_arrow()) or str(resumed.to_arrow()) == str(whole.to_arrow())
    assert resumed.alarms().equals(whole.alarms())


@pytest.mark.parametrize(("words", "option"), [(SCORE[:-1], "--output"), (DETECT[:-1], "--directory")])
def test_resuming_needs_the_directory(words: tuple[object, ...], option: str, tmp_path: Path) -> None:
    done = run(*words, "--resume", cwd=tmp_path)
    assert done.returncode == 2
    assert f"--resume needs the directory of the run: {option} DIR." in done.stderr


def test_an_unknown_engine_is_refused_by_its_option(tmp_path: Path) -> None:
    done = run(*SCORE[:-1], "--engine", "cluster", "--json", cwd=tmp_path)
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"].startswith("--engine must be")
