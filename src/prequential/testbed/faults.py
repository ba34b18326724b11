"""Faults of a description, collected so that they are reported together."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from prequential.errors import InputError, PlanError

P = ParamSpec("P")
T = TypeVar("T")


class Faults:
    """Collects the faults of several values.

    Examples
    --------
    >>> from prequential.arguments import checked_whole
    >>> faults = Faults()
    >>> faults.check(checked_whole, -1, "start", "Gaussian"), faults.check(checked_whole, 5, "end", "Gaussian")
    (None, 5)
    >>> faults.report()
    Traceback (most recent call last):
    prequential.errors.ParameterError: The 'start' parameter of Gaussian must be a whole number of at least 0. Got -1 \
instead.
    """

    def __init__(self) -> None:
        self._errors: list[InputError] = []

    def check(self, checked: Callable[P, T], *args: P.args, **options: P.kwargs) -> T | None:
        """Return what a check returns; if it raises an error, collect that and return None."""
        try:
            return checked(*args, **options)
        except InputError as error:
            self.add(error)
            return None

    def add(self, error: InputError) -> None:
        """Collect an error."""
        self._errors.append(error)

    def report(self) -> None:
        """Raise the collected errors: a single one unchanged, several as one ``PlanError`` that lists them."""
        if len(self._errors) == 1:
            raise self._errors[0]
        if self._errors:
            raise PlanError(None, [text for error in self._errors for text in faults_of(error)])


def faults_of(error: InputError) -> tuple[str, ...]:
    """Return the faults that an error lists, or its message."""
    return error.faults if isinstance(error, PlanError) else (str(error),)
