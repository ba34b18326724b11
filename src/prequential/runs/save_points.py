"""Save points: files with the whole state of a run, from which an interrupted run is resumed.

A save point is written to a temporary file, synced to disk and renamed, so that it is either complete or absent; a
checksum detects any other damage. The last two are kept: if the newest cannot be read, the one before it can.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from prequential.errors import InputError, StorageError
from prequential.saved import pack, unpack

_MAGIC = b"prequential save point 1\n"
_KEPT = 2
_WAITS = (0.01, 0.05, 0.2, 0.5)


class SavePoints:
    """The save points of a run, in a folder of its directory.

    Parameters
    ----------
    folder
        The folder; it is created when needed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, tree: Any) -> None:
        """Write a new save point, and remove all except the last two.

        Raises
        ------
        UnsavableError
            If something in the tree cannot be saved.
        StorageError
            If it cannot be written; earlier save points are kept.
        """
        content = pack(tree)
        numbers = [int(path.stem) for path in self._paths()]
        path = self.folder / f"{max(numbers, default=0) + 1:08}.state"
        temporary = path.with_suffix(".tmp")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with temporary.open("wb") as file:
                file.writelines([_MAGIC, hashlib.sha256(content).digest(), content])
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
            sync_folder(self.folder)
        except OSError as error:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise StorageError(
                f"{path}: cannot be written ({reason}). The run can be resumed from the previous save point with "
                "resume=True (--resume)."
            ) from error
        for old in self._paths()[_KEPT:]:
            old.unlink(missing_ok=True)

    @property
    def exist(self) -> bool:
        """Whether there is a save point, intact or not."""
        return bool(self._paths())

    def read(self) -> Iterator[tuple[Path, Any]]:
        """Yield the intact save points, the newest first."""
        for path in self._paths():
            with suppress(OSError, ValueError):
                content = path.read_bytes()
                head = len(_MAGIC) + hashlib.sha256().digest_size
                whole = content[:head] == _MAGIC + hashlib.sha256(content[head:]).digest()
                if whole:
                    yield path, unpack(content[head:])

    def discard_after(self, path: Path) -> None:
        """Remove all save points that are newer than this one."""
        for newer in self._paths():
            if newer.stem > path.stem:
                newer.unlink(missing_ok=True)

    def clear(self) -> None:
        """Remove all save points."""
        for path in self.folder.glob("*"):
            path.unlink(missing_ok=True)
        with suppress(OSError):
            self.folder.rmdir()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold a lock while this process writes the run; the system releases it when the process ends.

        Raises
        ------
        InputError
            If another process holds the lock.
        """
        try:
            import fcntl
        except ImportError:  # the system has no such locks
            yield
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("wb") as file:
            for wait in (*_WAITS, None):
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError as error:
                    if wait is None:
                        raise InputError(f"{self.folder.parent}: another process is writing this run.") from error
                    time.sleep(wait)  # a reader holds the lock for an instant
                    continue
                except OSError:  # a file system without locks
                    pass
                break
            yield

    @property
    def are_locked(self) -> bool:
        """Whether a process writes the run; True if the system cannot tell."""
        try:
            import fcntl
        except ImportError:
            return True
        try:
            with (self.folder / "lock").open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except OSError:
            return True
        return False

    def _paths(self) -> list[Path]:
        return sorted(self.folder.glob("[0-9]*.state"), reverse=True)


def sync_file(path: Path) -> None:
    """Sync a file to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Sync the entries of a folder to disk, if the system supports it."""
    with suppress(OSError):
        sync_file(folder)
