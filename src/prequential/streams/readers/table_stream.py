"""The base of streams that are read from columns: files and tables in memory."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from prequential.arguments import checked_path, checked_whole
from prequential.errors import InputError, MissingFileError, ParameterError
from prequential.streams.chunk import Chunk, rechunk
from prequential.streams.declaration import NOTHING, Declaration
from prequential.streams.readers.bad_record import BadRecordError
from prequential.streams.readers.columns import Columns
from prequential.streams.readers.encoder import Encoder, by_record
from prequential.streams.schema import Schema
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.wording import listing, suggestion

CELLS_PER_BATCH = 2_000_000


class TableStream(Stream):
    """A stream of Arrow record batches.

    A subclass lists the columns, finds the schema, and reads batches.
    """

    source: str
    """The file or the name, for error messages."""
    _options: Columns
    """The roles of columns that were given."""
    _declared: Schema | None = None
    """The schema that was given."""
    _declaration: Declaration = NOTHING
    """The declaration in the file or its sidecar."""
    trim = False
    """Whether spaces around nominal values are ignored."""

    @property
    @abstractmethod
    def column_names(self) -> list[str]:
        """All columns in order, used or not."""

    @cached_property
    def columns(self) -> Columns:
        """The resolved roles of the columns."""
        options = self._options
        if options.target is None and self._declared is not None:
            options = replace(options, target=self._declared.target)
        self._check_declaration()
        taken = {*options.roles.values(), *options.ignore}
        for role in ("target", "time", "weight", "id"):
            declared = getattr(self._declaration, role)
            if getattr(options, role) is None and declared in self.column_names and declared not in taken:
                options = replace(options, **{role: declared})
        return options.resolved(self.column_names, self.source, self._usual_targets())

    def _check_declaration(self) -> None:
        """Refuse a sidecar that belongs to another file."""

    def _use(self, declared: Declaration) -> None:
        """Use the declaration of a file."""
        self._declaration = declared
        self.drifts = declared.drifts
        self.bayes_error = declared.bayes_error
        if self.n_records is None:
            self.n_records = declared.n_records

    def _usual_targets(self) -> tuple[str, ...]:
        """Return names of columns that are preferred to the last one as the target."""
        return ()

    @abstractmethod
    def _find_schema(self) -> Schema:
        """Infer the schema, or check the declared one; called once, at first use."""

    @abstractmethod
    def _batches(self, start: int) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Yield batches, each with the index of its first record; batches before ``start`` may be skipped."""

    @abstractmethod
    def raw(self, names: Sequence[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Read columns unchanged (as text from a text file), each batch with the index of its first row."""

    @abstractmethod
    def column_type(self, name: str) -> pa.DataType:
        """Return the type of a column as ``raw`` reads it."""

    def fault(self, problem: str, row: int, column: str, value: object, accepted: str) -> BadRecordError:
        """Return the error for a bad value in a row that was read with ``raw``."""
        place, kind = self.locate(row)
        return BadRecordError(
            row, problem, source=self.source, row=place, row_kind=kind, column=column, value=value, accepted=accepted
        )

    def locate(self, record: int) -> tuple[int, str]:
        """Return the place of a record in the file, such as ``(17, "line")``."""
        return by_record(record)

    @cached_property
    def _schema(self) -> Schema:
        if self._declared is None and self._schema_of_file is not None:
            return self._schema_of_file
        return self._find_schema()

    def declare(self, schema: Schema) -> None:
        """Read with this schema from now on, that of all files which this one is a part of."""
        self._declared = schema
        self.__dict__.pop("_schema", None)

    @cached_property
    def _schema_of_file(self) -> Schema | None:
        """The schema declared by the file; None if there is none or the options contradict it."""
        columns, values = self.columns, self._declaration.values
        found = self._declaration.schema(columns.features(self.column_names), columns.target or "")
        if found is None or columns.task not in ("auto", found.task):
            return None
        contradicted = any(values[n] is None for n in columns.nominal) or any(
            values[n] is not None for n in columns.numeric
        )
        if contradicted:
            return None
        return found if columns.classes is None else found.with_classes(columns.classes)

    @property
    def _schema_origin(self) -> str:
        """The origin of the schema, for a manifest."""
        if self._declared is not None:
            return "declared"
        return "inferred" if self._schema_of_file is None else "declared by the file"

    @property
    def schema(self) -> Schema:
        """Features, target and classes, determined at first use."""
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
        """Return the columns that are read: features, target, times, weights, identifiers."""
        wanted = [feature.name for feature in self.schema.features] + [self.schema.target]
        return list(dict.fromkeys([*wanted, *(n for n in self.columns.roles.values() if n != self.columns.target)]))


def batch_rows(n_columns: int) -> int:
    """Return the number of rows per batch: a multiple of the default chunk, of about the same size in memory."""
    return max(1, CELLS_PER_BATCH // max(1, n_columns) // DEFAULT_CHUNK) * DEFAULT_CHUNK


def readable(path: str | Path, parts: str | None = None) -> Path:
    """Return the path of a file, which must exist and not be empty.

    With ``parts``, a directory that contains files of this pattern is accepted too.
    """
    path = checked_path(path, "path", "a reader")
    if path.is_dir():
        if parts is not None and any(path.glob(parts)):
            return path
        raise InputError(f"{path} is a directory. Accepted: a file.")
    if not path.exists():
        raise MissingFileError(path)
    if path.stat().st_size == 0:
        raise InputError(f"{path} is empty. Accepted: a file with at least one record.")
    return path


def stem(path: Path) -> str:
    """Return the name of a file without its suffixes."""
    return Path(path.stem).stem if path.suffix == ".gz" else path.stem


def checked_events(events: bool, id: str | None) -> bool:
    """Return whether a table contains events; these need an id."""
    if not isinstance(events, bool):
        raise ParameterError("events", "a reader", "True or False", events)
    if events and id is None:
        raise InputError(
            "events= needs id= (--events needs --id), the column that links the label of a record to its arrival."
        )
    return events


def checked_schema(schema: Schema | None, options: Columns) -> Schema | None:
    """Return a declared schema; anything else is refused."""
    if schema is not None and not isinstance(schema, Schema):
        raise ParameterError("schema", "a reader", "a pq.Schema", schema)
    if schema is not None and options.classes is not None:
        raise InputError("classes= cannot be given with schema=, which declares the classes: schema.with_classes(…).")
    return schema


def schema_columns(schema: Schema, columns: Columns, names: list[str], source: str) -> Schema:
    """Check a declared schema against the columns of the table."""
    missing = [f.name for f in schema.features if f.name not in names]
    if missing:
        raise InputError(
            f"{source}: the schema declares the feature {missing[0]!r}, which is not a column."
            f"{suggestion(missing[0], names)} The columns are: {listing(names)}."
        )
    if columns.target != schema.target:
        raise InputError(f"{source}: the schema's target is {schema.target!r}, but target={columns.target!r}.")
    return schema
