"""Commands that are killed at random moments and resumed have the results of commands that are not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="commands are started by fork")
def test_twenty_kills_change_no_result() -> None:
    """In a process of its own: one that forks may have no threads."""
    words = [sys.executable, "-m", "kills", "--kills", "20", "--seed", "1"]
    ended = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(TESTS)})
    assert ended.returncode == 0, ended.stdout + ended.stderr
    last = ended.stdout.splitlines()[-1].split()
    assert int(last[0]) >= 20
    assert last[1:] == ["kills,", "0", "faults"]
