"""Writing ARFF files, the format of Weka and MOA."""

from __future__ import annotations

from typing import IO

import pyarrow as pa
import pyarrow.compute as pc

from prequential.errors import InputError
from prequential.streams.chunk import Chunk
from prequential.streams.declaration import Declaration
from prequential.streams.schema import Schema
from prequential.streams.writers.file_columns import FileColumns
from prequential.streams.writers.text_rows import TextRows, texts_of

_PLAIN = r"^[A-Za-z0-9_.+\-]+$"
_ESCAPES = (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"))


class ArffWriter:
    """Writes a header that declares all values in order, and dense rows; the drifts go into a sidecar.

    Identifiers become a string attribute; the sidecar has their type.

    Parameters
    ----------
    file
        The file to write to.
    columns
        The columns, of a schema that is not open: values are declared before the first record.
    """

    sidecar = True

    def __init__(self, file: IO[bytes], columns: FileColumns) -> None:
        if columns.schema.open:
            raise InputError(
                "An ARFF file declares all classes and values before the first record, but new ones may appear while "
                "this stream is read. Accepted: a CSV or Parquet file."
            )
        self._file, self._columns = file, columns
        self._rows = TextRows(columns, quoted, "?", guarded=True)
        lines = ["@relation stream", "", *map(self._attribute, columns.names), "", "@data", ""]
        file.write("\n".join(lines).encode())

    def write(self, chunk: Chunk) -> None:
        """Write records."""
        self._file.write(self._rows.lines(chunk))

    def abandon(self) -> None:
        """Stop writing; there is nothing to discard."""

    def close(self, schema: Schema, **fields: object) -> Declaration:
        """Return the content of the sidecar."""
        return self._columns.declare(schema, **fields)

    def _attribute(self, name: str) -> str:
        declared = self._columns.schema.values.get(name)
        kind = "string" if name == self._columns.id else "numeric"
        if declared is not None:
            kind = "{" + ",".join(quoted(texts_of(name, declared, trim=True)).to_pylist()) + "}"
        return f"@attribute {quoted(pa.array([name]))[0].as_py()} {kind}"


def quoted(texts: pa.Array) -> pa.Array:
    """Quote texts, with escapes, unless they consist of letters, digits and a few other characters."""
    escaped = texts
    for sign, written in _ESCAPES:
        escaped = pc.replace_substring(escaped, sign, written)
    in_quotes = pc.binary_join_element_wise(pa.scalar("'"), escaped, pa.scalar("'"), "")
    return pc.if_else(pc.match_substring_regex(texts, _PLAIN), texts, in_quotes)
