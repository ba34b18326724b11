"""Drift detectors on a series of numbers, the targets of a stream, without a learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from prequential.drift import Alarm
from prequential.engines.job import Job
from prequential.errors import InputError
from prequential.protocols.setting import Setting, Tested
from prequential.protocols.tally import Tally
from prequential.streams.chunk import Chunk


class SeriesTally(Tally):
    """Passes the targets of a stream to the detectors of the setting; it has alarms but no checkpoints."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._states = [detector.fresh_on_series() for detector in setting.detectors]

    def step(self, chunk: Chunk) -> Tested | None:
        """Pass the targets of a chunk to the detectors."""
        times = np.full(len(chunk), np.nan) if chunk.time is None else chunk.time
        for detector, state in zip(self.setting.detectors, self._states, strict=True):
            try:
                found: list[int] = state.update(chunk.y, chunk.time, chunk.weight).tolist()
            except ValueError as error:
                raise InputError(f"{detector.name}, records from {chunk.start:,} on: {error}.") from error
            self._alarms += [(detector.label, Alarm(chunk.start + i, float(times[i]))) for i in found]
        self.n_records = chunk.start + len(chunk)
        return None

    def finish(self) -> None:
        """Do nothing: there are no checkpoints."""

    def abandon(self) -> None:
        """Do nothing: there are no checkpoints."""

    def state(self) -> dict[str, Any]:
        """Return the whole state."""
        return {**super().state(), "states": [state.to_bytes() for state in self._states]}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore from ``state()``."""
        super().restore(state)
        for own, saved in zip(self._states, state["states"], strict=True):
            own.load_bytes(saved)


@dataclass(frozen=True, slots=True)
class SeriesJob(Job):
    """The parameters of a series tally."""

    name: str
    setting: Setting
    fold: int = 0

    def make(self) -> Tally:
        """Create the tally."""
        return SeriesTally(self.setting)
