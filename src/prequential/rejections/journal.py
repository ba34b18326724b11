"""An experiment as a directory, to which every repetition is written when it is done.

::

    power.json           what was asked
    repetitions.jsonl    a line a repetition: the p-values of all tests

A line that was cut off, because the machine went down while it was written, is passed over and its repetition done
again. Repetitions are drawn from seeds of their own, so that it does not matter when, or in which order, they are done.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from prequential.errors import InputError, StorageError, checked_path
from prequential.rejections.design import Design
from prequential.rejections.repetition import Repetition

KIND, FORMAT = "prequential power", 1
ASKED, DONE = "power.json", "repetitions.jsonl"


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
        """What was asked."""
        path = self.path / ASKED
        try:
            data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            if data["kind"] != KIND:
                raise InputError(f"{path}: not an experiment on tests.")
            if data["format"] > FORMAT:
                raise InputError(f"{path}: written by a newer version of prequential (format {data['format']}).")
            return Design.from_dict(data["design"])
        except OSError as error:
            raise InputError(
                f"{self.path}: not the directory of an experiment on tests (it has no {ASKED})."
            ) from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path}: damaged ({type(error).__name__}: {error}).") from error

    def repetitions(self) -> tuple[Repetition, ...]:
        """Return what is done, each repetition once, in the order in which it was done."""
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
        """Make the directory, or go on in it.

        Raises
        ------
        InputError
            If something else is there, or an experiment with other settings, which are listed.
        """
        if (self.path / ASKED).is_file():
            before = self.design
            different = before.differences(design)
            design = replace(design, runs=max(before.runs, design.runs))  # those that are done stay
            if different:
                listed = "".join(f"\n  - {one}" for one in different)
                raise InputError(
                    f"{self.path}: has an experiment with other settings. Choose another directory, or ask for the "
                    f"same; only the number of runs and α may change.{listed}"
                )
        elif self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise InputError(f"{self.path}: exists already, and is no experiment on tests. Choose another directory.")
        with _storage(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            self._write(ASKED, json.dumps({"kind": KIND, "format": FORMAT, "design": design.to_dict()}, indent=2))
            if (self.path / DONE).is_file():
                whole = sum(len(line) + 1 for line in self._lines())
                os.truncate(self.path / DONE, whole)

    def append(self, repetitions: Iterable[Repetition]) -> None:
        """Add repetitions; when this returns, they are on the disk."""
        text = "".join(json.dumps(one.to_dict(), allow_nan=False) + "\n" for one in repetitions)
        with _storage(self.path / DONE), (self.path / DONE).open("ab") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())

    def _lines(self) -> list[bytes]:
        """Return the lines that are whole."""
        path = self.path / DONE
        if not path.is_file():
            return []
        with _storage(path):
            return path.read_bytes().split(b"\n")[:-1]

    def _write(self, name: str, text: str) -> None:
        aside = self.path / f".{name}.tmp"
        aside.write_text(text + "\n", encoding="utf-8")
        aside.replace(self.path / name)


@contextmanager
def _storage(path: Path) -> Iterator[None]:
    """Turn errors of the file system into ours, naming the place."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise StorageError(f"{path}: {reason}. What was written before is kept.") from error
