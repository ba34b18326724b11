"""Writing CSV files."""

from __future__ import annotations

from itertools import count
from typing import IO

import pyarrow as pa
import pyarrow.compute as pc

from prequential.streams.chunk import Chunk
from prequential.streams.declaration import Declaration
from prequential.streams.readers.encoder import text_of
from prequential.streams.schema import Schema
from prequential.streams.writers.file_columns import FileColumns
from prequential.streams.writers.text_rows import TextRows

_NEEDS_QUOTES = r'[",\r\n\x00\x{feff}]|^\s|\s$|^$'


class CsvWriter:
    """Writes a header and rows separated by commas; the order of classes and the drifts go into a sidecar.

    A missing value is an empty field, unless a value is empty or there is only one column: then it is a question mark
    or a word that is not a value. The sidecar has this word.

    Parameters
    ----------
    file
        The file to write to.
    columns
        The columns.
    """

    sidecar = True

    def __init__(self, file: IO[bytes], columns: FileColumns) -> None:
        self._file, self._columns = file, columns
        self._missing = _missing_word(columns)
        self._rows = TextRows(columns, quoted, self._missing, guarded=False)
        file.write(self._rows.header())

    def write(self, chunk: Chunk) -> None:
        """Write records."""
        self._file.write(self._rows.lines(chunk))

    def abandon(self) -> None:
        """Stop writing; there is nothing to discard."""

    def close(self, schema: Schema, **fields: object) -> Declaration:
        """Return the content of the sidecar."""
        return self._columns.declare(schema, missing=self._missing, **fields)


def quoted(texts: pa.Array) -> pa.Array:
    """Quote texts that contain a comma, a quote or a line break, begin or end with a space, or are empty."""
    doubled = pc.replace_substring(texts, '"', '""')
    in_quotes = pc.binary_join_element_wise(pa.scalar('"'), doubled, pa.scalar('"'), "")
    return pc.if_else(pc.match_substring_regex(texts, _NEEDS_QUOTES), in_quotes, texts)


def _missing_word(columns: FileColumns) -> str:
    """Return a word for missing values that is not a value of any column."""
    taken = {text_of(value).strip() for values in columns.schema.values.values() for value in values or ()}
    if len(columns.names) == 1:
        taken.add("")  # readers skip an empty line
    words = (word for i in count() for word in ([f"missing{i}"] if i else ["", "?", "NA", "missing"]))
    return next(word for word in words if word not in taken)
