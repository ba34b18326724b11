"""A table that is only a sheet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from prequential.sheets.plain_text import plain
from prequential.sheets.printable import Printable, sheet_dicts
from prequential.sheets.sheet import Cell, Sheet


@dataclass(frozen=True, slots=True, repr=False)
class TextTable(Printable):
    """A sheet, and the formats to write it in.

    Parameters
    ----------
    content
        The sheet.
    starred
        Whether plain text, which has no bold, marks the best of each row with a star.
    data
        The rows as data, if they are more than what the sheet shows.
    """

    content: Sheet
    starred: bool = False
    data: tuple[dict[str, Any], ...] | None = None

    def __str__(self) -> str:
        return plain(self.marked_sheet())

    def marked_sheet(self) -> Sheet:
        """Return the table for places without bold: with stars, if it is ``starred``."""
        return _starred(self.content) if self.starred else self.content

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per row: its data if there are any, otherwise numbers and texts by heading."""
        if self.data is not None:
            return [dict(row) for row in self.data]
        return sheet_dicts(self.content)

    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes."""
        return self.content


def _starred(sheet: Sheet) -> Sheet:
    """Append a star to the best of each row, and a space to the other numbers."""
    rows = tuple((row[0], *map(_marked, row[1:])) for row in sheet.rows)
    heads = (sheet.headings[0], *(replace(head, title=f"{head.title} ") for head in sheet.headings[1:]))
    return replace(sheet, rows=rows, headings=heads)


def _marked(cell: Cell) -> Cell:
    return replace(cell, text=f"{cell.text}{'*' if cell.best else ' '}") if cell.text else cell
