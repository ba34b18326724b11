"""The names that plans and commands use for the parameters of Python functions, and messages that use them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prequential.errors import ParameterError, PlanError

_KEYS: dict[str, dict[str, str]] = {
    "evaluate": {},
    "Prequential": {},
    "Holdout": {},
    "KFold": {},
    "Delayed": {},
    "delayed": {"clock": "delay.clock", "first": "delay.first", "rest": "delay.rest", "seed": "delay.seed"},
    "a reader": {},
    "read": {},
    "CsvStream": {},
}
"""By caller: the parameters whose key in a plan has another name. Other callers have no keys."""


def plan_key(error: ParameterError) -> str | None:
    """Return the key of a plan that sets the parameter; None if no key does.

    Examples
    --------
    >>> plan_key(ParameterError("k", "KFold", "at least 2", 1)), plan_key(ParameterError("n", "Sliding", "above 0", 0))
    ('k', None)
    """
    keys = _KEYS.get(error.caller)
    return None if keys is None else keys.get(error.name, error.name)


def renamed(error: BaseException | str, name_of: Callable[[ParameterError], str | None]) -> str:
    """Return the message of an error, with other names for its parameters.

    Parameters
    ----------
    error
        The error; errors that it reports, as a plan does, and errors that caused it are looked at too.
    name_of
        Returns the name to use for the parameter of an error, or None to keep the message.

    Examples
    --------
    >>> renamed(ParameterError("every", "evaluate", "at least 1", 0), lambda error: f"--{error.name}")
    '--every must be at least 1. Got 0 instead.'
    """
    text = str(error)
    if isinstance(error, str):
        return text
    for one in _parameter_errors(error):
        name = name_of(one)
        if name is not None:
            text = text.replace(str(one), one.sentence(name))
    return text


def _parameter_errors(error: BaseException) -> Iterator[ParameterError]:
    if isinstance(error, ParameterError):
        yield error
    for one in error.errors if isinstance(error, PlanError) else ():
        yield from _parameter_errors(one)
    if error.__cause__ is not None:
        yield from _parameter_errors(error.__cause__)
