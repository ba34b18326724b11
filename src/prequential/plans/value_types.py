"""The types of the values in a plan, and the message for a value of the wrong type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from prequential.errors import InputError

_TYPE_NAMES = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    object: "text, a number, true or false",
}


def check_types(table: Mapping[str, Any], types: Mapping[str, type]) -> None:
    """Refuse values of a wrong type, all of them in one message."""
    wrong = list(wrong_types(table, types))
    if wrong:
        raise InputError("; ".join(wrong))


def wrong_types(table: Mapping[str, Any], types: Mapping[str, type]) -> Iterator[str]:
    """Yield one message per value of a wrong type.

    Examples
    --------
    >>> list(wrong_types({"every": "x", "seed": True, "share": 1}, {"every": int, "seed": int, "share": float}))
    ["every must be a whole number, not 'x'", 'seed must be a whole number, not True']
    """
    for key, value in table.items():
        if key in types and not _fits(value, types[key]):
            yield f"{key} must be {_TYPE_NAMES[types[key]]}, not {value!r}"


def _fits(value: object, kind: type) -> bool:
    if kind is object:
        return isinstance(value, str | int | float)
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)
