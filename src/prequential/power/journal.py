"""The directory of a power experiment, to which every repetition is written when it is done.

::

    power.json           the settings
    repetitions.jsonl    one line per repetition: the p-values of all tests

An incomplete last line, left by a crash, is ignored, and its repetition is run again. Each repetition has its own
seeds, so the order in which they are run does not matter.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from prequential.arguments import checked_path
from prequential.errors import InputError, MissingFileError, StorageError
from prequential.power.design import Design
from prequential.power.repetition import Repetition
from prequential.whole_file import write_whole

KIND, FORMAT = "prequential power", 1
SETTINGS, DONE = "power.json", "repetitions.jsonl"


class Journal:
    """Reads and writes the files of one experiment.

    Parameters
    ----------
    path
        Its directory.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = checked_path(path, "path", "an experiment's directory")

    @property
    def design(self) -> Design:
        """The settings."""
        path = self.path / SETTINGS
        if not self.path.exists():
            raise MissingFileError(self.path)
        try:
            data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            if data["kind"] != KIND:
                raise InputError(f"{path}: not a power experiment.")
            if data["format"] > FORMAT:
                raise InputError(f"{path}: written by a newer version of prequential (format {data['format']}).")
            return Design.from_dict(data["design"])
        except InputError:
            raise
        except OSError as error:
            raise InputError(f"{self.path}: not the directory of a power experiment (it has no {SETTINGS}).") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path}: damaged ({type(error).__name__}: {error}).") from error

    def repetitions(self) -> tuple[Repetition, ...]:
        """Return the finished repetitions, each once, in the order in which they were written."""
        found: dict[tuple[object, int], Repetition] = {}
        for number, line in enumerate(self._lines(), start=1):
            try:
                one = Repetition.from_dict(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                place = f"{self.path / DONE}, line {number}"
                raise InputError(f"{place}: damaged ({type(error).__name__}: {error}).") from error
            found.setdefault((one.case, one.run), one)
        return tuple(found.values())

    def begin(self, design: Design) -> None:
        """Create the directory, or continue in an existing one.

        Raises
        ------
        InputError
            If the directory has other content, or an experiment with other settings, which are listed.
        """
        if (self.path / SETTINGS).is_file():
            before = self.design
            different = before.differences(design)
            design = replace(design, runs=max(before.runs, design.runs))  # finished runs stay
            if different:
                listed = "".join(f"\n  - {one}" for one in different)
                raise InputError(
                    f"{self.path}: has an experiment with other settings. Choose another directory, or use the same "
                    f"settings; only the number of runs and α may change.{listed}"
                )
        elif self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise InputError(f"{self.path}: exists already and is not a power experiment. Choose another directory.")
        settings = json.dumps({"kind": KIND, "format": FORMAT, "design": design.to_dict()}, indent=2)
        write_whole(self.path / SETTINGS, f"{settings}\n".encode())
        with _storage(self.path):
            if (self.path / DONE).is_file():
                whole = sum(len(line) + 1 for line in self._lines())
                os.truncate(self.path / DONE, whole)

    def append(self, repetitions: Iterable[Repetition]) -> None:
        """Add repetitions; when this returns, they are on disk."""
        text = "".join(json.dumps(one.to_dict(), allow_nan=False) + "\n" for one in repetitions)
        with _storage(self.path / DONE), (self.path / DONE).open("ab") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())

    def _lines(self) -> list[bytes]:
        """Return the complete lines."""
        path = self.path / DONE
        if not path.is_file():
            return []
        with _storage(path):
            return path.read_bytes().split(b"\n")[:-1]


@contextmanager
def _storage(path: Path) -> Iterator[None]:
    """Turn errors of the file system into a ``StorageError`` that names the path."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise StorageError(f"{path}: {reason}. What was written before is kept.") from error
