"""A file that is there when it is complete, and not before."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from prequential.errors import StorageError


@contextmanager
def storing(path: Path) -> Iterator[None]:
    """Turn errors of the file system into ours, naming the place."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise StorageError(f"{path}: cannot be written ({reason}). Nothing was left there.") from error


@contextmanager
def aside(path: Path) -> Iterator[Path]:
    """Give a path beside another one, to be written first and renamed at the end; what is left there is removed.

    Folders are made as needed.
    """
    with storing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield beside
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def opened(path: Path, *, compressed: bool) -> Iterator[IO[bytes]]:
    """Open a file to write; compressed, it has the same bytes whenever it is written."""
    with path.open("wb") as raw:
        if not compressed:
            yield raw
            return
        with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0) as packed:
            yield cast("IO[bytes]", packed)
