"""Reading a file according to its suffix."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from prequential.arguments import checked_call, checked_path
from prequential.errors import InputError, ParameterError
from prequential.streams.readers.arff import ArffStream
from prequential.streams.readers.csv import CsvStream
from prequential.streams.readers.jsonl import JsonLinesStream
from prequential.streams.readers.parquet import ParquetStream
from prequential.streams.readers.parts import PartsStream, expanded, joint_name
from prequential.streams.readers.table_stream import TableStream
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream
from prequential.types import Label
from prequential.wording import listing, suggestion

Reader: TypeAlias = type[CsvStream | ArffStream | ParquetStream | JsonLinesStream]
READERS: dict[str, Reader] = {
    ".csv": CsvStream,
    ".tsv": CsvStream,
    ".txt": CsvStream,
    ".data": CsvStream,
    ".csv.gz": CsvStream,
    ".tsv.gz": CsvStream,
    ".txt.gz": CsvStream,
    ".data.gz": CsvStream,
    ".arff": ArffStream,
    ".arff.gz": ArffStream,
    ".parquet": ParquetStream,
    ".pq": ParquetStream,
    ".jsonl": JsonLinesStream,
    ".ndjson": JsonLinesStream,
    ".jsonl.gz": JsonLinesStream,
    ".ndjson.gz": JsonLinesStream,
}
_FORMATS = {CsvStream: "CSV", ArffStream: "ARFF", ParquetStream: "Parquet", JsonLinesStream: "JSON Lines"}


@checked_call
def read(
    path: str | Path | Sequence[str | Path],
    *,
    target: str | None = None,
    task: Literal["auto", "classification", "regression"] = "auto",
    classes: Sequence[Label] | None = None,
    time: str | None = None,
    weight: str | None = None,
    id: str | None = None,
    ignore: str | Iterable[str] = (),
    nominal: str | Iterable[str] = (),
    numeric: str | Iterable[str] = (),
    schema: Schema | None = None,
    separator: str | None = None,
    header: bool | None = None,
    missing: str | Iterable[str] | None = None,
    decimal: str | None = None,
    events: bool = False,
) -> Stream:
    r"""Read a file as a stream, in constant memory; its suffix determines the format.

    Parameters
    ----------
    path
        A CSV file (.csv, .tsv, .txt, .data), a JSON Lines file (.jsonl, .ndjson: one object per line) or an ARFF file
        (.arff), also with .gz; or a Parquet file (.parquet, .pq). Several files with the same columns are read as one
        stream: a list of paths, in its order; a directory, or a pattern such as ``"logs/2024-*.csv"``, sorted by name.
    target
        The label column. By default the one that the file or its sidecar declares; else the last one without another
        role, or in a Parquet file ``class``, ``target``, ``label`` or ``y``, if there is one.
    task
        ``"classification"``, ``"regression"`` or ``"auto"``: a numeric target with at most 100 distinct values, all of
        them whole numbers, has classes.
    classes
        All classes in the order of their codes, also those that do not occur in the file; by default those that the
        file declares, or those that occur, sorted. Another label in the file is an error.
    time, weight, id
        Columns of times (numbers or ISO 8601 dates), weights and identifiers.
    ignore
        Columns to leave out.
    nominal, numeric
        Features to treat as nominal or numeric (CSV and Parquet; an ARFF file declares its attributes).
    schema
        Declared features and classes; nothing is inferred then (CSV and Parquet).
    separator
        The delimiter (CSV); detected among comma, semicolon, tab and bar by default.
    header
        Whether the first row has names (CSV); detected by default. Without a header, the columns are x0, x1, ….
    missing
        Texts of a missing value (CSV); by default that of the sidecar, else an empty field, ?, NA, NaN, nan, null.
    decimal
        The decimal mark (CSV): ``"."`` (default) or ``","``.
    events
        Whether rows are events, for the protocol ``Delayed``: a row without a label is the arrival of a record, and
        a later row with the same id provides its label. Other protocols refuse such a stream.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "sky.csv"
    >>> _ = path.write_text("temperature,sky\n12.5,grey\n21,blue\n")
    >>> read(path).schema.classes
    ('blue', 'grey')
    >>> read(path, classes=["grey", "blue", "black"]).schema.classes
    ('grey', 'blue', 'black')
    """
    some = {
        "nominal": nominal,
        "numeric": numeric,
        "schema": schema,
        "separator": separator,
        "header": header,
        "missing": missing,
        "decimal": decimal,
    }
    options: dict[str, Any] = {
        "target": target,
        "task": task,
        "classes": classes,
        "time": time,
        "weight": weight,
        "id": id,
        "ignore": ignore,
        "events": events,
        **{name: value for name, value in some.items() if value is not None and not _is_empty(value)},
    }
    given = list(path) if isinstance(path, list | tuple) else [path]
    named = [checked_path(one, "path", "read") for one in given]
    if not named:
        raise ParameterError("path", "read", "at least one file", path)
    found = [file for one in named for file in expanded(one, tuple(READERS))]
    if len(named) == len(found) == 1:
        return _opened(found[0], options)
    if len(named) == 1 and named[0].is_dir() and all(_reader(one) is ParquetStream for one in found):
        return _opened(named[0], options)  # if it is resumed, it skips whole row groups
    parts: list[TableStream] = [_opened(one, options) for one in found]
    for file, part in zip(found, parts, strict=True):
        if isinstance(part, ArffStream):
            raise InputError(f"{file}: several files can only be CSV, JSON Lines or Parquet files.")
    source = str(named[0]) if len(named) == 1 else listing(map(str, named), 3)
    return PartsStream(parts, source, joint_name(named, parts))


def _opened(path: Path, options: dict[str, Any]) -> TableStream:
    """Open one file, or a directory of Parquet files."""
    reader = _reader(path)
    accepted = [name for name in inspect.signature(reader).parameters if name != "path"]
    for name in options:
        if name not in accepted:
            raise InputError(
                f"{path}: {name}= does not fit {_FORMATS[reader]} files. Accepted: {listing(accepted, 20)}."
            )
    return reader(path, **options)


def _is_empty(value: object) -> bool:
    return isinstance(value, tuple) and not value


def _reader(path: Path) -> Reader:
    """Return the reader of a file."""
    suffix = ".parquet" if path.is_dir() else path.suffix.lower()
    if suffix == ".gz":
        suffix = Path(path.stem).suffix.lower() + suffix
    reader = READERS.get(suffix)
    if reader is None:
        raise InputError(
            f"{path}: unknown suffix {suffix!r}.{suggestion(suffix, READERS)} Accepted: {listing(READERS)}."
        )
    return reader
