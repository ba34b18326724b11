"""Faults of a description, gathered so that they can be told together."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from prequential.errors import InputError, PlanError

P = ParamSpec("P")
T = TypeVar("T")


class Faults:
    """Gathers what is wrong with the values of one thing.

    Examples
    --------
    >>> from prequential.errors import checked_whole
    >>> faults = Faults()
    >>> faults.check(checked_whole, -1, "start", "Gaussian"), faults.check(checked_whole, 5, "end", "Gaussian")
    (None, 5)
    >>> faults.tell()
    Traceback (most recent call last):
    prequential.errors.ParameterError: The 'start' parameter of Gaussian must be a whole number of at least 0. Got -1 \
instead.
    """

    def __init__(self) -> None:
        self._errors: list[InputError] = []

    def check(self, checked: Callable[P, T], *args: P.args, **options: P.kwargs) -> T | None:
        """Return what a check returns; if it refuses, keep its error and return None."""
        try:
            return checked(*args, **options)
        except InputError as error:
            self.add(error)
            return None

    def add(self, error: InputError) -> None:
        """Keep an error."""
        self._errors.append(error)

    def tell(self) -> None:
        """Raise what was gathered: an error alone as it is, several as one ``PlanError`` that lists them."""
        if len(self._errors) == 1:
            raise self._errors[0]
        if self._errors:
            raise PlanError(None, [text for error in self._errors for text in faults_of(error)])


def faults_of(error: InputError) -> tuple[str, ...]:
    """Return the faults that an error lists, or its message."""
    return error.faults if isinstance(error, PlanError) else (str(error),)
