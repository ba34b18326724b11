"""The most frequent class."""

from __future__ import annotations

from dataclasses import dataclass

from prequential import _native
from prequential.errors import ParameterError, is_whole
from prequential.learners.native import NativeLearner
from prequential.streams.schema import Schema


@dataclass(eq=False, kw_only=True)
class MajorityClass(NativeLearner):
    """Predicts the most frequent class, of all labels or of the last ``window`` of them.

    Scores are the shares of the classes. It abstains until the first label.

    Parameters
    ----------
    window
        Number of labels to look back on; None for all of them.
    """

    window: int | None = None

    def __post_init__(self) -> None:
        if self.window is not None and not is_whole(self.window, 1):
            raise ParameterError("window", "MajorityClass", "a whole number of at least 1, or None", self.window)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:  # noqa: ARG002  # it draws nothing
        return _native.majority_class(schema.n_classes, schema.cardinalities, self.window or 0)
