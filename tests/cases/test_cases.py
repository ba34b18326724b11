"""What people type, and what they get: each line of the two lists is a case.

`command_lines.txt`: a command line, its exit code, and words of its output. `python_calls.txt`: an expression, the
error that it raises (or ``fine``), and words of the message or of the result's text. No output may show a traceback, a
private name or a memory address.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from cases.files import write_files
from typer.testing import CliRunner

import prequential as pq
from prequential.cli import app

HERE = Path(__file__).parent
NEVER = ("Traceback", "_POSITIONAL", "object at 0x", "__init__", "_native.")


def cases(name: str) -> list[tuple[str, str, list[str]]]:
    """Read a list of cases."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    parts = [line.split(" => ") for line in lines if line and not line.startswith("#")]
    return [(given, result, [word.strip() for word in words.split(";")]) for given, result, words in parts]


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        path = tmp_path_factory.mktemp("cases")
        write_files(path)
        patch.chdir(path)
        yield path


def test_there_are_at_least_200_cases() -> None:
    assert len(cases("command_lines.txt")) + len(cases("python_calls.txt")) >= 200


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("line", "code", "words"), cases("command_lines.txt"))
def test_a_command_line(line: str, code: str, words: list[str], tmp_path: Path) -> None:
    arguments = shlex.split(line)
    if arguments[0] in ("run", "score") and not {"-o", "--resume"} & set(arguments):
        arguments += ["-o", str(tmp_path / "out"), "--no-report"]
    result = CliRunner(env={"COLUMNS": "200"}).invoke(app, arguments)
    output = " ".join(result.output.split())
    assert result.exit_code == int(code), output
    assert [word for word in words if word not in output] == [], output
    assert [word for word in NEVER if word in output] == [], output


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("call", "error", "words"), cases("python_calls.txt"))
def test_a_call(call: str, error: str, words: list[str]) -> None:
    try:
        text, kinds = str(eval(call, {"pq": pq})), ["fine"]
    except Exception as raised:
        text, kinds = str(raised), [cls.__name__ for cls in type(raised).__mro__]
    assert error in kinds, text
    assert [word for word in words if word not in text] == [], text
    assert [word for word in NEVER if word in text] == [], text


@pytest.mark.parametrize("as_json", [False, True])
def test_the_result_is_printed_before_a_full_disk_stops_the_report(
    as_json: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise pq.StorageError("report.html: No space left on device.")

    monkeypatch.setattr(pq.Run, "save_report", full)
    words = ["run", "data.csv", "-l", "no_change", "-o", str(tmp_path / "out")]
    result = CliRunner().invoke(app, [*words, "--json"] if as_json else words)
    assert result.exit_code == 4
    assert "accuracy" in result.output
    assert "No space left on device" in result.output
