"""Writing a report or a figure: whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from prequential.errors import InputError, StorageError, checked_path

FIGURES = {".png": "300 dots an inch", ".svg": "vector graphics", ".pdf": "vector graphics"}
"""What a figure for print can be written as."""


def checked_suffix(path: str | Path, accepted: Mapping[str, str]) -> str:
    """Return the suffix of a path in small letters, if it is accepted; ``accepted`` says what each stands for."""
    suffix = checked_path(path, "path", "a report or figure").suffix.lower()
    if suffix not in accepted:
        kinds = ", ".join(f"{name} ({what})" for name, what in accepted.items())
        raise InputError(f"{path}: cannot tell what to write from the suffix {suffix!r}. Accepted: {kinds}.")
    return suffix


def write_whole(path: str | Path, content: bytes) -> Path:
    """Write a file aside and rename it, so that a reader never sees half of it; folders are made as needed."""
    path = Path(path)
    aside = path.with_name(f".{path.name}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside.write_bytes(content)
        aside.replace(path)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise StorageError(f"{path}: {reason}.") from error
    finally:
        if path.parent.is_dir():
            aside.unlink(missing_ok=True)
    return path
