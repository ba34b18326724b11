"""What is repeated with which seeds, and the file in the directory of a replication that says so.

::

    replication.json     the seeds, and what they change
    plan.toml            the plan, if a plan is repeated
    seed-1/ seed-2/ …    one run per seed: ordinary run directories
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from prequential.arguments import check_choice, checked_path, checked_whole, is_number
from prequential.errors import InputError, MissingFileError, ParameterError, StorageError
from prequential.runs.directory import RunDirectory
from prequential.whole_file import storing, write_whole

KIND, FORMAT, INDEX = "prequential replication", 1, "replication.json"
MOST_SEEDS = 10_000
Vary: TypeAlias = Literal["both", "stream", "learners"]


@dataclass(frozen=True, slots=True)
class Design:
    """The seeds of a replication.

    Parameters
    ----------
    name
        The experiment: the file of its plan, or the name of its function.
    seeds
        The seeds, in order.
    vary
        What a seed changes: ``stream``, ``learners`` (with the draws of the protocol), or ``both``; empty if a function
        decides.
    """

    name: str
    seeds: tuple[int, ...]
    vary: str

    def to_json(self) -> str:
        """Return the text of ``replication.json``."""
        data = {
            "kind": KIND,
            "format": FORMAT,
            "name": self.name,
            "vary": self.vary,
            "seeds": list(self.seeds),
        }
        return json.dumps(data, indent=2) + "\n"


def checked_seeds(given: object, caller: str = "replicate") -> tuple[int, ...]:
    """Return the seeds: 1 to n for a number n, or those of a list.

    Examples
    --------
    >>> checked_seeds(3), checked_seeds([5, 7])
    ((1, 2, 3), (5, 7))
    """
    if is_number(given):
        n = checked_whole(given, "seeds", caller, least=1)
        if n > MOST_SEEDS:
            raise ParameterError("seeds", caller, f"at most {MOST_SEEDS:,}", given)
        return tuple(range(1, n + 1))
    if isinstance(given, str) or not isinstance(given, Sequence | range) or not len(given):
        raise ParameterError("seeds", caller, "a number of seeds, or a list of seeds", given)
    seeds = tuple(checked_whole(one, "seeds", caller) for one in given)
    if len(set(seeds)) < len(seeds):
        raise ParameterError("seeds", caller, "distinct seeds: a run that counts twice is no evidence", list(given))
    return seeds


def check_vary(vary: object, caller: str = "replicate") -> None:
    """Refuse anything but the accepted words."""
    check_choice(vary, "vary", caller, get_args(Vary))


class ReplicationDirectory:
    """Reads and writes the directory of a replication.

    Parameters
    ----------
    path
        Its path.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = checked_path(path, "path", "a replication")

    @staticmethod
    def is_one(path: str | Path) -> bool:
        """Return whether a path is the directory of a replication."""
        return (Path(path) / INDEX).is_file()

    @property
    def design(self) -> Design:
        """The design."""
        if not self.path.exists():
            raise MissingFileError(self.path)
        index = self.path / INDEX
        if not index.is_file():
            raise InputError(f"{self.path} is not the directory of a replication (it has no {INDEX}).")
        try:
            data: dict[str, Any] = json.loads(index.read_text(encoding="utf-8"))
            if data["kind"] != KIND:
                raise InputError(f"{index} is not the index of a replication.")
            if data["format"] > FORMAT:
                raise StorageError(f"{index} was written by a newer version of prequential (format {data['format']}).")
            return Design(str(data["name"]), tuple(int(seed) for seed in data["seeds"]), str(data["vary"]))
        except (ValueError, KeyError, TypeError) as error:
            raise StorageError(f"{index}: damaged ({type(error).__name__}: {error}).") from error

    def run_path(self, seed: int) -> Path:
        """Return the directory of the run with a seed."""
        return self.path / f"seed-{seed}"

    def run(self, seed: int) -> RunDirectory | None:
        """Return the finished run with a seed; None if it is not finished."""
        if not (self.run_path(seed) / "manifest.json").is_file():
            return None
        found = RunDirectory(self.run_path(seed), self)
        return found if found.manifest.finished else None

    def begin(self, design: Design, plan: str | None, *, overwrite: bool, resume: bool) -> Design:
        """Create the directory, or continue in an existing one; return the design with all its seeds.

        Raises
        ------
        InputError
            If there is something else, or another experiment.
        """
        exists = self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir()))
        if exists and not self.is_one(self.path) and (resume or overwrite):
            raise InputError(f"{self.path} is not the directory of a replication (it has no {INDEX}).")
        if exists and not resume and not overwrite:
            raise InputError(
                f"{self.path} exists already. Choose another directory, continue it with resume=True (--resume), or "
                "replace it with overwrite=True (--overwrite)."
            )
        if exists and overwrite:
            self._clear()
        elif exists:
            before = self.design
            if (before.name, before.vary) != (design.name, design.vary):
                raise InputError(
                    f"{self.path} cannot be resumed: it repeats {before.name} (vary={before.vary!r}), not "
                    f"{design.name} (vary={design.vary!r})."
                )
            design = replace(design, seeds=tuple(dict.fromkeys([*before.seeds, *design.seeds])))
        write_whole(self.path / INDEX, design.to_json().encode())
        if plan is not None:
            write_whole(self.path / "plan.toml", plan.encode())
        return design

    def _clear(self) -> None:
        """Remove the runs of the seeds; other files stay."""
        with storing(self.path):
            for seed in self.design.seeds:
                if (self.run_path(seed) / "manifest.json").is_file() or (self.run_path(seed) / "trace").is_dir():
                    shutil.rmtree(self.run_path(seed))
