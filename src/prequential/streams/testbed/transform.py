"""A change of a Gaussian over a stretch of the stream."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from prequential.errors import ParameterError, checked_whole, is_number
from prequential.streams.testbed.faults import Faults
from prequential.streams.testbed.rotation import Rotation, Rotations, as_rotations
from prequential.types import FloatArray


@dataclass(frozen=True, slots=True)
class Transform:
    """A change that goes on linearly from record ``begin``, where none of it is done, to ``end``, where all is.

    Parameters
    ----------
    begin
        The record at which it begins.
    end
        The record at which it is complete; left out, or the same as ``begin``, for a change that is complete at once.
    move
        What the centre moves by.
    rotate
        What the covariance turns by: degrees, or a list of ``[i, j, degrees]`` in more than two dimensions.
    scale
        What the variances are multiplied by in the end; they change linearly.
    weight
        The weight in the end; it changes linearly.
    turn, about
        What the centre turns by around a point, given as ``rotate`` is; around the origin by default. The covariance
        does not turn with it. If the centre moves too, it turns first.

    Examples
    --------
    >>> Transform(0, 9999, move=[10, 10]).progress(np.array([0.0, 4999.5, 10_000.0]))
    array([0. , 0.5, 1. ])
    >>> Transform(5000, weight=0.5).progress(np.array([4999.0, 5000.0]))
    array([0., 1.])
    """

    begin: int
    end: int | None = None
    move: Sequence[float] = ()
    rotate: Rotations = 0.0
    scale: float | Sequence[float] = 1.0
    weight: float | None = None
    turn: Rotations = 0.0
    about: Sequence[float] = ()

    def __post_init__(self) -> None:
        faults = Faults()
        begin = faults.check(checked_whole, self.begin, "begin", "Transform")
        end = begin if self.end is None else faults.check(checked_whole, self.end, "end", "Transform")
        if begin is not None and end is not None and end < begin:
            faults.add(ParameterError("end", "Transform", f"at least its 'begin', {begin}", self.end))
        checked = {
            "begin": begin,
            "end": end,
            "move": faults.check(as_vector, self.move, "move", "Transform"),
            "about": faults.check(as_vector, self.about, "about", "Transform"),
            "rotate": faults.check(as_rotations, self.rotate, "rotate", "Transform"),
            "turn": faults.check(as_rotations, self.turn, "turn", "Transform"),
            "scale": faults.check(_as_scale, self.scale),
        }
        if self.weight is not None:
            checked["weight"] = faults.check(as_weight, self.weight, "weight", "Transform")
        if self.about and not checked["turn"]:
            faults.add(ParameterError("about", "Transform", "left out where nothing turns around it", self.about))
        faults.tell()
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def duration(self) -> int:
        """Records it takes; 0 for a change that is complete at once."""
        return self._last - self.begin

    @property
    def rotations(self) -> tuple[Rotation, ...]:
        """What the covariance turns by."""
        return as_rotations(self.rotate, "rotate", "Transform")

    @property
    def turns(self) -> tuple[Rotation, ...]:
        """What the centre turns by."""
        return as_rotations(self.turn, "turn", "Transform")

    @property
    def _last(self) -> int:
        return self.begin if self.end is None else self.end

    def progress(self, at: FloatArray) -> FloatArray:
        """Return how much of it is done at some times, from 0 to 1."""
        if self.duration == 0:
            return (at >= self.begin).astype(np.float64)
        return np.clip((at - self.begin) / self.duration, 0.0, 1.0)

    def scaled(self, variances: FloatArray, share: FloatArray) -> None:
        """Scale variances, a row for each time, by what is done then, in place."""
        factors = np.broadcast_to(np.asarray(self.scale, np.float64), variances.shape[1:])
        for j, factor in enumerate(factors.tolist()):
            if factor != 1:
                variances[:, j] *= 1 + (factor - 1) * share

    def carry(self, centres: FloatArray, share: FloatArray) -> None:
        """Turn and move centres, a row for each time, by what is done then, in place."""
        if self.turns:
            about = np.asarray(self.about or [0.0] * centres.shape[1])
            centres -= about
            for rotation in self.turns:
                rotation.turn(centres, share)
            centres += about
        for j, way in enumerate(self.move):
            centres[:, j] += way * share


def as_vector(value: Any, name: str, caller: str) -> tuple[float, ...]:
    """Return finite numbers, one a feature."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list | tuple) or not all(is_number(v) and math.isfinite(v) for v in value):
        raise ParameterError(name, caller, "a list of finite numbers, one a feature", value)
    return tuple(map(float, value))


def as_weight(value: Any, name: str, caller: str) -> float:
    """Return a weight."""
    if not (is_number(value) and 0 <= value < math.inf):
        raise ParameterError(name, caller, "a finite number of at least 0", value)
    return float(value)


def _as_scale(value: Any) -> float | tuple[float, ...]:
    factors = (value,) if is_number(value) else as_vector(value, "scale", "Transform")
    if not factors or not all(0 < factor < math.inf for factor in factors):
        raise ParameterError("scale", "Transform", "a finite number above 0, or one a feature", value)
    return float(value) if is_number(value) else factors
