"""What can go wrong, and whose turn it is to act.

::

    PrequentialError
    ├── InputError               the caller's to mend; the CLI prints the message alone and exits with 2
    │   ├── ParameterError       a parameter out of its range (also a ValueError)
    │   ├── UnknownParameterError    a parameter that nobody knows (also a TypeError)
    │   ├── DataError            a bad value in a stream or file: where it is, what it is, what is accepted
    │   ├── PlanError            a plan with faults, all of them listed
    │   └── MissingExtraError    an optional dependency is absent; the message has the command that installs it
    ├── LearnerError             a learner raised an error or broke its contract; the CLI exits with 3
    └── StorageError             a run directory or a file that cannot be written or read; the CLI exits with 4
"""

from __future__ import annotations

import difflib
import numbers
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "DataError",
    "InputError",
    "LearnerError",
    "MissingExtraError",
    "ParameterError",
    "PlanError",
    "PrequentialError",
    "StorageError",
    "UnknownParameterError",
    "checked_list",
    "checked_path",
    "checked_whole",
    "is_number",
    "is_whole",
    "listing",
    "suggestion",
]


class PrequentialError(Exception):
    """Any error this package raises on purpose."""

    run: object = None
    """What was computed before, if a run was under way."""


class InputError(PrequentialError):
    """Something the caller gave cannot be used."""


class ParameterError(InputError, ValueError):
    """A parameter is out of its range.

    Examples
    --------
    >>> raise ParameterError("w", "Sliding", "a whole number of at least 1", 0)
    Traceback (most recent call last):
    prequential.errors.ParameterError: The 'w' parameter of Sliding must be a whole number of at least 1. Got 0 instead.
    """

    def __init__(self, name: str, caller: str, constraint: str, value: object) -> None:
        super().__init__(f"The {name!r} parameter of {caller} must be {constraint}. Got {value!r} instead.")
        self.name = name


class UnknownParameterError(InputError, TypeError):
    """A parameter that is none of those there are.

    Examples
    --------
    >>> raise UnknownParameterError("nosie", "SEA", ["concept", "noise", "seed"])
    Traceback (most recent call last):
    prequential.errors.UnknownParameterError: SEA has no parameter 'nosie'. Did you mean 'noise'? Its parameters: \
concept, noise, seed.
    """

    def __init__(self, name: str, caller: str, known: Iterable[str]) -> None:
        known = list(known)
        super().__init__(
            f"{caller} has no parameter {name!r}.{suggestion(name, known)} Its parameters: {listing(known, 40)}."
        )
        self.name = name


class DataError(InputError):
    """A bad value in a stream, with its place.

    Parameters
    ----------
    problem
        What is wrong, as a sentence without its full stop.
    source
        The file or the name of the stream.
    row
        The line of a text file (its first line is 1) or the record index (the first is 0), as ``row_kind`` says.
    column, value, accepted
        The column's name, the value as it stands, and what would have been taken.

    Examples
    --------
    >>> raise DataError("not a number", source="a.csv", row=7, column="price", value="abc", accepted="a number or ?")
    Traceback (most recent call last):
    prequential.errors.DataError: a.csv, line 7, column 'price': not a number: 'abc'. Accepted: a number or ?.
    """

    def __init__(
        self,
        problem: str,
        *,
        source: str | Path,
        row: int | None = None,
        row_kind: str = "line",
        column: str | None = None,
        value: object = None,
        accepted: str | None = None,
    ) -> None:
        place = [str(source)]
        if row is not None:
            place.append(f"{row_kind} {row}")
        if column is not None:
            place.append(f"column {column!r}")
        shown = "" if value is None else f": {value!r}"
        hint = "" if accepted is None else f" Accepted: {accepted}."
        super().__init__(f"{', '.join(place)}: {problem}{shown}.{hint}")
        self.row = row
        self.column = column


class PlanError(InputError):
    """A plan with one or more faults, all of them listed.

    Parameters
    ----------
    source
        The file, or None for a plan that was put together from options.
    faults
        What is wrong.
    """

    def __init__(self, source: str | Path | None, faults: Sequence[str]) -> None:
        if len(faults) == 1:
            text = faults[0] if source is None else f"{source}: {faults[0]}"
        else:
            start = f"{len(faults)} faults" if source is None else f"{source}: {len(faults)} faults"
            text = "\n".join([start, *(f"  - {fault}" for fault in faults)])
        super().__init__(text)
        self.faults = tuple(faults)


class MissingExtraError(InputError, ImportError):
    """An optional dependency is absent."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra {extra!r}: pip install 'prequential[{extra}]'")


class LearnerError(PrequentialError):
    """A learner raised an error or broke its contract.

    Parameters
    ----------
    message
        What happened.
    offset
        Records of the chunk that were finished before the failure.
    scores
        The scores of those records: nothing computed is lost.
    """

    def __init__(self, message: str, *, offset: int = 0, scores: npt.NDArray[np.float64] | None = None) -> None:
        super().__init__(message)
        self.offset = offset
        self.scores = scores


class StorageError(PrequentialError):
    """A run directory or a file cannot be written or read."""


def is_number(value: object) -> bool:
    """Whether a value is a number that can be compared: not text, not a truth value."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def is_whole(value: object, least: int = 0) -> bool:
    """Whether a value is a whole number of at least ``least``."""
    return is_number(value) and isinstance(value, numbers.Integral) and int(value) >= least


def checked_whole(value: object, name: str, caller: str, least: int = 0) -> int:
    """Return a whole number, which may be written as 1e5 too."""
    number: Any = value
    whole = is_number(value) and (isinstance(value, numbers.Integral) or float(number).is_integer())
    if not whole or number < least:
        raise ParameterError(name, caller, f"a whole number of at least {least}", value)
    return int(number)


def checked_path(value: object, name: str, caller: str) -> Path:
    """Return a path."""
    if not isinstance(value, str | os.PathLike):
        raise ParameterError(name, caller, "a path, as text or pathlib.Path", value)
    return Path(value)


def checked_list(values: Iterable[Any], name: str, caller: str, what: str) -> tuple[Any, ...]:
    """Return several values; text is one and not several."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ParameterError(name, caller, f"a list of {what}", values)
    return tuple(values)


def suggestion(word: object, known: Iterable[str]) -> str:
    """Return ``" Did you mean 'x'?"`` for a near miss, capitals or not, or an empty string."""
    spelt = {one.casefold(): one for one in reversed(list(known))}
    near = difflib.get_close_matches(str(word).casefold(), list(spelt), n=1)
    return f" Did you mean {spelt[near[0]]!r}?" if near else ""


def listing(values: Iterable[object], most: int = 12) -> str:
    """Join values for a message, cut after ``most`` of them."""
    items = [str(v) for v in values]
    cut = f", … ({len(items)} in all)" if len(items) > most else ""
    return ", ".join(items[:most]) + cut
