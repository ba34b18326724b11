"""The text of a mixture: TOML that ``toml.py`` reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any

import tomli_w

from prequential.testbed.rotation import Rotation

PARTS = {"classes": "class", "gaussians": "gaussian", "transforms": "transform"}
"""Name of each list of parts in TOML, which is singular: each ``[[class]]`` is one part."""


def mixture_text(mixture: Any) -> str:
    """Return a mixture as TOML text, without parameters at their defaults."""
    return "\n".join(_lines(table_of(mixture), "")).lstrip("\n") + "\n"


def _lines(table: Mapping[str, Any], place: str) -> Iterator[str]:
    """Write a table, its values first; lists of numbers on one line, which the library does not do."""
    parts = {key: value for key, value in table.items() if key in PARTS.values()}
    for key, value in table.items():
        if key not in parts:
            yield f"{key} = {value}" if isinstance(value, list) else tomli_w.dumps({key: value}).rstrip()
    for key, tables in parts.items():
        inner = f"{place}.{key}" if place else key
        for one in tables:
            yield f"\n[[{inner}]]"
            yield from _lines(one, inner)


def table_of(part: Any) -> dict[str, Any]:
    """Return a mixture or a part of it as a table, without parameters at their defaults."""
    table = {}
    for field in fields(part):
        value = getattr(part, field.name)
        if field.name in PARTS:
            if value:
                table[PARTS[field.name]] = [table_of(one) for one in value]
        elif field.default is MISSING or value not in (field.default, (), None):
            table[field.name] = _value(value)
    if table.get("end") == table.get("begin"):
        table.pop("end", None)
    return table


def _value(value: Any) -> Any:
    if isinstance(value, tuple):
        if len(value) == 1 and isinstance(value[0], Rotation) and (value[0].i, value[0].j) == (0, 1):
            return value[0].degrees
        return [[v.i, v.j, v.degrees] if isinstance(v, Rotation) else v for v in value]
    return value
