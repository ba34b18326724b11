"""Tables in a terminal, in colour if it has any."""

from __future__ import annotations

from typing import Protocol

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from prequential.sheets.plain_text import Line, aligned, footnotes
from prequential.sheets.sheet import Sheet
from prequential.sheets.text_table import TextTable


class HasSheet(Protocol):
    """Anything that can be shown as a table."""

    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes."""


class RichTable:
    """A table that `rich.print` fits to the width of the terminal without cutting off digits."""

    def __init__(self, table: HasSheet) -> None:
        self.table = table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        sheet = self.table.sheet()
        if isinstance(self.table, TextTable) and console.color_system is None:  # a pipe or a file has no bold
            sheet = self.table.marked_sheet()
        if sheet.warning:
            yield Text(f"{sheet.warning}\n", style="bold red" if sheet.warning.startswith("Failed") else "bold yellow")
        yield Text(f"{sheet.caption}\n", style="bold")
        for line in aligned(sheet, options.max_width):
            yield _text(line)
        for note in footnotes(sheet):
            yield Text(note, style="dim")


def rich_table(table: HasSheet) -> RichTable:
    """Return the table for `rich.print`, with the best of each column in bold and failures in red."""
    return RichTable(table)


def _text(line: Line) -> Text:
    text = Text(no_wrap=True, overflow="ignore", end="\n")
    for piece, cell in line:
        style = "dim" if cell is None else "bold green" if cell.best else "red" if cell.bad else ""
        text.append(piece, style)
    text.rstrip()
    return text
