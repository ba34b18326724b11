"""The line, column and value that make a CSV file unreadable, found by a slow second reading."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path

from prequential.errors import DataError
from prequential.streams.readers.bad_record import BadRecordError
from prequential.streams.readers.csv_layout import (
    UNREADABLE,
    Layout,
    UnreadableRowError,
    is_number,
    open_text,
    rows_with_lines,
)
from prequential.streams.stream import DEFAULT_CHUNK


def find_fault(
    path: Path,
    layout: Layout,
    numeric: Collection[str],
    missing: Collection[str],
    reason: str,
    decimal: str = ".",
) -> DataError:
    """Return the error for the first row that cannot be read.

    Parameters
    ----------
    path, layout
        The file.
    numeric
        The columns that must contain numbers.
    missing
        Texts of a missing value.
    reason
        The message of the fast reader, for a fault that is not found here.
    decimal
        The decimal mark.
    """
    width = len(layout.names)
    line, record = layout.blank + 1, -int(layout.header)
    columns = [(j, name) for j, name in enumerate(layout.names) if name in numeric]
    try:
        with open_text(path) as text:
            for line, row in rows_with_lines(text, layout.separator):
                if len(row) != width:
                    owner = "the header has" if layout.header else "the first line has"
                    fields = "1 field" if len(row) == 1 else f"{len(row)} fields"
                    return BadRecordError(
                        record,
                        f"{fields}, but {owner} {width}",
                        source=path,
                        row=line,
                        accepted=f"{width} fields separated by {layout.separator!r}, quoted if they contain it",
                    )
                for name, cell in zip(layout.names, row, strict=True):
                    if any("\udc80" <= c <= "\udcff" for c in cell):
                        shown = cell.encode(errors="surrogateescape")
                        return BadRecordError(
                            record,
                            "not UTF-8",
                            source=path,
                            row=line,
                            column=name,
                            value=shown,
                            accepted="text in UTF-8",
                        )
                for j, name in columns if record >= 0 else ():
                    if row[j].strip() not in missing and not is_number(row[j], decimal):
                        return BadRecordError(
                            record,
                            "not a number",
                            source=path,
                            row=line,
                            column=name,
                            value=row[j],
                            accepted=f"a number such as -1{decimal}5 or 2e3, or a missing value ({', '.join(missing)})",
                        )
                record += 1
    except UnreadableRowError as error:
        return BadRecordError(
            record, f"not readable as CSV ({error})", source=path, row=error.line, accepted="quotes in pairs"
        )
    except UNREADABLE as error:
        return BadRecordError(record, f"nothing can be read after this line ({error})", source=path, row=line)
    return DataError(f"not readable as CSV ({reason})", source=path)


def rows_between(path: Path, layout: Layout, start: int, end: int) -> Iterator[list[list[str]]]:
    """Yield the records from ``start`` up to the bad record ``end``, in groups."""
    with open_text(path) as text:
        every = (row for _, row in rows_with_lines(text, layout.separator))
        wanted = islice(every, start + layout.header, end + layout.header)
        while rows := list(islice(wanted, DEFAULT_CHUNK)):
            yield rows


def line_of(path: Path, layout: Layout, record: int) -> int:
    """Return the line on which a record starts."""
    with open_text(path) as text:
        rows = rows_with_lines(text, layout.separator)
        return next(islice((line for line, _ in rows), record + layout.header, None))


def check_end(path: Path, layout: Layout) -> None:
    """Raise an error if the file ends inside quotes: the last field would then contain other records."""
    record = -int(layout.header)
    with open_text(path) as text:
        try:
            for _ in rows_with_lines(text, layout.separator, strict=True):
                record += 1
        except UnreadableRowError as error:
            if "end of data" in str(error):
                raise BadRecordError(
                    record, "a quoted field that never ends", source=path, row=error.line, accepted="quotes in pairs"
                ) from None
