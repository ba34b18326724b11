"""A slow second look at a CSV file that could not be read: which line, which column, which value."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from pathlib import Path

from prequential.errors import DataError
from prequential.streams.readers.csv_layout import (
    NUMBER,
    UNREADABLE,
    Layout,
    UnreadableRowError,
    open_text,
    rows_with_lines,
)


def find_fault(
    path: Path, layout: Layout, numeric: Collection[str], missing: Collection[str], reason: str
) -> DataError:
    """Return the error of the first row that cannot be read.

    Parameters
    ----------
    path, layout
        The file.
    numeric
        The columns that must hold numbers.
    missing
        What stands for a missing value.
    reason
        What the fast reader said, in case the fault cannot be found.
    """
    width = len(layout.names)
    line = layout.blank + 1
    columns = [(j, name) for j, name in enumerate(layout.names) if name in numeric]
    try:
        with open_text(path) as text:
            for line, row in rows_with_lines(text, layout.separator):
                if len(row) != width:
                    owner = "the header has" if layout.header else "the first line has"
                    fields = "1 field" if len(row) == 1 else f"{len(row)} fields"
                    return DataError(
                        f"{fields} where {owner} {width}",
                        source=path,
                        row=line,
                        accepted=f"{width} fields separated by {layout.separator!r}, in quotes where they hold one",
                    )
                for name, cell in zip(layout.names, row, strict=True):
                    if any("\udc80" <= c <= "\udcff" for c in cell):
                        shown = cell.encode(errors="surrogateescape")
                        return DataError(
                            "not UTF-8", source=path, row=line, column=name, value=shown, accepted="text in UTF-8"
                        )
                if line == layout.blank + 1 and layout.header:
                    continue
                for j, name in columns:
                    if row[j].strip() not in missing and not NUMBER.fullmatch(row[j]):
                        return DataError(
                            "not a number",
                            source=path,
                            row=line,
                            column=name,
                            value=row[j],
                            accepted=f"a number such as -1.5 or 2e3, or a missing value ({', '.join(missing)})",
                        )
    except UnreadableRowError as error:
        return DataError(f"not readable as CSV ({error})", source=path, row=error.line, accepted="quotes in pairs")
    except UNREADABLE as error:
        return DataError(f"cannot be read to its end ({error})", source=path, row=line)
    return DataError(f"not readable as CSV ({reason})", source=path)


def line_of(path: Path, layout: Layout, record: int) -> int:
    """Return the line a record starts on."""
    with open_text(path) as text:
        rows = rows_with_lines(text, layout.separator)
        return next(islice((line for line, _ in rows), record + layout.header, None))


def check_end(path: Path, layout: Layout) -> None:
    """Raise an error if the file ends within quotes: the last field has then swallowed records."""
    with open_text(path) as text:
        try:
            for _ in rows_with_lines(text, layout.separator, strict=True):
                pass
        except UnreadableRowError as error:
            if "end of data" in str(error):
                raise DataError(
                    "a quoted field that never ends", source=path, row=error.line, accepted="quotes in pairs"
                ) from None
