"""Any stream as a file that reads back as the same stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import IO, Protocol

import numpy as np

from prequential.errors import InputError, ParameterError, StorageError, checked_path, listing, suggestion
from prequential.streams.chunk import Chunk
from prequential.streams.declaration import Declaration, sidecar_path
from prequential.streams.readers.table_stream import batch_rows
from prequential.streams.schema import Schema
from prequential.streams.stream import Drift, Stream
from prequential.streams.writers.arff import ArffWriter
from prequential.streams.writers.csv import CsvWriter
from prequential.streams.writers.file_columns import FileColumns
from prequential.streams.writers.parquet import ParquetWriter
from prequential.streams.writers.whole_file import aside, opened, storing
from prequential.types import IntArray

MOST_AT_ONCE = 1 << 16


class Writer(Protocol):
    """Writes the records of one file."""

    sidecar: bool
    """Whether what the file says of its stream goes into a file of its own."""

    def write(self, chunk: Chunk) -> None:
        """Add some records."""

    def close(self, schema: Schema, **told: object) -> Declaration:
        """End the file; return what it says of its stream."""

    def abandon(self) -> None:
        """Write no more, because of an error."""


WRITERS: dict[str, Callable[[IO[bytes], FileColumns], Writer]] = {
    ".csv": CsvWriter,
    ".csv.gz": CsvWriter,
    ".arff": ArffWriter,
    ".arff.gz": ArffWriter,
    ".parquet": ParquetWriter,
    ".pq": ParquetWriter,
}


@dataclass(frozen=True, slots=True)
class Written:
    """What was written.

    Parameters
    ----------
    path, size_bytes
        The file, and how long it is.
    sidecar
        The file beside it with classes, values and drifts; None for a Parquet file, which holds them itself.
    n_records, n_unlabelled
        How many records there are, and how many of them have no label.
    class_counts
        How many records each class has, in the order of the schema; empty for a regression stream.
    schema, drifts
        Of what was written.
    """

    path: Path
    size_bytes: int
    sidecar: Path | None
    n_records: int
    n_unlabelled: int
    class_counts: tuple[int, ...]
    schema: Schema
    drifts: tuple[Drift, ...]


def write(
    stream: Stream,
    path: str | Path,
    *,
    n: int | None = None,
    overwrite: bool = False,
    progress: Callable[[int], object] | None = None,
) -> Written:
    """Write a stream to a file, from which ``pq.read`` gives back the same records, schema and drifts.

    It is read once, chunk by chunk, in constant memory. The file appears when it is complete, and not before. Beside a
    text file lies a sidecar, ``data.csv.stream.json``, with what the text cannot say: the order of classes and
    values, the columns of clock, weights and identifiers, the drifts. A Parquet file has all this in its metadata.

    Parameters
    ----------
    stream
        Any stream that ends, or any at all with ``n``.
    path
        The file; its suffix says the format: .csv, .arff, either also with .gz, .parquet or .pq.
    n
        How many records to write; all by default.
    overwrite
        Whether a file that is there may be replaced.
    progress
        Called with the number of records after each chunk.

    Examples
    --------
    >>> import tempfile
    >>> from prequential.streams import SEA, read
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write(SEA().drift_to(SEA(3, seed=2), at=500), Path(folder) / "sea.csv", n=1000)
    ...     again = read(written.path)
    ...     (written.n_records, again.n_records, again.schema.classes, again.drifts[0].at)
    (1000, 1000, ('groupA', 'groupB'), 500)
    """
    if not isinstance(stream, Stream):
        raise ParameterError("stream", "write", "a stream", stream)
    path = checked_path(path, "path", "write")
    make = _writer(path)
    if n is not None:
        stream = stream.take(n)
    elif stream.endless:
        raise InputError(f"{stream.name} never ends. Say how many records to write: n=100_000.")
    if path.is_dir():
        raise StorageError(f"{path} is a directory. Choose the name of a file.")
    if path.exists() and not overwrite:
        raise StorageError(
            f"{path}: exists already. Choose another file, or say that it may be replaced "
            "(overwrite=True, --overwrite)."
        )
    job = _Job(stream, path, progress)
    with aside(path) as new, aside(sidecar_path(path)) as note:
        declared = job.write(make, new)
        with storing(path):
            size = new.stat().st_size
            if job.sidecar is not None:
                note.write_text(replace(declared, size_bytes=size).to_json(), encoding="utf-8")
                job.sidecar.unlink(missing_ok=True)  # an old one must not stand beside the new file for a moment
            new.replace(path)
            if job.sidecar is not None:
                note.replace(job.sidecar)
    return Written(
        path,
        size,
        job.sidecar,
        job.n_records,
        job.n_unlabelled,
        tuple(job.class_counts.tolist()),
        job.schema,
        declared.drifts,
    )


def _writer(path: Path) -> Callable[[IO[bytes], FileColumns], Writer]:
    suffix = path.suffix.lower()
    if suffix == ".gz":
        suffix = Path(path.stem).suffix.lower() + suffix
    if suffix not in WRITERS:
        raise InputError(
            f"{path}: the suffix {suffix!r} names no format that can be written.{suggestion(suffix, WRITERS)} "
            f"Accepted: {listing(WRITERS)}."
        )
    return WRITERS[suffix]


class _Job:
    """Writes the records of one stream, and counts them."""

    def __init__(self, stream: Stream, path: Path, progress: Callable[[int], object] | None) -> None:
        self._stream, self._path, self._progress = stream, path, progress
        self.schema = stream.schema
        self.sidecar: Path | None = None
        self.n_records = self.n_unlabelled = 0
        self.class_counts: IntArray = np.zeros(self.schema.n_classes, dtype=np.int64)

    def write(self, make: Callable[[IO[bytes], FileColumns], Writer], new: Path) -> Declaration:
        """Write all records to ``new``; return what the file says, or its sidecar is to say, of them."""
        stream = self._stream
        chunks = self._read(stream.chunks(min(MOST_AT_ONCE, batch_rows(self.schema.n_features + 1))))
        first = next(chunks, None)
        columns = FileColumns.of(self.schema if first is None else first.schema, first)
        _check(columns)
        with storing(self._path), opened(new, compressed=self._path.suffix == ".gz") as file:
            writer = make(file, columns)
            self.sidecar = sidecar_path(self._path) if writer.sidecar else None
            try:
                for chunk in () if first is None else chain([first], chunks):
                    writer.write(chunk)
                    self._count(chunk)
                return writer.close(
                    replace(self.schema, open=False),
                    n_records=self.n_records,
                    drifts=stream.drifts_before(self.n_records),
                    bayes_error=stream.bayes_error,
                    made_by=stream.describe(),
                )
            except BaseException:
                writer.abandon()
                raise

    def _read(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """Give chunks; an error of the file system that comes from the source is not one of the file written."""
        try:
            yield from chunks
        except OSError as error:
            raise StorageError(f"{self._stream.name}: cannot be read ({error}).") from error

    def _count(self, chunk: Chunk) -> None:
        self.schema = chunk.schema
        labelled = chunk.labelled
        self.n_records += len(chunk)
        self.n_unlabelled += len(chunk) - int(labelled.sum())
        if chunk.schema.classes is not None:
            counts: IntArray = np.bincount(chunk.y[labelled], minlength=chunk.schema.n_classes)
            counts[: len(self.class_counts)] += self.class_counts
            self.class_counts = counts
        if self._progress is not None:
            self._progress(len(chunk))


def _check(columns: FileColumns) -> None:
    """Refuse names and values that cannot be declared, before all the work."""
    try:
        columns.declare(columns.schema).to_json().encode()
    except UnicodeEncodeError as error:
        raise InputError(f"A name or value is not text that UTF-8 can hold ({error.object[error.start]!r}).") from None
