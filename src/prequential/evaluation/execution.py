"""Where and how a run is computed: directory, engine, resume. Results do not depend on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from prequential.arguments import checked_path, checked_whole, is_number
from prequential.engines.choice import check_engine
from prequential.engines.ray import Ray
from prequential.errors import InputError, ParameterError
from prequential.runs.directory import RunDirectory
from prequential.streams.schema import Schema

EngineName: TypeAlias = Literal["auto", "serial", "threads", "processes", "ray"]
EngineLike: TypeAlias = EngineName | Ray
"""The name of an engine, or ``pq.engines.Ray(address=…)``."""
SAVE_SECONDS = 10.0
"""Seconds between save points."""
CELLS = 1 << 22
"""Values in a chunk: enough that Python's share of the time is small, and at most 32 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """Where and how to compute a run; ``evaluate`` documents the fields.

    ``plan`` is the text of a plan to store with the run, and ``address`` that of ``engine=pq.engines.Ray(address=…)``.
    """

    caller: str
    directory: str | Path | None = None
    overwrite: bool = False
    resume: bool = False
    accept_changes: bool = False
    save_seconds: float | None = SAVE_SECONDS
    plan: str | None = None
    progress: bool | None = None
    engine: EngineLike = "auto"
    workers: int | None = None
    address: str | None = None
    chunk_size: int | None = None

    @property
    def engine_name(self) -> str:
        """The name of the engine."""
        return "ray" if isinstance(self.engine, Ray) else self.engine

    @property
    def cluster(self) -> str | None:
        """The address of the Ray cluster, if one was given."""
        return self.engine.address if isinstance(self.engine, Ray) else self.address

    @property
    def resumed_every(self) -> int | None:
        """The records between checkpoints of the run to resume; None if there is none."""
        if not self.resume or self.directory is None or not (Path(self.directory) / "manifest.json").is_file():
            return None
        return RunDirectory.open(self.directory).manifest.every

    def check(self) -> None:
        """Raise the first error."""
        for check in self._checks():
            check()

    def faults(self) -> list[InputError]:
        """Return all errors."""
        found = []
        for check in self._checks():
            try:
                check()
            except InputError as error:
                found.append(error)
        return found

    def chunk(self, schema: Schema) -> int:
        """Return the number of records per chunk."""
        return default_chunk(schema) if self.chunk_size is None else int(self.chunk_size)

    def _checks(self) -> Iterator[Callable[[], object]]:
        yield lambda: check_engine(self.engine_name, self.workers, self.cluster, self.caller)
        yield self._check_save_seconds
        yield self._check_directory
        if self.chunk_size is not None:
            yield lambda: checked_whole(self.chunk_size, "chunk_size", self.caller, least=1)

    def _check_save_seconds(self) -> None:
        if self.save_seconds is not None and not (is_number(self.save_seconds) and float(self.save_seconds) >= 0):
            expected = "a number of seconds of at least 0, or None"
            raise ParameterError("save_seconds", self.caller, expected, self.save_seconds)

    def _check_directory(self) -> None:
        if self.directory is not None:
            checked_path(self.directory, "directory", self.caller)
        elif self.resume:
            raise InputError("resume=True (--resume) needs the directory of the run: directory=… (--output).")
        if self.accept_changes and not self.resume:
            raise InputError(
                "accept_changes=True (--accept-changes) resumes a run with changed code or versions: give it with "
                "resume=True (--resume)."
            )
        if self.resume and self.overwrite:
            raise InputError(
                f"{self.directory}: resume=True (--resume) continues the run there, overwrite=True (--overwrite) "
                "replaces it: give only one of them."
            )


def default_chunk(schema: Schema) -> int:
    """Return the number of records in a chunk of about 32 MB: from 1,024 to 262,144."""
    return max(1024, min(1 << 18, CELLS // max(1, schema.n_features)))
