"""The reference learners by name, for the command line and plans: ``naive_bayes``, ``majority_class:window=1000``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from prequential.errors import InputError, listing, suggestion
from prequential.learners.contract import Learner
from prequential.learners.knn import Knn
from prequential.learners.majority_class import MajorityClass
from prequential.learners.naive_bayes import NaiveBayes
from prequential.learners.no_change import NoChange
from prequential.learners.sgd import Sgd
from prequential.learners.target import LastTarget, MeanTarget

CATALOGUE: dict[str, type[Learner]] = {
    "majority_class": MajorityClass,
    "naive_bayes": NaiveBayes,
    "no_change": NoChange,
    "sgd": Sgd,
    "knn": Knn,
    "mean_target": MeanTarget,
    "last_target": LastTarget,
}


def by_name(text: str) -> Learner:
    """Make a learner from its name and, after a colon, parameters.

    Examples
    --------
    >>> by_name("majority_class:window=1000")
    MajorityClass(window=1000)
    """
    return make(*parsed(text))


def parsed(text: str) -> tuple[str, dict[str, Any]]:
    """Take ``name:key=value,key=value`` apart."""
    name, _, rest = text.strip().partition(":")
    parameters: dict[str, Any] = {}
    for item in filter(None, rest.split(",")):
        key, sign, value = item.partition("=")
        if not sign:
            raise InputError(f"Learner {text!r}: {item!r} is not a parameter. Accepted: {name}:KEY=VALUE,KEY=VALUE.")
        parameters[key.strip()] = _value(value.strip())
    return name, parameters


def make(name: str, parameters: Mapping[str, Any]) -> Learner:
    """Make a learner from its name and parameters."""
    if name not in CATALOGUE:
        raise InputError(f"Unknown learner {name!r}.{suggestion(name, CATALOGUE)} Learners: {listing(CATALOGUE)}.")
    cls = CATALOGUE[name]
    known = parameters_of(cls)
    for key in parameters:
        if key not in known:
            raise InputError(
                f"Learner {name!r} has no parameter {key!r}.{suggestion(key, known)} "
                f"Its parameters: {listing(known) or 'none'}."
            )
    hints = get_type_hints(cls)
    for key, value in parameters.items():
        if not _fits(value, hints[key]):
            raise InputError(f"Learner {name!r}: {key} must be {_shown(hints[key])}, not {value!r}.")
    return cls(**parameters)


def parameters_of(cls: type[Learner]) -> dict[str, object]:
    """Return the parameters of a learner with their defaults."""
    return {f.name: None if f.default is MISSING else f.default for f in fields(cls) if f.init}  # type: ignore[arg-type]


def _fits(value: object, hint: Any) -> bool:
    """Whether a value is of a type that a learner declares for its parameter."""
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return any(_fits(value, one) for one in get_args(hint))
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, hint) and (hint is bool or not isinstance(value, bool))


def _shown(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(map(repr, get_args(hint)))
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(_shown(one) for one in get_args(hint))
    return {int: "a whole number", float: "a number", bool: "true or false", str: "text", NoneType: "None"}[hint]


def _value(text: str) -> Any:
    try:
        return json.loads({"True": "true", "False": "false", "None": "null"}.get(text, text))
    except ValueError:
        return text
