"""Results that are a handful of numbers, such as that of a statistical test: one row per number."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from prequential.number import chance, count, finite_or_none
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet


class Summary(Printable):
    """A dataclass that prints its fields, one per row; a field that is itself a dataclass gives one row per field."""

    __slots__ = ()

    def sheet(self) -> Sheet:
        """Return the fields as a table."""
        rows = tuple((Cell(name), _cell(name, value)) for name, value in _flat(self).items() if value != "")
        return Sheet(type(self).__name__, (Heading("", number=False), Heading("value")), rows)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary with all fields; undefined numbers are None."""
        return [{name: finite_or_none(value) for name, value in _flat(self).items()}]


def _flat(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in fields(value):
        one = getattr(value, field.name)
        if is_dataclass(one) and not isinstance(one, type):
            prefix = "" if field.name == "interval" else f"{field.name}_"
            found |= {f"{prefix}{name}": inner for name, inner in _flat(one).items()}
        else:
            found[field.name] = _plain(one)
    return found


def _plain(value: Any) -> Any:
    """Return arrays and tuples as lists, and NumPy numbers as Python's."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_plain(one) for one in value] if isinstance(value, tuple | list) else value


def _cell(name: str, value: Any) -> Cell:
    if isinstance(value, bool) or value is None:
        return Cell(str(value))
    if isinstance(value, float):
        if "p_value" in name:
            return Cell(chance(value))
        whole = value.is_integer() and not math.isinf(value)
        return Cell(count(int(value))) if whole and abs(value) >= 2 else Cell.of(value)
    if isinstance(value, int):
        return Cell(count(value))
    if isinstance(value, list):
        return Cell(", ".join(_cell(name, one).text for one in value[:12]) + (", …" if len(value) > 12 else ""))
    return Cell(str(value))
