"""A change of a stream in a plan: a table of the list ``change``.

``type`` names a method of the stream and the other keys are its parameters. Methods that need other streams have them
in ``to``, a table or a list of tables.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from prequential.arguments import is_whole
from prequential.errors import InputError, UnknownParameterError
from prequential.plans.old_keys import refuse_old_keys
from prequential.streams.stream import Stream
from prequential.wording import listing, suggestion

_WITH_ONE = ("drift_to", "blip", "followed_by")
_WITH_SEVERAL = ("drift_through", "recurring", "interleave")
_WITH_OTHERS = (*_WITH_ONE, *_WITH_SEVERAL)
OPERATIONS = (
    *_WITH_OTHERS,
    *("class_ratio", "label_noise", "feature_noise", "missing", "sparse_labels", "repeat"),
)
"""The changes that a plan can name."""


def changed(stream: Stream, change: object, make_stream: Callable[[dict[str, Any]], Stream]) -> Stream:
    """Return a stream with one change made.

    Parameters
    ----------
    stream
        The stream to change.
    change
        The table of the change.
    make_stream
        Makes another stream from its table.
    """
    if not isinstance(change, dict):
        raise InputError(f"a change must be a table, not {change!r}")
    settings = dict(change)
    refuse_old_keys(settings, "change")
    op = settings.pop("type", None)
    if op not in OPERATIONS:
        problem = "a change needs a 'type'." if op is None else f"unknown change {op!r}.{suggestion(op, OPERATIONS)}"
        raise InputError(f"{problem} Accepted: {listing(OPERATIONS)}")
    others = [make_stream(table) for table in _other_tables(op, settings)] if op in _WITH_OTHERS else []
    known = {
        name: parameter
        for name, parameter in inspect.signature(getattr(Stream, op)).parameters.items()
        if name not in ("self", "other") and parameter.kind is not parameter.VAR_POSITIONAL
    }
    for name in settings:
        if name not in known:
            raise UnknownParameterError(name, op, [*known, *(["to"] if op in _WITH_OTHERS else [])])
    required = [name for name, parameter in known.items() if parameter.default is parameter.empty]
    lacking = [name for name in required if name not in settings]
    if lacking:
        raise InputError(f"{op} needs {listing(map(repr, lacking))}")
    if isinstance(settings.get("changes"), dict):
        settings["changes"] = {_record_index(at): ratio for at, ratio in settings["changes"].items()}
    positional = [] if op in _WITH_OTHERS else [settings.pop(name) for name in list(known)[:1] if name in settings]
    result: Stream = getattr(stream, op)(*others, *positional, **settings)
    return result


def _other_tables(op: str, settings: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tables of the other streams that a change needs."""
    to = settings.pop("to", None)
    tables = to if isinstance(to, list) else [to]
    if not tables or not all(isinstance(table, dict) for table in tables) or (op in _WITH_ONE and len(tables) > 1):
        accepted = "a table" if op in _WITH_ONE else "a table or a list of tables"
        raise InputError(f"{op} needs 'to', the other stream: {accepted} such as {{type = \"SEA\", concept = 3}}")
    return tables


def _record_index(key: object) -> int:
    """Return a record index; the keys of a TOML table are text."""
    if not is_whole(key) and not str(key).strip().isdigit():
        raise InputError(
            f'changes are ratios by record index, such as {{"5000" = "1:99"}}; {key!r} is not a record index'
        )
    return int(str(key))
