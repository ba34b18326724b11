"""The exceptions of this package.

::

    PrequentialError
    ├── InputError                   bad input of the caller (also a ValueError); the CLI prints only the message and
    │   │                            exits with 2
    │   ├── ParameterError           a parameter out of its range
    │   ├── CallError                arguments that do not fit the parameters (also a TypeError)
    │   │   └── UnknownParameterError    a parameter that does not exist
    │   ├── UnknownNameError         a name that a module or object does not have (also an AttributeError)
    │   ├── MissingFileError         a file that does not exist (also a FileNotFoundError)
    │   ├── DataError                a bad value in a stream or file: its place, the value, what is accepted
    │   ├── PlanError                a plan with faults, all of them listed
    │   └── MissingExtraError        an optional dependency is missing (also an ImportError); the message has the
    │                                command to install it
    ├── LearnerError                 a learner raised an error or broke its contract; the CLI exits with 3
    └── StorageError                 a run directory or file cannot be written or read; the CLI exits with 4
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from prequential.names_elsewhere import advice
from prequential.synonyms import ours as synonym
from prequential.wording import listing, suggestion

__all__ = [
    "CallError",
    "DataError",
    "InputError",
    "LearnerError",
    "MissingExtraError",
    "MissingFileError",
    "ParameterError",
    "PlanError",
    "PrequentialError",
    "StorageError",
    "UnknownNameError",
    "UnknownParameterError",
]


class PrequentialError(Exception):
    """Base class of all errors that this package raises on purpose.

    Examples
    --------
    >>> import prequential as pq
    >>> try:
    ...     pq.as_metric("acuracy")
    ... except pq.PrequentialError as error:
    ...     print(str(error)[:50])
    Unknown metric 'acuracy'. Did you mean 'accuracy'?
    """

    run: object = None
    """The results so far, if the error occurred during a run."""


class InputError(PrequentialError, ValueError):
    """The caller passed invalid input.

    Examples
    --------
    >>> import prequential as pq
    >>> try:
    ...     pq.as_learner("naive_byes")
    ... except pq.InputError as error:
    ...     print(str(error)[:60])
    Unknown learner 'naive_byes'. Did you mean 'naive_bayes'? Le
    """


class ParameterError(InputError):
    """A parameter is out of its range.

    Examples
    --------
    >>> raise ParameterError("w", "Sliding", "a whole number of at least 1", 0)
    Traceback (most recent call last):
    prequential.errors.ParameterError: The 'w' parameter of Sliding must be a whole number of at least 1. Got 0 instead.
    """

    def __init__(self, name: str, caller: str, constraint: str, value: object) -> None:
        self.name, self.caller, self.constraint, self.value = name, caller, constraint, value
        super().__init__(self.sentence(f"The {name!r} parameter of {caller}"))

    def sentence(self, subject: str) -> str:
        """Return the message with another subject: a plan calls the parameter by its key, a command by its option."""
        return f"{subject} must be {self.constraint}. Got {self.value!r} instead."


class CallError(InputError, TypeError):
    """Arguments that do not fit the parameters: too many, or too few.

    Examples
    --------
    >>> import prequential as pq
    >>> try:
    ...     pq.streams.SEA(1, 2, 3, 4, 5, 6)
    ... except pq.CallError as error:
    ...     print(str(error)[:60])
    SEA takes one argument by position, but got 6. Its parameter
    """


class UnknownParameterError(CallError):
    """A parameter that does not exist.

    Examples
    --------
    >>> raise UnknownParameterError("nosie", "SEA", ["concept", "noise", "seed"])
    Traceback (most recent call last):
    prequential.errors.UnknownParameterError: SEA has no parameter 'nosie'. Did you mean 'noise'? Its parameters: \
concept, noise, seed.
    """

    def __init__(self, name: str, caller: str, known: Iterable[str]) -> None:
        known = list(known)
        ours = synonym(name, known)
        elsewhere = advice(f"{caller}()", name) or advice("()", name)
        if ours is not None:
            hint = f" Did you mean {ours!r}?"
        else:
            hint = suggestion(name, known) if elsewhere is None else f" {elsewhere}"
        super().__init__(f"{caller} has no parameter {name!r}.{hint} Its parameters: {listing(known, 40) or 'none'}.")
        self.name = name


class UnknownNameError(InputError, AttributeError):
    """A name that a module or an object does not have, with the name that was probably meant.

    Examples
    --------
    >>> raise UnknownNameError("Run", "df", " Write run.to_pandas().")
    Traceback (most recent call last):
    prequential.errors.UnknownNameError: Run has no 'df'. Write run.to_pandas().
    """

    def __init__(self, owner: str, name: str, hint: str) -> None:
        super().__init__(f"{owner} has no {name!r}.{hint}")


class MissingFileError(InputError, FileNotFoundError):
    """A file or directory that does not exist.

    Parameters
    ----------
    path
        The path as it was given.

    Examples
    --------
    >>> raise MissingFileError("data.csv")
    Traceback (most recent call last):
    prequential.errors.MissingFileError: data.csv does not exist. (The working directory is ...)
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__(f"{path} does not exist. (The working directory is {Path.cwd()}.)")
        self.path = path


class DataError(InputError):
    """A bad value in a stream or file, with its place.

    Parameters
    ----------
    problem
        What is wrong, as a sentence without its full stop.
    source
        The file or the name of the stream.
    row, row_kind
        The line of a text file (the first is 1), or another index named by ``row_kind``, such as a record index (the
        first is 0).
    column, value, accepted
        The name of the column, the value, and what is accepted instead.

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
        The file, or None for a plan built from options.
    faults
        What is wrong: messages, or errors, which are also kept as ``errors``.

    Examples
    --------
    >>> import prequential as pq
    >>> print(pq.PlanError("plan.toml", ["no learner", "no stream"]))
    plan.toml: 2 faults
      - no learner
      - no stream
    """

    def __init__(self, source: str | Path | None, faults: Sequence[str | InputError]) -> None:
        texts = tuple(map(str, faults))
        if len(texts) == 1:
            text = texts[0] if source is None else f"{source}: {texts[0]}"
        else:
            start = f"{len(texts)} faults" if source is None else f"{source}: {len(texts)} faults"
            text = "\n".join([start, *(f"  - {one}" for one in texts)])
        super().__init__(text)
        self.faults = texts
        self.errors = tuple(fault for fault in faults if isinstance(fault, InputError))


class MissingExtraError(InputError, ImportError):
    """An optional dependency is missing.

    Examples
    --------
    >>> import prequential as pq
    >>> print(pq.MissingExtraError("to_river", "river"))
    to_river needs the extra 'river': pip install 'prequential[river]'
    """

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra {extra!r}: pip install 'prequential[{extra}]'")


class LearnerError(PrequentialError):
    """A learner raised an error or broke its contract.

    Parameters
    ----------
    message
        What happened.
    offset
        Number of records of the chunk before the failure.
    scores
        The scores of these records, so that no result is lost.

    Examples
    --------
    >>> import prequential as pq
    >>> pq.LearnerError("the model broke", offset=7).offset
    7
    """

    def __init__(self, message: str, *, offset: int = 0, scores: npt.NDArray[np.float64] | None = None) -> None:
        super().__init__(message)
        self.offset = offset
        self.scores = scores


class StorageError(PrequentialError):
    """A run directory or a file cannot be written or read.

    Examples
    --------
    >>> import prequential as pq
    >>> issubclass(pq.StorageError, pq.PrequentialError)
    True
    """
