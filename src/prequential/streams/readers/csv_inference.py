"""Inference of the schema of a text table: one pass that tries numbers and collects values.

A column in which almost all of the first values are numbers is meant to be numeric: another value in it is refused with
its place, instead of making the column nominal silently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prequential.errors import DataError, InputError
from prequential.streams.data_warning import (
    warn_of_classes,
    warn_of_columns,
    warn_of_features,
    warn_of_index,
    warn_of_times,
    warn_of_whole_labels,
    warn_of_wide_numbers,
)
from prequential.streams.readers.columns import Columns
from prequential.streams.readers.inference import Distinct, ReadColumns, Values, in_order, looks_like_classes
from prequential.streams.readers.number import NotANumberError
from prequential.streams.readers.number import numbers as parsed_numbers
from prequential.streams.readers.text_numbers import FIRST_ROWS, NUMBER, NUMERIC_SHARE, first_values, share_of
from prequential.streams.schema import Feature, Schema

_DAY = r"^\s*(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\s*$"
_THOUSANDS = re.compile(r"\s*-?\d{1,3}(,\d{3})+\s*$")
_WIDE = r"^\s*-?[0-9]{17,}\s*$"
_COMMA_NUMBER = r"^\s*-?[0-9]*,?[0-9]+([eE][-+]?[0-9]+)?\s*$"


class TextSurvey:
    """A survey of the columns of a text table, block by block.

    A column is numeric as long as it contains only numbers. If text appears only after the first block, the values of
    that column are collected in a second pass: this is rare, and cheaper than to keep the values of all columns.

    Parameters
    ----------
    columns
        The resolved roles of the columns.
    names
        The columns, in order.
    source
        The file, for error messages.
    line_of
        Returns the line of a record, for error messages.
    decimal
        The decimal mark.
    """

    def __init__(
        self,
        columns: Columns,
        names: Sequence[str],
        source: str | Path,
        place_of: Callable[[int], tuple[str | Path, int | None]],
        decimal: str = ".",
    ) -> None:
        self._columns, self._names, self._source = columns, names, source
        self._place_of, self._decimal = place_of, decimal
        self._first: dict[str, pa.Array] = {}
        self._texts: dict[str, tuple[int, str]] = {}
        """Record and value of the first text in columns that are not decided."""
        self._target = columns.target or ""
        self._features = columns.features(names)
        self._numbers = {name for name in self._features if name not in columns.nominal}
        self._values = {name: Distinct(source, name) for name in self._features if name in columns.nominal}
        if columns.task != "regression" and columns.classes is None:
            self._values[self._target] = Distinct(source, self._target)
        if columns.task == "auto" and self._target not in columns.nominal:
            self._numbers.add(self._target)

    def schema(self, read: ReadColumns) -> Schema:
        """Read the columns that are needed, and return the schema."""
        undecided = self._numbers - set(self._columns.numeric)
        wanted = [n for n in [*self._features, self._target] if n in undecided or n in self._values]
        late: set[str] = set()
        n_records = 0
        warn_of_columns(self._names, self._source)
        for i, batch in enumerate(read(wanted) if wanted else ()):
            for name in sorted(undecided | set(self._texts)):
                self._keep_first(name, batch.column(name))
            for name in sorted(undecided):
                cells = batch.column(name)
                if not self._all_numbers(cells):
                    self._texts[name] = self._first_text(cells, n_records)
                    undecided.remove(name)
                    self._numbers.remove(name)
                    if i > 0 and name not in self._values:
                        late.add(name)
                    else:
                        self._values.setdefault(name, Distinct(self._source, name))
            for name in [one for one in self._texts if len(self._first[one]) == FIRST_ROWS]:
                self._check_nominal(name, *self._texts.pop(name))
            for name, values in self._values.items():
                values.add(_trimmed(batch.column(name)))
            self._drop_measurements(n_records + batch.num_rows)
            n_records += batch.num_rows
        for name, (record, value) in self._texts.items():
            self._check_nominal(name, record, value)
        if wanted and n_records == 0:
            raise InputError(f"{self._source} has no records. Accepted: a file with at least one, or schema=.")
        if late:
            found = {name: Distinct(self._source, name) for name in late}
            for batch in read(sorted(late)):
                for name, values in found.items():
                    values.add(_trimmed(batch.column(name)))
            self._values.update(found)
        self._refuse_nul(read)
        schema = self._result()
        if self._target in self._values and schema.classes is not None:
            chosen = self._columns.task != "auto"
            warn_of_classes(schema.classes, n_records, self._target, self._source, chosen=chosen)
        warn_of_features(schema, self._columns.nominal, n_records, self._source)
        self._warn_of_numeric([feature.name for feature in schema.features if feature.values is None])
        return schema

    def _warn_of_numeric(self, names: Sequence[str]) -> None:
        """Warn of dates, of numbers that are too long, and of a counter without a name among numeric features."""
        for name in names:
            first = self._first.get(name)
            if first is None or not len(first) or name in self._columns.numeric:
                continue
            if share_of(first, _DAY) == 1.0:
                warn_of_times([name], self._source)
            wide = first.filter(pc.match_substring_regex(first, _WIDE))
            if len(wide):
                warn_of_wide_numbers(name, wide[0].as_py().strip(), self._source)
            if not name.removeprefix("Unnamed: 0") and len(first) > 1:
                steps = np.diff(parsed_numbers(_with_point(first, self._decimal)))
                if (steps == 1).all():
                    warn_of_index(name, self._source)

    def _keep_first(self, name: str, cells: pa.Array) -> None:
        """Keep the first values of a column, without missing ones."""
        self._first[name] = first_values(self._first.get(name), cells)

    def _first_text(self, cells: pa.Array, start: int) -> tuple[int, str]:
        """Return record and value of the first text among numbers; ``cells`` begin at record ``start``."""
        try:
            parsed_numbers(_with_point(cells, self._decimal))
        except NotANumberError as error:
            return start + error.at, cells[error.at].as_py()
        raise AssertionError("there is a text")

    def _check_nominal(self, name: str, record: int, value: str) -> None:
        """Refuse the text of a record in a column of numbers."""
        first = self._first[name]
        plain = share_of(_with_point(first, self._decimal), NUMBER)
        commas = share_of(first, _COMMA_NUMBER) if self._decimal != "," else 0.0
        if max(plain, commas) < NUMERIC_SHARE:
            return
        if "\0" in value:
            raise self._nul(name, record, value)
        role = "numeric" if plain >= NUMERIC_SHARE else "numeric with decimal commas"
        shown = value.strip()
        options = []
        if self._decimal != "," and "," in value:
            thousands = " (if they separate thousands, remove them from the file)" if _THOUSANDS.match(value) else ""
            options.append(f"decimal=',' (--decimal ,) for decimal commas{thousands}")
        if self._decimal != "." and "." in value:
            options.append("decimal='.' (--decimal .) for decimal points")
        options.append(f"missing={shown!r} (--missing-value {shown}) if it marks a missing value")
        if name == self._target:
            options.append("task='classification' (--task classification) if the labels are classes")
        else:
            options.append(f"nominal={name!r} (--nominal {name}) if the column is categorical")
        source, line = self._place_of(record)
        raise DataError(
            f"not a number, in a column that is {role}",
            source=source,
            row=line,
            column=name,
            value=value,
            accepted=f"a number; or {', '.join(options)}",
        )

    def _refuse_nul(self, read: ReadColumns) -> None:
        """Refuse values with NUL bytes, as in files that are not text or in UTF-16."""
        for name, values in self._values.items():
            if not any(isinstance(value, str) and "\0" in value for value in values):
                continue
            start = 0
            for batch in read([name]):
                at = pc.index(pc.match_substring(batch.column(name), "\0"), True).as_py()
                if at >= 0:
                    raise self._nul(name, start + at, batch.column(name)[at].as_py())
                start += batch.num_rows

    def _nul(self, name: str, record: int, value: str) -> DataError:
        source, line = self._place_of(record)
        return DataError(
            "a NUL byte",
            source=source,
            row=line,
            column=name,
            value=value,
            accepted="text in UTF-8 without NUL bytes; convert UTF-16 with iconv -f utf16 -t utf8",
        )

    def _all_numbers(self, column: pa.Array) -> bool:
        return _all_numbers(_with_point(column, self._decimal))

    def _plain(self, text: object) -> str:
        """Return the text of a number with a decimal point."""
        return str(text) if self._decimal == "." else str(text).replace(self._decimal, ".")

    def _drop_measurements(self, n_records: int) -> None:
        """Stop collecting the labels once they are measurements rather than classes."""
        if self._target in self._numbers and self._target in self._values:
            labels = [self._plain(text) for text in self._values[self._target] if text != ""]
            if not looks_like_classes(labels):
                warn_of_whole_labels([float(label) for label in labels], n_records, self._target, self._source)
                del self._values[self._target]

    def _result(self) -> Schema:
        known: dict[str, Values] = {
            name: in_order(v for v in values if v != "") for name, values in self._values.items()
        }
        declared = self._columns.classes
        classes = known.get(self._target) if declared is None else tuple(declared)
        if classes == ():
            raise DataError(
                "no labels",
                source=self._source,
                column=self._target,
                accepted="a column with labels, or classes=",
            )
        if classes is not None and self._target in self._numbers:
            self._refuse_equal_numbers(classes)
        return Schema(tuple(Feature(name, known.get(name)) for name in self._features), classes, self._target)

    def _refuse_equal_numbers(self, classes: Values) -> None:
        for one, other in pairwise(classes):
            if float(self._plain(one)) == float(self._plain(other)):
                raise DataError(
                    f"the labels {one!r} and {other!r} are the same number",
                    source=self._source,
                    column=self._target,
                    accepted="one spelling per class, or task='regression'",
                )


def _with_point(cells: pa.Array, decimal: str) -> pa.Array:
    """Return texts with decimal points."""
    return cells if decimal == "." else pc.replace_substring(cells, decimal, ".")


def _trimmed(column: pa.Array) -> pa.Array:
    return pc.utf8_trim_whitespace(pc.unique(column))


def _all_numbers(column: pa.Array) -> bool:
    for cells in (column, pc.utf8_trim_whitespace(column)):
        try:
            cells.cast(pa.float64())
        except pa.ArrowInvalid:
            continue
        return True
    return False
