"""What all commands print in the same way: JSON, notes on standard error, the paths of files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text


def print_json(data: object) -> None:
    """Print the result of a command as JSON on standard output."""
    print(json.dumps(data, indent=2, allow_nan=False))  # noqa: T201  # the command's output


def print_note(text: str, style: str = "dim") -> None:
    """Print a line on standard error."""
    Console(stderr=True).print(text, style=style, markup=False, emoji=False, highlight=False, soft_wrap=True)


def print_line(text: str, console: Console, style: str | None = None) -> None:
    """Print a line as it is: not wrapped, without markup, and without pictures for names such as ``:a:``."""
    console.print(text, style=style, markup=False, emoji=False, highlight=False, soft_wrap=True)


def print_entries(title: str, entries: Iterable[tuple[str, Sequence[str]]], console: Console) -> None:
    """Print names in one column and lines about each beside it; names are never cut or broken."""
    table = Table(title=title, title_justify="left", box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("name", no_wrap=True, overflow="ignore")
    table.add_column("text", overflow="fold")
    for name, (first, *others) in entries:
        text = Text(first)
        for line in filter(None, others):
            text.append(f"\n{line}", style="dim")
        table.add_row(Text(name, style="bold"), text)
    console.print(table)


def print_paths(paths: Mapping[str, Path], console: Console, width: int = 7) -> None:
    """Print one line per file: what it is, and its path."""
    for kind, path in paths.items():
        print_line(f"{kind:>{width}}  {path}", console)


def show_progress(*, quiet: bool, as_json: bool) -> bool | None:
    """Return whether to show a progress bar; None: if standard error is a terminal."""
    return False if quiet or as_json else None


def timestamped(folder: str, name: str, suffix: str = "") -> Path:
    """Return a path that does not exist yet, named after the time."""
    return Path(folder) / f"{name}-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}{suffix}"
