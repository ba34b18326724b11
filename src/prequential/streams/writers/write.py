"""Writing a stream to a file that reads back as the same stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import IO, Protocol

import numpy as np

from prequential.arguments import checked_call, checked_path
from prequential.errors import InputError, ParameterError, StorageError
from prequential.streams.chunk import Chunk
from prequential.streams.declaration import Declaration, sidecar_path
from prequential.streams.drift import Drift
from prequential.streams.readers.table_stream import batch_rows
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream
from prequential.streams.writers.arff import ArffWriter
from prequential.streams.writers.csv import CsvWriter
from prequential.streams.writers.file_columns import FileColumns
from prequential.streams.writers.parquet import ParquetWriter
from prequential.types import IntArray
from prequential.whole_file import aside, opened, storing
from prequential.wording import listing, suggestion

MOST_AT_ONCE = 1 << 16


class Writer(Protocol):
    """Writes the records of one file."""

    sidecar: bool
    """Whether the declaration of the stream goes into a separate file."""

    def write(self, chunk: Chunk) -> None:
        """Write records."""

    def close(self, schema: Schema, **fields: object) -> Declaration:
        """End the file; return the declaration of its stream."""

    def abandon(self) -> None:
        """Stop writing after an error."""


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
    """A summary of a written file.

    Parameters
    ----------
    path, size_bytes
        The file and its size.
    sidecar
        The sidecar file with classes, values and drifts; None for a Parquet file, which contains them.
    n_records, n_unlabelled
        Number of records, and of those without a label.
    class_counts
        Number of records of each class, in the order of the schema; empty for a regression stream.
    schema, drifts
        Schema and drifts of the written records.
    """

    path: Path
    size_bytes: int
    sidecar: Path | None
    n_records: int
    n_unlabelled: int
    class_counts: tuple[int, ...]
    schema: Schema
    drifts: tuple[Drift, ...]


@checked_call
def write(
    stream: Stream,
    path: str | Path,
    *,
    n: int | None = None,
    overwrite: bool = False,
    progress: Callable[[int], object] | None = None,
) -> Written:
    """Write a stream to a file from which ``pq.read`` reads the same records, schema and drifts.

    The stream is read once, chunk by chunk, in constant memory. The file appears only when it is complete. A text file
    gets a sidecar, ``data.csv.stream.json``, with what the text cannot express: the order of classes and values, the
    columns of times, weights and identifiers, and the drifts. A Parquet file has them in its metadata.

    Parameters
    ----------
    stream
        A stream that ends, or any stream if ``n`` is given.
    path
        The file; its suffix determines the format: .csv or .arff, also with .gz, .parquet or .pq.
    n
        Number of records to write; all by default.
    overwrite
        Whether an existing file may be replaced.
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
        raise InputError(f"{stream.name} never ends. Give the number of records to write, such as n=100_000.")
    if path.is_dir():
        raise StorageError(f"{path} is a directory. Choose the name of a file.")
    if path.exists() and not overwrite:
        raise StorageError(
            f"{path}: exists already. Choose another file, or replace it with overwrite=True (--overwrite)."
        )
    job = _Job(stream, path, progress)
    with aside(path) as new, aside(sidecar_path(path)) as note:
        declared = job.write(make, new)
        with storing(path):
            size = new.stat().st_size
            if job.sidecar is not None:
                note.write_text(replace(declared, size_bytes=size).to_json(), encoding="utf-8")
                job.sidecar.unlink(missing_ok=True)  # the new file must never have the old sidecar
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
            f"{path}: unknown suffix {suffix!r} of a file to write.{suggestion(suffix, WRITERS)} "
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
        """Write all records to ``new``; return the declaration of the stream."""
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
                    bayes_error=stream._constant_bayes_error,
                    made_by=stream.describe(),
                )
            except BaseException:
                writer.abandon()
                raise

    def _read(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """Yield chunks; a file system error of the source must not be reported as one of the written file."""
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
    """Refuse names and values that cannot be declared, before anything is written."""
    try:
        columns.declare(columns.schema).to_json().encode()
    except UnicodeEncodeError as error:
        raise InputError(f"A name or value cannot be encoded as UTF-8 ({error.object[error.start]!r}).") from None
