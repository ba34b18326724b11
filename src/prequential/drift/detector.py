"""The contract of a drift detector: an immutable set of parameters, and the state of one run over a series."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from prequential.arguments import check_whole
from prequential.drift.detector_state import DetectorState
from prequential.drift.series_state import SeriesState
from prequential.drift.statistic_series import StatisticSeries
from prequential.errors import InputError, MissingExtraError, ParameterError
from prequential.metrics.forgetting import Forgetting, as_forgetting
from prequential.metrics.metric import REGISTRY, Metric
from prequential.namespace import Suggesting
from prequential.parameters import HasParameters, call_of
from prequential.types import FloatArray, IntArray
from prequential.wording import listing, suggestion

if TYPE_CHECKING:
    from prequential.drift.river_detector import RiverDetector

Direction: TypeAlias = Literal["up", "down", "both"]
DIRECTIONS = ("up", "down", "both")

OF_ONE_RECORD = ("error", "accuracy", "log_loss", "brier", "mae", "mse")
"""Metrics that are means over records, and so are defined for a single record."""

MOST = 1_000_000_000
"""Largest whole number that a detector accepts as a parameter."""

RARE = {"rare": True}
"""Metadata of a parameter that the textual form omits if it has its default."""


class State(Protocol):
    """The state of a detector while it runs over a series.

    Examples
    --------
    >>> from prequential.drift import PageHinkley
    >>> state = PageHinkley(threshold=2, min_records=1).fresh()
    >>> [state.update(error) for error in (0, 0, 0, 0, 1, 1, 1)]
    [False, False, False, False, False, False, True]
    >>> state.drift_detected
    True
    """

    @property
    def drift_detected(self) -> bool:
        """Whether the last value raised an alarm."""

    @overload
    def update(self, values: FloatArray, /) -> IntArray: ...
    @overload
    def update(self, values: Sequence[float], /) -> IntArray: ...
    @overload
    def update(self, value: float, /) -> bool: ...
    def update(self, values: Any, /) -> IntArray | bool:
        """Feed one value or several, NaN for none.

        Returns
        -------
        IntArray | bool
            The positions in ``values`` at which there was an alarm; whether there was one, for a single value.
        """

    def until_alarm(self, values: FloatArray) -> int:
        """Feed values up to and including the first alarm; return its position, or their number if there is none."""

    def reset(self) -> None:
        """Return to the initial state."""

    def to_bytes(self) -> bytes:
        """Return the state."""

    def load_bytes(self, state: bytes) -> None:
        """Restore the state of a detector with the same parameters."""


class Detector(HasParameters, Suggesting, ABC):
    """A drift detector with its parameters.

    A detector watches a metric of a learner in such a way that a rise is always a change for the worse: a
    metric that is better when it is higher (accuracy, κ, AUC) is fed as 1 − value. NaN is skipped. A detector can also
    run over any series of numbers: see ``detect``.

    A subclass is a frozen dataclass of its parameters.

    Examples
    --------
    >>> import prequential as pq
    >>> isinstance(pq.as_detector("ddm"), pq.drift.Detector)
    True
    """

    __slots__ = ()

    name: ClassVar[str]
    """Its name in the textual form."""
    on: str | Metric
    """The metric it watches: its name, or a loss of your own."""
    statistics: ClassVar[tuple[str, ...]] = ()
    """The names of the statistics that ``trace`` shows; the last one is compared with a limit."""

    def fresh(self) -> DetectorState:
        """Return the initial state of a run over a series, which takes single values or several.

        Examples
        --------
        >>> from prequential.drift import DDM
        >>> state = DDM().fresh()
        >>> state.update(1), state.drift_detected
        (False, False)
        """
        return DetectorState(self, self._start())

    @abstractmethod
    def _start(self) -> State:
        """Return the state that ``fresh`` holds, without its checks of arguments."""

    @property
    @abstractmethod
    def forgetting(self) -> tuple[Forgetting, ...]:
        """The forgettings under which it reads the metric; empty for the value of each single record."""

    def fresh_on_estimates(self) -> State:
        """Return the initial state of a run over the series that ``combined`` returns."""
        return self._start()

    def combined(self, estimates: FloatArray) -> FloatArray:
        """Combine the estimates, one column per forgetting, into one series."""
        return estimates[:, 0]

    def detect(self, series: npt.ArrayLike) -> IntArray:
        """Run over a whole series; return the positions (the first is 0) at which there was an alarm.

        A detector with ``under`` gets the mean of the values under this forgetting, which starts again after each
        alarm: for a series of losses that is what it gets next to a learner. ``on`` does not matter: the values are
        taken as they are.

        Examples
        --------
        >>> from prequential.drift import PageHinkley
        >>> losses = [0, 1] * 500 + [1] * 500
        >>> PageHinkley(delta=0.1, threshold=10, under="fading:0.99").detect(losses).tolist()
        [1103]
        """
        return self.fresh_on_series().update(as_series(series, type(self).__name__))

    def trace(self, series: npt.ArrayLike, *, every: int = 1) -> StatisticSeries:
        """Run over a whole series as ``detect`` does; return the statistic that is compared with the limit.

        Page–Hinkley shows the rise m_T − min m beside λ, Ratio also the ratio R(i), ADWIN the width and the mean of its
        window, DDM p + s beside its level, EDDM the share of its maximum beside β.

        Parameters
        ----------
        series
            The numbers.
        every
            Keep every n-th position; alarms and the last position are always kept.

        Raises
        ------
        InputError
            For a detector of another library, whose statistic is not known.
        """
        check_whole(every, "every", "trace", least=1)
        if not self.statistics:
            raise InputError(
                f"{self.label} is a detector of another library, whose statistic is not known. Accepted: detectors of "
                "pq.drift."
            )
        values = as_series(series, type(self).__name__)
        alarms, shown = self.fresh_on_series().traced(values, len(self.statistics) + 1)
        n = np.arange(len(values))
        kept = np.flatnonzero(((n + 1) % every == 0) | np.isin(n, alarms) | (n == len(values) - 1))
        return StatisticSeries(
            self.label, self.statistics, kept, shown[kept, :-1].copy(), shown[kept, -1].copy(), alarms
        )

    def fresh_on_series(self) -> SeriesState:
        """Return the initial state of a run over a series of numbers, such as losses."""
        return SeriesState(self.label, self._start(), None)

    def to_river(self) -> RiverDetector:
        """Return this detector as a detector of River, which takes one value at a time.

        Raises
        ------
        MissingExtraError
            If River is not installed.
        InputError
            If the detector reads a metric under a forgetting, which exists in a run only.

        Examples
        --------
        >>> from prequential.drift import DDM
        >>> from river import drift, naive_bayes
        >>> model = naive_bayes.GaussianNB()
        >>> model = drift.DriftRetrainingClassifier(model, DDM().to_river(), train_in_background=False)
        """
        under: Forgetting | None = getattr(self, "under", None)
        if under is not None:
            raise InputError(
                f"{type(self).__name__} cannot be used in River under {under.label}: in a run it reads {self.on} under "
                "this forgetting, but in River it gets single values. Accepted: under=None."
            )
        try:
            from prequential.drift.river_detector import RiverDetector
        except ImportError as error:
            raise MissingExtraError("to_river", "river") from error
        return RiverDetector(self)

    def __repr__(self) -> str:
        return call_of(self)

    @property
    def label(self) -> str:
        """The textual form, which ``as_detector`` reads: ``page_hinkley:delta=0.005,threshold=50,on=error``."""
        parameters = []
        for field in fields(self):  # type: ignore[arg-type]  # every subclass is a dataclass
            value = getattr(self, field.name)
            if value is None or (field.metadata.get("rare") and value == field.default):
                continue
            parameters.append(f"{field.name}={_text(value)}")
        return f"{self.name}:{','.join(parameters)}"


class OneEstimateDetector(Detector):
    """A detector that reads its metric under one forgetting, ``under``, or takes the value of each single record."""

    __slots__ = ()

    under: Forgetting | str | None

    @property
    def forgetting(self) -> tuple[Forgetting, ...]:
        """The forgetting under which it reads the metric, if any."""
        return () if self.under is None else (as_forgetting(self.under),)

    def fresh_on_series(self) -> SeriesState:
        """Return the initial state of a run over a series, or over its mean under the forgetting."""
        return SeriesState(self.label, self._start(), next(iter(self.forgetting), None))

    def _check_watched(self) -> None:
        """Check ``on`` and ``under``; replace the textual form of a forgetting by the forgetting."""
        caller = type(self).__name__
        check_on(self.on, caller)
        if self.under is not None:
            object.__setattr__(self, "under", as_forgetting(self.under))
        elif not isinstance(self.on, Metric) and self.on not in OF_ONE_RECORD:
            needed = f"a forgetting, such as sliding:1000, because {self.on} has no meaning for a single record"
            raise ParameterError("under", caller, needed, None)


def as_series(values: npt.ArrayLike, caller: str) -> FloatArray:
    """Return a series as an array of numbers; None and NaN mark missing values."""
    try:
        series = np.asarray(values, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise ParameterError("series", caller, "a series of numbers", values) from error
    if series.ndim != 1:
        raise ParameterError(
            "series", caller, "a series of numbers", values if series.ndim == 0 else f"{series.ndim} dimensions"
        )
    return series


def check_on(on: object, caller: str) -> None:
    """Check that a metric exists; ``recall[UP]`` is the metric of one class."""
    if isinstance(on, Metric) and on.loss is not None:
        return
    base = str(on).partition("[")[0]
    if not isinstance(on, str) or base not in REGISTRY:
        known = list(REGISTRY)
        raise InputError(
            f"{caller} cannot watch {on!r}: there is no such metric.{suggestion(base, known)} "
            f"Metrics: {listing(known, 40)}."
        )
    metric = REGISTRY[base]
    if metric.per_class and not on.endswith("]"):
        raise InputError(
            f"{caller} cannot watch {on!r}: it has one value per class. Accepted: {on}[CLASS], such as {on}[UP]."
        )
    if not metric.per_class and base != on:
        raise InputError(f"{caller} cannot watch {on!r}: {base!r} has one value for all classes. Accepted: {base}.")


def _text(value: object) -> str:
    if isinstance(value, float):
        return repr(float(value)).removesuffix(".0")
    return value.name if isinstance(value, Metric) else str(getattr(value, "label", value))
