"""Labels of any type as codes: of declared classes, or of classes in order of appearance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from prequential.errors import DataError, ParameterError
from prequential.streams.chunk import UNLABELLED
from prequential.streams.readers.arrays import is_absent
from prequential.streams.spelling import Classes
from prequential.types import IntArray, Label
from prequential.wording import listing

Column: TypeAlias = npt.NDArray[Any]
Appearances: TypeAlias = dict[Label, int]
"""Labels, each with its first record."""


class LabelCodes:
    """The codes of the classes so far, by any spelling of a class.

    Parameters
    ----------
    classes
        The classes that are known, in the order of their codes.
    open
        Whether other classes may appear.
    caller
        The method that labels are passed to, for messages.
    """

    def __init__(self, classes: Sequence[Label], *, open: bool, caller: str) -> None:
        self.open, self._caller = open, caller
        self._classes = Classes(classes, declared=True)
        self.known: dict[Label | None, int] = {None: UNLABELLED}
        """The code of every spelling so far; None is no label."""
        self.known |= {label: code for code, label in enumerate(self.classes)}
        self._are_codes = not open and self.classes == list(range(len(self.classes)))

    @property
    def classes(self) -> list[Label]:
        """The classes so far, in the order of their codes."""
        return self._classes.values

    def is_label(self, value: object) -> bool:
        """Return whether a value is one label, and not a column of labels."""
        if isinstance(value, tuple | frozenset) and value in self.known:
            return True
        sized = hasattr(value, "__len__") or hasattr(value, "__array__")
        return not sized or isinstance(value, str | bytes) or getattr(value, "ndim", 1) == 0

    def column(self, values: Any, what: str) -> Column:
        """Return labels as an array; those of a list stay what they are."""
        if isinstance(values, list | tuple):
            column: Column = np.fromiter(values, dtype=object, count=len(values))
        else:
            column = np.asarray(values)
        if column.ndim != 1:
            raise ParameterError(what, self._caller, "a label, or a list or array with one label per record", values)
        if column.dtype.kind not in "OUTiufb":
            column = column.astype(object)
        if column.dtype.kind == "O":
            for label in column:
                if getattr(type(label), "__hash__", None) is None:
                    raise ParameterError(what, self._caller, "one label per record: text, a number, a boolean", label)
        return column

    def new_labels(self, seen: Iterable[Appearances]) -> Appearances:
        """Return the labels that are not known, in the order of appearance.

        Of one record, the label comes before the prediction, in the order of ``seen``.
        """
        found = [
            (record, k, label)
            for k, one in enumerate(seen)
            for label, record in one.items()
            if label not in self.known and not is_absent(label)
        ]
        classes = Classes(self.classes, declared=True)
        new: Appearances = {}
        for record, _, label in sorted(found, key=lambda one: one[:2]):
            if classes.code(label) is None:
                classes.add(label)
                new[label] = record
        return new

    def add(self, labels: Iterable[Label]) -> None:
        """Give the next codes to new classes."""
        for label in labels:
            self.known[label] = self._classes.add(label)

    def of(self, column: Column, what: str) -> IntArray:
        """Return the codes of labels, ``UNLABELLED`` where there is none; refuse a label that is not a class."""
        if self._are_codes and column.dtype.kind in "iu":
            codes = column.astype(np.int64)
            if not len(codes) or (codes.min() >= 0 and codes.max() < len(self.classes)):
                return codes
        if column.dtype.kind == "O":
            each = (self.code(label, i, what) for i, label in enumerate(column.tolist()))
            return np.fromiter(each, dtype=np.int64, count=len(column))
        labels, places, inverse = np.unique(column, return_index=True, return_inverse=True)
        pairs = zip(labels.tolist(), places.tolist(), strict=True)
        table = np.array([self.code(label, place, what) for label, place in pairs], dtype=np.int64)
        return table[inverse]

    def code(self, label: Label, record: int, what: str) -> int:
        """Return the code of the label of a record; refuse one that is not a class."""
        code = self.known.get(label)
        if code is not None:
            return code
        if is_absent(label):
            return UNLABELLED  # a NaN is not remembered: there may be any number of them
        code = self._classes.code(label)
        if code is None:
            raise DataError(
                "a label outside the classes",
                source=self._caller,
                row=record,
                row_kind="record",
                column=what,
                value=label,
                accepted=listing(self.classes),
            )
        self.known[label] = code
        return code


def appearances(column: Column | None) -> Appearances:
    """Return the distinct labels of a column, each with its first record."""
    if column is None:
        return {}
    if column.dtype.kind != "O":
        labels, places = np.unique(column, return_index=True)
        return dict(zip(labels.tolist(), places.tolist(), strict=True))
    first: Appearances = {}
    for i, label in enumerate(column.tolist()):
        first.setdefault(label, i)
    return first
