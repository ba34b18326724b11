"""Every command and snippet of docs/testbed.md works as printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from prequential.cli import app

GUIDE = (Path(__file__).parents[1] / "docs" / "testbed.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(blocks("toml")[0], encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("command", re.findall(r"^\$ prequential (.*)$", GUIDE, re.MULTILINE))
def test_a_command_of_the_guide_works(command: str) -> None:
    done = CliRunner().invoke(app, shlex.split(command))
    assert done.exit_code == 0, done.output


@pytest.mark.usefixtures("place")
def test_the_snippets_of_the_guide_work_one_after_the_other() -> None:
    names: dict[str, Any] = {}
    for snippet in blocks("python"):
        exec(snippet, names)
    assert names["curve"].mean == pytest.approx(0.0403, abs=5e-5)
    assert [drift.at for drift in names["stream"].drifts] == [2000, 2500, 2500]
