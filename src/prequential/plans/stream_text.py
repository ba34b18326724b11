"""Streams named on a command line, as the table that a plan has for them.

``SEA:concept=2,noise=0.05`` is a generator with parameters, ``NSGT:seed=2`` a stream of the testbed,
``electricity`` a data set, ``bifet2015.SEA(50)`` the stream of a paper,
``data.csv:target=class`` a file with options of its reader.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prequential.streams.as_stream import is_file_name, unknown_stream
from prequential.streams.data_sets.data import data
from prequential.streams.data_sets.data_set import known
from prequential.streams.generators import GENERATORS
from prequential.streams.presets.catalogue import preset, spelled
from prequential.streams.readers import read
from prequential.testbed.catalogue import stream
from prequential.testbed.toml import nine
from prequential.textual import parsed
from prequential.textual.call import Raw, fitted, plain_value

_STREAM_KEYS = ("n", "take", "skip", "delay", "at", "width", "every", "real", "share")
"""Keys that every stream has, or that belong to the change that the stream is part of."""
_CHANGE_KEYS = ("at", "width", "every", "real", "share")
"""Keys that are listed among the parameters of the stream, but belong to the change."""


def stream_table(text: str) -> dict[str, Any]:
    """Return the table of a stream that a text names.

    Examples
    --------
    >>> stream_table("SEA:concept=2,noise=0.05")
    {'type': 'SEA', 'concept': 2, 'noise': 0.05}
    >>> stream_table("data.csv:target=class")
    {'path': 'data.csv', 'target': 'class'}
    """
    if is_file_name(text) and Path(text).exists():  # its path may contain a colon
        return {"path": text}
    whole = parsed(text, "stream")
    name, keywords = whole.name, dict(whole.keywords)
    own = {key: plain_value(keywords.pop(key)) for key in _STREAM_KEYS if key in keywords}
    raw = {key: Raw(value) for key, value in keywords.items()}
    positional = list(map(Raw, whole.positional))
    if name in GENERATORS:
        values = fitted(GENERATORS[name], positional, raw, nested=False)
        return {"type": name, **values, **own}
    if name in nine() or name.endswith(".toml"):
        values = fitted(stream, [name, *positional], raw, nested=False)
        values.pop("model")
        return {"path" if name.endswith(".toml") else "type": name, **values, **own}
    if spelled(name) is not None:
        values = fitted(preset, [name, *positional], raw, nested=False)
        values.pop("name")
        return {"type": spelled(name), **values, **own}
    if name in known():
        values = fitted(data, [name, *positional], raw, nested=False)
        values.pop("name")
        return {"type": name, **values, **own}
    if is_file_name(name):
        return {**fitted(read, [name, *positional], raw, nested=False), **own}
    raise unknown_stream(name)


def change_table(op: str, text: str, before: dict[str, Any]) -> dict[str, Any]:
    """Return the table of a change to a stream that a text names, such as ``SEA:concept=4,at=50000,width=1000``.

    If it names the generator of the stream before, parameters that are not given keep their values, except the seed,
    which increases by one: with the same seed the same records would come again. The seed also increases between
    two streams of the testbed, because all of them use the same random draws.

    Parameters
    ----------
    op
        The change: ``drift_to``, ``blip`` and so on.
    text
        The stream and the change.
    before
        The table of the stream before.

    Examples
    --------
    >>> change_table("drift_to", "SEA:concept=4,at=500", {"type": "SEA", "noise": 0.2})
    {'type': 'drift_to', 'at': 500, 'to': {'type': 'SEA', 'noise': 0.2, 'seed': 2, 'concept': 4}}
    """
    other = stream_table(text)
    change = {key: other.pop(key) for key in _CHANGE_KEYS if key in other}
    if other.get("type") == before.get("type") and other.get("type") in GENERATORS:
        other = {**before, "seed": before.get("seed", 1) + 1, **other}
    if other.get("type") in nine() and before.get("type") in nine():
        other = {"seed": before.get("seed", 1) + 1, **other}
    return {"type": op, **change, "to": other}
