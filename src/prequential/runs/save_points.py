"""Save points: the whole state of a run, from which it goes on if it is killed.

A save point is written aside, forced to disk, and renamed, so that it is there whole or not at all; a checksum tells
damage of any other kind. The last two are kept: if the newest cannot be read, the one before it can.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from prequential.errors import InputError, StorageError
from prequential.saved import pack, unpack

_MAGIC = b"prequential save point 1\n"
_KEPT = 2


class SavePoints:
    """The save points of a run, in a folder of its directory.

    Parameters
    ----------
    folder
        The folder; it is made when it is needed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, tree: Any) -> None:
        """Write a new one, and remove those before the last.

        Raises
        ------
        UnsavableError
            If something in the tree cannot be saved.
        StorageError
            If it cannot be written; those before are kept.
        """
        content = pack(tree)
        numbers = [int(path.stem) for path in self._paths()]
        path = self.folder / f"{max(numbers, default=0) + 1:08}.state"
        aside = path.with_suffix(".tmp")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with aside.open("wb") as file:
                file.writelines([_MAGIC, hashlib.sha256(content).digest(), content])
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
            sync_folder(self.folder)
        except OSError as error:
            with suppress(OSError):
                aside.unlink(missing_ok=True)
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise StorageError(
                f"{path}: {reason}. The run can go on from the save point before (--resume, resume=True)."
            ) from error
        for old in self._paths()[_KEPT:]:
            old.unlink(missing_ok=True)

    @property
    def exist(self) -> bool:
        """Whether there is one, whole or not."""
        return bool(self._paths())

    def read(self) -> Iterator[tuple[Path, Any]]:
        """Give the save points that are whole, the newest first."""
        for path in self._paths():
            with suppress(OSError, ValueError):
                content = path.read_bytes()
                head = len(_MAGIC) + hashlib.sha256().digest_size
                whole = content[:head] == _MAGIC + hashlib.sha256(content[head:]).digest()
                if whole:
                    yield path, unpack(content[head:])

    def keep(self, path: Path) -> None:
        """Remove all that are newer than one of them."""
        for newer in self._paths():
            if newer.stem > path.stem:
                newer.unlink(missing_ok=True)

    def clear(self) -> None:
        """Remove all: there is nothing to go on with."""
        for path in self.folder.glob("*"):
            path.unlink(missing_ok=True)
        with suppress(OSError):
            self.folder.rmdir()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Say that this process writes the run, until it has done so or ends, however it ends.

        Raises
        ------
        InputError
            If another one does.
        """
        try:
            import fcntl
        except ImportError:  # not on this system
            yield
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("wb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise InputError(f"{self.folder.parent}: another process is at work on this run.") from error
            except OSError:  # a file system that knows no locks
                pass
            yield

    def _paths(self) -> list[Path]:
        return sorted(self.folder.glob("[0-9]*.state"), reverse=True)


def sync_file(path: Path) -> None:
    """Force a file to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Force the names in a folder to disk, where the system can."""
    with suppress(OSError):
        sync_file(folder)
