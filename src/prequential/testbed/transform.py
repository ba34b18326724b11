"""A change of a Gaussian over a part of the stream."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from prequential.arguments import checked_call, checked_whole, is_number
from prequential.errors import ParameterError
from prequential.namespace import Suggesting
from prequential.testbed.faults import Faults
from prequential.testbed.rotation import Rotation, Rotations, as_rotations
from prequential.types import FloatArray


@checked_call
@dataclass(frozen=True, slots=True)
class Transform(Suggesting):
    """A linear change from record ``begin``, where it has no effect yet, to ``end``, where it is complete.

    Parameters
    ----------
    begin
        The record at which it begins.
    end
        The record at which it is complete; omitted, or equal to ``begin``, for an instant change.
    move
        Displacement of the centre.
    rotate
        Rotation of the covariance: degrees, or a list of ``[i, j, degrees]`` in more than two dimensions.
    scale
        Factor of the variances at the end; they change linearly.
    weight
        The weight at the end; it changes linearly.
    turn, about
        Rotation of the centre around a point, in the form of ``rotate``; around the origin by default. The covariance
        does not rotate with it. If the centre moves too, it is rotated first.

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
            faults.add(ParameterError("about", "Transform", "omitted unless 'turn' is given", self.about))
        faults.report()
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def duration(self) -> int:
        """Its length in records; 0 for an instant change."""
        return self._last - self.begin

    @property
    def rotations(self) -> tuple[Rotation, ...]:
        """The rotations of the covariance."""
        return as_rotations(self.rotate, "rotate", "Transform")

    @property
    def turns(self) -> tuple[Rotation, ...]:
        """The rotations of the centre."""
        return as_rotations(self.turn, "turn", "Transform")

    @property
    def _last(self) -> int:
        return self.begin if self.end is None else self.end

    def progress(self, at: FloatArray) -> FloatArray:
        """Return the share of it that is done at each time, from 0 to 1."""
        if self.duration == 0:
            return (at >= self.begin).astype(np.float64)
        return np.clip((at - self.begin) / self.duration, 0.0, 1.0)

    def scaled(self, variances: FloatArray, share: FloatArray) -> None:
        """Scale variances (one row per time) in place; ``share`` is the part done at each time."""
        factors = np.broadcast_to(np.asarray(self.scale, np.float64), variances.shape[1:])
        for j, factor in enumerate(factors.tolist()):
            if factor != 1:
                variances[:, j] *= 1 + (factor - 1) * share

    def carry(self, centres: FloatArray, share: FloatArray) -> None:
        """Rotate and move centres (one row per time) in place; ``share`` is the part done at each time."""
        if self.turns:
            about = np.asarray(self.about or [0.0] * centres.shape[1])
            centres -= about
            for rotation in self.turns:
                rotation.turn(centres, share)
            centres += about
        for j, way in enumerate(self.move):
            centres[:, j] += way * share


def as_vector(value: Any, name: str, caller: str) -> tuple[float, ...]:
    """Return finite numbers, one per feature."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list | tuple) or not all(is_number(v) and math.isfinite(v) for v in value):
        raise ParameterError(name, caller, "a list of finite numbers, one per feature", value)
    return tuple(map(float, value))


def as_weight(value: Any, name: str, caller: str) -> float:
    """Return a weight."""
    if not (is_number(value) and 0 <= value < math.inf):
        raise ParameterError(name, caller, "a finite number of at least 0", value)
    return float(value)


def _as_scale(value: Any) -> float | tuple[float, ...]:
    factors = (value,) if is_number(value) else as_vector(value, "scale", "Transform")
    if not factors or not all(0 < factor < math.inf for factor in factors):
        raise ParameterError("scale", "Transform", "a finite number above 0, or one per feature", value)
    return float(value) if is_number(value) else factors
