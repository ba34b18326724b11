"""The stream of a plan: its table ``[stream]``.

::

    [stream]
    generator = "SEA"                 # and its parameters; or path = "data.csv" and the options of its reader;
    n = 100000                        # or testbed = "NSGT", or "mine.toml", with a seed
    change = [                        # what to change, in this order: see change.py
        {op = "drift_to", to = {generator = "SEA", concept = 3, seed = 2}, at = 50000, width = 1000},
        {op = "class_ratio", ratio = "1:9", changes = {"70000" = "1:99"}},
        {op = "label_noise", share = 0.1},
    ]

``skip`` and ``take``, or ``n``, apply after all changes.

For the protocol ``delayed``, ``delay`` says how late the labels of the remaining records come: a number,
``"uniform:50:150"``, ``"exponential:100"`` or the name of a column. ``delay_clock``, ``delay_first``, ``delay_rest``
and ``delay_seed`` are the other parameters of ``Stream.delayed``. A file with two rows per record, one for its arrival
and one for its label, has ``events = true``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prequential.arguments import is_number
from prequential.errors import InputError, UnknownParameterError
from prequential.plans.change import changed
from prequential.plans.value_types import check_types
from prequential.streams.compositions.delayed import parse_delay
from prequential.streams.generators import GENERATORS
from prequential.streams.readers import read
from prequential.streams.stream import Stream
from prequential.testbed.mixture_stream import MixtureStream
from prequential.testbed.toml import nine, read_mixture
from prequential.wording import listing, suggestion

DELAY_KEYS = ("delay", "delay_clock", "delay_first", "delay_rest", "delay_seed")
"""The keys for the delay of labels."""
FILE_KEYS = (
    *("target", "task", "time", "weight", "id", "ignore", "nominal", "numeric", "missing", "separator", "header"),
    *("classes", "events", "skip", "take", *DELAY_KEYS),
)
"""The keys of a stream that is read from a file, in addition to ``path`` and ``change``."""
_TYPES: dict[str, type] = {
    **dict.fromkeys(("path", "target", "task", "time", "weight", "id", "separator", "generator", "testbed"), str),
    **dict.fromkeys(("delay_clock", "delay_first"), str),
    **dict.fromkeys(("take", "skip", "n", "concept", "seed", "at", "width", "delay_seed"), int),
    **dict.fromkeys(("ignore", "nominal", "numeric", "missing", "classes", "drift", "change"), list),
    **dict.fromkeys(("header", "events", "delay_rest"), bool),
    "noise": float,
}


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
    return _maybe_endless(table, folder)


def rooted(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a table with absolute paths, so that it can be used from anywhere."""
    result = dict(table)
    for key in ("path", "testbed"):
        if isinstance(result.get(key), str) and (key == "path" or result[key].endswith(".toml")):
            result[key] = str((folder / result[key]).resolve())
    for key in ("change", "to"):
        if isinstance(result.get(key), dict):
            result[key] = rooted(result[key], folder)
        elif isinstance(result.get(key), list):
            result[key] = [rooted(one, folder) if isinstance(one, dict) else one for one in result[key]]
    return result


def _maybe_endless(table: Mapping[str, Any], folder: Path) -> Stream:
    """Make the stream of a table; a generator without ``n``, as in ``to``, never ends."""
    options = dict(table)
    check_types(options, _TYPES)
    if "schema" in options:
        raise InputError("schema cannot be given in a plan: name the nominal columns instead")
    delay = {key: options.pop(key) for key in list(options) if key in DELAY_KEYS}
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
            stream = changed(stream, change, lambda other: _maybe_endless(other, folder))
        except InputError as error:
            raise InputError(f"change {k}: {error}") from error
    stream = stream if n is None else stream.take(n)
    stream = stream.skip(skip) if skip else stream
    stream = stream if take is None else stream.take(take)
    return _delayed(stream, delay) if delay else stream


def _delayed(stream: Stream, options: dict[str, Any]) -> Stream:
    """Return the stream with late labels."""
    if "delay" not in options:
        raise InputError(f"{next(iter(options))} is given without 'delay'")
    delay = options.pop("delay")
    if not isinstance(delay, str) and not is_number(delay):
        raise InputError(f"delay must be a number or text, not {delay!r}")
    parameters = {key.removeprefix("delay_"): value for key, value in options.items()}
    return stream.delayed(parse_delay(delay) if isinstance(delay, str) else delay, **parameters)


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
    for k, drift in enumerate(drifts, start=1):
        if not isinstance(drift, dict):
            raise InputError(f"drift {k} must be a table, not {drift!r}")
        parameters = dict(drift)
        check_types(parameters, _TYPES)
        at, width = parameters.pop("at", None), parameters.pop("width", 1)
        if at is None:
            raise InputError(f"drift {k} needs 'at', the record where it happens")
        stream = stream.drift_to(make(**{**options, **parameters}), at=at, width=width)
    return stream


def _of_testbed(options: dict[str, Any], folder: Path) -> Stream:
    """Make a stream of the testbed: its name, or the file of a model, with an optional seed and number of records.

    It is not cut to ``n`` here: a change such as a class ratio may need more records than it returns.
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
