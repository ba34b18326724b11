"""Records of other libraries, with names and values of any kind, as the rows of numbers that learners take."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from prequential.arguments import is_number
from prequential.errors import DataError, InputError
from prequential.streams.readers.inference import is_nominal
from prequential.streams.readers.table import as_arrow
from prequential.streams.schema import Feature, Schema
from prequential.types import FloatArray, IntArray, Label


class RecordCoder:
    """Gives features their columns, and nominal values and classes their codes, as they appear.

    The first value of a feature decides its kind: a number makes it numeric, text and booleans make it nominal.
    None, NaN and absent keys are missing values. A column of a data frame has the kind of its type; a category is
    nominal.

    A record that is learned adds features, values and classes. A record that is predicted adds nothing: its unknown
    features are left out, and an unknown value of a nominal feature gets the first free code.

    Parameters
    ----------
    schema
        What is known so far.
    caller
        Who gets the records, for errors.
    sort
        Whether features that appear together are added in the order of their names, so that the order of a dict does
        not matter; otherwise in the order given.

    Examples
    --------
    >>> coder = RecordCoder(Schema((), ()), "NaiveBayes")
    >>> coder.row({"x": 0.5, "day": "mon"}, learn=True), coder.class_code("up")
    ([0, 0.5], 0)
    >>> coder.row({"day": "tue", "new": 1})
    [1, None]
    >>> coder.schema.values
    {'day': ('mon',), 'x': None, 'class': ('up',)}
    """

    def __init__(self, schema: Schema, caller: str, *, sort: bool = True) -> None:
        self._schema, self._caller, self._sort = schema, caller, sort
        self._names: list[Hashable] = []
        self._columns: dict[Hashable, int] = {}
        self._values: list[dict[Label, int] | None] = []
        self._nominal: list[tuple[int, dict[Label, int]]] = []
        for feature in schema.features:
            self._add(feature.name, feature.values)
        self._classes: dict[Label, int] = {label: code for code, label in enumerate(schema.classes or ())}
        self.labels: list[Label] = list(self._classes)
        """The classes in the order of their codes."""
        self.grown = False
        """Whether anything was added since ``schema`` was read last."""

    @property
    def schema(self) -> Schema:
        """The features, values and classes so far."""
        if self.grown:
            features = [
                Feature(_text(name), None if codes is None else tuple(codes))
                for name, codes in zip(self._names, self._values, strict=True)
            ]
            self._schema = Schema(tuple(features), tuple(self.labels), self._schema.target, open=True)
            self.grown = False
        return self._schema

    def row(self, x: Mapping[Any, Any], *, learn: bool = False) -> Sequence[object]:
        """Return the numbers and codes of a record, None where missing."""
        row = list(map(x.get, self._names))
        if learn and (len(x) != len(row) or None in row):
            new = [name for name in x if name not in self._columns and not _is_missing(x[name])]
            for name, values in [(name, self._first_values(name, x[name])) for name in self._in_order(new)]:
                self._add(name, values)
            row = list(map(x.get, self._names)) if new else row
        for j, codes in self._nominal:
            value = row[j]
            if value is not None:
                code = codes.get(value)
                row[j] = self._new_code(j, codes, value, learn=learn) if code is None else code
        return row

    def matrix(self, frame: Any, *, learn: bool = False) -> FloatArray:
        """Return the numbers and codes of the rows of a data frame, NaN where missing."""
        try:
            columns = dict(zip(frame.columns, as_arrow(frame).columns, strict=True))
        except (pa.ArrowException, AttributeError) as error:
            found = type(frame).__name__
            raise InputError(f"{self._caller} cannot read a {found} as a data frame: {error}") from error
        columns = {name: column for name, column in columns.items() if column.null_count < len(column)}
        if learn:
            new = self._in_order(name for name in columns if name not in self._columns)
            for name, values in [(name, self._declared(name, columns[name])) for name in new]:
                self._add(name, values)
        X = np.full((len(frame), len(self._names)), np.nan)
        for j, (name, codes) in enumerate(zip(self._names, self._values, strict=True)):
            if name not in columns:
                continue
            if codes is None:
                X[:, j] = self._numbers(name, columns[name])
                continue
            for i, value in enumerate(columns[name].to_pylist()):
                if value is not None:
                    code = codes.get(value)
                    X[i, j] = self._new_code(j, codes, value, learn=learn) if code is None else code
        return X

    def class_code(self, label: Label) -> int:
        """Return the code of a label that is learned, after adding it if it is new."""
        code = self._classes.get(label)
        if code is None:
            if _is_missing(label):
                raise InputError(f"{self._caller} cannot learn a record with the label {label!r}.")
            plain = label.item() if isinstance(label, np.generic) else label
            code = self._classes[plain] = len(self.labels)
            self.labels.append(plain)
            self.grown = True
        return code

    def class_codes(self, labels: Iterable[Label]) -> IntArray:
        """Return the codes of several labels that are learned."""
        return np.array([self.class_code(label) for label in labels], dtype=np.int64)

    def check(self, x: Mapping[Any, Any]) -> None:
        """Raise an error that names the first value of a record that cannot be used, if there is one."""
        if not isinstance(x, Mapping):
            raise InputError(
                f"{self._caller} takes a record as a dict from feature name to value. Got an object of type "
                f"{type(x).__name__}."
            )
        for name, codes in zip(self._names, self._values, strict=True):
            value = x.get(name)
            if value is None:
                continue
            if codes is not None and not isinstance(value, Hashable):
                raise self._fault(name, "not a nominal value", value, "text, a boolean or None")
            if codes is None and not isinstance(value, bool | np.bool_) and not is_number(value):
                raise self._fault(name, "not a number", value, "a number, as the first value was, or None")
            if codes is None and np.isinf(float(value)):
                raise self._fault(name, "an infinite value", value, "a finite number or None")

    def _in_order(self, names: Iterable[Hashable]) -> Iterable[Hashable]:
        return sorted(names, key=_text) if self._sort else list(names)

    def _add(self, name: Hashable, values: Iterable[Label] | None) -> None:
        """Add a feature: the values of a nominal one known so far, None for a numeric one."""
        codes = None if values is None else {value: code for code, value in enumerate(values)}
        if codes is not None:
            self._nominal.append((len(self._names), codes))
        self._columns[name] = len(self._names)
        self._names.append(name)
        self._values.append(codes)
        self.grown = True

    def _first_values(self, name: Hashable, first: object) -> tuple[Label, ...] | None:
        """Return the values that the first value of a feature declares: both booleans for one; None for a number."""
        if isinstance(first, bool | np.bool_):
            return (False, True)
        if not is_number(first) and not isinstance(first, str):
            raise self._fault(name, "neither a number nor nominal", first, "a number, text, a boolean or None")
        return None if is_number(first) else ()

    def _new_code(self, j: int, codes: dict[Label, int], value: Label, *, learn: bool) -> int | None:
        """Return the code of a value that is not known yet; None if it is missing."""
        if _is_missing(value):
            return None
        first = next(iter(codes), value)
        if is_number(value) and not is_number(first):
            accepted = f"text or a boolean, because the first value was {first!r}"
            raise self._fault(self._names[j], "not a nominal value", value, accepted)
        code = len(codes)
        if learn:
            codes[value.item() if isinstance(value, np.generic) else value] = code
            self.grown = True
        return code

    def _declared(self, name: Hashable, column: pa.ChunkedArray) -> tuple[Label, ...] | None:
        """Return the values that the type of a nominal column declares, none for text; None for a numeric column."""
        kind = column.type
        if not is_nominal(kind) and not _is_numeric(kind):
            raise self._fault(name, f"a column of type {kind}", None, "numbers, text, booleans or categories")
        if pa.types.is_boolean(kind):
            return (False, True)
        if pa.types.is_dictionary(kind):
            return tuple(column.chunk(0).dictionary.to_pylist())
        return () if is_nominal(kind) else None

    def _numbers(self, name: Hashable, column: pa.ChunkedArray) -> FloatArray:
        if not _is_numeric(column.type) and not pa.types.is_boolean(column.type):
            raise self._fault(name, f"a column of type {column.type}", None, "numbers, as the first values were")
        numbers: FloatArray = column.cast(pa.float64(), safe=False).to_numpy()
        return numbers

    def _fault(self, name: Hashable, problem: str, value: object, accepted: str) -> DataError:
        return DataError(problem, source=self._caller, column=_text(name), value=value, accepted=accepted)


def _text(name: Hashable) -> str:
    return name if isinstance(name, str) else repr(name)


def _is_missing(value: object) -> bool:
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):  # pandas.NA cannot be compared; an array is not a value
        return type(value).__name__ == "NAType"


def _is_numeric(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))
