"""The stream of a plan, made from its table.

::

    [stream]
    generator = "SEA"                 # or path = "data.csv", with any option of the reader
    n = 100_000
    change = [
        { op = "label_noise", share = 0.1 },
        { op = "drift_to", at = 50_000, to = { generator = "SEA", concept = 3, seed = 2 } },
        { op = "class_ratio", ratio = "1:9", changes = { "70000" = "1:99" } },
    ]

Changes are made in their order, each by the method of a stream that has its name, before anything is taken or skipped.
``to`` is another such table, or a list of them; a generator in it needs no ``n``.

For the protocol ``delayed``, the labels of the records that are left come late with ``delay``: a number,
``"uniform:50:150"``, ``"exponential:100"`` or the name of a column. ``delay_clock``, ``delay_first``, ``delay_rest``
and ``delay_seed`` are the other parameters of ``Stream.delayed``. A file with two rows a record says ``events = true``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from prequential.errors import InputError, is_number, listing, suggestion
from prequential.streams import generators
from prequential.streams.delayed import parse_delay
from prequential.streams.readers import read
from prequential.streams.stream import Stream

GENERATORS: dict[str, Callable[..., Stream]] = {
    name: getattr(generators, name) for name in generators.__all__ if name != "Generator"
}
OPERATIONS: tuple[str, ...] = (
    "blip",
    "class_ratio",
    "drift_through",
    "drift_to",
    "feature_noise",
    "followed_by",
    "interleave",
    "label_noise",
    "missing",
    "recurring",
    "repeat",
    "skip",
    "sparse_labels",
    "take",
)
"""The methods of a stream that a plan may call."""

DELAY = ("delay", "delay_clock", "delay_first", "delay_rest", "delay_seed")
"""The keys that say how late labels come."""

_TYPES: dict[str, type] = {
    **dict.fromkeys(("path", "target", "task", "time", "weight", "id", "separator", "generator"), str),
    **dict.fromkeys(("delay_clock", "delay_first"), str),
    **dict.fromkeys(("take", "skip", "n", "concept", "seed", "at", "width", "delay_seed"), int),
    **dict.fromkeys(("ignore", "nominal", "numeric", "missing", "drift", "change"), list),
    **dict.fromkeys(("header", "events", "delay_rest"), bool),
    "noise": float,
}
_TYPE_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false", list: "a list"}


def planned_stream(table: Mapping[str, Any], folder: Path, *, endless: bool = False) -> Stream:
    """Make the stream of a table.

    Parameters
    ----------
    table
        What the stream is, as in the ``[stream]`` table of a plan.
    folder
        What relative paths in it are relative to.
    endless
        Whether it may go on without end, so that a generator needs no ``n``.

    Examples
    --------
    >>> blip = {"op": "blip", "at": 40, "width": 5, "to": {"generator": "SEA", "concept": 3}}
    >>> planned_stream({"generator": "SEA", "n": 100, "change": [blip, {"op": "label_noise", "share": 0.1}]}, Path())
    <Part 'SEA': 100 records, 3 features>
    """
    options = dict(table)
    check_types(options, _TYPES)
    if "schema" in options:
        raise InputError("schema cannot be given in a plan: name the nominal columns instead")
    delay = {key: options.pop(key) for key in list(options) if key in DELAY}
    take, skip, changes = options.pop("take", None), options.pop("skip", 0), options.pop("change", [])
    n = None
    if "path" in options:
        stream = read(folder / options.pop("path"), **options)
    elif "generator" in options:
        n = options.pop("n", None)
        stream = _generated(options)
    else:
        raise InputError("it needs a 'path' or a 'generator'")
    stream.schema  # noqa: B018  # finds the faults of a file
    for k, change in enumerate(changes, start=1):
        stream = _changed(stream, change, k, folder)
    stream = stream if n is None else stream.take(n)
    stream = stream.skip(skip) if skip else stream
    stream = stream if take is None else stream.take(take)
    if stream.endless and not endless:
        raise InputError("a generated stream needs 'n', the number of records")
    return _delayed(stream, delay)


def rooted_stream(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the table of a stream with absolute paths, those of its changes too."""
    found = dict(table)
    if isinstance(found.get("path"), str):
        found["path"] = str((folder / found["path"]).resolve())
    if isinstance(found.get("change"), list):
        found["change"] = [_rooted_change(change, folder) for change in found["change"]]
    return found


def check_types(options: Mapping[str, Any], types: Mapping[str, type]) -> None:
    """Refuse values of a wrong type, all of them in one message."""
    wrong = [
        f"{key} must be {_TYPE_NAMES[types[key]]}, not {value!r}"
        for key, value in options.items()
        if key in types and not _is(value, types[key])
    ]
    if wrong:
        raise InputError("; ".join(wrong))


def _generated(options: dict[str, Any]) -> Stream:
    """Make a generated stream: its parameters, and a list of drifts to other parameters."""
    name = options.pop("generator")
    if name not in GENERATORS:
        raise InputError(
            f"unknown generator {name!r}.{suggestion(str(name), GENERATORS)} Accepted: {listing(GENERATORS)}"
        )
    drifts = options.pop("drift", [])
    stream = _call(GENERATORS[name], name, options)
    for k, drift in enumerate(drifts):
        if not isinstance(drift, dict):
            raise InputError(f"drift {k + 1} must be a table, not {drift!r}")
        change = dict(drift)
        check_types(change, _TYPES)
        at, width = change.pop("at", None), change.pop("width", 1)
        if at is None:
            raise InputError(f"drift {k + 1} needs 'at', the record where it happens")
        stream = stream.drift_to(_call(GENERATORS[name], name, {**options, **change}), at=at, width=width)
    return stream


def _delayed(stream: Stream, options: dict[str, Any]) -> Stream:
    """Let labels come late, if a delay is given."""
    if not options:
        return stream
    if "delay" not in options:
        raise InputError(f"{next(iter(options))} is given without 'delay'")
    delay = options.pop("delay")
    if not isinstance(delay, str) and not is_number(delay):
        raise InputError(f"delay must be a number or text, not {delay!r}")
    named = {key.removeprefix("delay_"): value for key, value in options.items()}
    return stream.delayed(parse_delay(delay) if isinstance(delay, str) else delay, **named)


def _changed(stream: Stream, change: object, k: int, folder: Path) -> Stream:
    if not isinstance(change, Mapping):
        raise InputError(f"change {k} must be a table, not {change!r}")
    options = dict(change)
    op = options.pop("op", None)
    if op is None:
        raise InputError(f"change {k} needs 'op', what is to be done. Accepted: {_listed(OPERATIONS)}")
    if op not in OPERATIONS:
        raise InputError(f"change {k}: unknown op {op!r}.{suggestion(op, OPERATIONS)} Accepted: {_listed(OPERATIONS)}")
    try:
        others = _others(op, options.pop("to"), folder) if "to" in options else []
        if "changes" in options:
            options["changes"] = _by_record(options["changes"])
        return _call(getattr(stream, op), str(op), options, others)
    except InputError as error:
        raise InputError(f"change {k}: {error}") from error


def _others(op: str, to: object, folder: Path) -> list[Stream]:
    """Make the other streams of a change, one or several."""
    if not any(parameter.annotation == "Stream" for parameter in _parameters(getattr(Stream, op)).values()):
        raise InputError(f"{op} changes to no other stream, so that 'to' is not accepted")
    tables: list[Any] = to if isinstance(to, list) else [to]
    for table in tables:
        if not isinstance(table, Mapping):
            raise InputError(f"to must be a table such as {{ generator = 'SEA' }}, or a list of tables, not {table!r}")
    try:
        return [planned_stream(table, folder, endless=True) for table in tables]
    except InputError as error:
        raise InputError(f"to: {error}") from error


def _call(
    make: Callable[..., Stream], name: str, options: Mapping[str, Any], others: list[Stream] | None = None
) -> Stream:
    """Call what makes a stream, with parameters that it has, and all that it needs."""
    parameters = _parameters(make)
    streams = [p for p in parameters.values() if p.annotation == "Stream"]
    named = {key: p for key, p in parameters.items() if p not in streams}
    for key in options:
        if key not in named:
            accepted = [*named, *(["to"] if streams else [])]
            raise InputError(
                f"{name} has no parameter {key!r}.{suggestion(key, accepted)} Accepted: {_listed(accepted) or 'none'}"
            )
    needed = [key for key, p in named.items() if p.default is p.empty and key not in options]
    if needed:
        raise InputError(f"{name} needs {needed[0]!r}")
    several = any(p.kind is p.VAR_POSITIONAL for p in streams)
    given = others or []
    if streams and not given:
        raise InputError(f"{name} needs 'to', {'a list of streams' if several else 'a stream'}")
    if streams and not several and len(given) > 1:
        raise InputError(f"{name} changes to one stream, not to {len(given)}")
    return make(*given, **options)


def _parameters(make: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    return {name: p for name, p in inspect.signature(make).parameters.items() if name != "self"}


def _by_record(changes: object) -> object:
    """Return ratios by record index; the keys of a table are text."""
    if not isinstance(changes, Mapping):
        return changes
    found = {}
    for key, ratio in changes.items():
        digits = str(key).replace("_", "")
        if not (digits.isascii() and digits.isdigit()):
            raise InputError(f"changes are by record index, such as {{ \"5000\" = '1:99' }}, not by {key!r}")
        found[int(digits)] = ratio
    return found


def _rooted_change(change: Any, folder: Path) -> Any:
    if not isinstance(change, Mapping) or "to" not in change:
        return change
    to = change["to"]
    tables = [
        rooted_stream(one, folder) if isinstance(one, Mapping) else one
        for one in (to if isinstance(to, list) else [to])
    ]
    return {**change, "to": tables if isinstance(to, list) else tables[0]}


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return listing(names, most=20)


def _is(value: object, kind: type) -> bool:
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)
