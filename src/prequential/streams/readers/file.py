"""Reading a file according to its suffix."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from prequential.arguments import checked_path
from prequential.errors import InputError
from prequential.streams.readers.arff import ArffStream
from prequential.streams.readers.csv import CsvStream
from prequential.streams.readers.parquet import ParquetStream
from prequential.streams.stream import Stream
from prequential.wording import listing, suggestion

READERS: dict[str, Callable[..., Stream]] = {
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


def read(path: str | Path, **options: Any) -> Stream:
    """Read a file as a stream; its suffix determines the format.

    Parameters
    ----------
    path
        A CSV file (.csv, .tsv, .txt, .data) or an ARFF file (.arff), also with .gz; a Parquet file (.parquet, .pq), or
        a directory of Parquet files.
    options
        The options of ``CsvStream``, ``ArffStream`` or ``ParquetStream``, such as ``target`` and ``time``.
    """
    path = checked_path(path, "path", "read")
    suffix = ".parquet" if path.is_dir() else path.suffix.lower()
    if suffix == ".gz":
        suffix = Path(path.stem).suffix.lower() + suffix
    reader = READERS.get(suffix)
    if reader is None:
        raise InputError(
            f"{path}: unknown suffix {suffix!r}.{suggestion(suffix, READERS)} Accepted: {listing(READERS)}."
        )
    known = [name for name in inspect.signature(reader).parameters if name != "path"]
    for name in options:
        if name not in known:
            raise InputError(
                f"{path}: {getattr(reader, '__name__', 'the reader')} has no option {name!r}."
                f"{suggestion(name, known)} Accepted: {listing(known, most=20)}."
            )
    return reader(path, **options)
