"""The stream of a plan: its table ``[stream]``.

::

    [stream]
    type = "SEA"                      # a generator and its parameters, a stream of the testbed such as "NSGT", or a
    n = 100000                        # data set such as "electricity"; or path = "data.csv" and the options of its
                                      # reader; or path = "mine.toml"
    change = [                        # what to change, in this order: see change.py
        {type = "drift_to", to = {type = "SEA", concept = 3, seed = 2}, at = 50000, width = 1000},
        {type = "class_ratio", ratio = "1:9", changes = {"70000" = "1:99"}},
        {type = "label_noise", share = 0.1},
    ]

``skip`` and ``take``, or ``n``, apply after all changes. ``reseed = 3`` gives the whole stream other random draws, as
``stream.reseeded(3)`` does: ``pq.replicate`` sets it. Text is accepted too: ``stream = "SEA:concept=3,n=100000"``.

For the protocol ``delayed``, ``delay`` says how late the labels of the remaining records come: see delay.py. A file
with two rows per record, one for its arrival and one for its label, has ``events = true``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prequential.errors import InputError, UnknownParameterError
from prequential.plans.change import changed
from prequential.plans.delay import delayed
from prequential.plans.old_keys import refuse_old_keys
from prequential.plans.value_types import check_types
from prequential.streams.data_sets.data import data
from prequential.streams.data_sets.data_set import known
from prequential.streams.generators import GENERATORS
from prequential.streams.presets.catalogue import PRESETS, preset, spelled
from prequential.streams.readers import read
from prequential.streams.stream import Stream
from prequential.testbed.mixture_stream import MixtureStream
from prequential.testbed.toml import nine, read_mixture
from prequential.textual import call
from prequential.wording import listing

DELAY_KEYS = ("delay", "delay_clock", "delay_first", "delay_rest", "delay_seed")
"""The options of a command that say how late labels come; a plan has them in ``delay``."""
FILE_KEYS = (
    *("target", "task", "time", "weight", "id", "ignore", "nominal", "numeric", "missing", "separator", "decimal"),
    *("header", "classes", "events", "skip", "take"),
)
"""The keys of a stream that is read from a file, in addition to ``path``, ``change`` and ``delay``."""
TYPES: dict[str, type] = {
    **dict.fromkeys(("path", "target", "task", "time", "weight", "id", "separator", "decimal", "type"), str),
    **dict.fromkeys(("take", "skip", "n", "seed", "reseed"), int),
    **dict.fromkeys(("ignore", "nominal", "numeric", "missing", "classes", "change"), list),
    **dict.fromkeys(("header", "events"), bool),
}
"""The types of the values of a stream."""


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
    >>> table = {"type": "SEA", "n": 100, "change": [{"type": "label_noise", "share": 0.2}]}
    >>> stream = stream_of(table)
    >>> (stream.n_records, round(stream.bayes_error, 3))
    (100, 0.26)
    """
    made = "path" not in table and isinstance(table.get("type"), str) and table["type"] in GENERATORS
    if made and table.get("n") is None:
        raise InputError("a generated stream needs 'n', the number of records")
    options = dict(table)
    seed = options.pop("reseed", None)
    check_types({"reseed": seed} if seed is not None else {}, TYPES)
    stream = _maybe_endless(options, folder)
    if seed is None:
        return stream
    found = stream.reseeded(seed)
    found.name = stream.name  # that of a preset
    return found


def rooted(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a table with absolute paths, so that it can be used from anywhere."""
    result = dict(table)
    if isinstance(result.get("path"), str):
        result["path"] = str((folder / result["path"]).resolve())
    for key in ("change", "to"):
        if isinstance(result.get(key), dict):
            result[key] = rooted(result[key], folder)
        elif isinstance(result.get(key), list):
            result[key] = [rooted(one, folder) if isinstance(one, dict) else one for one in result[key]]
    return result


def _maybe_endless(table: Mapping[str, Any], folder: Path) -> Stream:
    """Make the stream of a table; a generator without ``n``, as in ``to``, never ends."""
    options = dict(table)
    refuse_old_keys(options, "stream")
    check_types(options, TYPES)
    if "schema" in options:
        raise InputError("schema cannot be given in a plan: name the nominal columns instead")
    delay = options.pop("delay", None)
    take, skip = options.pop("take", None), options.pop("skip", 0)
    changes, n = options.pop("change", []), options.get("n")
    if "path" in options and "type" in options:
        raise InputError("'path' names a file and 'type' a generator or a stream of the testbed: give one of them")
    if "path" in options and not options["path"].endswith(".toml"):
        n = None
        stream = call(read, (), {**options, "path": folder / options["path"]})
    elif "path" in options or options.get("type") in nine():
        stream = _of_testbed(options, folder)
    elif spelled(str(options.get("type", ""))) is not None:
        n = None  # the preset is cut to it
        stream = call(preset, (options.pop("type"),), options)
    elif options.get("type") in known():
        n = options.pop("n", None)
        stream = call(data, (options.pop("type"),), options)
    elif "type" in options:
        options.pop("n", None)
        stream = GENERATORS.of_table(options) if options["type"] in GENERATORS else _unknown(options["type"])
    else:
        raise InputError("it needs a 'path' or a 'type', the name of a generator or of a stream of the testbed")
    stream.schema  # noqa: B018  # finds the faults of a file
    for k, change in enumerate(changes, start=1):
        try:
            stream = changed(stream, change, lambda other: _maybe_endless(other, folder))
        except InputError as error:
            raise InputError(f"change {k}: {error}") from error
    stream = stream if n is None else stream.take(n)
    stream = stream.skip(skip) if skip else stream
    stream = stream if take is None else stream.take(take)
    return stream if delay is None else delayed(stream, delay)


def _unknown(name: str) -> Stream:
    """Raise the error for the name of a stream that is neither a generator nor of the testbed."""
    raise InputError(
        f"unknown stream {name!r}.{GENERATORS.suggestion(name, (*nine(), *known(), *PRESETS))} Accepted: a generator "
        f"({listing(GENERATORS)}), a stream of the testbed ({listing(nine())}), a data set ({listing(known())}), "
        'a preset (prequential list presets), or path = "…" for a file'
    )


def _of_testbed(options: dict[str, Any], folder: Path) -> Stream:
    """Make a stream of the testbed: its name, or the file of a model, with an optional seed and number of records.

    It is not cut to ``n`` here: a change such as a class ratio may need more records than it returns.
    """
    path, name = options.pop("path", None), options.pop("type", None)
    mixture = nine()[name] if path is None else read_mixture(folder / path)
    for key in options:
        if key not in ("seed", "n"):
            raise UnknownParameterError(key, str(name or path), ["seed", "n"])
    if "n" in options:
        options["n"] = max(options["n"], mixture.n_records)
    return MixtureStream(mixture, **options)
