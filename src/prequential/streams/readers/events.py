"""Records in one table and their labels in another as one stream of events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.arguments import checked_call, checked_whole
from prequential.errors import InputError, ParameterError
from prequential.streams.chunk import UNLABELLED, Chunk, rechunk
from prequential.streams.merged import Timed, merged
from prequential.streams.readers.columns import Columns, as_names
from prequential.streams.readers.encoder import Encoder
from prequential.streams.readers.file import read
from prequential.streams.readers.identifier import ACCEPTED, all_whole, identifiers
from prequential.streams.readers.number import NotANumberError, first
from prequential.streams.readers.table import MemoryTableStream, as_arrow
from prequential.streams.readers.table_stream import TableStream
from prequential.streams.schema import Schema
from prequential.streams.stream import DEFAULT_CHUNK, Stream


@checked_call
def from_events(
    instances: object,
    labels: object,
    *,
    id: str,
    time: str,
    target: str | None = None,
    ignore: str | Iterable[str] = (),
    nominal: str | Iterable[str] = (),
    numeric: str | Iterable[str] = (),
    name: str | None = None,
) -> Stream:
    """Return a stream of events from two tables: records that arrive, and labels that follow later.

    Both are read in parallel, in constant memory, and merged by time; at the same time, records come before labels. A
    record that arrives again before its label is a new version of it. A row with an earlier time than the row above it
    stays in its place, and is counted and listed. Evaluate the stream with ``pq.Delayed()``.

    Parameters
    ----------
    instances
        The records, with the columns ``id`` and ``time`` and the features, in order of time: a path, a data frame or an
        Arrow table.
    labels
        The labels, with the columns ``id``, ``time`` and ``target``, in order of time.
    id, time
        Columns of both tables.
    target
        The column of the labels; by default the last one without another role.
    ignore, nominal, numeric
        Columns of the instances to leave out, and features to treat as nominal or numeric.
    name
        The name of the stream; by default that of the instances.

    Examples
    --------
    >>> instances = pa.table({"id": [1, 2], "time": [0.0, 5.0], "x": [0.1, 0.2]})
    >>> labels = pa.table({"id": [1, 2], "time": [5.0, 9.0], "class": ["a", "b"]})
    >>> [chunk] = from_events(instances, labels, id="id", time="time").chunks()
    >>> chunk.id.tolist(), chunk.y.tolist()
    ([1, 2, 1, 2], [-1, -1, 0, 1])
    """
    for part, column in (("id", id), ("time", time)):
        if not isinstance(column, str):
            raise ParameterError(part, "from_events", "the name of a column of both tables", column)
    options = {"ignore": as_names(ignore), "nominal": as_names(nominal), "numeric": as_names(numeric)}
    # These records have no target: the id takes its place, because it is not a feature and is not inferred.
    given = {part: names for part, names in options.items() if names}
    records = open_table(instances, "instances", "from_events", target=id, time=time, task="regression", **given)
    truth = open_table(labels, "labels", "from_events", target=target, id=id, time=time, task="classification")
    others = truth.columns.features(truth.column_names)
    if others:
        target = truth.columns.target
        truth = open_table(
            labels, "labels", "from_events", target=target, id=id, time=time, task="classification", ignore=others
        )
    return EventsStream(records, truth, id=id, time=time, name=name)


class EventsStream(Stream):
    """The events of two tables; see ``from_events``."""

    events = True

    def __init__(self, instances: TableStream, labels: TableStream, *, id: str, time: str, name: str | None) -> None:
        self._instances, self._labels = instances, labels
        self._id, self._time = id, time
        self.name = instances.name if name is None else str(name)
        target = labels.columns.target or ""
        if target in instances.columns.features(instances.column_names):
            raise InputError(
                f"{instances.source}: it contains the target {target!r}, but records arrive without their labels. "
                f"Leave it out: ignore={target!r}."
            )
        counts = [instances.n_records, labels.n_records]
        self.n_records = None if None in counts else sum(n for n in counts if n is not None)

    @cached_property
    def _schema(self) -> Schema:
        return Schema(self._instances.schema.features, self._labels.schema.classes, self._labels.schema.target)

    @property
    def schema(self) -> Schema:
        """The features of the instances and the classes of the labels."""
        return self._schema

    @cached_property
    def _whole(self) -> bool:
        return all_whole(table.column_type(self._id) for table in (self._instances, self._labels))

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from event ``start`` on, ``size`` events at a time."""
        return rechunk(self._pieces(), size, checked_whole(start, "start", "chunks"))

    def _pieces(self) -> Iterator[Chunk]:
        start = 0
        for _, rows in merged(self._arrivals(), self._answers()):
            X, y, id = rows.columns  # noqa: A001  # the usual name
            yield Chunk(self.schema, start, X, y, rows.time, None, id)
            start += len(rows)

    def _arrivals(self) -> Iterator[Timed]:
        table, target = self._instances, self.schema.target
        names = [self._id, self._time, *(feature.name for feature in self.schema.features)]
        encoder = self._encoder(table, self.schema)
        for at, batch in table.raw(list(dict.fromkeys(names))):
            unlabelled = batch.append_column(target, pa.nulls(batch.num_rows, pa.string()))
            for piece in encoder.pieces(unlabelled, at):
                yield from self._with_ids(table, piece, batch, piece.X)

    def _answers(self) -> Iterator[Timed]:
        table, target = self._labels, self.schema.target
        encoder = self._encoder(table, self._labels.schema)
        for at, batch in table.raw([self._id, self._time, target]):
            for piece in encoder.pieces(batch, at):
                missing = first(piece.y == UNLABELLED)
                valid = piece if missing is None else piece[:missing]
                yield from self._with_ids(table, valid, batch, np.full((len(valid), self.schema.n_features), np.nan))
                if missing is not None:
                    raise table.fault("no label", at + missing, target, None, "a label in every row")

    def _encoder(self, table: TableStream, schema: Schema) -> Encoder:
        return Encoder(
            schema, source=table.source, time=self._time, trim=table.trim, locate=table.locate, any_order=True
        )

    def _with_ids(
        self, table: TableStream, piece: Chunk, batch: pa.RecordBatch, X: npt.NDArray[np.float64]
    ) -> Iterator[Timed]:
        """Yield the rows of a piece with their ids; if one is bad, the rows before it, and then raise its error."""
        assert piece.time is not None
        column = batch.column(self._id).slice(0, len(piece))
        n, fault = len(piece), None
        ids: npt.NDArray[Any] = np.empty(0)
        try:
            ids = identifiers(column, whole=self._whole, trim=table.trim)
        except NotANumberError as error:
            problem = "no id" if error.value is None else "not an id"
            n, fault = error.at, table.fault(problem, piece.start + error.at, self._id, error.value, ACCEPTED)
            ids = identifiers(column.slice(0, n), whole=self._whole, trim=table.trim) if n else ids
        if n:
            yield Timed(piece.time[:n], (X[:n], piece.y[:n], ids))
        if fault is not None:
            raise fault

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest."""
        return {
            **super().describe(),
            "format": "events",
            "instances": self._instances.describe(),
            "labels": self._labels.describe(),
        }


def open_table(data: object, what: str, caller: str, **options: Any) -> TableStream:
    """Open files or a table whose rows are events; ``what`` is the parameter of ``caller``, for error messages."""
    several = isinstance(data, list | tuple) and all(isinstance(one, str | Path) for one in data)
    if several and not data:
        raise ParameterError(what, caller, "at least one file", data)
    if several or isinstance(data, str | Path):
        table = read(data, **options)  # type: ignore[arg-type]  # checked above
        if not isinstance(table, TableStream):
            raise InputError(
                f"{data}: events cannot be read from this file. Accepted: CSV, JSON Lines, Parquet and ARFF files."
            )
        return table
    try:
        arrow = as_arrow(data)
    except InputError:
        accepted = "the path of a CSV, JSON Lines or Parquet file, a list of paths, a data frame or an Arrow table"
        raise ParameterError(what, caller, accepted, type(data).__name__) from None
    return MemoryTableStream(arrow, Columns(**options), None, what)
