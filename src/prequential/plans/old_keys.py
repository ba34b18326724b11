"""Keys of plans that were renamed: the error gives the new one."""

from __future__ import annotations

from collections.abc import Mapping

from prequential.errors import InputError

_NEW: dict[str, dict[str, str]] = {
    "stream": {
        "generator": 'type = "{}"',
        "testbed": 'type = "{}", or path = "mine.toml"',
        "drift": 'change = [{{type = "drift_to", at = …, to = {{…}}}}]',
        "name": 'type = "{}" (a stream has no key for its name)',
        "delay_clock": 'delay = {{type = …, clock = "{}"}}',
        "delay_first": 'delay = {{type = …, first = "{}"}}',
        "delay_rest": "delay = {{type = …, rest = {}}}",
        "delay_seed": "delay = {{type = …, seed = {}}}",
    },
    "change": {"op": 'type = "{}"'},
    "protocol": {"name": 'type = "{}"', "folds": "k = {}", "alpha": "psi_alpha = {}"},
    "learner": {"label": 'name = "{}"'},
}


def refuse_old_keys(table: Mapping[str, object], kind: str) -> None:
    """Raise an error for a key that was renamed.

    Examples
    --------
    >>> refuse_old_keys({"generator": "SEA"}, "stream")
    Traceback (most recent call last):
    prequential.errors.InputError: the key 'generator' was renamed: write type = "SEA"
    """
    for key, new in _NEW[kind].items():
        if key in table:
            value = str(table[key]).lower() if isinstance(table[key], bool) else table[key]
            raise InputError(f"the key {key!r} was renamed: write {new.format(value)}")
