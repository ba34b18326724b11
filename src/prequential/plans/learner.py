"""The learners of a plan: its tables ``[[learner]]``, and the same as text on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prequential.errors import InputError
from prequential.learners.adapters import as_learner
from prequential.learners.catalogue import CATALOGUE, in_brackets, make, parsed
from prequential.learners.contract import Learner
from prequential.plans.value_types import check_types
from prequential.python_object import only_learner, python_object
from prequential.wording import listing

_TYPES: dict[str, type] = {"name": str, "python": str, "label": str}


def learner_of(table: object, folder: Path) -> tuple[str, Learner]:
    """Make the learner that a table describes, and return its label and it.

    Parameters
    ----------
    table
        ``name`` and the parameters of a reference learner, or ``python``; ``label`` names it in tables.
    folder
        What relative paths are relative to.

    Examples
    --------
    >>> learner_of({"name": "majority_class", "window_size": 1000}, Path())[0]
    'majority_class:window_size=1000'
    """
    if not isinstance(table, dict):
        raise InputError(f"a table is needed, not {table!r}")
    options = dict(table)
    check_types(options, _TYPES)
    label = options.pop("label", None)
    if "python" in options:
        where = options.pop("python")
        if options:
            raise InputError(
                f"the parameters of a Python learner are set in Python; {listing(options)} is not accepted"
            )
        return label or where.rpartition(":")[2], as_learner(python_object(where, folder))
    if "name" not in options:
        raise InputError("it needs a 'name' or 'python'")
    name = options.pop("name")
    shown = ",".join(in_brackets(key, value) for key, value in options.items())
    return label or (f"{name}:{shown}" if shown else name), make(name, options)


def learner_table(text: str) -> dict[str, Any]:
    """Return the table of a learner that a text names.

    The text is ``NAME``, ``NAME:KEY=VALUE,…``, ``FILE.py:NAME`` or ``MODULE:NAME``; ``LABEL=`` may stand before it.

    Examples
    --------
    >>> learner_table("slow=majority_class:window_size=1000")
    {'label': 'slow', 'name': 'majority_class', 'window_size': 1000}
    >>> learner_table("my_model.py:Model")
    {'python': 'my_model.py:Model'}
    """
    label, sign, named = text.partition("=")
    if sign and ":" not in label and "(" not in label:
        return {"label": label.strip(), **learner_table(named)}
    name, colon, rest = text.partition(":")
    if name not in CATALOGUE and ("." in name or (colon and "=" not in rest)):
        return {"python": text}
    name, parameters = parsed(text)
    return {"name": name, **parameters}


def named_learner(text: str) -> tuple[str, object]:
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
        return str(table.get("label", text)), text.partition("=")[2] if "label" in table else text
    where = str(table["python"])
    return str(table.get("label", where.rpartition(":")[2])), python_object(where, Path())
