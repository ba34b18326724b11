"""A run saves its whole state now and then, so that it can go on from there if it is killed."""

from __future__ import annotations

import time
import warnings
import zlib
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from prequential.engines import Engine
from prequential.engines.job import Key
from prequential.errors import InputError, ParameterError, PrequentialError, is_number
from prequential.experiment.recorder import Recorder
from prequential.saved import UnsavableError
from prequential.streams.chunk import Chunk

SAVE_EVERY = 10.0
_SHARE = 20
"""Saving takes at most one part in so many of the time."""
_TAIL = 256


class NotResumableWarning(UserWarning):
    """A run cannot be saved, so that it has to begin anew if it is killed."""


@dataclass(slots=True)
class Tail:
    """A fingerprint of the last records that a run took: a stream that has others there is another stream.

    Parameters
    ----------
    n
        How many records.
    sums
        A checksum of each of their arrays.
    """

    n: int = 0
    sums: dict[str, int] = field(default_factory=dict)

    def add(self, chunk: Chunk) -> None:
        """Take some more records."""
        self.n += len(chunk)
        for name in ("X", "y", "time", "weight"):
            values = getattr(chunk, name)
            if values is not None:
                self.sums[name] = zlib.crc32(np.ascontiguousarray(values).tobytes(), self.sums.get(name, 0))
        if chunk.id is not None:  # of any type
            self.sums["id"] = zlib.crc32("".join(map(repr, chunk.id.tolist())).encode(), self.sums.get("id", 0))

    @classmethod
    def of(cls, chunk: Chunk) -> Tail:
        """Take the last records of a chunk."""
        tail = cls()
        tail.add(chunk[max(0, len(chunk) - _TAIL) :])
        return tail


@dataclass(frozen=True, slots=True)
class Position:
    """Where a run is: so many records on, so many chunks on, after these records."""

    n_records: int
    seq: int
    tail: Tail


class Saving:
    """Saves a run, and takes it up again.

    Parameters
    ----------
    engine, recorder
        Who holds the replicas, and who writes the run.
    every
        Seconds from one save point to the next, at least; 0: after every chunk, whatever it costs; None: none.
    """

    def __init__(self, engine: Engine, recorder: Recorder, *, every: float | None) -> None:
        self._engine, self._recorder = engine, recorder
        self._points = recorder.directory.save_points
        self._every = every
        self._due = time.perf_counter() + (every or 0.0)

    def breathe(self, seq: int, n_records: int, last: Chunk) -> None:
        """Save the run, if it is time; ``last`` are the records that it took last."""
        begun = time.perf_counter()
        if self._every is None or begun < self._due:
            return
        self._recorder.write(n_records)
        try:
            replicas = [[*key, kept] for key, kept in self._engine.state().items()]
            self._points.write(
                {
                    "position": {"n_records": n_records, "seq": seq, "tail": asdict(Tail.of(last))},
                    "replicas": replicas,
                    "recorder": self._recorder.state(),
                }
            )
        except UnsavableError as error:
            self._every = None
            warnings.warn(f"This run cannot be resumed if it is killed: {error}.", NotResumableWarning, 2)
            return
        now = time.perf_counter()
        self._due = now + (max(self._every, _SHARE * (now - begun)) if self._every else 0.0)

    def take_up(self) -> Position | None:
        """Go on from the newest save point that is whole; return where that is, None if there is none."""
        directory = self._recorder.directory
        for path, kept in self._points.read():
            if not directory.has(kept["recorder"]["parts"]):
                continue
            at = kept["position"]
            self._read_back(path, at["seq"], {(name, fold): state for name, fold, state in kept["replicas"]})
            self._points.keep(path)
            self._recorder.restore(kept["recorder"], at["n_records"])
            return Position(at["n_records"], at["seq"], Tail(**at["tail"]))
        directory.go_back({})
        self._recorder.write(0)
        return None

    def _read_back(self, path: Path, seq: int, states: dict[Key, bytes]) -> None:
        """Let all replicas be where they were."""
        try:
            self._engine.restore(seq, states)
        except PrequentialError:
            raise
        except Exception as error:  # of code that we do not know: a class that has been renamed since
            raise InputError(
                f"{path}: a learner or detector cannot be read back ({type(error).__name__}: {error}). The run can go "
                "on only with the code that it was begun with."
            ) from error


def check_saving(save_every: object) -> None:
    """Refuse a time between save points that is none."""
    if save_every is not None and not (is_number(save_every) and float(save_every) >= 0):  # type: ignore[arg-type]
        raise ParameterError("save_every", "evaluate", "a number of seconds of at least 0, or None", save_every)
