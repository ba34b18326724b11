"""The two commands of the README set up what they need, and no more."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def recipe(goal: str, venv: Path) -> str:
    """Return what make would do."""
    words = ["make", "--dry-run", "--directory", str(ROOT), f"VENV={venv}", goal]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("goal", "installed", "other"), [("run", "--editable .\n", "[dev]"), ("test", "'.[dev]'\n", "")]
)
def test_a_fresh_clone_installs_what_the_goal_needs(tmp_path: Path, goal: str, installed: str, other: str) -> None:
    said = recipe(goal, tmp_path / ".venv")
    assert "-m venv" in said
    assert installed in said
    assert not other or other not in said


def test_after_the_tests_nothing_is_installed_to_run_but_after_a_run_the_tools_are(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("bin/python", ".base"):
        (tmp_path / name).touch()
    assert "install" not in recipe("run", tmp_path)
    assert "'.[dev]'" in recipe("test", tmp_path)
    assert f"touch {tmp_path}/.base {tmp_path}/.ready" in recipe("test", tmp_path), "make run has then nothing to do"
