"""A table that prints as text and shows itself in a notebook."""

from __future__ import annotations

from dataclasses import dataclass, replace

from prequential.report.plain import plain
from prequential.report.sheet import Cell, Sheet
from prequential.report.typeset import html, latex, markdown


@dataclass(frozen=True, slots=True)
class TextTable:
    """A sheet, and the ways to write it.

    Parameters
    ----------
    content
        The sheet.
    starred
        Whether the best are marked by a star in plain text, which has no boldface.
    """

    content: Sheet
    starred: bool = False

    def __str__(self) -> str:
        return plain(_starred(self.content) if self.starred else self.content)

    def _repr_html_(self) -> str:
        return html(self.content)

    def to_markdown(self) -> str:
        """Return the table in Markdown."""
        return markdown(self.content)

    def to_latex(self) -> str:
        """Return a LaTeX table (for booktabs)."""
        return latex(self.content)

    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes."""
        return self.content


def _starred(sheet: Sheet) -> Sheet:
    """Put a star behind the best of each row, and as much space behind the other numbers."""
    rows = tuple((row[0], *map(_marked, row[1:])) for row in sheet.rows)
    heads = (sheet.headings[0], *(replace(head, title=f"{head.title} ") for head in sheet.headings[1:]))
    return replace(sheet, rows=rows, headings=heads)


def _marked(cell: Cell) -> Cell:
    return replace(cell, text=f"{cell.text}{'*' if cell.best else ' '}") if cell.text else cell
