"""Classes by any of their spellings, for labels and predictions from different programs."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from prequential.errors import InputError
from prequential.types import IntArray, Label
from prequential.wording import listing


class Classes:
    """Classes by any of their spellings: 1 and 1.0 are the same class, as are True and true.

    A value is looked up unchanged, then as text, in which whole numbers have no fraction and booleans are lower case.
    The first spelling of a class is its name.

    Parameters
    ----------
    values
        The classes in the order of their codes.
    declared
        Whether all values are different classes, even if only their spelling differs.

    Examples
    --------
    >>> Classes(["0", "1", "1.0"]).values
    ['0', '1']
    >>> Classes(["0", "1"]).codes([1.0, "0.0", 0], "a.csv")
    array([1, 0, 0])
    """

    def __init__(self, values: Iterable[Label], *, declared: bool = False) -> None:
        self.values: list[Label] = []
        self._exact: dict[Label, int] = {}
        self._text: dict[str, int] = {}
        for value in values:
            if declared or self.code(value) is None:
                self.add(value)

    def add(self, value: Label) -> int:
        """Add a class; return its code."""
        code = len(self.values)
        self._exact.setdefault(value, code)
        self._text.setdefault(_text(value), code)
        self.values.append(value)
        return code

    def codes(self, values: Iterable[Label], source: str) -> IntArray:
        """Return the code of each value; raise an error for a value that is not a class."""
        codes = {value: self.code(value) for value in values}
        for value, code in codes.items():
            if code is None:
                raise InputError(f"{source}: {value!r} is not among the classes. Accepted: {listing(self.values)}.")
        return np.array(list(codes.values()), dtype=np.int64)

    def others(self, values: Iterable[Label]) -> list[Label]:
        """Return the distinct values that are not among these classes."""
        return Classes(value for value in values if self.code(value) is None).values

    def check_common(self, values: Iterable[Label], source: str) -> None:
        """Raise an error if none of the predicted values is a label."""
        values = list(values)
        if values and self.values and all(self.code(value) is None for value in values):
            raise InputError(
                f"{source}: none of the predicted values ({listing(values)}) is among the labels "
                f"({listing(self.values)}). If only the spelling differs, use one spelling. If they are numbers, use "
                "task='regression' (--task regression). If they are other classes, list all in classes=."
            )

    def code(self, value: Label) -> int | None:
        """Return the code of a value; None if it is not a class."""
        code = self._exact.get(value)
        return self._text.get(_text(value)) if code is None else code


def _text(value: Label) -> str:
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    text = str(value).strip()
    if text.lower() in ("true", "false"):
        return text.lower()
    return re.sub(r"^(-?\d+)\.0*$", r"\1", text)
