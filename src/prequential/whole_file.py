"""Write a file completely or not at all: write next to it, then rename."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from prequential.arguments import checked_path
from prequential.errors import InputError, StorageError

FIGURES = {".png": "300 dots per inch", ".svg": "vector graphics", ".pdf": "vector graphics"}
"""The formats of a printed figure."""


def checked_suffix(path: str | Path, accepted: Mapping[str, str]) -> str:
    """Return the lower-case suffix of a path if it is accepted; ``accepted`` maps each suffix to its description."""
    suffix = checked_path(path, "path", "a report or figure").suffix.lower()
    if suffix not in accepted:
        kinds = ", ".join(f"{name} ({what})" for name, what in accepted.items())
        raise InputError(f"{path}: unknown suffix {suffix!r}. Accepted: {kinds}.")
    return suffix


def write_whole(path: str | Path, content: bytes) -> Path:
    """Write a file so that a reader never sees half of it."""
    path = Path(path)
    with aside(path) as temporary, storing(path):
        temporary.write_bytes(content)
        temporary.replace(path)
    return path


@contextmanager
def aside(path: Path) -> Iterator[Path]:
    """Give a temporary path in the same folder, to write to and then rename; remove it if it is still there at the end.

    The folder is created if it does not exist.
    """
    with storing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def storing(path: Path) -> Iterator[None]:
    """Turn an OSError into a StorageError that names the path."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise StorageError(f"{path}: cannot be written ({reason}). No incomplete file was left there.") from error


@contextmanager
def opened(path: Path, *, compressed: bool) -> Iterator[IO[bytes]]:
    """Open a file for writing; compressed with gzip, equal content gives equal bytes."""
    with path.open("wb") as raw:
        if not compressed:
            yield raw
            return
        with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0) as packed:
            yield cast("IO[bytes]", packed)
