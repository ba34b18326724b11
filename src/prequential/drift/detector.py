"""The role of a drift detector: parameters that can be put on their way, again and again."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import fields
from typing import ClassVar, Literal, Protocol, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from prequential.errors import InputError, ParameterError, is_number, is_whole, listing, suggestion
from prequential.measures.forgetting import Forgetting, as_forgetting
from prequential.measures.measure import REGISTRY
from prequential.types import FloatArray, IntArray

Direction: TypeAlias = Literal["up", "down", "both"]

OF_ONE_RECORD = ("error", "accuracy", "log_loss", "brier", "mae", "mse")
"""Measures that are means over records, so that one record alone has a value."""


class State(Protocol):
    """A detector on its way through a series."""

    def update(self, values: FloatArray) -> IntArray:
        """Take values, NaN for none; return the positions in ``values`` at which there was an alarm."""

    def until_alarm(self, values: FloatArray) -> int:
        """Take values up to and including the first that gives an alarm; return its position, or their number."""

    def reset(self) -> None:
        """Start anew."""

    def to_bytes(self) -> bytes:
        """Return the whole state."""

    def load_bytes(self, state: bytes) -> None:
        """Take over the state of a detector with the same parameters."""


class Detector(ABC):
    """A way to tell that a series has changed, and its parameters.

    A detector watches a measure of a learner, error side up, so that a rise is always a change for the worse: a
    measure that is better when it is higher (accuracy, κ, AUC) is fed as 1 − value. NaN is passed over. It can also
    be run over any series of numbers: see ``detect``.

    A subclass is a frozen dataclass of its parameters.
    """

    __slots__ = ()

    name: ClassVar[str]
    """What it is called in its textual form."""
    on: str
    """The measure it watches."""

    @abstractmethod
    def fresh(self) -> State:
        """Put it on its way over a series."""

    @property
    @abstractmethod
    def forgetting(self) -> tuple[Forgetting, ...]:
        """The forgettings under which it reads the measure; none: the measure of each record alone."""

    def fresh_on_estimates(self) -> State:
        """Put it on its way over what ``combined`` makes of the measure."""
        return self.fresh()

    def combined(self, estimates: FloatArray) -> FloatArray:
        """Make one series of the estimates, a column a forgetting."""
        return estimates[:, 0]

    def detect(self, series: npt.ArrayLike) -> IntArray:
        """Run over a whole series; return the positions (the first is 0) at which there was an alarm."""
        return self.fresh().update(as_series(series, type(self).__name__))

    @property
    def label(self) -> str:
        """The textual form, which ``parse_detector`` reads: ``page_hinkley:delta=0.005,threshold=50,on=error``."""
        parameters = []
        for field in fields(self):  # type: ignore[arg-type]  # every subclass is a dataclass
            value = getattr(self, field.name)
            if value is None or (field.metadata.get("rare") and value == field.default):
                continue
            parameters.append(f"{field.name}={_written(value)}")
        return f"{self.name}:{','.join(parameters)}"


RARE = {"rare": True}
"""Metadata of a parameter that a textual form leaves out as long as it has its default."""


def as_series(values: npt.ArrayLike, caller: str) -> FloatArray:
    """Take a series of numbers; None and NaN say that there is none."""
    try:
        series = np.asarray(values, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise ParameterError("series", caller, "a series of numbers", values) from error
    if series.ndim != 1:
        raise ParameterError(
            "series", caller, "a series of numbers", values if series.ndim == 0 else f"{series.ndim} dimensions"
        )
    return series


def checked_on(on: object, caller: str) -> str:
    """Check that a measure exists; ``recall[UP]`` is that of one class."""
    base = str(on).partition("[")[0]
    if not isinstance(on, str) or base not in REGISTRY:
        known = list(REGISTRY)
        raise InputError(
            f"{caller} cannot watch {on!r}: there is no such measure.{suggestion(base, known)} "
            f"Measures: {listing(known, 40)}."
        )
    measure = REGISTRY[base]
    if measure.per_class and not on.endswith("]"):
        raise InputError(
            f"{caller} cannot watch {on!r}: it has one value a class. Accepted: {on}[CLASS], such as {on}[UP]."
        )
    if not measure.per_class and base != on:
        raise InputError(f"{caller} cannot watch {on!r}: {base!r} has one value for all classes. Accepted: {base}.")
    return on


def checked_under(under: object, on: str, caller: str) -> Forgetting | None:
    """Check the forgetting; its textual form will do."""
    if under is not None:
        return as_forgetting(cast(Forgetting | str, under))
    if on not in OF_ONE_RECORD:
        raise ParameterError(
            "under", caller, f"a forgetting, such as sliding:1000, because {on} of one record says nothing", under
        )
    return None


def checked_number(value: object, name: str, caller: str, constraint: str, low: float, high: float) -> None:
    """Check that a number lies in (low, high] and is finite."""
    if not is_number(value) or not low < cast(float, value) <= high or math.isinf(cast(float, value)):
        raise ParameterError(name, caller, constraint, value)


def checked_whole(value: object, name: str, caller: str, least: int, most: int = 1_000_000_000) -> None:
    """Check that a value is a whole number from ``least`` to ``most``."""
    if not is_whole(value, least):
        raise ParameterError(name, caller, f"a whole number of at least {least}", value)
    if cast(int, value) > most:
        raise ParameterError(name, caller, f"a whole number of at most {most:,}", value)


def checked_choice(value: object, name: str, caller: str, choices: tuple[str, ...]) -> None:
    """Check that a value is one of some words."""
    if value not in choices:
        raise ParameterError(name, caller, " or ".join(map(repr, choices)), value)


def _written(value: object) -> str:
    if isinstance(value, float):
        return repr(float(value)).removesuffix(".0")
    return str(getattr(value, "label", value))
