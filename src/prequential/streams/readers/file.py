"""Reading a file according to its suffix."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from prequential.arguments import checked_call, checked_path
from prequential.errors import InputError
from prequential.streams.readers.arff import ArffStream
from prequential.streams.readers.csv import CsvStream
from prequential.streams.readers.parquet import ParquetStream
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream
from prequential.types import Label
from prequential.wording import listing, suggestion

READERS: dict[str, type[CsvStream | ArffStream | ParquetStream]] = {
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
}
_FORMATS = {CsvStream: "CSV", ArffStream: "ARFF", ParquetStream: "Parquet"}


@checked_call
def read(
    path: str | Path,
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
        A CSV file (.csv, .tsv, .txt, .data) or an ARFF file (.arff), also with .gz; a Parquet file (.parquet, .pq), or
        a directory of Parquet files, sorted by name.
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
    path = checked_path(path, "path", "read")
    reader = _reader(path)
    accepted = [name for name in inspect.signature(reader).parameters if name != "path"]
    some = {
        "nominal": nominal,
        "numeric": numeric,
        "schema": schema,
        "separator": separator,
        "header": header,
        "missing": missing,
        "decimal": decimal,
    }
    given = {name: value for name, value in some.items() if value is not None and not _is_empty(value)}
    for name in given:
        if name not in accepted:
            raise InputError(
                f"{path}: {name}= does not fit {_FORMATS[reader]} files. Accepted: {listing(accepted, 20)}."
            )
    return reader(
        path,
        target=target,
        task=task,
        classes=classes,
        time=time,
        weight=weight,
        id=id,
        ignore=ignore,
        events=events,
        **given,  # type: ignore[arg-type]  # of several types
    )


def _is_empty(value: object) -> bool:
    return isinstance(value, tuple) and not value


def _reader(path: Path) -> type[CsvStream | ArffStream | ParquetStream]:
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
