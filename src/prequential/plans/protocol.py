"""The protocol of a plan: its table ``[protocol]``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from prequential.errors import InputError
from prequential.plans.value_types import check_types
from prequential.protocols import Delayed, Holdout, KFold, Prequential, Protocol
from prequential.streams.readers import read
from prequential.wording import listing, suggestion

PROTOCOL_KEYS: dict[str, tuple[str, ...]] = {
    "prequential": ("pretrain",),
    "holdout": ("test", "share"),
    "kfold": ("folds", "scheme", "tests"),
    "delayed": ("bins", "alpha", "reevaluate_every", "horizon", "remember", "first_class"),
}
"""The protocols, and the keys that each accepts in addition to ``name``."""
_TYPES: dict[str, type] = {
    **dict.fromkeys(("name", "test", "scheme", "tests"), str),
    **dict.fromkeys(("pretrain", "folds", "bins", "reevaluate_every", "remember"), int),
    **dict.fromkeys(("share", "horizon"), float),
    "first_class": bool,
}
_NOT_FOR_TESTS = ("path", "take", "skip", "change")
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
    >>> protocol_of({"name": "kfold", "folds": 6}, {}, Path())
    KFold(k=6, scheme='bootstrap', tests='held_out')
    """
    options = dict(table)
    check_types(options, _TYPES)
    name = options.pop("name", "prequential")
    if name not in PROTOCOL_KEYS:
        raise InputError(
            f"unknown protocol {name!r}.{suggestion(name, PROTOCOL_KEYS)} Accepted: {listing(PROTOCOL_KEYS)}"
        )
    accepted = PROTOCOL_KEYS[name]
    for key in options:
        if key not in accepted:
            owner = next((f" ({other} has it)" for other, keys in PROTOCOL_KEYS.items() if key in keys), "")
            raise InputError(
                f"{name} has no option {key!r}{owner}.{suggestion(key, accepted)} Accepted: {listing(accepted)}"
            )
    if name == "holdout" and len(options) != 1:
        raise InputError("holdout needs either 'test', a file, or 'share', such as 0.1")
    if "test" in options:
        reading = {key: value for key, value in stream.items() if key not in _NOT_FOR_TESTS}
        options["test"] = read(folder / options["test"], **reading)
    kinds: dict[str, Callable[..., Protocol]] = {
        "prequential": Prequential,
        "holdout": Holdout,
        "kfold": _kfold,
        "delayed": Delayed,
    }
    return kinds[name](**options)


def _kfold(folds: int = 10, **options: Any) -> KFold:
    """Make the protocol; a plan says ``folds`` where the class says ``k``."""
    return KFold(folds, **options)
