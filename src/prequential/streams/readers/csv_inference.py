"""Inference of the schema of a text table: one pass that tries numbers and collects values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from prequential.errors import DataError, InputError
from prequential.streams.readers.columns import Columns
from prequential.streams.readers.inference import Distinct, ReadColumns, Values, in_order, looks_like_classes
from prequential.streams.schema import Feature, Schema


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
    """

    def __init__(self, columns: Columns, names: Sequence[str], source: str | Path) -> None:
        self._columns, self._source = columns, source
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
        for i, batch in enumerate(read(wanted) if wanted else ()):
            for name in sorted(undecided):
                if not _all_numbers(batch.column(name)):
                    undecided.remove(name)
                    self._numbers.remove(name)
                    if i > 0 and name not in self._values:
                        late.add(name)
                    else:
                        self._values.setdefault(name, Distinct(self._source, name))
            for name, values in self._values.items():
                values.add(_trimmed(batch.column(name)))
            self._drop_measurements()
            n_records += batch.num_rows
        if wanted and n_records == 0:
            raise InputError(f"{self._source} has no records. Accepted: a file with at least one, or schema=.")
        if late:
            found = {name: Distinct(self._source, name) for name in late}
            for batch in read(sorted(late)):
                for name, values in found.items():
                    values.add(_trimmed(batch.column(name)))
            self._values.update(found)
        return self._result()

    def _drop_measurements(self) -> None:
        """Stop collecting the labels once they are measurements rather than classes."""
        if self._target in self._numbers and self._target in self._values:
            labels = [text for text in self._values[self._target] if text != ""]
            if not looks_like_classes(labels):
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
            if float(str(one)) == float(str(other)):
                raise DataError(
                    f"the labels {one!r} and {other!r} are the same number",
                    source=self._source,
                    column=self._target,
                    accepted="one spelling per class, or task='regression'",
                )


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
