"""The majority class."""

from __future__ import annotations

from dataclasses import dataclass

from prequential import _native
from prequential.arguments import is_whole
from prequential.errors import ParameterError
from prequential.learners.catalogue import register
from prequential.learners.native import NativeLearner
from prequential.streams.schema import Schema


@register("majority_class")
@dataclass(eq=False, kw_only=True, repr=False)
class MajorityClass(NativeLearner):
    """Predicts the most frequent class of all labels so far, or of the last ``window_size`` labels.

    Scores are the shares of the classes. Abstains until the first label.

    Parameters
    ----------
    window_size
        Number of last labels to count; None for all labels.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, pq.learners.MajorityClass(), metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.64
    """

    window_size: int | None = None

    def __post_init__(self) -> None:
        if self.window_size is not None and not is_whole(self.window_size, 1):
            raise ParameterError(
                "window_size", "MajorityClass", "a whole number of at least 1, or None", self.window_size
            )

    def _make(self, schema: Schema, seed: int) -> _native.Learner:  # noqa: ARG002  # no random draws
        return _native.majority_class(schema.n_classes, schema.cardinalities, self.window_size or 0)
