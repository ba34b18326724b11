"""One Parquet file: its metadata and its batches, with one kind of error for every damage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from prequential.errors import DataError
from prequential.wording import one_line

FAULTS = (pa.ArrowException, OSError, UnicodeError, OverflowError, IndexError, KeyError)
"""The errors that pyarrow raises for damaged files."""
_ACCEPTED = "an intact Parquet file; copy it or write it again"


@dataclass(frozen=True, slots=True)
class ParquetFooter:
    """The metadata of a file.

    Parameters
    ----------
    schema
        Names and types of the columns.
    group_rows
        Number of rows of each row group.
    metadata
        The key-value metadata.
    """

    schema: pa.Schema
    group_rows: tuple[int, ...]
    metadata: dict[bytes, bytes]


def read_footer(path: Path) -> ParquetFooter:
    """Read the metadata of a file."""
    try:
        found = pq.read_metadata(path)
        schema = found.schema.to_arrow_schema()
        rows = tuple(found.row_group(i).num_rows for i in range(found.num_row_groups))
        footer = ParquetFooter(schema, rows, dict(found.metadata or {}))
    except FAULTS as error:
        raise DataError(f"not a Parquet file ({one_line(error)})", source=path, accepted=_ACCEPTED) from None
    if min(rows, default=0) < 0 or sum(rows) != found.num_rows:
        problem = f"damaged metadata ({found.num_rows:,} records, but {sum(rows):,} in its row groups)"
        raise DataError(problem, source=path, accepted=_ACCEPTED)
    return footer


def check_names(names: Sequence[str], source: str | Path) -> None:
    """Refuse a table with two columns of one name."""
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise DataError("a column name that occurs twice", source=source, value=twice, accepted="distinct names")


def read_batches(
    path: Path, groups: Sequence[tuple[int, int]], names: Sequence[str], size: int
) -> Iterator[pa.RecordBatch]:
    """Read columns of row groups; if one is damaged, its intact part, and then raise its error.

    Parameters
    ----------
    path
        The file.
    groups
        Index and number of rows of each row group to read.
    names
        The columns; those that the file lacks are left out.
    size
        Rows per batch.
    """
    n_read = 0
    try:
        for batch in _batches(path, [i for i, _ in groups], names, size):
            n_read += batch.num_rows
            yield batch
    except FAULTS as error:
        yield from _up_to_fault(path, groups, names, size, n_read)
        raise _fault(path, error) from None
    if n_read != sum(rows for _, rows in groups):
        raise _fault(path, f"{n_read:,} records, but its metadata has {sum(rows for _, rows in groups):,}")


def _up_to_fault(
    path: Path, groups: Sequence[tuple[int, int]], names: Sequence[str], size: int, n_read: int
) -> Iterator[pa.RecordBatch]:
    """Read one row group at a time, after the first ``n_read`` rows, and raise an error with the damaged group."""
    start = 0
    for i, rows in groups:
        at, start = start, start + rows
        if start <= n_read:
            continue
        try:
            for batch in _batches(path, [i], names, size):
                end = at + batch.num_rows
                if end > n_read:
                    yield batch.slice(max(0, n_read - at))
                at = end
        except FAULTS as error:
            raise _fault(path, error, i) from None
        if at != start:
            raise _fault(path, "the number of records differs from that in its metadata", i)


def _batches(path: Path, groups: list[int], names: Sequence[str], size: int) -> Iterator[pa.RecordBatch]:
    with pq.ParquetFile(path, pre_buffer=False) as file:  # a buffer would keep everything in memory
        held = [name for name in names if name in file.schema_arrow.names]
        for group in groups:  # one by one: with all at once, a value too many would shift a column in all later groups
            for batch in file.iter_batches(size, row_groups=[group], columns=held):
                batch.validate(full=True)  # texts must be UTF-8, codes must be in the dictionary
                yield batch


def _fault(path: Path, reason: object, group: int | None = None) -> DataError:
    place = {} if group is None else {"row": group, "row_kind": "row group"}
    return DataError(f"damaged ({one_line(reason)})", source=path, accepted=_ACCEPTED, **place)  # type: ignore[arg-type]  # of two types
