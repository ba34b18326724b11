"""Text columns of typed tables whose values are numbers, all or all except a few.

Such a column is meant to be numeric. It is not made nominal silently because of one other text.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from prequential.errors import DataError
from prequential.streams.readers.number import NotANumberError
from prequential.streams.readers.number import numbers as parsed_numbers

FIRST_ROWS = 1000
"""Number of first values, without missing ones, that decide whether a column is numeric or nominal."""
NUMERIC_SHARE = 0.99
"""A column of which at least this share of the first values are numbers must contain only numbers."""
NUMBER = r"^\s*-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*$"


class TextNumbers:
    """The first values of a text column, and its first value that is not a number."""

    def __init__(self) -> None:
        self._first: pa.Array | None = None
        self._text: tuple[int, str] | None = None

    def add(self, cells: pa.Array, start: int) -> None:
        """Add a part of the column that begins at record ``start``; one of categories was meant to have texts."""
        if pa.types.is_dictionary(cells.type):
            return
        self._first = first_values(self._first, cells)
        if self._text is None:
            try:
                parsed_numbers(cells)
            except NotANumberError as error:
                self._text = start + error.at, str(error.value)

    def check(self, column: str, source: str | Path, chosen: str) -> None:
        """Refuse a text among numbers; ``chosen`` says how to accept it."""
        if self._text is None or self._first is None or share_of(self._first, NUMBER) < NUMERIC_SHARE:
            return
        record, value = self._text
        raise DataError(
            "not a number, in a text column that otherwise holds numbers",
            source=source,
            row=record,
            row_kind="record",
            column=column,
            value=value,
            accepted=f"numbers; or {chosen} if these are categories",
        )


def first_values(known: pa.Array | None, cells: pa.Array) -> pa.Array:
    """Return the first values of a column, without missing ones, of which ``known`` came before ``cells``."""
    if known is not None and len(known) >= FIRST_ROWS:
        return known
    present = cells.slice(0, 2 * FIRST_ROWS).drop_null().slice(0, FIRST_ROWS)
    return present if known is None else pa.concat_arrays([known, present]).slice(0, FIRST_ROWS)


def share_of(cells: pa.Array, pattern: str) -> float:
    """Return the share of texts that match a pattern."""
    return pc.sum(pc.match_substring_regex(cells, pattern)).as_py() / len(cells) if len(cells) else 0.0
