"""The learners of a plan: its tables ``[[learner]]``, and the same as text on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prequential.errors import InputError
from prequential.learners.adapters import as_learner
from prequential.learners.catalogue import LEARNERS
from prequential.learners.contract import Learner
from prequential.plans.old_keys import refuse_old_keys
from prequential.plans.value_types import check_types
from prequential.python_object import only_learner, python_object
from prequential.textual import in_brackets
from prequential.wording import listing

_TYPES: dict[str, type] = {"type": str, "python": str, "name": str}


def learner_of(table: Any, folder: Path) -> tuple[str, Learner]:
    """Make the learner that a table describes; return its name and the learner.

    Parameters
    ----------
    table
        ``type`` and the parameters of a reference learner, or ``python``; ``name`` names it in tables. Text is accepted
        too.
    folder
        What relative paths are relative to.

    Examples
    --------
    >>> learner_of({"type": "majority_class", "window_size": 1000}, Path())[0]
    'majority_class:window_size=1000'
    """
    options = learner_table(table) if isinstance(table, str) else table
    if not isinstance(options, dict):
        raise InputError(f"a table or text is needed, not {options!r}")
    options = dict(options)
    refuse_old_keys(options, "learner")
    check_types(options, _TYPES)
    name = options.pop("name", None)
    if "python" in options:
        where = options.pop("python")
        if options:
            raise InputError(
                f"the parameters of a Python learner are set in Python; {listing(options)} is not accepted"
            )
        made: Any = python_object(where, folder)
        return name or where.rpartition(":")[2], as_learner(made)
    if "type" not in options:
        if name is not None and name in LEARNERS:
            raise InputError(f"'name' is the name in tables: write type = \"{name}\" for the learner")
        raise InputError("it needs a 'type' or 'python'")
    kind = options["type"]
    shown = ",".join(in_brackets(key, _as_text(value)) for key, value in options.items() if key != "type")
    return name or (f"{kind}:{shown}" if shown else kind), LEARNERS.of_table(options)


def learner_table(text: str) -> dict[str, Any]:
    """Return the table of a learner that a text names.

    The text is ``TYPE``, ``TYPE:KEY=VALUE,…``, ``FILE.py:NAME`` or ``MODULE:NAME``; ``LABEL=`` may stand before it.

    Examples
    --------
    >>> learner_table("slow=majority_class:window_size=1000")
    {'name': 'slow', 'type': 'majority_class', 'window_size': 1000}
    >>> learner_table("my_model.py:Model")
    {'python': 'my_model.py:Model'}
    """
    label, sign, named = text.partition("=")
    if sign and ":" not in label and "(" not in label:
        return {"name": label.strip(), **learner_table(named)}
    name, colon, rest = text.partition(":")
    if name not in LEARNERS and ("." in name or (colon and "=" not in rest)):
        return {"python": text}
    return LEARNERS.table(text)


def named_learner(text: str) -> tuple[str, Any]:
    """Return the label and the learner that a text names; a ``FILE.py`` with one learner in it is accepted too.

    Examples
    --------
    >>> named_learner("slow=majority_class:window_size=1000")
    ('slow', 'majority_class:window_size=1000')
    """
    if text.endswith(".py"):
        return only_learner(text, Path())
    table = learner_table(text)
    if "python" not in table:
        return str(table.get("name", text)), text.partition("=")[2] if "name" in table else text
    where = str(table["python"])
    return str(table.get("name", where.rpartition(":")[2])), python_object(where, Path())


def _as_text(value: object) -> object:
    """Return the text of a nested table; any other value unchanged."""
    if not isinstance(value, dict) or "type" not in value:
        return value
    shown = ",".join(in_brackets(key, _as_text(inner)) for key, inner in value.items() if key != "type")
    return f"{value['type']}:{shown}" if shown else value["type"]
