"""Adapter for the drift detectors of River and CapyMOA."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeAlias, cast, overload

import numpy as np

from prequential.arguments import checked_call
from prequential.drift.catalogue import DETECTORS
from prequential.drift.detector import Detector, OneEstimateDetector, State
from prequential.errors import InputError
from prequential.metrics.forgetting import Forgetting, as_forgetting
from prequential.metrics.metric import Metric
from prequential.saved import pickled
from prequential.textual import register_look_up
from prequential.textual.call import instance
from prequential.types import FloatArray, IntArray


class _Updates(Protocol):
    """A detector of River."""

    def update(self, x: Any, /) -> Any: ...


class _AddsElements(Protocol):
    """A detector of CapyMOA."""

    def add_element(self, element: Any, /) -> Any: ...


DetectorLike: TypeAlias = Detector | str | type | Mapping[str, Any] | _Updates | _AddsElements
"""What is accepted as a detector: a `Detector`, its text, a table, a class, or a detector of River or CapyMOA."""
DetectorsLike: TypeAlias = DetectorLike | Collection[DetectorLike]
"""One detector or several."""


@checked_call
@dataclass(frozen=True, slots=True, eq=False)
class Adapted(OneEstimateDetector):
    """A detector of River (``update``, ``drift_detected``) or CapyMOA (``add_element``, ``detected_change``).

    The object is never fed itself: each series gets a new one with the same parameters. Whether it resets after an
    alarm depends on the library. It is called once per value, in Python. Its state is pickled when it is saved, which
    fails for CapyMOA's detectors.

    Parameters
    ----------
    model
        The detector.
    on, under
        The metric it watches, and the forgetting it is read under; by default the loss of each record.
    """

    name: ClassVar[str] = "adapted"

    model: Any
    on: str | Metric = "error"
    under: Forgetting | str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.model, type) or not (_is_river(self.model) or _is_capymoa(self.model)):
            hint = f" Pass an object of the class: {self.model.__name__}()." if isinstance(self.model, type) else ""
            raise InputError(
                f"{self.model!r} is not a drift detector.{hint} Accepted: a detector of this package, its textual "
                "form, or an object of River's (update, drift_detected) or CapyMOA's (add_element, detected_change)."
            )
        self._check_watched()

    @property
    def label(self) -> str:
        """Library, class and parameters; ``as_detector`` cannot read it."""
        library = type(self.model).__module__.partition(".")[0]
        parameters = ", ".join(f"{key}={value}" for key, value in _parameters(self.model).items())
        watched = f"on={self.on}" if self.under is None else f"on={self.on},under={as_forgetting(self.under).label}"
        return f"{library}.{type(self.model).__name__}({parameters}):{watched}"

    def _start(self) -> State:
        return _AdaptedState(self.model)


class _AdaptedState:
    """The state of a detector of another library."""

    drift_detected: bool

    def __init__(self, model: Any) -> None:
        self._original = model
        self.reset()

    @overload
    def update(self, values: FloatArray, /) -> IntArray: ...
    @overload
    def update(self, values: Sequence[float], /) -> IntArray: ...
    @overload
    def update(self, value: float, /) -> bool: ...
    def update(self, values: Any, /) -> IntArray | bool:
        series = np.asarray(values, dtype=np.float64)
        if series.ndim == 0:
            return self._alarm(series.item())
        found = [i for i, value in enumerate(series.tolist()) if self._alarm(value)]
        return np.array(found, dtype=np.int64)

    def until_alarm(self, values: FloatArray) -> int:
        return next((i for i, value in enumerate(values.tolist()) if self._alarm(value)), len(values))

    def reset(self) -> None:
        self._model = _fresh(self._original)
        self._river = _is_river(self._model)
        self.drift_detected = False

    def to_bytes(self) -> bytes:
        return pickled((self._model, self.drift_detected), type(self._original).__name__)

    def load_bytes(self, state: bytes) -> None:
        self._model, self.drift_detected = pickle.loads(state)

    def _alarm(self, value: float) -> bool:
        """Feed one value; NaN means that there is no value."""
        self.drift_detected = False
        if value == value and self._river:
            self._model.update(value)
            self.drift_detected = bool(self._model.drift_detected)
        elif value == value:
            self._model.add_element(value)
            self.drift_detected = bool(self._model.detected_change())
        return self.drift_detected


@checked_call
def as_detector(value: DetectorLike, *, on: str | None = None, under: Forgetting | str | None = None) -> Detector:
    """Return a detector for a detector, its text, its class, a table with its ``type``, or one of River or CapyMOA.

    Parameters
    ----------
    value
        The detector.
    on, under
        For a detector of another library: the metric it watches, and the forgetting it is read under; by default the
        error of each record.

    Examples
    --------
    >>> as_detector("ddm:level=2")
    DDM(level=2)
    """
    ours = isinstance(value, type) and issubclass(value, Detector)
    if ours or isinstance(value, Detector | str | Mapping):
        if on is not None or under is not None:
            raise InputError("on and under are parameters of the detector itself: set them there.")
        if isinstance(value, str):
            return DETECTORS.of_text(value)
        if isinstance(value, Mapping):
            return DETECTORS.of_table(value)
        if isinstance(value, Detector):
            return value
        return DETECTORS.of_class(cast(type, value))
    if isinstance(value, type) and (_is_river(value) or _is_capymoa(value)):
        value = instance(value)
    return Adapted(value, on or "error", under)


register_look_up(Detector, as_detector)


def _is_river(model: object) -> bool:
    return callable(getattr(model, "update", None)) and hasattr(model, "drift_detected")


def _is_capymoa(model: object) -> bool:
    return callable(getattr(model, "add_element", None)) and callable(getattr(model, "detected_change", None))


def _fresh(model: Any) -> Any:
    if callable(getattr(model, "clone", None)):
        return model.clone()
    if callable(getattr(model, "get_params", None)):
        return type(model)(**model.get_params())
    return copy.deepcopy(model)


def _parameters(model: Any) -> dict[str, object]:
    if callable(getattr(model, "get_params", None)):
        return dict(model.get_params())
    names = inspect.signature(type(model)).parameters
    return {name: getattr(model, name) for name in names if hasattr(model, name)}
