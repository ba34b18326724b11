"""Whether a file is the data set that it is taken for."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from prequential.errors import DataError
from prequential.streams.data_sets.content import checksum
from prequential.streams.data_sets.data_set import DataSet
from prequential.streams.readers.file import read
from prequential.streams.readers.table_stream import TableStream


def check_file(one: DataSet, path: Path) -> None:
    """Raise an error unless a file has the names and values of a data set, in the right order."""
    stat = path.stat()
    found = _found(one, path.resolve(), stat.st_size, stat.st_mtime_ns)
    if found not in (one.file_sha256, one.checksum):
        raise DataError(
            f"not the data set {one.name!r}: the checksum of its names and values is {found}",
            source=path,
            accepted=f"the checksum {one.checksum} ({one.n_records:,} records of {one.title} in their original order). "
            "Read the file by its path to use it as it is",
        )


@lru_cache(maxsize=64)
def _found(one: DataSet, path: Path, size: int, changed: int) -> str:  # noqa: ARG001  # a changed file is read again
    """Return the SHA-256 of a file if it is the known one, else the checksum of its values."""
    if path.suffix == ".parquet":
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() == one.file_sha256:
                return one.file_sha256
    return checksum(_columns(one, path))


def _columns(one: DataSet, path: Path) -> Iterator[tuple[str, pa.ChunkedArray]]:
    """Yield the columns of a file, one after the other."""
    if path.suffix == ".parquet":
        try:
            file = pq.ParquetFile(path)
            for name in file.schema_arrow.names:
                yield name, file.read(columns=[name]).column(0)
        except (OSError, ValueError, pa.ArrowException) as error:
            raise DataError(f"not a readable Parquet file ({error})", source=path) from None
        return
    stream = read(os.fspath(path), **one.read)
    assert isinstance(stream, TableStream)
    names = stream.column_names
    batches = [batch for _, batch in stream.raw(names)]
    table = pa.Table.from_batches(batches) if batches else pa.table({name: [] for name in names})
    yield from ((name, table.column(name)) for name in names)
