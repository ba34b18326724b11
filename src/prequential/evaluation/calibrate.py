"""Find the parameter of a drift detector for an admissible rate of false alarms, on data without drift."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.arguments import check_number, check_whole, checked_call
from prequential.drift import ADWIN, DDM, EDDM, Detector, DetectorLike, PageHinkley, Ratio, as_detector
from prequential.drift.detector import as_series
from prequential.errors import InputError, ParameterError
from prequential.evaluation.calibration import Calibration
from prequential.evaluation.detect import detect
from prequential.evaluation.evaluate import finite_stream
from prequential.evaluation.threshold_search import ThresholdSearch
from prequential.learners.adapters import LearnerLike
from prequential.streams.as_stream import StreamLike
from prequential.streams.stream import Stream
from prequential.types import IntArray
from prequential.wording import listing

_PARAMETERS: dict[type[Detector], tuple[str, list[float]]] = {
    PageHinkley: ("threshold", [10 ** (k / 2) for k in range(12, -7, -1)]),
    Ratio: ("threshold", [10 ** (k / 2) for k in range(12, -7, -1)]),
    DDM: ("level", [10 ** (k / 4) for k in range(8, -5, -1)]),
    ADWIN: ("delta", [*(10.0**k for k in range(-30, 0)), 0.5, 0.99]),
    EDDM: ("beta", [0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99]),
}
"""The parameter that sets the rate of false alarms, and values from few alarms to many."""
_PARTS = 10
"""Parts of a single series, whose numbers of alarms are compared."""


@checked_call
def calibrate(
    detector: DetectorLike,
    data: StreamLike | npt.ArrayLike,
    learner: LearnerLike | None = None,
    *,
    false_alarms_per: float,
    seeds: int = 10,
    alpha: float = 0.05,
) -> Calibration:
    """Find the parameter of a detector for at most one false alarm per so many records, on data without drift.

    Every alarm on such data is false, also one while the learner still learns.

    Parameters
    ----------
    detector
        The detector. Its threshold is found (PageHinkley, Ratio), its ``delta`` (ADWIN), ``level`` (DDM) or ``beta``
        (EDDM); its other parameters stay.
    data
        With a learner a stream without drift. One that draws its records is drawn again with the seeds 1, 2, …; a file
        is used once. Without a learner a series of numbers, such as logged losses, or a list of independent series.
    learner
        The learner that the detector watches.
    false_alarms_per
        The admissible rate: on average one false alarm in this many records. The data must have at least four times as
        many records in all.
    seeds
        The number of runs with different seeds.
    alpha
        1 − the confidence of the intervals.

    Returns
    -------
    Calibration
        The value, its interval, and the rate there. ``interval[1]`` is the cautious choice: the value at which the data
        show that the rate is admissible.

    Raises
    ------
    InputError
        If the data are too short or have known drifts, or if no value gives an admissible rate.

    Examples
    --------
    >>> import numpy as np
    >>> import prequential as pq
    >>> losses = (np.random.default_rng(1).random(20_000) < 0.2).astype(float)
    >>> found = pq.calibrate(pq.drift.PageHinkley(delta=0.05), losses, false_alarms_per=1000)
    >>> found.parameter, found.interval[0] <= found.value <= found.interval[1], found.rate <= 1 / 1000
    ('threshold', True, True)
    """
    base = as_detector(detector)
    if type(base) not in _PARAMETERS:
        known = ", ".join(cls.__name__ for cls in _PARAMETERS)
        raise ParameterError("detector", "calibrate", f"a detector with a known threshold: {known}", base)
    check_number(false_alarms_per, "false_alarms_per", "calibrate", least=1)
    check_whole(seeds, "seeds", "calibrate", least=1)
    check_number(alpha, "alpha", "calibrate", above=0, below=1)
    name, values = _PARAMETERS[type(base)]
    runs = _Series(base, name, data) if learner is None else _Runs(base, name, _drawn(data, seeds), learner)
    search = ThresholdSearch(runs.counts, float(false_alarms_per), alpha)
    search.run(values, f"{type(base).__name__} with {name}={values[0]:g}")
    value, bold, cautious = search.answers()
    rate = search.rate(value)
    return Calibration(
        detector=base.with_params({name: value}),
        parameter=name,
        value=value,
        interval=(bold, cautious),
        false_alarms_per=float(false_alarms_per),
        rate=rate.rate,
        rate_interval=(rate.low, rate.high),
        n_alarms=int(search.found[value].sum()),
        n_records=search.n_records,
        n_parts=search.found[value].size,
        dispersion=rate.dispersion,
        alpha=float(alpha),
    )


class _Series:
    """Counts of alarms over series of numbers."""

    def __init__(self, base: Detector, name: str, data: Any) -> None:
        if isinstance(data, Stream | str):
            needed = "with a stream a learner that the detector watches, such as 'naive_bayes'"
            raise ParameterError("learner", "calibrate", needed, None)
        several = isinstance(data, list | tuple) and bool(data) and all(np.ndim(one) == 1 for one in data)
        self._series = [as_series(one, "calibrate") for one in (data if several else [data])]
        self._base, self._name = base, name

    def counts(self, values: Sequence[float]) -> tuple[IntArray, int]:
        """Return the number of alarms, a row per value and a column per part, and the number of records."""
        lengths = [len(one) for one in self._series]
        made = [self._base.with_params({self._name: value}) for value in values]
        return np.array([_parts([one.detect(each) for each in self._series], lengths) for one in made]), sum(lengths)


class _Runs:
    """Counts of alarms next to a learner."""

    def __init__(self, base: Detector, name: str, streams: Sequence[Stream], learner: LearnerLike) -> None:
        self._base, self._name, self._streams, self._learner = base, name, streams, learner

    def counts(self, values: Sequence[float]) -> tuple[IntArray, int]:
        """Return the number of alarms, a row per value and a column per part, and the number of records."""
        made = [self._base.with_params({self._name: value}) for value in values]
        alarms: list[list[IntArray]] = []
        lengths = []
        for seed, stream in enumerate(self._streams, start=1):
            found = detect(stream, self._learner, made, seed=seed, progress=False)
            if len(found) != len(values):
                raise ParameterError("learner", "calibrate", "one learner", self._learner)
            lengths.append(found[0].n_records)
            alarms.append([np.array([one.record for one in each.alarms], dtype=np.int64) for each in found])
        return np.array([_parts([run[k] for run in alarms], lengths) for k in range(len(values))]), sum(lengths)


def _parts(alarms: Sequence[IntArray], lengths: Sequence[int]) -> IntArray:
    """Return the number of alarms per run; for one run those in its tenths."""
    if len(alarms) > 1:
        return np.array([len(one) for one in alarms], dtype=np.int64)
    return np.bincount(alarms[0] * _PARTS // max(lengths[0], 1), minlength=_PARTS).astype(np.int64)


def _drawn(data: Any, seeds: int) -> list[Stream]:
    """Return the stream with each seed; one that draws nothing only once."""
    stream = finite_stream(data)
    drifts = stream.drifts_before(stream.n_records if stream.n_records is not None else 1 << 62)
    if drifts:
        raise InputError(
            f"calibrate: {stream.name} drifts at record {listing([f'{one.at:,}' for one in drifts], 5)}, so an alarm "
            "need not be false. Accepted: a stream without known drifts."
        )
    first, second = stream.reseeded(1), stream.reseeded(2)
    if first is second or first.describe() == second.describe():
        return [stream]
    return [stream.reseeded(seed) for seed in range(1, seeds + 1)]
