"""Adding the file of a data set to the folder, from whatever format it was obtained in."""

from __future__ import annotations

import shutil
from pathlib import Path

from prequential.errors import MissingFileError, StorageError
from prequential.streams.data_sets.check import check_file
from prequential.streams.data_sets.data_set import DataSet
from prequential.streams.readers.file import READERS
from prequential.whole_file import aside, storing


def add_file(one: DataSet, path: Path, folder: Path) -> Path:
    """Check a file and copy it into the folder under the name of its data set; return the new path."""
    if not path.is_file():
        raise MissingFileError(path)
    check_file(one, path)
    suffix = next(
        (suffix for suffix in sorted(READERS, key=len, reverse=True) if path.name.endswith(suffix)), ".parquet"
    )
    to = folder / f"{one.name}{suffix}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{folder} cannot be made: {error}.") from error
    with aside(to) as part, storing(to):
        shutil.copyfile(path, part)
        part.replace(to)
    return to
