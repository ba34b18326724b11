"""The layout of a CSV file: separator, header and names; and its rows with their line numbers."""

from __future__ import annotations

import csv
import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from prequential.errors import DataError, InputError, ParameterError

SEPARATORS = (",", ";", "\t", "|")
SAMPLE = 1 << 16
UNREADABLE = (OSError, EOFError, zlib.error)
"""The errors that reading a damaged or compressed file may raise."""
NUMBER = re.compile(r"\s*-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*|\s*[-+]?(inf|infinity|nan)\s*", re.IGNORECASE)


def is_number(cell: str, decimal: str = ".") -> bool:
    """Whether a cell is a number with this decimal mark."""
    if decimal != ".":
        if "." in cell:
            return False
        cell = cell.replace(decimal, ".")
    return NUMBER.fullmatch(cell) is not None


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a CSV file.

    Parameters
    ----------
    separator
        The delimiter.
    header
        Whether the first row has names.
    names
        The names of the columns: those of the header, or x0, x1, …
    blank
        Number of empty lines before the first row.
    longest
        Length of the longest of the first lines.
    """

    separator: str
    header: bool
    names: tuple[str, ...]
    blank: int = 0
    longest: int = 0


def open_text(path: Path) -> TextIO:
    """Open a text file, compressed or not; bytes that are not UTF-8 become surrogates, to be reported later."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", errors="surrogateescape", newline="")
    return path.open(encoding="utf-8-sig", errors="surrogateescape", newline="")


class UnreadableRowError(Exception):
    """A row that is not CSV, with the line it starts on."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def rows_with_lines(text: Iterable[str], separator: str, *, strict: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Yield every non-empty row with the line on which it starts; ``strict`` refuses wrong quotes."""
    reader = csv.reader(text, delimiter=separator, strict=strict)
    line = 1
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise UnreadableRowError(line, str(error)) from None
        if row:
            yield line, row
        line = reader.line_num + 1


def find_layout(
    path: Path, separator: str | None, header: bool | None, missing: Iterable[str], decimal: str = "."
) -> Layout:
    """Detect the layout of a file from its first lines, except what is given."""
    if separator is not None and len(separator) != 1:
        raise ParameterError("separator", "CsvStream", "one character", separator)
    lines = _beginning(path)
    blank = next((i for i, line in enumerate(lines) if line.strip("\r\n")), len(lines))
    if blank == len(lines):
        raise InputError(f"{path} is empty. Accepted: a file with at least one record.")
    separator = separator or max((s for s in SEPARATORS if s != decimal), key=lambda s: _fit(lines, s))
    try:
        rows = [row for _, row in rows_with_lines(lines[blank:], separator)][:50]
    except UnreadableRowError as error:
        raise DataError(f"not readable as CSV ({error})", source=path, row=blank + error.line) from None
    if header is None:
        header = _looks_like_header(rows, set(missing), decimal)
    names = tuple(cell.strip() for cell in rows[0]) if header else tuple(f"x{j}" for j in range(len(rows[0])))
    wrong = next((name for name in names if not _is_utf8(name)), None)
    if wrong is not None:
        raise DataError(
            "a column name that is not UTF-8",
            source=path,
            row=blank + 1,
            value=wrong.encode("utf-8", "surrogateescape"),
            accepted=f"text in UTF-8; convert the file first, for example with iconv -f {_encoding(names[0])} -t utf8",
        )
    nul = next((name for name in names if "\0" in name), None)
    if nul is not None:
        raise DataError(
            "a column name with a NUL byte",
            source=path,
            row=blank + 1,
            value=nul,
            accepted="text in UTF-8; convert UTF-16 first, for example with iconv -f utf16 -t utf8",
        )
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise DataError(
            "a column name that occurs twice",
            source=path,
            row=blank + 1,
            value=twice,
            accepted="distinct names; header=False if the first line is a record",
        )
    return Layout(separator, header, names, blank, max(len(line) for line in lines))


def declared_layout(path: Path, names: tuple[str, ...]) -> Layout | None:
    """Return the layout of a file whose first row consists of these names; None for another first row."""
    lines = _beginning(path)
    try:
        first = next(rows_with_lines(lines, ","), None)
    except UnreadableRowError:
        return None
    if first is None or tuple(first[1]) != names:
        return None
    return Layout(",", True, names, 0, max(len(line) for line in lines))


def _encoding(first: str) -> str:
    """Return the probable encoding of a file, by its first name: UTF-16 begins with a byte order mark."""
    start = first.encode("utf-8", "surrogateescape")[:2]
    return "utf16" if start in (b"\xff\xfe", b"\xfe\xff") else "latin1"


def _is_utf8(text: str) -> bool:
    """Whether the text has no surrogates, which stand for bytes that are not UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _beginning(path: Path) -> list[str]:
    """Return the first lines, at least three even if they are long; fewer if the file is short or damaged."""
    lines: list[str] = []
    size = 0
    try:
        with open_text(path) as text:
            while (size < SAMPLE or len(lines) < 3) and (line := text.readline()):
                lines.append(line)
                size += len(line)
    except UNREADABLE as error:
        if not lines:
            raise DataError(f"cannot be read ({error})", source=path, row=1) from None
    return lines


def _fit(lines: list[str], separator: str) -> tuple[bool, int]:
    """Rate a separator: whether all rows have the same number of fields, and how many fields."""
    try:
        counts = [len(row) for _, row in rows_with_lines(lines, separator)][:50]
    except UnreadableRowError:
        return False, 0
    return len(set(counts)) == 1 and counts[0] > 1, counts[0] if counts else 0


def _looks_like_header(rows: list[list[str]], missing: set[str], decimal: str) -> bool:
    """Whether the first row has names: these are not numbers, and the cell below at least one is a number."""
    numeric = [is_number(cell, decimal) for cell in rows[0]]
    if len(rows) == 1 or not any(numeric):
        return not any(numeric)
    below = [is_number(cell, decimal) for cell in rows[1]]
    return any(b and not a and cell not in missing for a, b, cell in zip(numeric, below, rows[0], strict=False))
