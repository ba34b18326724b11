"""The protocol of a plan: its table ``[protocol]``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prequential.errors import InputError
from prequential.plans.old_keys import refuse_old_keys
from prequential.protocols import Protocol
from prequential.protocols.protocol import PROTOCOLS
from prequential.streams.readers import read
from prequential.textual import call
from prequential.wording import listing

PROTOCOL_KEYS: dict[str, tuple[str, ...]] = {
    "prequential": ("pretrain", "train_share", "batch"),
    "holdout": ("test", "share"),
    "kfold": ("k", "scheme", "tests"),
    "delayed": ("bins", "psi_alpha", "reevaluate_every", "horizon", "remember", "first_class"),
}
"""The protocols, and the keys that each accepts in addition to ``type``."""
_NOT_FOR_TESTS = ("path", "take", "skip", "change", "delay")
"""Keys of ``[stream]`` that do not apply to the test file of a holdout."""


def protocol_of(table: Mapping[str, Any], stream: Mapping[str, Any], folder: Path) -> Protocol:
    """Make the protocol that a table describes.

    Parameters
    ----------
    table
        The table ``[protocol]``.
    stream
        The table ``[stream]``: a test file is read with its options.
    folder
        What relative paths are relative to.

    Examples
    --------
    >>> protocol_of({"type": "kfold", "k": 6, "scheme": "bootstrap"}, {}, Path())
    KFold(k=6, scheme='bootstrap', tests='held_out')
    """
    options = dict(table)
    refuse_old_keys(options, "protocol")
    kind = options.get("type", "prequential")
    if isinstance(kind, str) and kind in PROTOCOLS:
        name = PROTOCOLS.name_of(PROTOCOLS[kind])
        for key in options:
            owner = next((other for other, keys in PROTOCOL_KEYS.items() if key in keys), name)
            if key not in PROTOCOL_KEYS[name] and owner != name:
                raise InputError(f"{name} has no parameter {key!r} ({owner} has it). Accepted: {_keys_of(name)}")
        if name == "holdout" and ("test" in options) == ("share" in options):
            raise InputError("holdout needs either 'test', a file, or 'share', such as 0.1")
    if isinstance(options.get("test"), str):
        reading = {key: value for key, value in stream.items() if key not in _NOT_FOR_TESTS}
        options["test"] = call(read, (), {**reading, "path": folder / options["test"]})
    return PROTOCOLS.of_table({**options, "type": kind})


def protocol_table(text: str) -> dict[str, Any]:
    """Return the table of a protocol that a text names.

    Examples
    --------
    >>> protocol_table("kfold:10,bootstrap")
    {'type': 'kfold', 'k': 10, 'scheme': 'bootstrap'}
    """
    return PROTOCOLS.table(text)


def _keys_of(name: str) -> str:
    return listing(PROTOCOL_KEYS[name]) or "no parameters"
