"""A rotation in the plane of two features."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from prequential.arguments import checked_call, is_number, is_whole
from prequential.elementary import cos, sin
from prequential.errors import ParameterError
from prequential.namespace import Suggesting
from prequential.types import FloatArray

Rotations: TypeAlias = "float | Sequence[Rotation | Sequence[float]]"
"""Degrees, for a rotation in the plane of the first two features, or a list of ``[i, j, degrees]``."""


@checked_call
@dataclass(frozen=True, slots=True)
class Rotation(Suggesting):
    """A rotation of the axis of one feature towards that of another.

    In two dimensions ``Rotation(0, 1, g)`` is the usual counter-clockwise rotation by g degrees.

    Parameters
    ----------
    i, j
        The two features, counted from 0.
    degrees
        The angle.

    Examples
    --------
    >>> import prequential as pq
    >>> pq.testbed.Rotation(0, 1, degrees=90)
    Rotation(i=0, j=1, degrees=90)
    """

    i: int
    j: int
    degrees: float

    def __post_init__(self) -> None:
        if not (is_whole(self.i) and is_whole(self.j) and self.i != self.j):
            raise ParameterError("i, j", "Rotation", "two different features, counted from 0", (self.i, self.j))
        if not (is_number(self.degrees) and math.isfinite(self.degrees)):
            raise ParameterError("degrees", "Rotation", "a finite number", self.degrees)

    def turn(self, X: FloatArray, share: FloatArray | float = 1.0) -> None:
        """Rotate each row in place by its share of the angle."""
        angle = np.fmod(self.degrees * np.asarray(share), 360.0) * (math.pi / 180)
        cosine, sine = cos(angle), sin(angle)
        x, y = X[:, self.i].copy(), X[:, self.j].copy()
        X[:, self.i] = cosine * x - sine * y
        X[:, self.j] = sine * x + cosine * y


def as_rotations(value: Any, name: str, caller: str) -> tuple[Rotation, ...]:
    """Return rotations, to be applied in this order; an empty tuple for the angle 0."""
    if is_number(value) and math.isfinite(value):
        return (Rotation(0, 1, float(value)),) if value else ()
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        if all(isinstance(one, Rotation) for one in value):
            return tuple(value)
        if all(_is_triple(one) for one in value):
            return tuple(Rotation(int(i), int(j), float(degrees)) for i, j, degrees in value)
    raise ParameterError(
        name, caller, "an angle in degrees, or a list of [i, j, degrees] for the planes of features i and j", value
    )


def _is_triple(value: Any) -> bool:
    if not (isinstance(value, Sequence) and not isinstance(value, str | bytes) and len(value) == 3):
        return False
    i, j, degrees = value
    return is_whole(i) and is_whole(j) and i != j and is_number(degrees) and math.isfinite(degrees)
