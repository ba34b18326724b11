"""Mixtures computed one record at a time, with SciPy's densities: the readable specification of the testbed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

Array = npt.NDArray[np.float64]


def turned(degrees: float, i: int, j: int, n: int) -> Array:
    """Return the matrix that rotates axis i towards axis j."""
    matrix = np.eye(n)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    matrix[[i, i, j, j], [i, j, i, j]] = c, -s, s, c
    return matrix


def rotation(given: Any, share: float, n: int) -> Array:
    """Return the rotation matrix of a share of an angle, or of a list of (i, j, degrees)."""
    matrix = np.eye(n)
    for i, j, degrees in [(0, 1, given)] if isinstance(given, int | float) else given:
        if degrees:
            matrix = turned(share * degrees, i, j, n) @ matrix
    return matrix


def state(table: dict[str, Any], t: float) -> tuple[float, Array, Array]:
    """Return weight, centre and covariance at a time, of a Gaussian given as in TOML."""
    n = len(table["centre"])
    weight, centre = float(table.get("weight", 1.0)), np.array(table["centre"], float)
    variances, axes = np.array(table["variances"], float), rotation(table.get("rotation", 0), 1.0, n)
    for one in table.get("transform", []):
        end = one.get("end", one["begin"])
        if t < one["begin"]:
            continue
        share = 1.0 if t >= end else (t - one["begin"]) / (end - one["begin"])
        about = np.array(one.get("about", [0.0] * n))
        centre = about + rotation(one.get("turn", 0), share, n) @ (centre - about)
        centre = centre + share * np.array(one.get("move", [0.0] * n))
        variances = variances * (1 + share * (np.array(one.get("scale", 1.0)) - 1))
        axes = rotation(one.get("rotate", 0), share, n) @ axes
        if "weight" in one:
            weight += share * (one["weight"] - weight)
    if t < table.get("start", 0):
        weight = 0.0
    return weight, centre, axes @ np.diag(variances) @ axes.T


def joint(table: dict[str, Any], x: Array, t: float) -> Array:
    """Return P(c) p(x | c) of every class for a record at a time."""
    found = np.zeros(len(table["class"]))
    total = 0.0
    for c, one in enumerate(table["class"]):
        for gaussian in one["gaussian"]:
            weight, centre, covariance = state(gaussian, t)
            weight *= one.get("weight", 1.0)
            total += weight
            found[c] += weight * stats.multivariate_normal(centre, covariance).pdf(x)
    return found / total
