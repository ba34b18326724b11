"""What docs/power.md prints is what comes out."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from prequential.cli import app

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "power.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)


def test_the_command_of_the_guide_prints_the_table_of_the_guide() -> None:
    (block,) = blocks("console")
    command, _, shown = block.partition("\n")
    done = CliRunner().invoke(app, shlex.split(command.removeprefix("$ prequential")), env={"COLUMNS": "100"})
    assert done.exit_code == 0, done.output
    printed = "\n".join(line.rstrip() for line in done.output.splitlines())
    assert printed.startswith(shown.rstrip())


def test_the_snippet_of_the_guide_works() -> None:
    names: dict[str, Any] = {}
    (snippet,) = blocks("python")
    exec(snippet, names)
    assert len(names["frame"]) == 2 * 2 * 3 * 3
    assert names["stricter"].design.alpha == 0.01
    assert len(names["figure"].axes) == 3


def test_table_2_has_a_row_a_test_and_protocol() -> None:
    words = ["--n", "200", "--runs", "1", "--size", "1", "--folds", "6"]
    script = str(ROOT / "examples" / "table2_power.py")
    done = subprocess.run([sys.executable, script, *words], capture_output=True, text=True, check=True)
    rows = done.stdout.splitlines()
    assert len(rows) == 2 + 6
    assert rows[2].startswith("| McNemar, non-prequential | ")
    assert rows[2].endswith("/ 0.75 |")
