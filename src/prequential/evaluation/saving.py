"""Save points: the whole state of a run, written at intervals, from which an interrupted run is resumed."""

from __future__ import annotations

import time
from dataclasses import asdict

from prequential.engines.engine import Engine
from prequential.evaluation.position import Position
from prequential.evaluation.recorder import Recorder
from prequential.saved import UnsavableError
from prequential.user_warning import warn_user

_SHARE = 20
"""Saving takes at most one twentieth of the time."""


class NotResumableWarning(UserWarning):
    """A run cannot be saved, so it must start from its first record if it is interrupted."""


class SavePointWriter:
    """Writes save points of a run at intervals.

    Parameters
    ----------
    engine
        The engine that holds the replicas.
    recorder
        The recorder that writes the run.
    every
        Seconds between save points, at least. 0: one after every chunk, at any cost; None: no save points.
    """

    def __init__(self, engine: Engine, recorder: Recorder, *, every: float | None) -> None:
        self._engine, self._recorder = engine, recorder
        self._every = every
        self._due = time.perf_counter() + (every or 0.0)

    @property
    def due(self) -> bool:
        """Whether a save point is due."""
        return self._every is not None and time.perf_counter() >= self._due

    @property
    def possible(self) -> bool:
        """Whether this run has save points."""
        return self._every is not None

    def write(self, position: Position, n_records: int) -> None:
        """Write a save point."""
        begun = time.perf_counter()
        self._recorder.write(n_records)
        try:
            replicas = [[*key, state] for key, state in self._engine.state().items()]
            self._recorder.directory.save_points.write(
                {
                    "position": asdict(position),
                    "n_records": n_records,
                    "replicas": replicas,
                    "recorder": self._recorder.state(),
                }
            )
        except UnsavableError as error:
            self._every = None
            warn_user(f"This run cannot be resumed if it is interrupted: {error}.", NotResumableWarning)
            return
        now = time.perf_counter()
        self._due = now + (max(self._every, _SHARE * (now - begun)) if self._every else 0.0)
