"""Whether the initial and the final prediction of each labelled record were right, when labels arrive late."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.types import IntArray

STAGES = ("initial", "final")
"""The predictions by which learners are compared: at arrival, and just before the label is learned."""
WRONG, RIGHT, NOT_COUNTED = 0, 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class LateVerdicts:
    """The verdicts on some labels, in the order of their arrival.

    Parameters
    ----------
    event
        For each label the number of its event in the run, the same for all learners.
    verdicts
        For each label one row: 0 (wrong), 1 (right) or 2 (not counted), of the initial and of the final prediction.
    """

    event: IntArray
    verdicts: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.event)

    @classmethod
    def of(cls, event: IntArray, label: IntArray, predictions: Any, *, skip_abstained: bool) -> LateVerdicts:
        """Judge predictions, with one row per label and one column per bin; −1 is an abstention."""
        ends = predictions[:, [0, -1]].astype(np.int64)
        verdicts = (ends == label[:, None]).astype(np.uint8)
        if skip_abstained:
            verdicts[ends < 0] = NOT_COUNTED
        return cls(event, verdicts)

    @classmethod
    def join(cls, parts: list[LateVerdicts]) -> LateVerdicts:
        """Concatenate verdicts."""
        if not parts:
            return cls(np.zeros(0, np.int64), np.zeros((0, len(STAGES)), np.uint8))
        return cls(np.concatenate([one.event for one in parts]), np.concatenate([one.verdicts for one in parts]))

    def until(self, event: int) -> LateVerdicts:
        """Return the verdicts on the labels before an event."""
        keep = self.event < event
        return LateVerdicts(self.event[keep], self.verdicts[keep])
