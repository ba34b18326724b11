"""Parameters of other libraries' models in JSON types, for the manifest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def as_json(value: object) -> Json:
    """Return a value in JSON's types, the same in every process.

    Classes, functions and other objects become their qualified name, never a memory address.

    Examples
    --------
    >>> as_json({"lr": np.float64(0.1), "loss": max, "layers": (3, 2), "bound": float("inf")})
    {'lr': 0.1, 'loss': 'builtins.max', 'layers': [3, 2], 'bound': 'inf'}
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, np.generic):
        return as_json(value.item())
    if isinstance(value, np.ndarray):
        return as_json(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((as_json(item) for item in value), key=str)
    if isinstance(value, list | tuple):
        return [as_json(item) for item in value]
    named = value if hasattr(value, "__qualname__") else type(value)
    return f"{named.__module__}.{named.__qualname__}"
