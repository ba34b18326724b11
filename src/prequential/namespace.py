"""The names that a public module or object lists, and the error for a name that it does not have.

Modules of the implementation have plain names, and ``dir`` of a package does not list them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Self

from prequential.arguments import check_calls_of
from prequential.errors import CallError, UnknownNameError
from prequential.names_elsewhere import advice
from prequential.wording import suggestion

PUBLIC = (
    "prequential",
    *(
        f"prequential.{name}"
        for name in (
            *("learners", "drift", "metrics", "forgettings", "streams", "protocols", "engines", "comparisons"),
            *("calculators", "papers", "testbed"),
        )
    ),
)
"""The public modules."""


def namespace(module: str, names: Iterable[str]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a public module, which then lists its public names only.

    Parameters
    ----------
    module
        The name of the module.
    names
        Its public names.

    Examples
    --------
    >>> import prequential as pq
    >>> pq.ADWIN
    Traceback (most recent call last):
    prequential.errors.UnknownNameError: pq has no 'ADWIN'. It is pq.drift.ADWIN.
    """
    shown = sorted(names)

    def missing(name: str) -> object:
        raise UnknownNameError(_short(module), name, "" if name.startswith("__") else _in_module(module, name, shown))

    return missing, lambda: list(shown)


class Suggesting:
    """Base of the classes that answer a wrong name with the right one, also if it is a name of another library.

    The same holds for the names of arguments of their constructors and public methods.
    """

    __slots__ = ()

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if cls.__module__.partition(".")[0] == "prequential":  # classes of users keep their own errors
            check_calls_of(cls)

    if not TYPE_CHECKING:  # type checkers know the constructor, and would take __getattr__ for a promise

        def __new__(cls, *args: object, **keywords: object) -> Self:
            """Refuse to make an object of a base class, and arguments that no constructor takes."""
            if getattr(cls, "__abstractmethods__", None):
                found = advice(cls.__name__, "__init__")
                hint = f" {found}" if found else ""
                raise CallError(f"{cls.__name__} is the base of other classes and has no objects of its own.{hint}")
            if (args or keywords) and cls.__init__ is object.__init__:
                raise CallError(f"{cls.__name__} has no parameters.")
            return object.__new__(cls)

        def __getattr__(self, name: str) -> object:
            if hasattr(type(self), name):  # a property that failed: its own error
                return object.__getattribute__(self, name)
            owner = type(self).__name__
            if name.startswith("_"):
                raise UnknownNameError(owner, name, "")
            known = [one for one in dir(type(self)) if not one.startswith("_")]
            found = next(filter(None, (advice(cls.__name__, name) for cls in type(self).__mro__)), None)
            raise UnknownNameError(owner, name, f" {found}" if found else suggestion(name, known))


class NotIndexed:
    """Base of results that are often indexed by mistake: the error says what to write."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getitem__(self, key: object) -> object:
            """Refuse an index."""
            hint = next(filter(None, (advice(cls.__name__, "[]") for cls in type(self).__mro__)), "")
            raise CallError(f"A {type(self).__name__} has no items, so [{key!r}] finds none. {hint}")


def _in_module(module: str, name: str, own: Iterable[str]) -> str:
    """Return the hint for a name that a module does not have: it is elsewhere, or has another name."""
    places = [f"{_short(place)}.{one}" for place, one in _everywhere() if one == name]
    if places:
        return f" It is {' or '.join(places)}."
    found = advice(_short(module), name) or advice("pq", name)
    if found:
        return f" {found}"
    near = suggestion(name, own)
    return near or suggestion(name, sorted({one for _, one in _everywhere()}))


def _everywhere() -> Iterator[tuple[str, str]]:
    for place in PUBLIC:
        for one in getattr(sys.modules.get(place), "__all__", ()):
            yield place, one


def _short(module: str) -> str:
    return "pq" + module.removeprefix("prequential")
