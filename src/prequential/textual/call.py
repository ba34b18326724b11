"""Calls with values from text or from a table, checked against the signature and its type hints."""

from __future__ import annotations

import collections.abc
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from prequential.arguments import bound
from prequential.errors import InputError, ParameterError, UnknownParameterError
from prequential.textual.grammar import list_items

_LOOK_UPS: dict[Any, Callable[[Any], Any]] = {}
_LISTS = (list, tuple, collections.abc.Sequence, collections.abc.Collection, collections.abc.Iterable)


class Raw(str):
    """A value as it stands in a text, whose type is decided by the parameter that it is for."""

    __slots__ = ()


def register_look_up(role: Any, look_up: Callable[[Any], Any]) -> None:
    """Let parameters whose type hint includes ``role`` be given as text: ``look_up`` returns the object."""
    _LOOK_UPS[role] = look_up


def call(make: Callable[..., Any], positional: Sequence[object], keywords: Mapping[str, object]) -> Any:
    """Call a class or function with values from a text (`Raw`) or a table.

    Examples
    --------
    >>> def repeat(word: str, times: int = 2) -> str: return word * times
    >>> call(repeat, [Raw("12")], {"times": Raw("1e0")})
    '12'
    >>> call(repeat, ["ab"], {"tiems": 3})
    Traceback (most recent call last):
    prequential.errors.UnknownParameterError: repeat has no parameter 'tiems'. Did you mean 'times'? Its parameters: \
word, times.
    """
    return make(**fitted(make, positional, keywords))


def fitted(
    make: Callable[..., Any], positional: Sequence[object], keywords: Mapping[str, object], *, nested: bool = True
) -> dict[str, Any]:
    """Return the values of a call by parameter, each with the type of its parameter.

    Parameters
    ----------
    make
        The class or function.
    positional, keywords
        The values.
    nested
        Whether to look up values that are objects; otherwise they stay text or tables.
    """
    caller = make.__name__
    known = parameters_of(make)
    named: dict[str, object] = {}
    for key, value in keywords.items():
        name = _spelt(key, known)
        if name not in known:
            raise UnknownParameterError(key, caller, known)
        named[name] = value
    # bound() reports what is missing or too much, in the same words as a call in Python
    given = bound(make, tuple(positional), named, complete=nested)
    hints = _hints(make)
    return {name: _value(value, hints.get(name, Any), name, caller, nested=nested) for name, value in given.items()}


def parameters_of(make: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return the parameters of a class or function by name."""
    parameters = inspect.signature(make).parameters
    return {name: one for name, one in parameters.items() if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)}


def instance(cls: Callable[..., Any]) -> Any:
    """Return an object of a class that needs no arguments; for another class the message shows the call.

    Examples
    --------
    >>> from prequential.metrics.forgetting import Fading
    >>> instance(Fading)
    Traceback (most recent call last):
    prequential.errors.InputError: Fading is a class that needs arguments (alpha): give an object, Fading(alpha=…).
    """
    name = getattr(cls, "__name__", str(cls))
    try:
        required = [
            one.name
            for one in inspect.signature(cls).parameters.values()
            if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
        ]
    except ValueError:  # a compiled class without a signature: try
        required = []
    if required:
        raise InputError(
            f"{name} is a class that needs arguments ({', '.join(required)}): give an object, "
            f"{name}({', '.join(f'{one}=…' for one in required)})."
        )
    return cls()


def _spelt(key: str, known: Mapping[str, object]) -> str:
    """Return the name of a parameter; λ is a reserved word in Python, but not in a text."""
    if key != "lambda":
        return key
    return next((name for name in ("lambda_", "threshold") if name in known), key)


@lru_cache(maxsize=256)
def _hints(make: Callable[..., Any]) -> dict[str, Any]:
    if not isinstance(make, type) or is_dataclass(make):
        return get_type_hints(make)
    return get_type_hints(make.__init__)  # type: ignore[misc]  # the hints of this very class are wanted


def _value(value: object, hint: Any, name: str, caller: str, *, nested: bool) -> object:
    """Return a value with the type of its parameter."""
    look_up = next((found for role, found in _LOOK_UPS.items() if role in _members(hint)), None)
    if look_up is not None and isinstance(value, str | Mapping):
        if isinstance(value, Raw):
            value = str(value)
            if value.lower() in ("none", "null") and NoneType in _members(hint):
                return None
        if not nested:
            return value
        try:
            return look_up(value)
        except InputError as error:
            raise InputError(f"{name} of {caller}: {error}") from error
    if isinstance(value, Raw):
        found, fits = _read(str(value), hint)
        value = found if fits else _plain(str(value))
    if not _fits(value, hint) and look_up is None:
        raise ParameterError(name, caller, type_name(hint), value)
    return value


def _members(hint: Any) -> tuple[Any, ...]:
    """Return the types of a union, or the type alone."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _read(text: str, hint: Any) -> tuple[object, bool]:
    """Return what a text means for a type, and whether it has this type."""
    members = sorted(_members(hint), key=lambda one: one is str)  # anything is text
    for one in members:
        if get_origin(one) is Literal and text in get_args(one):
            return text, True
        if one is NoneType and text.lower() in ("none", "null"):
            return None, True
        if one is bool and text.lower() in ("true", "false"):
            return text.lower() == "true", True
        if one in (int, float):
            number = _number(text)
            if one is int and isinstance(number, float) and number.is_integer():
                number = int(number)
            if isinstance(number, int) or (one is float and number is not None):
                return number, True
        if get_origin(one) in _LISTS and text.startswith("["):
            inner = [arg for arg in get_args(one) if arg is not Ellipsis]
            items = [_read(item, inner[0] if inner else Any) for item in list_items(text)]
            return [item for item, _ in items], all(fits for _, fits in items)
        if one is Any or one is object:
            return _plain(text), True
        if one is str:
            return text, True
    if any(get_origin(one) in _LISTS for one in members):  # one item needs no brackets
        item, fits = _read(text, next(get_args(one)[0] for one in members if get_origin(one) in _LISTS))
        return [item], fits
    return text, not all(one in (int, float, bool, NoneType) or get_origin(one) is Literal for one in members)


def _number(text: str) -> int | float | None:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return None


def _plain(text: str) -> object:
    """Return the value that a text looks like: a number, a boolean, None, or else the text."""
    number = _number(text)
    if number is not None:
        return number
    return {"true": True, "false": False, "none": None, "null": None}.get(text.lower(), text)


def plain_value(text: str) -> object:
    """Return the value that a text looks like: a number, a boolean, None, a list, or else the text.

    Examples
    --------
    >>> plain_value("1e3"), plain_value("true"), plain_value("[a,2]"), plain_value("a")
    (1000.0, True, ['a', 2], 'a')
    """
    if text.startswith("[") and text.endswith("]"):
        return [_plain(item) for item in list_items(text)]
    return _plain(text)


def _fits(value: object, hint: Any) -> bool:
    """Return whether a value has the type that a parameter declares; types that are not simple accept any value."""
    origin = get_origin(hint)
    if origin is Literal:
        return value in get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in get_args(hint))
    if hint is NoneType or hint is None:
        return value is None
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint in (int, bool, str):
        return isinstance(value, hint) and (hint is bool or not isinstance(value, bool))
    if origin in _LISTS:
        return isinstance(value, Sequence) and not isinstance(value, str)
    return True


def type_name(hint: Any) -> str:
    """Return a type hint in words.

    Examples
    --------
    >>> type_name(int | None), type_name(Literal["up", "down"])
    ('a whole number or None', "'up' or 'down'")
    """
    if get_origin(hint) is Literal:
        return " or ".join(map(repr, get_args(hint)))
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(type_name(one) for one in get_args(hint))
    if get_origin(hint) in _LISTS:
        return "a list"
    plain = {int: "a whole number", float: "a number", bool: "True or False", str: "text", NoneType: "None"}
    return plain.get(hint) or f"a {getattr(hint, '__name__', str(hint)).lower()}"
