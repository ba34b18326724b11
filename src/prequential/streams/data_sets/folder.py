"""The folder in which the files of data sets are looked for."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from prequential.streams.data_sets.data_set import DataSet
from prequential.streams.readers.file import READERS

VARIABLE = "PREQUENTIAL_DATA"
"""The environment variable that names the folder."""


def data_folder() -> Path:
    """Return the folder that ``PREQUENTIAL_DATA`` names, by default one in the user's cache."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else _cache() / "prequential" / "data"


def file_of(one: DataSet, folder: Path) -> Path | None:
    """Return the file of a data set in a folder: its name with a suffix that ``pq.read`` knows; None if there is none.

    A Parquet file comes first; a file may also be named as in the collection where the checksum was computed, such as
    ``regression_bike.parquet`` for ``bike``.
    """
    names = (one.name, f"regression_{one.name}") if one.task == "regression" else (one.name,)
    for suffix in sorted(READERS, key=lambda suffix: suffix != ".parquet"):
        for name in names:
            path = folder / f"{name}{suffix}"
            if path.is_file():
                return path
    return None


def _cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home()))
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
