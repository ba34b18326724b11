"""Checks of arguments, each with one sentence for all callers.

``check_…`` raises `ParameterError` or returns nothing; ``checked_…`` also converts the value and returns it.
"""

from __future__ import annotations

import functools
import inspect
import math
import numbers
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from prequential.errors import ParameterError, UnknownParameterError

_P = ParamSpec("_P")
_R = TypeVar("_R")


def known_keywords(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Let a function refuse a keyword that it does not have with the closest one and all its keywords.

    Examples
    --------
    >>> @known_keywords
    ... def read(path, *, target=None, time=None): ...
    >>> read("data.csv", tagret="class")
    Traceback (most recent call last):
    prequential.errors.UnknownParameterError: read has no parameter 'tagret'. Did you mean 'target'? Its parameters: \
path, target, time.
    """
    known = list(inspect.signature(function).parameters)

    @functools.wraps(function)
    def checked(*args: _P.args, **keywords: _P.kwargs) -> _R:
        for name in keywords:
            if name not in known:
                raise UnknownParameterError(name, function.__name__, known)
        return function(*args, **keywords)

    return checked


def is_number(value: object) -> bool:
    """Return whether a value is a real number; a truth value is not."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


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
