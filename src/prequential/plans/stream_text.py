"""Streams named on a command line, as the table that a plan has for them.

``SEA:concept=2,noise=0.05`` is a generator with parameters, ``NSGT:seed=2`` a stream of the testbed,
``data.csv:target=class`` a file with options of its reader.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prequential.errors import InputError
from prequential.learners.catalogue import parsed
from prequential.streams.generators import GENERATORS
from prequential.streams.readers import READERS
from prequential.testbed.toml import nine
from prequential.wording import listing, suggestion

_CHANGE_KEYS = ("at", "width", "every", "real", "share")
"""Keys that are listed among the parameters of the stream, but belong to the change."""


def stream_table(text: str) -> dict[str, Any]:
    """Return the table of a stream that a text names.

    Examples
    --------
    >>> stream_table("SEA:concept=2,noise=0.05")
    {'generator': 'SEA', 'concept': 2, 'noise': 0.05}
    >>> stream_table("data.csv:target=class")
    {'path': 'data.csv', 'target': 'class'}
    """
    name, parameters = parsed(text, "Stream")
    if name in GENERATORS:
        return {"generator": name, **parameters}
    if name in nine():
        return {"testbed": name, **parameters}
    if any(name.lower().endswith(suffix) for suffix in READERS) or Path(name).is_dir():
        return {"path": name, **parameters}
    raise InputError(
        f"Unknown stream {name!r}.{suggestion(name, [*GENERATORS, *nine()])} Accepted: a generator "
        f"({listing(GENERATORS)}), a stream of the testbed ({listing(nine())}) or a file ({listing(READERS)})."
    )


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
    >>> change_table("drift_to", "SEA:concept=4,at=500", {"generator": "SEA", "noise": 0.2})
    {'op': 'drift_to', 'at': 500, 'to': {'generator': 'SEA', 'noise': 0.2, 'seed': 2, 'concept': 4}}
    """
    other = stream_table(text)
    change = {key: other.pop(key) for key in _CHANGE_KEYS if key in other}
    if "generator" in other and other["generator"] == before.get("generator"):
        other = {**before, "seed": before.get("seed", 1) + 1, **other}
    if "testbed" in other and "testbed" in before:
        other = {"seed": before.get("seed", 1) + 1, **other}
    return {"op": op, **change, "to": other}
