"""Records as lines of text, for CSV and ARFF: a whole chunk at a time, without a loop over records."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prequential.errors import DataError, InputError
from prequential.streams.chunk import Chunk
from prequential.streams.readers.encoder import Codes, text_of
from prequential.streams.writers.file_columns import Column, FileColumns
from prequential.types import Label

Quote = Callable[[pa.Array], pa.Array]
"""Quotes texts where necessary."""


class TextRows:
    """Turns chunks into lines.

    Numbers have as many digits as needed to read the same numbers back. Values of a nominal column are quoted once and
    looked up by their codes.

    Parameters
    ----------
    columns
        The columns of the file.
    quote
        The function that quotes texts.
    missing
        The text of a missing value.
    guarded
        Whether quotes prevent a text from being read as a missing value.
    """

    def __init__(self, columns: FileColumns, quote: Quote, missing: str, *, guarded: bool) -> None:
        self._columns, self._quote, self._missing, self._guarded = columns, quote, missing, guarded
        self._quoted: dict[str, tuple[tuple[Label, ...], pa.Array]] = {}
        for name in columns.names:
            self._check_characters(name, pa.array([name]))

    def header(self) -> bytes:
        """Return the line of column names."""
        return _lines([self._quote(pa.array([name])) for name in self._columns.names])

    def lines(self, chunk: Chunk) -> bytes:
        """Return the lines of a chunk, one per record."""
        return _lines([self._texts(column, chunk.start) for column in self._columns.of_chunk(chunk)])

    def _texts(self, column: Column, start: int) -> pa.Array:
        if column.values is not None:
            places = np.where(np.isnan(column.cells), len(column.values), column.cells).astype(np.int32)
            return self._values(column.name, column.values).take(pa.array(places))
        if column.name == self._columns.id:
            texts = pa.array(column.cells).cast(pa.string())
            self._check(column.name, texts, start)
            return self._quote(texts)
        return pa.array(column.cells, from_pandas=True).cast(pa.string()).fill_null(self._missing)

    def _values(self, name: str, values: tuple[Label, ...]) -> pa.Array:
        """Return the values of a column as text, followed by the text of a missing value."""
        known = self._quoted.get(name)
        if known is None or known[0] != values:
            texts = texts_of(name, values, trim=True)
            self._check(name, texts)
            known = values, pa.concat_arrays([self._quote(texts), pa.array([self._missing])])
            self._quoted[name] = known
        return known[1]

    def _check(self, name: str, texts: pa.Array, start: int | None = None) -> None:
        """Refuse texts that would be read as missing; ``start`` is the index of the first if they are records."""
        self._check_characters(name, texts)
        lost = pc.equal(pc.utf8_trim_whitespace(texts), self._missing)
        if self._guarded or not pc.any(lost).as_py():
            return
        at = lost.index(True).as_py()
        raise DataError(
            "text that would be read as a missing value",
            source="write",
            row=None if start is None else start + at,
            row_kind="record",
            column=name,
            value=texts[at].as_py(),
            accepted="other text, or a Parquet file",
        )

    def _check_characters(self, name: str, texts: pa.Array) -> None:
        if pc.any(pc.match_substring(texts, "\x00")).as_py():
            raise InputError(f"A value in column {name!r} contains a NUL character, at which many programs end a text.")


def texts_of(name: str, values: Sequence[Label], *, trim: bool) -> pa.Array:
    """Return values as texts, which must be distinct."""
    texts = pa.array([text_of(value) for value in values], pa.string())
    found = Codes(values, trim).of(texts)
    wrong = np.flatnonzero(found != np.arange(len(values)))
    if len(wrong):
        one, other = values[int(wrong[0])], values[int(found[wrong[0]])]
        raise InputError(
            f"The values {one!r} and {other!r} of {name!r} are equal as text. Accepted: values that differ as text."
        )
    return texts


def _lines(columns: list[pa.Array]) -> bytes:
    """Join the texts of columns to lines, and return the buffer of the joined Arrow array."""
    rows = pc.binary_join_element_wise(pc.binary_join_element_wise(*columns, ","), "", "\n")
    if isinstance(rows, pa.ChunkedArray):
        rows = rows.combine_chunks()
    offsets = np.frombuffer(rows.buffers()[1], np.int32)[rows.offset : rows.offset + len(rows) + 1]
    return memoryview(rows.buffers()[2])[offsets[0] : offsets[-1]].tobytes()
