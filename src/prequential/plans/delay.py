"""The delay of the labels in a plan: a number, text or a table.

::

    delay = 100                       # in records; or the name of a column
    delay = "uniform:50,150"          # or "exponential:100"
    delay = {type = "uniform", low = 50, high = 150, clock = "time", seed = 3}
    delay = {type = "fixed", delay = 100, first = "labels"}         # a number with options
    delay = {type = "column", column = "latency", rest = false}     # a column with options
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prequential.arguments import is_number
from prequential.errors import InputError, UnknownParameterError
from prequential.plans.value_types import check_types
from prequential.streams.compositions.delayed import DELAYS, DelayGiven, as_delay
from prequential.streams.stream import Stream
from prequential.wording import listing, suggestion

_OPTIONS: dict[str, type] = {"clock": str, "first": str, "rest": bool, "seed": int}
"""The parameters of ``Stream.delayed`` that are no part of the delay itself."""
_TYPES = ("fixed", "column", *DELAYS)


def delayed(stream: Stream, delay: object) -> Stream:
    """Return a stream with late labels.

    Examples
    --------
    >>> from prequential.streams import SEA
    >>> delayed(SEA().take(5), {"type": "uniform", "low": 1, "high": 2, "seed": 3}).events
    True
    """
    if isinstance(delay, str) or is_number(delay):
        return stream.delayed(delay)  # type: ignore[arg-type]  # text or a number
    if not isinstance(delay, Mapping):
        raise InputError(f"delay must be a number, text or a table, not {delay!r}")
    options = {key: value for key, value in delay.items() if key in _OPTIONS}
    check_types(options, _OPTIONS)
    return stream.delayed(_delay({key: value for key, value in delay.items() if key not in _OPTIONS}), **options)


def delay_value(delay: object, **options: object) -> Any:
    """Return what a plan has for a delay given as text, and for options of ``Stream.delayed`` that are not None.

    Examples
    --------
    >>> delay_value("uniform:50,150"), delay_value("100", clock="time")
    ('uniform:50,150', {'type': 'fixed', 'delay': 100.0, 'clock': 'time'})
    """
    given = {key: value for key, value in options.items() if value is not None}
    if not given:
        return delay
    if isinstance(delay, str) and delay.partition(":")[0].strip() in DELAYS:
        return {**DELAYS.table(delay), **given}
    found = as_delay(delay)  # type: ignore[arg-type]  # the stream refuses what is not a delay
    if isinstance(found, str):
        return {"type": "column", "column": found, **given}
    return {"type": "fixed", "delay": found, **given}


def _delay(table: dict[str, Any]) -> DelayGiven:
    """Return the delay of a table without the options of ``Stream.delayed``."""
    kind = table.get("type")
    if kind not in _TYPES and not (isinstance(kind, str) and kind in DELAYS):
        hint = suggestion(kind, _TYPES) if kind is not None else ""
        raise InputError(f"the table of a delay needs 'type': {listing(map(repr, _TYPES))}; got {kind!r}.{hint}")
    if kind not in ("fixed", "column"):
        found: DelayGiven = DELAYS.of_table(table)
        return found
    key = "delay" if kind == "fixed" else "column"
    for name in table:
        if name not in ("type", key):
            raise UnknownParameterError(name, f"the delay {kind!r}", [key, *_OPTIONS])
    if key not in table:
        raise InputError(f"the delay {kind!r} needs {key!r}")
    value = table[key]
    if is_number(value) if kind == "fixed" else isinstance(value, str):
        return value  # type: ignore[no-any-return]  # a number or text
    raise InputError(f"{key} must be {'a number' if kind == 'fixed' else 'the name of a column'}, not {value!r}")
