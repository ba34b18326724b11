"""A learner that resets when a drift is detected."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from prequential import _native
from prequential.drift.adapted import as_detector
from prequential.drift.ddm import DDM
from prequential.drift.detector import Detector
from prequential.errors import InputError
from prequential.learners.catalogue import register
from prequential.learners.composed import ComposedLearner
from prequential.learners.contract import Learner
from prequential.learners.naive_bayes import NaiveBayes
from prequential.metrics.forgetting import Cumulative, Fading, Forgetting, Sliding
from prequential.streams.schema import Schema


@register("drift_reset")
@dataclass(eq=False, kw_only=True, repr=False)
class DriftReset(ComposedLearner):
    """Reset on drift: a learner that is replaced by a fresh one when a detector on its errors gives an alarm.

    The detector gets the error of each labelled record before it is learned: 0 if the base predicts its label, 1 if it
    does not or abstains, regardless of the weight. After an alarm a fresh base learns this record and the following
    ones, and the detector resets.

    Parameters
    ----------
    base
        The learner.
    detector
        A detector on the error, its textual form, or a detector of River or CapyMOA. It may read the error under a
        fading factor or a window in records, as Gama et al. (2013) do.

    References
    ----------
    Gama, Medas, Castillo and Rodrigues, "Learning with drift detection", SBIA 2004: the idea, and the default, DDM.
    Gama, Sebastião and Rodrigues, "On evaluating stream learning algorithms", Machine Learning 90, 2013: figure 6
    compares such a naive Bayes with one that is not reset.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> learner = pq.learners.DriftReset(base="naive_bayes", detector="ddm")
    >>> run = pq.evaluate(stream, learner, metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.87
    """

    base: Learner = field(default_factory=NaiveBayes)
    detector: Detector | str = field(default_factory=DDM)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.detector = as_detector(self.detector)
        if self.detector.on not in ("error", "accuracy"):
            raise InputError(
                f"DriftReset cannot watch {self.detector.on}. Accepted: detectors on=error or on=accuracy."
            )
        _memory(self.detector)

    @property
    def native(self) -> bool:
        """Whether both the base and the detector are native."""
        return self.member().native and type(as_detector(self.detector)._start()).__module__ == _native.__name__

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        detector = as_detector(self.detector)
        return _native.drift_reset(self._base(schema, seed), detector, *_memory(detector), seed)

    def describe(self) -> dict[str, object]:
        """Return the name and parameters of the learner, its base and its detector, for the manifest."""
        return {**super().describe(), "detector": as_detector(self.detector).label}


def _memory(detector: Detector) -> tuple[float | None, int | None]:
    """Return the fading factor or the window under which a detector reads the error; a ratio has its own means."""
    under: Forgetting | Any = getattr(detector, "under", None)
    if under is None:
        return None, None
    if under in (Cumulative(), Sliding(math.inf)):
        return 1.0, None
    if isinstance(under, Fading):
        return under.alpha, None
    if isinstance(under, Sliding) and under.n_records is not None:
        return None, int(under.n_records)
    raise InputError(
        f"DriftReset cannot read the error under {under.label}. Accepted: detectors on the error of each record, or "
        "under=cumulative, under=fading:ALPHA or under=sliding:RECORDS."
    )
