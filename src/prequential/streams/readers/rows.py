"""Blocks of plain text rows as record batches, by the native parser; all other rows go to the general parser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
import pyarrow as pa

from prequential import _native

Kind = Literal["skip", "number", "category"]


class Rows:
    """Reads blocks of whole lines into columns of numbers and categories.

    A block is declined if a row holds quotes, braces, comments, escapes, spaces or text beyond ASCII, too few or too
    many cells, or a number in a form that readers may differ on (``+1``, ``.5``, ``1.``, ``0x1``, ``inf``, ``1e999``).

    Parameters
    ----------
    columns
        The kind of each column of the rows, by its name.
    missing
        The texts of a missing value.
    separator
        What stands between cells, one character.
    last_comma
        Whether all rows may end with a separator.
    """

    def __init__(
        self, columns: Mapping[str, Kind], missing: Sequence[str], separator: str = ",", *, last_comma: bool = False
    ) -> None:
        self._columns = dict(columns)
        self._parser = _native.RowParser(list(columns.values()), list(missing), separator, last_comma)

    def read(self, block: bytes) -> tuple[pa.RecordBatch, int] | None:
        """Return the records of a block and its number of lines; None if it is declined."""
        found = self._parser.parse(block)
        if found is None:
            return None
        columns, n_rows, n_lines = found
        arrays: dict[str, pa.Array] = {}
        for (name, kind), column in zip(self._columns.items(), columns, strict=True):
            if kind == "number":
                values, _, missing = column
                arrays[name] = pa.array(values, from_pandas=missing)
            elif kind == "category":
                codes, texts, missing = column
                indices = pa.array(np.maximum(codes, 0), mask=codes < 0) if missing else pa.array(codes)
                arrays[name] = pa.DictionaryArray.from_arrays(indices, pa.array(texts, pa.string()))
        batch = pa.RecordBatch.from_arrays(list(arrays.values()), names=list(arrays))
        assert batch.num_rows == n_rows or not arrays
        return batch, n_lines
