"""Every command and snippet of the README works as printed."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def commands_of(block: str) -> list[str]:
    lines = [line.split("#")[0].strip() for line in block.splitlines()]
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ prequential")]


def commands() -> list[str]:
    return [command for block in blocks("console") for command in commands_of(block)]


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


@pytest.mark.parametrize("block", [block for block in blocks("console") if commands_of(block)])
def test_the_commands_of_the_readme_work(block: str, workplace: Path) -> None:
    for command in commands_of(block):  # one may need what another has written
        words = [str(Path(sys.executable).parent / "prequential"), *shlex.split(command)[1:]]
        done = subprocess.run(words, cwd=workplace, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout


def test_the_snippets_of_the_readme_work_in_order(workplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workplace)
    code = "\n".join(blocks("python"))
    assert "pq.evaluate" in code
    names: dict[str, object] = {}
    exec(compile(code, "README.md", "exec"), names)
    assert (workplace / "report.html").stat().st_size > 100_000
    assert f'"{names["comparison"].conclusion}"' in " ".join(README.split())  # type: ignore[attr-defined]
    assert len(names["frame"]) == 3 * 3 * 10 * 4  # type: ignore[arg-type]


def test_the_table_of_the_readme_is_the_one_that_make_run_prints(tmp_path: Path) -> None:
    program = Path(sys.executable).parent / "prequential"
    done = subprocess.run(
        [program, "run", "-q", "--no-report"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    for line in blocks("text")[0].splitlines():
        assert line in done.stdout


def test_the_scores_of_the_readme_are_those_that_detect_prints(workplace: Path) -> None:
    (command,) = [line for line in commands() if line.startswith("prequential detect")]
    program = Path(sys.executable).parent / "prequential"
    words = [program, *command.split()[1:], "-q", "--no-figure"]
    done = subprocess.run(words, cwd=workplace, capture_output=True, text=True, check=True)
    for line in blocks("text")[2].splitlines():
        assert line in done.stdout


def test_the_events_of_the_readme_are_those_that_score_prints(workplace: Path) -> None:
    (command,) = [line for line in commands() if line.startswith("prequential score --delayed")]
    program = Path(sys.executable).parent / "prequential"
    words = [program, *command.split()[1:], "--no-report"]
    done = subprocess.run(words, cwd=workplace, capture_output=True, text=True, check=True)
    for line in blocks("text")[1].splitlines():
        assert line.partition(": see")[0] in done.stdout


def test_the_links_of_the_readme_lead_somewhere() -> None:
    headings = [line.lstrip("# ").lower().replace(" ", "-") for line in README.splitlines() if line.startswith("#")]
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert target.removeprefix("#") in headings if target.startswith("#") else (ROOT / target).exists(), target


def test_the_example_of_peeking_shows_what_it_says(workplace: Path) -> None:
    done = subprocess.run(
        [sys.executable, "examples/peeking.py"], cwd=workplace, capture_output=True, text=True, check=True
    )
    rates = [float(line.split()[-1].rstrip("%")) for line in done.stdout.splitlines()[1:]]
    once, often, always, sequence, e_process = rates
    assert once < 2 < often < always
    assert always > 9
    assert sequence <= 1
    assert e_process <= 1.6


def test_the_example_of_roc_curves_runs(workplace: Path) -> None:
    done = subprocess.run(
        [sys.executable, "examples/roc_over_time.py"], cwd=workplace, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (workplace / "roc_over_time.png").stat().st_size > 10_000


def test_the_example_script_runs(workplace: Path) -> None:
    pytest.importorskip("river")
    pytest.importorskip("sklearn")
    done = subprocess.run(
        [sys.executable, "examples/compare_libraries.py"], cwd=workplace, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (workplace / "comparison.html").exists()
