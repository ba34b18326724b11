"""A stream as a table of a plan: where it comes from, and what is changed in it, in order.

::

    [stream]
    generator = "SEA"                 # and its parameters; or path = "data.csv" and options of its reader;
    n = 100000                        # or testbed = "NSGT", or "mine.toml", with a seed
    change = [
        {op = "drift_to", to = {generator = "SEA", concept = 3, seed = 2}, at = 50000, width = 1000},
        {op = "class_ratio", ratio = "1:9", changes = {"70000" = "1:99"}},
        {op = "label_noise", share = 0.1},
    ]

The changes are the methods of a stream; those that need other streams have them in ``to``, a table or a list of them.
``skip`` and ``take``, or ``n``, come after all changes.

For the protocol ``delayed``, the labels of the records that are left come late with ``delay``: a number,
``"uniform:50:150"``, ``"exponential:100"`` or the name of a column. ``delay_clock``, ``delay_first``, ``delay_rest``
and ``delay_seed`` are the other parameters of ``Stream.delayed``. A file with two rows a record says ``events = true``.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prequential.errors import InputError, UnknownParameterError, is_number, is_whole, listing, suggestion
from prequential.streams.compositions.delayed import parse_delay
from prequential.streams.generators import GENERATORS
from prequential.streams.readers import read
from prequential.streams.stream import Stream
from prequential.streams.testbed import MixtureStream, nine, read_mixture

ONE, SEVERAL = ("drift_to", "blip", "followed_by"), ("drift_through", "recurring", "interleave")
OPERATIONS = (
    *(*ONE, *SEVERAL),
    *("class_ratio", "label_noise", "feature_noise", "missing", "sparse_labels", "repeat"),
)
"""The changes that a table can ask for; the first ones need other streams."""
DELAY = ("delay", "delay_clock", "delay_first", "delay_rest", "delay_seed")
"""The keys that say how late labels come."""
_TYPES: dict[str, type] = {
    **dict.fromkeys(("path", "target", "task", "time", "weight", "id", "separator", "generator", "testbed"), str),
    **dict.fromkeys(("delay_clock", "delay_first"), str),
    **dict.fromkeys(("take", "skip", "n", "concept", "seed", "at", "width", "delay_seed"), int),
    **dict.fromkeys(("ignore", "nominal", "numeric", "missing", "drift", "change"), list),
    **dict.fromkeys(("header", "events", "delay_rest"), bool),
    "noise": float,
}
_TYPE_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false", list: "a list"}


def stream_of(table: Mapping[str, Any], folder: Path = Path()) -> Stream:
    """Make the stream that a table describes.

    Parameters
    ----------
    table
        Its values.
    folder
        What relative paths are relative to.

    Examples
    --------
    >>> table = {"generator": "SEA", "n": 100, "change": [{"op": "label_noise", "share": 0.2}]}
    >>> stream = stream_of(table)
    >>> (stream.n_records, round(stream.bayes_error, 3))
    (100, 0.26)
    """
    if table.get("generator") is not None and table.get("n") is None:
        raise InputError("a generated stream needs 'n', the number of records")
    return _made(table, folder)


def rooted(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a table with absolute paths, so that it can be used from anywhere."""
    found = dict(table)
    for key in ("path", "testbed"):
        if isinstance(found.get(key), str) and (key == "path" or found[key].endswith(".toml")):
            found[key] = str((folder / found[key]).resolve())
    if isinstance(found.get("change"), list):
        found["change"] = [rooted(change, folder) if isinstance(change, dict) else change for change in found["change"]]
    if "to" in found:
        several = isinstance(found["to"], list)
        others = [rooted(o, folder) if isinstance(o, dict) else o for o in (found["to"] if several else [found["to"]])]
        found["to"] = others if several else others[0]
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
    if "schema" in options:
        raise InputError("schema cannot be given in a plan: name the nominal columns instead")


def _made(table: Mapping[str, Any], folder: Path) -> Stream:
    """Make a stream, which may be endless."""
    options = dict(table)
    check_types(options, _TYPES)
    delay = {key: options.pop(key) for key in list(options) if key in DELAY}
    take, skip = options.pop("take", None), options.pop("skip", 0)
    changes, n = options.pop("change", []), None
    if "path" in options:
        stream = read(folder / options.pop("path"), **options)
    elif "generator" in options:
        n = options.pop("n", None)
        stream = _generated(options)
    elif "testbed" in options:
        n = options.get("n")
        stream = _of_testbed(options, folder)
    else:
        raise InputError("it needs a 'path', a 'generator' or a 'testbed'")
    stream.schema  # noqa: B018  # finds the faults of a file
    for k, change in enumerate(changes, start=1):
        try:
            stream = _changed(stream, change, folder)
        except InputError as error:
            raise InputError(f"change {k}: {error}") from error
    stream = stream if n is None else stream.take(n)
    stream = stream.skip(skip) if skip else stream
    stream = stream if take is None else stream.take(take)
    return _delayed(stream, delay) if delay else stream


def _delayed(stream: Stream, options: dict[str, Any]) -> Stream:
    """Let labels come late."""
    if "delay" not in options:
        raise InputError(f"{next(iter(options))} is given without 'delay'")
    delay = options.pop("delay")
    if not isinstance(delay, str) and not is_number(delay):
        raise InputError(f"delay must be a number or text, not {delay!r}")
    named = {key.removeprefix("delay_"): value for key, value in options.items()}
    return stream.delayed(parse_delay(delay) if isinstance(delay, str) else delay, **named)


def _generated(options: dict[str, Any]) -> Stream:
    """Make a generated stream: its parameters, and a list of drifts to other parameters."""
    name = options.pop("generator")
    if name not in GENERATORS:
        raise InputError(
            f"unknown generator {name!r}.{suggestion(str(name), GENERATORS)} Accepted: {listing(GENERATORS)}"
        )
    make: Any = GENERATORS[name]
    drifts = options.pop("drift", [])
    stream: Stream = make(**options)
    for k, drift in enumerate(drifts):
        if not isinstance(drift, dict):
            raise InputError(f"drift {k + 1} must be a table, not {drift!r}")
        change = dict(drift)
        check_types(change, _TYPES)
        at, width = change.pop("at", None), change.pop("width", 1)
        if at is None:
            raise InputError(f"drift {k + 1} needs 'at', the record where it happens")
        stream = stream.drift_to(make(**{**options, **change}), at=at, width=width)
    return stream


def _of_testbed(options: dict[str, Any], folder: Path) -> Stream:
    """Make a stream of the testbed: its name, or the file of a model, and perhaps a seed and a number of records.

    It is not made shorter here: a change such as a class ratio may need more records than come out of it.
    """
    name = options.pop("testbed")
    if not name.endswith(".toml") and name not in nine():
        raise InputError(
            f"unknown stream of the testbed {name!r}.{suggestion(name.upper(), nine())} Accepted: {listing(nine())}, "
            "or the path of a .toml file"
        )
    for key in options:
        if key not in ("seed", "n"):
            raise UnknownParameterError(key, name, ["seed", "n"])
    mixture = read_mixture(folder / name) if name.endswith(".toml") else nine()[name]
    if "n" in options:
        options["n"] = max(options["n"], mixture.n_records)
    return MixtureStream(mixture, **options)


def _changed(stream: Stream, change: object, folder: Path) -> Stream:
    """Make one change."""
    if not isinstance(change, dict):
        raise InputError(f"a change must be a table, not {change!r}")
    settings = dict(change)
    op = settings.pop("op", None)
    if op not in OPERATIONS:
        told = "a change needs an 'op'." if op is None else f"unknown change {op!r}.{suggestion(op, OPERATIONS)}"
        raise InputError(f"{told} Accepted: {listing(OPERATIONS)}")
    others = _others(op, settings, folder)
    known = {
        name: one
        for name, one in inspect.signature(getattr(Stream, op)).parameters.items()
        if name not in ("self", "other") and one.kind is not one.VAR_POSITIONAL
    }
    for name in settings:
        if name not in known:
            raise UnknownParameterError(name, op, [*known, *(["to"] if op in ONE + SEVERAL else [])])
    lacking = [name for name, one in known.items() if one.default is one.empty and name not in settings]
    if lacking:
        raise InputError(f"{op} needs {listing(map(repr, lacking))}")
    if isinstance(settings.get("changes"), dict):
        settings["changes"] = {_index(at): ratio for at, ratio in settings["changes"].items()}
    named = list(known)[:1] if op not in ONE + SEVERAL else []
    first = [settings.pop(name) for name in named if name in settings]  # the one that a method takes without its name
    changed: Stream = getattr(stream, op)(*others, *first, **settings)
    return changed


def _others(op: str, settings: dict[str, Any], folder: Path) -> list[Stream]:
    """Make the other streams that a change needs."""
    if op not in ONE + SEVERAL:
        return []
    to = settings.pop("to", None)
    tables = to if isinstance(to, list) else [to]
    if not tables or not all(isinstance(table, dict) for table in tables) or (op in ONE and len(tables) > 1):
        many = "a table" if op in ONE else "a table or a list of tables"
        raise InputError(f"{op} needs 'to', the other stream: {many} such as {{generator = \"SEA\", concept = 3}}")
    return [_made(table, folder) for table in tables]


def _index(text: object) -> int:
    """Return a record index, which is text where TOML has it for a key."""
    if is_whole(text):
        return int(str(text))
    if not str(text).strip().isdigit():
        raise InputError(f'changes are ratios by record index, such as {{"5000" = "1:99"}}; {text!r} is no index')
    return int(str(text))


def _is(value: object, kind: type) -> bool:
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)
