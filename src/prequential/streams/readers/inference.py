"""Inference of the schema of a typed table: one pass over the columns that need it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from prequential.errors import DataError
from prequential.streams.data_warning import warn_of_classes, warn_of_features, warn_of_times, warn_of_whole_labels
from prequential.streams.readers.columns import Columns
from prequential.streams.readers.encoder import readable_column
from prequential.streams.readers.number import is_text
from prequential.streams.readers.text_numbers import TextNumbers
from prequential.streams.schema import Feature, Schema
from prequential.types import Label

MOST_VALUES = 100_000
"""Largest number of distinct values of a nominal column; more are an identifier or a number."""
MOST_CLASSES = 100
"""Largest number of distinct whole numbers of a target that are treated as classes."""

Values = tuple[Label, ...]
ReadColumns = Callable[[list[str]], Iterable[pa.RecordBatch]]


class Distinct:
    """The distinct values of a column, in order of appearance."""

    def __init__(self, source: str | Path, name: str, most: int = MOST_VALUES) -> None:
        self._source, self._name, self._most = source, name, most
        self._values: dict[Label, None] = {}

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Label]:
        return iter(self._values)

    def add(self, column: pa.Array) -> None:
        """Add a part of the column; all values of a dictionary column count, used or not."""
        found = column.dictionary if pa.types.is_dictionary(column.type) else pc.unique(column)
        self._values.update(dict.fromkeys(v for v in found.to_pylist() if v is not None and v == v))
        if len(self._values) > self._most:
            raise DataError(
                f"more than {self._most:,} distinct values",
                source=self._source,
                column=self._name,
                accepted=f"a nominal column with fewer values; ignore={self._name!r} leaves it out, "
                f"numeric={self._name!r} reads numbers, id={self._name!r} keeps identifiers",
            )


def is_nominal(kind: pa.DataType) -> bool:
    """Whether a column of this type is nominal by default."""
    return bool(pa.types.is_boolean(kind) or pa.types.is_dictionary(kind) or is_text(kind))


def in_order(values: Iterable[Label]) -> Values:
    """Sort values: by number if all are numbers (or the text of numbers), else directly."""
    distinct = [int(v) if isinstance(v, float) and v.is_integer() else v for v in values]
    try:
        return tuple(sorted(distinct, key=lambda v: (float(v), str(v))))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return tuple(sorted(distinct))  # type: ignore[type-var]


def looks_like_classes(values: Iterable[Label]) -> bool:
    """Whether numbers are few and whole, so that they are classes rather than measurements."""
    found = [float(v) for v in values]  # type: ignore[arg-type]
    return len(found) <= MOST_CLASSES and all(v.is_integer() for v in found)


def infer(
    columns: Columns,
    types: Mapping[str, pa.DataType],
    read: ReadColumns,
    *,
    source: str | Path,
    declared: Mapping[str, Values | None] | None = None,
) -> Schema:
    """Return the schema of a typed table.

    Parameters
    ----------
    columns
        The resolved roles of the columns.
    types
        The type of each column, in order.
    read
        Reads columns by name, batch by batch; called at most once.
    source
        The file or stream, for error messages.
    declared
        Known columns: the values of a nominal column, None for a numeric one.
    """
    declared = declared or {}
    target = columns.target or ""
    features = columns.features(types)
    known: dict[str, Values | None] = {}
    for name in [*features, target]:
        kind = types[name]
        if pa.types.is_nested(kind) or pa.types.is_binary(kind):
            raise DataError(
                f"a column of type {kind}",
                source=source,
                column=name,
                accepted="numbers, text, booleans, dates and categories",
            )
        if name == target and pa.types.is_temporal(kind) and columns.task != "regression":
            raise DataError(
                f"a target of type {kind}",
                source=source,
                column=name,
                accepted="classes or numbers; time= (--time) is for the time of each record, and task='regression' "
                "(--task regression) predicts the seconds",
            )
        if name == target and columns.classes is not None:
            known[name] = tuple(columns.classes)
        elif name in columns.numeric or (name == target and columns.task == "regression"):
            known[name] = None
        elif name in declared and (declared[name] is not None or _numeric_by_choice(name, columns)):
            known[name] = declared[name]
        elif pa.types.is_boolean(kind):
            known[name] = (False, True)
        elif name != target and name not in columns.nominal and not is_nominal(kind):
            known[name] = None
    wanted = [name for name in [*features, target] if name not in known]
    auto = target in wanted and columns.task == "auto" and target not in columns.nominal
    undecided = auto and not is_nominal(types[target])
    found = {name: Distinct(source, name) for name in wanted}
    texts = {name: TextNumbers() for name in wanted if is_text(types[name]) and name not in columns.nominal}
    if columns.task != "auto":
        texts.pop(target, None)
    n_records = 0
    for batch in read(wanted) if wanted else ():
        for name, one in texts.items():
            one.add(batch.column(name), n_records)
        n_records += batch.num_rows
        for name in list(found):
            with readable_column(source, name):
                found[name].add(batch.column(name))
        if undecided and target in found and not looks_like_classes(found[target]):
            known[target] = None
            warn_of_whole_labels([float(v) for v in found[target]], n_records, target, source)  # type: ignore[arg-type]  # numbers
            del found[target]
            if not found:
                break
    for name, one in texts.items():
        as_classes = "task='classification' (--task classification)"
        one.check(name, source, as_classes if name == target else f"nominal={name!r} (--nominal {name})")
    for name, values in found.items():
        in_dictionary = pa.types.is_dictionary(types[name])
        with readable_column(source, name):
            known[name] = tuple(values) if in_dictionary else in_order(values)
    if known[target] == ():
        raise DataError("no labels", source=source, column=target, accepted="a column with labels, or classes=")
    schema = Schema(tuple(Feature(name, known[name]) for name in features), known[target], target)
    if target in found:
        warn_of_classes(schema.classes or (), n_records, target, source, chosen=columns.task != "auto")
    warn_of_times((n for n in features if _is_date(types[n]) and n not in columns.numeric), source)
    warn_of_features(schema, [*columns.nominal, *(name for name in features if name not in found)], n_records, source)
    return schema


def _is_date(kind: pa.DataType) -> bool:
    return bool(pa.types.is_timestamp(kind) or pa.types.is_date(kind))


def _numeric_by_choice(name: str, columns: Columns) -> bool:
    return name not in columns.nominal and not (name == columns.target and columns.task == "classification")
