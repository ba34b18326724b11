"""Records with predictions made elsewhere, and the tally that counts them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from prequential.engines.job import Job
from prequential.errors import DataError
from prequential.metrics.grid import BadScoreError
from prequential.protocols.setting import Setting, Tested
from prequential.protocols.tally import GridTally, Tally
from prequential.streams.chunk import Chunk
from prequential.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Predicted(Chunk):
    """Consecutive records without features, with what learners predicted.

    Parameters
    ----------
    scores, prediction
        The scores and the codes of the predicted classes, by learner; a learner has one of them, or both.
    """

    scores: Mapping[str, FloatArray] = field(default_factory=dict)
    prediction: Mapping[str, IntArray] = field(default_factory=dict)

    def __getitem__(self, index: slice) -> Predicted:
        """Return consecutive records as views of the same arrays."""
        cut = Chunk.__getitem__(self, index)
        assert isinstance(cut, Predicted)
        return replace(
            cut,
            scores={learner: values[index] for learner, values in self.scores.items()},
            prediction={learner: values[index] for learner, values in self.prediction.items()},
        )


class PredictionsTally(GridTally):
    """Counts the predictions of one learner.

    Parameters
    ----------
    setting
        The settings of the run.
    name
        Name of the learner; chunks without predictions of it are ignored.
    """

    def __init__(self, setting: Setting, name: str) -> None:
        super().__init__(setting)
        self._name = name
        self._watches = setting.watches()

    def step(self, chunk: Chunk) -> Tested | None:
        """Count the predictions of a chunk."""
        assert isinstance(chunk, Predicted)
        scores, prediction = chunk.scores.get(self._name), chunk.prediction.get(self._name)
        if scores is not None or prediction is not None:
            start = self.n_records
            try:
                self.count(chunk, scores, prediction)
            except BadScoreError as error:
                raise DataError(
                    str(error),
                    source=self._name,
                    row=self.n_records,
                    row_kind="record",
                    accepted="scores of at least 0",
                ) from error
            self._watch(replace(chunk, start=start), scores, prediction)
        return None

    def state(self) -> dict[str, Any]:
        """Return the state of the grid and of the detectors."""
        return {**super().state(), "watches": [watch.to_bytes() for watch in self._watches]}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore from ``state()``."""
        super().restore(state)
        for watch, saved in zip(self._watches, state["watches"], strict=True):
            watch.load_bytes(saved)

    def _watch(self, chunk: Chunk, scores: FloatArray | None, prediction: IntArray | None) -> None:
        """Pass the counted records to the detectors; alarms count the records of this learner."""
        for watch in self._watches:
            alarms = watch.step(chunk, scores, prediction)
            self._alarms += [(watch.detector.label, alarm) for alarm in alarms]


@dataclass(frozen=True, slots=True)
class PredictionsJob(Job):
    """The parameters of the tally of one learner."""

    name: str
    setting: Setting
    fold: int = 0

    def make(self) -> Tally:
        """Create the tally."""
        return PredictionsTally(self.setting, self.name)
