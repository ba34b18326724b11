"""Several files read one after the other as one stream: a list, a pattern, or a directory."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path

import numpy as np
import pyarrow as pa

from prequential.errors import DataError, InputError, MissingFileError
from prequential.streams.chunk import Chunk
from prequential.streams.readers.bad_record import BadRecordError
from prequential.streams.readers.columns import Columns
from prequential.streams.readers.csv import CsvStream
from prequential.streams.readers.csv_inference import TextSurvey
from prequential.streams.readers.inference import infer
from prequential.streams.readers.table_stream import TableStream, schema_columns
from prequential.streams.schema import Schema
from prequential.wording import listing

_PATTERN = frozenset("*?[")


class PartsStream(TableStream):
    """The records of several files with the same columns, in the order given.

    Parameters
    ----------
    parts
        The files, opened with the same options.
    source
        What they are called in messages, such as their directory.
    name
        The name of the stream.
    """

    def __init__(self, parts: Sequence[TableStream], source: str, name: str) -> None:
        self.parts = tuple(parts)
        self.source, self.name = source, name
        self.events, self.trim = parts[0].events, parts[0].trim
        self._options, self._declared = parts[0]._options, parts[0]._declared
        lengths = [part.n_records for part in parts]
        self.n_records = None if None in lengths else sum(n for n in lengths if n is not None)
        names = parts[0].column_names
        for part in parts[1:]:
            if set(part.column_names) != set(names):
                raise DataError(
                    f"the columns ({listing(part.column_names)}) differ from those of {parts[0].source}",
                    source=part.source,
                    accepted=listing(names),
                )
            if isinstance(part, CsvStream) != isinstance(parts[0], CsvStream):
                raise InputError(
                    f"{parts[0].source} and {part.source} cannot be read as one stream. Accepted: files of one format."
                )

    @property
    def column_names(self) -> list[str]:
        """All columns, in the order of the first file."""
        return self.parts[0].column_names

    @cached_property
    def columns(self) -> Columns:
        """The roles of the columns, the same in every file."""
        return self.parts[0].columns

    def column_type(self, name: str) -> pa.DataType:
        """Return the type of a column that holds the values of every file."""
        kinds = list(dict.fromkeys(part.column_type(name) for part in self.parts))
        kinds = [kind for kind in kinds if not pa.types.is_null(kind)] or kinds
        if len(kinds) == 1:
            return kinds[0]
        if all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in kinds):
            return pa.int64() if all(map(pa.types.is_integer, kinds)) else pa.float64()
        raise DataError(
            f"different types in its files ({listing(map(str, kinds))})",
            source=self.source,
            column=name,
            accepted="one type per column",
        )

    def raw(self, names: Sequence[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Read columns of all files, each batch with the index of its first row."""
        kinds = {name: self.column_type(name) for name in names}
        for start, part in zip(self._starts, self.parts, strict=True):
            for at, batch in part.raw(names):
                same = [_as_type(batch.column(name), kinds[name]) for name in names]
                yield start + at, pa.record_batch(same, list(names))

    def fault(self, problem: str, row: int, column: str, value: object, accepted: str) -> BadRecordError:
        """Return the error for a bad value, with its place in its file."""
        part, at = self._part_of(row)
        return part.fault(problem, at, column, value, accepted)

    def locate(self, record: int) -> tuple[int, str]:
        """Return the place of a record in its file."""
        part, at = self._part_of(record)
        line, kind = part.locate(at)
        return line, f"{part.source}, {kind}"

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest."""
        return {
            **super().describe(),
            "format": "files",
            "path": self.source,
            "parts": [part.describe() for part in self.parts],
            "options": {**self.columns.describe(), "schema": self._schema_origin},
        }

    def _usual_targets(self) -> tuple[str, ...]:
        return self.parts[0]._usual_targets()

    def _find_schema(self) -> Schema:
        found = self._joint_schema()
        for part in self.parts:
            part.declare(found)
        return found

    def _joint_schema(self) -> Schema:
        names = self.column_names
        if self._declared is not None:
            return schema_columns(self._declared, self.columns, names, self.source)

        def read(wanted: list[str]) -> Iterator[pa.RecordBatch]:
            return (batch for _, batch in self.raw(wanted))

        first = self.parts[0]
        if isinstance(first, CsvStream):
            return TextSurvey(self.columns, names, self.source, self._place, first.decimal).schema(read)
        return infer(self.columns, {name: self.column_type(name) for name in names}, read, source=self.source)

    def _batches(self, start: int) -> Iterator[tuple[int, pa.RecordBatch]]:
        raise NotImplementedError  # the files encode their own batches

    def _pieces(self, start: int) -> Iterator[Chunk]:
        assert self.schema is not None  # the files are read with the schema of all of them
        at, latest = 0, -np.inf
        for part in self.parts:
            n_known = part.n_records
            if n_known is not None and at + n_known <= start:
                at += n_known
                continue
            n_read = 0
            for piece in part._pieces(0):
                if piece.time is not None and len(piece) and not self.events:
                    if piece.time[0] < latest:
                        accepted = f"files in order of time: at least {latest:.17g} seconds"
                        column = self.columns.time or ""
                        raise part.fault("time runs backwards", piece.start, column, float(piece.time[0]), accepted)
                    latest = float(piece.time[-1])
                n_read = piece.start + len(piece)
                yield replace(piece, start=at + piece.start)
            at += n_read

    def _place(self, record: int) -> tuple[str, int]:
        """Return the file and the line of a record."""
        part, at = self._part_of(record)
        return part.source, part.locate(at)[0]

    def _part_of(self, record: int) -> tuple[TableStream, int]:
        """Return the file of a record, and its index there."""
        k = bisect_right(self._starts, record) - 1
        return self.parts[k], record - self._starts[k]

    @cached_property
    def _starts(self) -> list[int]:
        """The index of the first record of each file; a file that does not say how many it has is counted."""
        return [0, *accumulate(map(_length, self.parts[:-1]))]


def _as_type(column: pa.Array, kind: pa.DataType) -> pa.Array:
    return column if column.type == kind or pa.types.is_dictionary(column.type) else column.cast(kind)


def _length(part: TableStream) -> int:
    if part.n_records is not None:
        return part.n_records
    return sum(batch.num_rows for _, batch in part.raw(part.column_names[:1]))


def joint_name(given: Sequence[Path], parts: Sequence[TableStream]) -> str:
    """Return the name of several files: that of their directory, the pattern without its marks, or the first and more.

    Examples
    --------
    >>> joint_name([Path("logs/scores-*.csv")], [])
    'scores'
    """
    if len(given) == 1:
        return plain_stem(given[0])
    return f"{parts[0].name}+{len(parts) - 1}"


def plain_stem(path: Path) -> str:
    """Return the name of a file without its suffix, of a directory, or of a pattern without its marks."""
    if path.is_dir():
        return path.resolve().name
    plain = "".join(c for c in path.stem if c not in _PATTERN)
    return plain if plain == path.stem else plain.strip("-_. ]") or path.resolve().parent.name


def expanded(path: Path, suffixes: Sequence[str]) -> list[Path]:
    """Return the files of a path: itself, those of a directory, or those that a pattern such as ``*.csv`` matches.

    They are sorted by name. A directory without files of these formats stands for itself.
    """
    if path.is_dir():
        named = [one for one in sorted(path.iterdir()) if one.is_file() and not one.name.startswith(".")]
        return [one for one in named if one.name.lower().endswith(tuple(suffixes))] or [path]
    if not path.exists() and _PATTERN & set(path.name):
        found = sorted(one for one in path.parent.glob(path.name) if one.is_file())
        if not found:
            raise MissingFileError(path)
        return found
    return [path]
