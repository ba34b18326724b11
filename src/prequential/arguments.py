"""Checks of arguments, each with one sentence for all callers.

``check_…`` raises `ParameterError` or returns nothing; ``checked_…`` also converts the value and returns it.
"""

from __future__ import annotations

import functools
import inspect
import math
import numbers
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from prequential.errors import CallError, ParameterError, UnknownParameterError
from prequential.names_elsewhere import advice
from prequential.wording import listing

_C = TypeVar("_C", bound=Callable[..., Any])


def checked_call(target: _C) -> _C:
    """Make a class or function raise an error that lists its parameters if the arguments do not fit.

    It costs nothing as long as the arguments fit: they are looked at only after Python has refused them.

    Examples
    --------
    >>> @checked_call
    ... def read(path, *, target=None, time=None): ...
    >>> read("data.csv", tagret="class")
    Traceback (most recent call last):
    prequential.errors.UnknownParameterError: read has no parameter 'tagret'. Did you mean 'target'? Its parameters: \
path, target, time.
    >>> read()
    Traceback (most recent call last):
    prequential.errors.CallError: read needs 'path'. Its parameters: path, target, time.
    """
    if not isinstance(target, type):
        return cast(_C, _checked_function(target))
    constructor: Any = vars(target).get("__init__")
    if constructor is None:
        return target

    @functools.wraps(constructor)
    def checked(self: Any, *args: Any, **keywords: Any) -> None:
        try:
            constructor(self, *args, **keywords)
        except TypeError as error:
            _refuse(type(self), args, keywords, error)
            raise

    setattr(target, "__init__", checked)  # noqa: B010  # mypy does not allow an assignment
    return target


def check_calls_of(owner: type) -> None:
    """Check the calls of a class: those of the constructor and of the public methods that its body defines.

    Examples
    --------
    >>> class Table:
    ...     def to_latex(self, *, digits=None): ...
    >>> check_calls_of(Table)
    >>> Table().to_latex(digit=2)
    Traceback (most recent call last):
    prequential.errors.UnknownParameterError: Table.to_latex has no parameter 'digit'. Did you mean 'digits'? Its \
parameters: digits.
    """
    if not _is_checked(vars(owner).get("__init__")):
        checked_call(owner)
    for name, member in list(vars(owner).items()):
        function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if name.startswith("_") or not inspect.isfunction(function) or _is_checked(function):
            continue
        checked = _checked_function(function)
        setattr(owner, name, type(member)(checked) if function is not member else checked)


def _is_checked(function: object) -> bool:
    return getattr(function, "__wrapped__", None) is not None


def _checked_function(function: Any) -> Any:
    @functools.wraps(function)
    def checked(*args: Any, **keywords: Any) -> Any:
        try:
            return function(*args, **keywords)
        except TypeError as error:
            _refuse(function, args, keywords, error)
            raise

    return checked


def _refuse(make: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any], error: TypeError) -> None:
    """Raise an error of this package if it was the arguments that did not fit."""
    if isinstance(error, CallError):
        return
    try:
        bound(make, args, keywords)
    except CallError as fault:
        raise fault from None


def bound(
    make: Callable[..., Any], args: tuple[Any, ...], keywords: Mapping[str, Any], *, complete: bool = True
) -> dict[str, Any]:
    """Return arguments by parameter; raise an error if they do not fit.

    Parameters
    ----------
    make
        A class or function. Its attribute ``explained`` may have a sentence on a parameter that must be given.
    args, keywords
        The arguments.
    complete
        Whether all required parameters must be given.
    """
    parameters = list(inspect.signature(make).parameters.values())
    caller = make.__name__
    if parameters and parameters[0].name in ("self", "cls") and not isinstance(make, type):  # a method
        parameters, args = parameters[1:], args[1:]
        caller = ".".join(make.__qualname__.split(".")[-2:])
    named = {one.name: one for one in parameters if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)}
    positional = [name for name, one in named.items() if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    if not any(one.kind == one.VAR_KEYWORD for one in parameters):
        for name in keywords:
            if name not in named:
                raise UnknownParameterError(name, caller, named)
    if len(args) > len(positional) and not any(one.kind == one.VAR_POSITIONAL for one in parameters):
        raise CallError(f"{caller} takes {_n_positional(positional)}, but got {len(args)}. {_advice(caller, named)}")
    given = dict(zip(positional, args, strict=False))
    for name in keywords:
        if name in given:
            raise CallError(f"{caller} got {name!r} twice: by its position, and by its name.")
    given |= keywords
    missing = [name for name, one in named.items() if one.default is one.empty and name not in given]
    if missing and complete:
        explained = getattr(make, "explained", {}).get(missing[0], "")
        explained = explained or advice(f"{caller}()", missing[0]) or f"Its parameters: {listing(named, 40)}."
        raise CallError(f"{caller} needs {' and '.join(map(repr, missing))}. {explained}")
    return given


def _n_positional(positional: Sequence[str]) -> str:
    """Return how many arguments may be given by position, as words."""
    if not positional:
        return "no arguments by position"
    return "one argument by position" if len(positional) == 1 else f"at most {len(positional)} arguments by position"


def _advice(caller: str, named: Iterable[str]) -> str:
    """Return the sentence on the parameters of a function that was called with too many arguments."""
    names = list(named)
    if not names:
        return "It has no parameters."
    return f"Its parameters: {listing(names, 40)}; name them: {caller}({', '.join(f'{name}=…' for name in names[:2])})."


def is_number(value: object) -> bool:
    """Return whether a value is a real number that a float can hold; a boolean is not."""
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def is_whole(value: object, least: int = 0) -> bool:
    """Return whether a value is a whole number of at least ``least``."""
    return is_number(value) and isinstance(value, numbers.Integral) and int(value) >= least


def check_whole(value: object, name: str, caller: str, least: int = 0, most: float = math.inf) -> None:
    """Check that a value is a whole number, from ``least`` to ``most``.

    Examples
    --------
    >>> check_whole(0, "k", "KNN", least=1)
    Traceback (most recent call last):
    prequential.errors.ParameterError: The 'k' parameter of KNN must be a whole number of at least 1. Got 0 instead.
    """
    if not is_whole(value, least) or value > most:  # type: ignore[operator]  # a number here
        raise ParameterError(name, caller, _whole(least, most), value)


def checked_whole(value: object, name: str, caller: str, least: int = 0) -> int:
    """Return a whole number; 1e5 is accepted for 100000."""
    number: Any = value
    whole = is_number(value) and (isinstance(value, numbers.Integral) or float(number).is_integer())
    if not whole or number < least:
        raise ParameterError(name, caller, _whole(least), value)
    return int(number)


def _whole(least: int, most: float = math.inf) -> str:
    return f"a whole number of at least {least:,}" if most == math.inf else f"a whole number from {least:,} to {most:,}"


def check_number(
    value: object,
    name: str,
    caller: str,
    *,
    above: float | None = None,
    least: float | None = None,
    below: float | None = None,
    most: float | None = None,
    infinite: bool = False,
) -> None:
    """Check that a value is a number within bounds; an infinite number is refused unless ``infinite``.

    Examples
    --------
    >>> check_number(1.5, "alpha", "Fading", above=0, below=1)
    Traceback (most recent call last):
    prequential.errors.ParameterError: The 'alpha' parameter of Fading must be a number in (0, 1). Got 1.5 instead.
    """
    number: Any = value
    fits = (
        is_number(value)
        and (infinite or -math.inf < number < math.inf)
        and (above is None or number > above)
        and (least is None or number >= least)
        and (below is None or number < below)
        and (most is None or number <= most)
    )
    if not fits:
        raise ParameterError(name, caller, _range(above, least, below, most), value)


def _range(above: float | None, least: float | None, below: float | None, most: float | None) -> str:
    if below is None and most is None:
        return f"a number above {above:g}" if above is not None else f"a number of at least {least:g}"
    start = f"({above:g}" if above is not None else f"[{least:g}"
    return f"a number in {start}, " + (f"{below:g})" if below is not None else f"{most:g}]")


def check_choice(value: object, name: str, caller: str, choices: Sequence[str]) -> None:
    """Check that a value is one of some words.

    Examples
    --------
    >>> check_choice("mean", "leaf_prediction", "HoeffdingTree", ("mc", "nb", "nba"))
    Traceback (most recent call last):
    prequential.errors.ParameterError: The 'leaf_prediction' parameter of HoeffdingTree must be 'mc', 'nb' or 'nba'. \
Got 'mean' instead.
    """
    if not isinstance(value, str) or value not in choices:
        *others, last = map(repr, choices)
        raise ParameterError(name, caller, f"{', '.join(others)} or {last}" if others else last, value)


def check_flag(value: object, name: str, caller: str) -> None:
    """Check that a value is True or False."""
    if not isinstance(value, bool):
        raise ParameterError(name, caller, "True or False", value)


def checked_path(value: object, name: str, caller: str) -> Path:
    """Return a path."""
    if not isinstance(value, str | os.PathLike):
        raise ParameterError(name, caller, "a path, as text or pathlib.Path", value)
    path = Path(value)
    try:
        path.exists()
    except OSError as error:  # the name is too long, or the folder may not be searched
        raise ParameterError(
            name, caller, f"a path that can be opened ({os.strerror(error.errno or 0)})", value
        ) from None
    return path


def checked_list(values: Iterable[Any], name: str, caller: str, what: str) -> tuple[Any, ...]:
    """Return several values as a tuple; text, which is a single value, is refused."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ParameterError(name, caller, f"a list of {what}", values)
    return tuple(values)
