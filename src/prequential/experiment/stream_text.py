"""Streams named on a command line, as the table that a plan has of them.

``SEA:concept=2,noise=0.05`` is a generator with parameters, ``NSGT:seed=2`` a stream of the testbed,
``data.csv:target=class`` a file with options of its reader. Whatever names a stream is looked up here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prequential.errors import InputError, listing, suggestion
from prequential.learners.catalogue import parsed
from prequential.streams.generators import GENERATORS
from prequential.streams.readers import READERS
from prequential.streams.testbed import nine

OF_CHANGE = ("at", "width", "every", "real", "share")
"""What stands among the parameters of a stream but is about the change to it."""


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

    Where it is the generator of the stream before, parameters that are not given are those of that stream; but the
    seed is one more: with the same one, the records would come again. So it is after a stream of the testbed: all of
    them make their records of the same draws.

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
    named = stream_table(text)
    change = {key: named.pop(key) for key in OF_CHANGE if key in named}
    if "generator" in named and named["generator"] == before.get("generator"):
        named = {**before, "seed": before.get("seed", 1) + 1, **named}
    if "testbed" in named and "testbed" in before:
        named = {"seed": before.get("seed", 1) + 1, **named}
    return {"op": op, **change, "to": named}
