"""ARFF files, which Weka and MOA read."""

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
from prequential.types import Label

_PLAIN = r"^[A-Za-z0-9_.+\-]+$"
_ESCAPES = (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"))


class ArffWriter:
    """Writes a header that declares all values in order, and dense rows; the drifts go into a sidecar.

    Identifiers are a string attribute, whatever their type: the sidecar says what they were.

    Parameters
    ----------
    file
        Where to write.
    columns
        The columns, of a schema that is not open: values are declared before the first record.
    """

    sidecar = True

    def __init__(self, file: IO[bytes], columns: FileColumns) -> None:
        if columns.schema.open:
            raise InputError(
                "An ARFF file declares all classes and values before the first record, and those of this stream only "
                "appear as it goes on. Accepted: a CSV or Parquet file."
            )
        self._file, self._columns = file, columns
        self._rows = TextRows(columns, quoted, "?", guarded=True)
        lines = ["@relation stream", "", *map(self._attribute, columns.names), "", "@data", ""]
        file.write("\n".join(lines).encode())

    def write(self, chunk: Chunk) -> None:
        """Add some records."""
        self._file.write(self._rows.lines(chunk))

    def abandon(self) -> None:
        """Write no more: nothing is held back."""

    def close(self, schema: Schema, **told: object) -> Declaration:
        """Return what the sidecar is to say."""
        return self._columns.declare(schema, **told)

    def _attribute(self, name: str) -> str:
        schema = self._columns.schema
        values: dict[str, tuple[Label, ...] | None] = {one.name: one.values for one in schema.features}
        values[schema.target] = schema.classes
        declared = values.get(name)
        kind = "string" if name == self._columns.id else "numeric"
        if declared is not None:
            kind = "{" + ",".join(quoted(texts_of(name, declared, trim=True)).to_pylist()) + "}"
        return f"@attribute {quoted(pa.array([name]))[0].as_py()} {kind}"


def quoted(texts: pa.Array) -> pa.Array:
    """Put texts into quotes, with escapes, unless they are made of letters, digits and a few signs."""
    escaped = texts
    for sign, written in _ESCAPES:
        escaped = pc.replace_substring(escaped, sign, written)
    in_quotes = pc.binary_join_element_wise(pa.scalar("'"), escaped, pa.scalar("'"), "")
    return pc.if_else(pc.match_substring_regex(texts, _PLAIN), texts, in_quotes)
