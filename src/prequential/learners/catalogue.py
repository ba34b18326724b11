"""The registry of reference learners, and their textual form for the command line and plans.

A textual form is a name, then parameters after a colon: ``naive_bayes``, ``majority_class:window_size=1000``. A value
that has parameters itself is written in brackets:
``online_bagging:base=(sgd:loss=hinge,learning_rate=0.1),n_models=25``.

This module imports no learner: each module of a learner registers its class, and ``prequential.learners`` imports all
of them. So a learner that is made of others can look up its base here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from prequential.errors import InputError
from prequential.learners.contract import Learner
from prequential.wording import listing, suggestion

LearnerType = TypeVar("LearnerType", bound=type[Learner])

CATALOGUE: dict[str, type[Learner]] = {}
"""The class of every reference learner by its name, in the order of registration."""


def register(name: str) -> Callable[[LearnerType], LearnerType]:
    """Add the class that follows, a dataclass of its parameters, to the catalogue.

    A parameter may be given as text if its type hint includes ``Learner`` or ``str``. A value that is neither a learner
    nor of a JSON type must have its textual form in an attribute ``label``.
    """

    def add(cls: LearnerType) -> LearnerType:
        CATALOGUE[name] = cls
        return cls

    return add


def by_name(text: str) -> Learner:
    """Create a learner from its textual form: a name and, after a colon, parameters.

    Examples
    --------
    >>> by_name("majority_class:window_size=1000")
    MajorityClass(window_size=1000)
    >>> by_name("online_bagging:base=(majority_class:window_size=50),n_models=3")
    OnlineBagging(base=MajorityClass(window_size=50), n_models=3)
    """
    return make(*parsed(text))


def parsed(text: str, what: str = "Learner") -> tuple[str, dict[str, Any]]:
    """Split ``name:key=value,key=value`` into the name and the parameters; ``what`` it names begins the errors."""
    name, _, rest = text.strip().partition(":")
    parameters: dict[str, Any] = {}
    for item in filter(None, _items(rest, f"{what} {text!r}")):
        key, sign, value = item.partition("=")
        key, value = key.strip(), value.strip()
        if not sign or not value:
            raise InputError(f"{what} {text!r}: {item!r} is not a parameter. Accepted: {name}:KEY=VALUE,KEY=VALUE.")
        if ":" in value and not value.startswith("("):
            raise InputError(
                f"{what} {text!r}: write a value that has parameters itself in brackets, {key}=({value},…), "
                "so that it is clear to which of the two the following parameters belong."
            )
        if key in parameters:
            raise InputError(f"{what} {text!r}: {key} is given twice.")
        parameters[key] = _value(value)
    return name, parameters


def in_brackets(key: str, value: object) -> str:
    """Return ``key=value`` in the form that ``parsed`` reads."""
    return f"{key}=({value})" if ":" in str(value) else f"{key}={value}"


def make(name: str, parameters: Mapping[str, Any]) -> Learner:
    """Create a learner from its name and parameters."""
    if name not in CATALOGUE:
        raise InputError(f"Unknown learner {name!r}.{suggestion(name, CATALOGUE)} Learners: {listing(CATALOGUE, 40)}.")
    cls = CATALOGUE[name]
    known = parameters_of(cls)
    for key in parameters:
        if key not in known:
            raise InputError(
                f"Learner {name!r} has no parameter {key!r}.{suggestion(key, known)} "
                f"Its parameters: {listing(known) or 'none'}."
            )
    hints = get_type_hints(cls)
    given = {}
    for key, value in parameters.items():
        given[key] = _learner(name, key, value) if Learner in (hints[key], *get_args(hints[key])) else value
        if not _fits(given[key], hints[key]):
            raise InputError(f"Learner {name!r}: {key} must be {_type_name(hints[key])}, not {value!r}.")
    return cls(**given)


def _learner(name: str, key: str, value: object) -> object:
    """Create a learner that is a parameter of another, from its text or from a table with its name and parameters."""
    try:
        if isinstance(value, Mapping):
            return make(str(value.get("name")), {k: v for k, v in value.items() if k != "name"})
        return by_name(value) if isinstance(value, str) else value
    except InputError as error:
        raise InputError(f"{key} of {name}: {error}") from error


def parameters_of(cls: type[Learner]) -> dict[str, object]:
    """Return the parameters of a learner with their defaults."""
    found: dict[str, object] = {}
    for field in fields(cls):  # type: ignore[arg-type]  # every one is a dataclass
        if field.init:
            default = field.default_factory() if field.default_factory is not MISSING else field.default
            found[field.name] = None if default is MISSING else _plain(default)
    return found


def written(learner: Learner) -> str:
    """Return the textual form of a reference learner, without the parameters that have their default."""
    names: dict[type, str] = {cls: name for name, cls in CATALOGUE.items()}
    defaults = parameters_of(type(learner))
    shown = {key: _plain(getattr(learner, key)) for key in defaults}
    other = [in_brackets(key, value) for key, value in shown.items() if value != defaults[key]]
    return ":".join(filter(None, (names[type(learner)], ",".join(other))))


def _plain(value: object) -> object:
    """Return the textual form of a learner or of a value with a label; any other value unchanged."""
    return written(value) if isinstance(value, Learner) else getattr(value, "label", value)


def _fits(value: object, hint: Any) -> bool:
    """Return whether a value has the type that a learner declares for its parameter."""
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return any(_fits(value, one) for one in get_args(hint))
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, hint) and (hint is bool or not isinstance(value, bool))


def _type_name(hint: Any) -> str:
    """Return a type hint in words."""
    if get_origin(hint) is Literal:
        return " or ".join(map(repr, get_args(hint)))
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(_type_name(one) for one in get_args(hint))
    plain = {int: "a whole number", float: "a number", bool: "true or false", str: "text", NoneType: "None"}
    return plain.get(hint) or f"a {hint.__name__.lower()}"


def _items(text: str, whole: str) -> list[str]:
    """Split at the commas outside of brackets."""
    depth, items = 0, [""]
    for sign in text:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if not 0 <= depth <= 20:
            break
        if sign == "," and depth == 0:
            items.append("")
        else:
            items[-1] += sign
    if depth:
        raise InputError(f"{whole}: the brackets do not match.")
    return items


def _value(text: str) -> Any:
    if text.startswith("(") and text.endswith(")"):
        return text[1:-1]
    try:
        return json.loads({"True": "true", "False": "false", "None": "null"}.get(text, text))
    except ValueError:
        return text
