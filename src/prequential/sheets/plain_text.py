"""A sheet as aligned plain text, for files and terminals."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from rich.cells import cell_len

from prequential.sheets.sheet import GAP, WIDEST, Cell, Sheet

Line: TypeAlias = "list[tuple[str, Cell | None]]"
"""Pieces of text, each with the cell it shows; None for headings and space."""


def plain(sheet: Sheet) -> str:
    """Write a sheet as aligned text; a wide one in blocks, each headed by the name of its group of columns."""
    lines = [sheet.warning, ""] if sheet.warning else []
    lines += [sheet.caption, ""]
    lines += ["".join(text for text, _ in line).rstrip() for line in aligned(sheet)]
    return "\n".join([*lines, *footnotes(sheet)]).rstrip()


def aligned(sheet: Sheet, width: int = WIDEST) -> list[Line]:
    """Return the lines of the table, cut into blocks of at most ``width`` characters, with an empty line after each.

    A very long name is on a separate line.
    """
    lines: list[Line] = []
    long = [row[0] if cell_len(row[0].text) > max(30, width // 2) else None for row in sheet.rows]
    rows = [(row[0] if name is None else Cell(""), *row[1:]) for name, row in zip(long, sheet.rows, strict=True)]
    sheet = replace(sheet, rows=tuple(rows))
    blocks = sheet.blocks(width)
    names = max([sheet.text_width(0) + sheet.mark_width(0), *(cell_len(title) for title, _ in blocks)])
    for title, columns in blocks:
        head: Line = [(_pad(title or sheet.headings[0].title, names), None)]
        if any(sheet.headings[i].over for i in columns):
            lines.append(head + [(_over(over, sheet, span), None) for over, span in sheet.spans(columns)])
            head = [(" " * names, None)]
        lines.append(head + [(_column(Cell(sheet.headings[i].title), sheet, i), None) for i in columns])
        for row, long_name in zip(sheet.rows, long, strict=True):
            if long_name is not None:
                lines.append([(long_name.text + long_name.marks, long_name)])
            name: Line = [(_pad(row[0].text + row[0].marks, names), row[0])]
            lines.append(name + [(_column(row[i], sheet, i), row[i]) for i in columns])
        lines.append([])
    return lines


def footnotes(sheet: Sheet) -> list[str]:
    """Return the footnotes, one per line, and the remark."""
    notes = [f"{Cell('', notes=(i,)).marks} {note}" for i, note in enumerate(sheet.notes, start=1)]
    return [*notes, *([sheet.remark] if sheet.remark else [])]


def _column(cell: Cell, sheet: Sheet, column: int) -> str:
    """Align numbers by their last digit, with footnote marks outside."""
    text = _pad(cell.text, sheet.text_width(column), right=sheet.headings[column].number)
    return " " * GAP + text + _pad(cell.marks, sheet.mark_width(column))


def _over(over: str, sheet: Sheet, span: range) -> str:
    """Draw a line over columns, with their title in the middle."""
    width = sum(GAP + sheet.text_width(i) + sheet.mark_width(i) for i in span) - GAP
    name = f" {over} " if over and cell_len(over) + 4 <= width else over
    left = (width - cell_len(name)) // 2
    sign = "─" if over else " "
    return " " * GAP + sign * left + name + sign * (width - cell_len(name) - left)


def _pad(text: str, width: int, *, right: bool = False) -> str:
    space = " " * (width - cell_len(text))
    return space + text if right else text + space
