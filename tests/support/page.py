"""Run the code of a Markdown page as printed, from top to bottom, in the working directory.

- ``python``: executed; all blocks of a page share their names.
- ``console``: each line that starts with ``$`` is a command; the lines below it are its output.
- ``text``: output of the block above it.
- ``toml``: a file, if the sentence above it ends with its name: "This is `mine.toml`:".

Output is compared line by line; lines may be left out, and ``…`` in a line matches any text. A block in any other
language and an unknown command are errors, so everything on a page is checked.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from typer.testing import CliRunner

from prequential.cli import app

COLUMNS = "100"
NOT_RUN = {
    r"make (test|check|bench|setup|sanitize|stubs|mutate)\b": "it is how the tests themselves are started",
    r"(pip install|source|export|git clone|cd) ": "it changes the environment",
    r"ray ": "it needs a second machine",
    r"prequential detect LED --n 256e3 ": "it takes a minute; tests/parity/test_papers_delays.py runs a part of it",
    r"prequential .*--engine ray": "tests/contracts/test_ray.py runs it",
}
"""Commands that are not run, with the reason."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page."""

    language: str
    text: str
    line: int
    file: str | None
    """The name of the file that the sentence above announces."""


def blocks(page: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page in order."""
    for found in re.finditer(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        above = re.search(r"`([\w.-]+)`:\s*\Z", page[: found.start()])
        line = page.count("\n", 0, found.start()) + 1
        yield Block(found[1], found[2], line, above[1] if above else None)


def run_page(path: Path) -> dict[str, Any]:
    """Run all blocks of a page; return the names that its Python snippets have defined."""
    module = ModuleType(f"page_{path.stem}")
    sys.modules[module.__name__] = module  # so that classes of the page can be pickled
    names = vars(module)
    output = ""
    for block in blocks(path.read_text(encoding="utf-8")):
        where = f"{path.name}, line {block.line}"
        if block.language == "python":
            output = _run_snippet(block, path, names)
        elif block.language == "console":
            output = "".join(_run_commands(block, where))
        elif block.language == "text":
            check_output(block.text, output, where)
        elif block.language == "toml":
            if block.file:
                Path(block.file).write_text(block.text, encoding="utf-8")
        else:
            raise AssertionError(f"{where}: blocks of {block.language or 'no language'} are not checked")
    return names


def _run_snippet(block: Block, path: Path, names: dict[str, Any]) -> str:
    printed = io.StringIO()
    code = "\n" * block.line + block.text  # so that a traceback has the line of the page
    with contextlib.redirect_stdout(printed):
        exec(compile(code, str(path), "exec"), names)
    return printed.getvalue()


def _run_commands(block: Block, where: str) -> Iterator[str]:
    for found in re.finditer(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
        command, shown = found[1].replace("\\\n", " "), found[2]
        output = run_command(command, where)
        if output is None:
            assert not shown, f"{where}: the output of {command!r} is not checked"
            continue
        check_output(shown, output, where)
        yield output


def run_command(command: str, where: str) -> str | None:
    """Run a command that must succeed; return its output, or None if it is not run here."""
    if any(re.match(pattern, command) for pattern in NOT_RUN):
        return None
    words = shlex.split(command, comments=True)
    if words == ["make", "run"]:
        words = ["prequential", "demo"]
    if words[0] == "prequential":  # in this process, because starting another one takes a second
        done = CliRunner().invoke(app, words[1:], env={"COLUMNS": COLUMNS})
        assert done.exit_code == 0, f"{where}: {command}: {done.output}{done.exception!r}"
        return done.stdout
    assert words[0] == "python", f"{where}: unknown command {command!r}"
    script = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True, check=False)
    assert script.returncode == 0, f"{where}: {command}: {script.stderr}"
    return script.stdout


def check_output(shown: str, output: str, where: str) -> None:
    """Check that the lines shown are among those printed, in the same order."""
    printed = iter([line.rstrip() for line in output.splitlines()])
    for line in shown.splitlines():
        pattern = ".*".join(map(re.escape, line.rstrip().split("…")))
        assert any(re.fullmatch(pattern, one) for one in printed), (
            f"{where}: {line!r} is not printed, or not in this place. Printed:\n{output}"
        )
