"""A stream read from columns: what files and tables in memory have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from prequential.errors import InputError, ParameterError, checked_path, checked_whole
from prequential.streams.chunk import Chunk
from prequential.streams.declaration import NOTHING, Declaration
from prequential.streams.readers.bad_record import BadRecordError
from prequential.streams.readers.columns import Columns
from prequential.streams.readers.encoder import Encoder, by_record
from prequential.streams.schema import Schema
from prequential.streams.stream import DEFAULT_CHUNK, Stream, rechunk

CELLS_PER_BATCH = 2_000_000


class TableStream(Stream):
    """A stream of Arrow record batches.

    A subclass gives the columns, finds the schema, and reads batches.
    """

    source: str
    """The file or the name, for errors."""
    _options: Columns
    """What each column is for, as far as it was said."""
    _declared: Schema | None = None
    """The schema, if it was declared."""
    _declaration: Declaration = NOTHING
    """What the file itself, or what stands beside it, says of the stream."""
    trim = False
    """Whether spaces around nominal values are no part of them."""

    @property
    @abstractmethod
    def column_names(self) -> list[str]:
        """All columns there are, in order, used or not."""

    @cached_property
    def columns(self) -> Columns:
        """What each column is for, settled."""
        options = self._options
        if options.target is None and self._declared is not None:
            options = replace(options, target=self._declared.target)
        self._check_declaration()
        taken = {*options.roles.values(), *options.ignore}
        for part in ("target", "time", "weight", "id"):
            noted = getattr(self._declaration, part)
            if getattr(options, part) is None and noted in self.column_names and noted not in taken:
                options = replace(options, **{part: noted})
        return options.settled(self.column_names, self.source, self._usual_targets())

    def _check_declaration(self) -> None:
        """Refuse what stands beside a file but belongs to another one."""

    def _take_over(self, declared: Declaration) -> None:
        """Believe what a file says of its stream."""
        self._declaration = declared
        self.drifts = declared.drifts
        self.bayes_error = declared.bayes_error
        if self.n_records is None:
            self.n_records = declared.n_records

    def _usual_targets(self) -> tuple[str, ...]:
        """Return the names of columns that are taken for the target before the last one is."""
        return ()

    @abstractmethod
    def _find_schema(self) -> Schema:
        """Find or check the schema; called once, at first use."""

    @abstractmethod
    def _batches(self, start: int) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Read batches, each with the index of its first record; those wholly before ``start`` may be left out."""

    @abstractmethod
    def raw(self, names: Sequence[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Read some columns as they stand, those of a text file as text, each batch with the index of its first row."""

    @abstractmethod
    def column_type(self, name: str) -> pa.DataType:
        """Return the type of a column as ``raw`` reads it."""

    def fault(self, problem: str, row: int, column: str, value: object, accepted: str) -> BadRecordError:
        """Return the error of a bad value in a row that was read ``raw``."""
        place, kind = self.locate(row)
        return BadRecordError(
            row, problem, source=self.source, row=place, row_kind=kind, column=column, value=value, accepted=accepted
        )

    def locate(self, record: int) -> tuple[int, str]:
        """Return the place of a record as a person would name it: ``(17, "line")``."""
        return by_record(record)

    @cached_property
    def _schema(self) -> Schema:
        if self._declared is None and self._schema_of_file is not None:
            return self._schema_of_file
        return self._find_schema()

    @cached_property
    def _schema_of_file(self) -> Schema | None:
        """The schema that the file itself declares, None if it does not or if the options say otherwise."""
        columns, values = self.columns, self._declaration.values
        found = self._declaration.schema(columns.features(self.column_names), columns.target or "")
        if found is None or columns.task not in ("auto", found.task):
            return None
        otherwise = [n for n in columns.nominal if values[n] is None] + [
            n for n in columns.numeric if values[n] is not None
        ]
        return None if otherwise else found

    @property
    def _schema_origin(self) -> str:
        """Where the schema is from, for a manifest."""
        if self._declared is not None:
            return "declared"
        return "inferred" if self._schema_of_file is None else "declared by the file"

    @property
    def schema(self) -> Schema:
        """Features, target and classes, found at first use."""
        return self._schema

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from record ``start`` on, ``size`` records at a time."""
        start = checked_whole(start, "start", "chunks")
        return rechunk(self._pieces(start), size, start)

    def _pieces(self, start: int) -> Iterator[Chunk]:
        columns = self.columns
        encoder = Encoder(
            self.schema,
            source=self.source,
            time=columns.time,
            weight=columns.weight,
            id=columns.id,
            id_type=self._declaration.id_type if columns.id == self._declaration.id else None,
            trim=self.trim,
            locate=self.locate,
            any_order=self.events,
        )
        for at, batch in self._batches(start):
            if at + batch.num_rows > start:
                yield from encoder.pieces(batch, at)

    def _read_names(self) -> list[str]:
        """Return the columns that are read: features, target, clock, weights, identifiers."""
        wanted = [feature.name for feature in self.schema.features] + [self.schema.target]
        return list(dict.fromkeys([*wanted, *(n for n in self.columns.roles.values() if n != self.columns.target)]))


def batch_rows(n_columns: int) -> int:
    """Return how many rows to read at once: some whole default chunks, of about the same size in memory."""
    return max(1, CELLS_PER_BATCH // max(1, n_columns) // DEFAULT_CHUNK) * DEFAULT_CHUNK


def readable(path: str | Path, parts: str | None = None) -> Path:
    """Return the path of a file that is there and not empty, or say what is wrong with it.

    With ``parts``, a directory that holds such files will do too.
    """
    path = checked_path(path, "path", "a reader")
    if path.is_dir():
        if parts is not None and any(path.glob(parts)):
            return path
        raise InputError(f"{path} is a directory. Accepted: a file.")
    if not path.exists():
        raise InputError(f"{path} does not exist. (The working directory is {Path.cwd()}.)")
    if path.stat().st_size == 0:
        raise InputError(f"{path} is empty. Accepted: a file with at least one record.")
    return path


def stem(path: Path) -> str:
    """Return the name of a file without its suffixes of format and compression."""
    return Path(path.stem).stem if path.suffix == ".gz" else path.stem


def checked_events(events: bool, id: str | None) -> bool:
    """Return whether a table holds events, if it also says which belong together."""
    if not isinstance(events, bool):
        raise ParameterError("events", "a reader", "True or False", events)
    if events and id is None:
        raise InputError(
            "events= needs id= (--events needs --id), the column that ties the label of a record to its arrival."
        )
    return events


def checked_schema(schema: Schema | None) -> Schema | None:
    """Return a declared schema, if it is one."""
    if schema is not None and not isinstance(schema, Schema):
        raise ParameterError("schema", "a reader", "a pq.Schema", schema)
    return schema


def schema_columns(schema: Schema, columns: Columns, names: list[str], source: str) -> Schema:
    """Check a declared schema against the columns there are."""
    missing = [f.name for f in schema.features if f.name not in names]
    if missing:
        raise InputError(f"{source}: the schema declares the feature {missing[0]!r}, which is not a column.")
    if columns.target != schema.target:
        raise InputError(f"{source}: the schema's target is {schema.target!r}, but target={columns.target!r}.")
    return schema
