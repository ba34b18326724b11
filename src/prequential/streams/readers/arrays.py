"""Streams from NumPy arrays, and from data frames with the labels apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from datetime import time as clock_time
from typing import Any

import numpy as np
import numpy.typing as npt

from prequential.arguments import checked_call, checked_list, checked_whole
from prequential.errors import DataError, InputError, ParameterError
from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.data_warning import warn_of_classes, warn_of_order, warn_of_whole_labels
from prequential.streams.readers.columns import TASKS, checked_classes
from prequential.streams.readers.frame import categories_of, matrix_of_frame
from prequential.streams.readers.inference import in_order, looks_like_classes
from prequential.streams.readers.number import first, time_fault, weight_fault
from prequential.streams.readers.table import Frame, is_table
from prequential.streams.schema import Feature, Schema
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.types import FloatArray, IntArray, Label, LabelsLike
from prequential.wording import listing, suggestion

Nominal = Mapping[int | str, Sequence[Label]] | Sequence[int | str]

NO_NUMBERS = (TypeError, ValueError, OverflowError)
"""The errors NumPy raises for values that are not numbers."""
INFINITE = "an infinite value"


@checked_call
def from_arrays(
    X: npt.ArrayLike | Frame,
    y: LabelsLike,
    *,
    feature_names: Sequence[str] | None = None,
    classes: Sequence[Label] | None = None,
    nominal: Nominal | None = None,
    weight: npt.ArrayLike | None = None,
    time: npt.ArrayLike | None = None,
    id: npt.ArrayLike | None = None,
    target: str | None = None,
    task: str = "auto",
    name: str = "arrays",
) -> Stream:
    """Return a stream of arrays; ``X`` is not copied if it is C-contiguous float64.

    Parameters
    ----------
    X
        Features, one row per record; NaN where a value is missing. A data frame of pandas or Polars, or an Arrow table,
        keeps the names of its columns; categories are nominal features with their own order of values, text and
        booleans are nominal with sorted values.
    y
        Labels of any kind; None or NaN where unknown.
    feature_names
        Names of the features; by default those of a data frame, or x0, x1, ….
    classes
        The class labels in the order of their codes; by default the categories of ``y``, or its values, sorted.
    nominal
        The nominal features, by name or index, in a matrix of codes: a mapping to their values in the order of their
        codes, or a list, for values 0, 1, … up to the largest code.
    weight, time, id
        One value per record: non-negative weights; times that never decrease (seconds, or ``datetime64``); identifiers.
    target
        The name of the label; by default that of a pandas or Polars series ``y``, or "class".
    task
        ``"classification"``, ``"regression"`` or ``"auto"``: text, booleans and at most 100 distinct whole numbers are
        classes.
    name
        The name of the stream.

    Examples
    --------
    >>> stream = from_arrays([[1.0], [2.0], [3.0]], ["up", None, "down"])
    >>> next(stream.chunks()).y
    array([ 1, -1,  0])
    """
    if task not in TASKS:
        raise ParameterError("task", "from_arrays", f"one of {listing(TASKS)}", task)
    warn_of_order("X and y", X, y, name)
    if is_table(X):
        matrix, columns = matrix_of_frame(X, name)
    else:
        matrix = _matrix(X, name)
        columns = tuple(Feature(f"x{j}") for j in range(matrix.shape[1]))
    features = _features(matrix, columns, feature_names, nominal, name)
    classes = categories_of(y) if classes is None and task != "regression" else classes
    if target is None:
        target = y.name if isinstance(getattr(y, "name", None), str) and y.name else "class"  # type: ignore[union-attr]
    labels, known = _labels(y, classes, task, target, name)
    clock = None if time is None else _seconds(time, name)
    weights = None if weight is None else _numbers(weight, "weight", name)
    ids = None if id is None else np.asarray(id)
    for what, array in (("y", labels), ("time", clock), ("weight", weights), ("id", ids)):
        if array is not None and array.shape != (len(matrix),):
            raise ParameterError(what, "from_arrays", f"one value for each of the {len(matrix)} records", array.shape)
    if clock is not None:
        accepted = "a time for every record, not before that of the previous record"
        _refuse(time_fault(clock), clock, "time", name, accepted)
    if weights is not None:
        _refuse(weight_fault(weights), weights, "weight", name, "a finite number of at least 0")
    schema = Schema(features, known, target)
    return ArrayStream(Chunk(schema, 0, matrix, labels, clock, weights, ids), name)


class ArrayStream(Stream):
    """Records in memory: chunks are views of one large chunk."""

    def __init__(self, records: Chunk, name: str) -> None:
        self._records = records
        self.name = name
        self.n_records = len(records)

    @property
    def schema(self) -> Schema:
        """Features, target and classes."""
        return self._records.schema

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Yield views of ``size`` records each, from record ``start`` on."""
        size, start = checked_whole(size, "size", "chunks", least=1), checked_whole(start, "start", "chunks")
        return (self._records[at : at + size] for at in range(start, len(self._records), size))

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest."""
        return {**super().describe(), "format": "arrays", "size_bytes": self._records.X.nbytes}


def _matrix(X: Any, source: str) -> FloatArray:
    try:
        if isinstance(X, np.ma.MaskedArray):
            X = np.where(np.ma.getmaskarray(X), np.nan, np.asarray(X, dtype=np.float64))
        if getattr(getattr(X, "dtype", None), "kind", "f") in "cMm":  # complex numbers and dates
            raise TypeError  # as NumPy does for other values
        matrix = np.ascontiguousarray(X, dtype=np.float64)
    except NO_NUMBERS:
        raise InputError(
            f"{source}: X must be a matrix of numbers, or a data frame. For a table with its labels use "
            "from_table(data, target)."
        ) from None
    if matrix.ndim != 2:
        raise ParameterError("X", "from_arrays", "a matrix with one row per record", f"{matrix.ndim} dimension(s)")
    return matrix


def _features(
    X: FloatArray,
    columns: tuple[Feature, ...],
    names: Sequence[str] | None,
    nominal: Nominal | None,
    source: str,
) -> tuple[Feature, ...]:
    """Return the features, with the names and nominal values that the caller declares."""
    n = len(columns)
    given = checked_list(
        [one.name for one in columns] if names is None else names, "feature_names", "from_arrays", "names"
    )
    names = [str(v) for v in given]
    if len(names) != n:
        raise ParameterError("feature_names", "from_arrays", f"{n} names, one per column of X", len(names))
    values: dict[int, tuple[Label, ...]] = {}
    for key in () if nominal is None else checked_list(nominal, "nominal", "from_arrays", "features"):
        if isinstance(key, str) and key not in names:
            raise InputError(
                f"{source}: unknown feature {key!r} (nominal=).{suggestion(key, names)} Accepted: {listing(names)}."
            )
        j = names.index(key) if isinstance(key, str) else int(key)
        if not 0 <= j < n:
            raise ParameterError("nominal", "from_arrays", f"columns from 0 to {n - 1}", key)
        known = columns[j].values
        if known is not None:
            raise InputError(
                f"{source}: the column {names[j]!r} of the data frame is nominal already, with the values "
                f"{listing(known)}. Leave it out of nominal=; for another order use a categorical type."
            )
        codes = X[:, j][~np.isnan(X[:, j])]
        count = int(codes.max()) + 1 if len(codes) and codes.max() < 1e9 else 0
        values[j] = tuple(nominal[key]) if isinstance(nominal, Mapping) else tuple(range(count))
        bad = ~np.isnan(X[:, j]) & ~np.isin(X[:, j], np.arange(len(values[j])))
        accepted = f"whole numbers from 0 to {len(values[j]) - 1}"
        _refuse(_first(bad, "not the code of a nominal value"), X[:, j], names[j], source, accepted)
    with np.errstate(over="ignore", invalid="ignore"):
        finite = bool(np.isfinite(X.sum()))
    for j in range(0 if not finite else n, n):
        _refuse(_first(np.isinf(X[:, j]), INFINITE), X[:, j], names[j], source, "finite numbers")
    return tuple(Feature(name, values.get(j, columns[j].values)) for j, name in enumerate(names))


def _first(bad: npt.NDArray[np.bool_], problem: str) -> tuple[int, str] | None:
    at = first(bad)
    return None if at is None else (at, problem)


def _refuse(fault: tuple[int, str] | None, values: FloatArray, column: str, source: str, accepted: str) -> None:
    """Raise the error for a fault, given as its place and kind."""
    if fault is not None:
        at, problem = fault
        raise DataError(
            problem,
            source=source,
            row=at,
            row_kind="record",
            column=column,
            value=float(values[at]),
            accepted=accepted,
        )


def _labels(
    y: LabelsLike, classes: Sequence[Label] | None, task: str, target: str, source: str
) -> tuple[IntArray | FloatArray, tuple[Label, ...] | None]:
    if isinstance(y, np.ma.MaskedArray):
        y = [
            None if hidden else one for one, hidden in zip(y.data.tolist(), np.ma.getmaskarray(y).tolist(), strict=True)
        ]
    raw: npt.NDArray[Any] = np.asarray(y, dtype=object) if isinstance(y, (list, tuple)) else np.asarray(y)
    if raw.ndim != 1:
        raise ParameterError("y", "from_arrays", "one label per record", f"{raw.ndim} dimensions")
    if raw.dtype.kind not in "OiufbUT":
        raise ParameterError("y", "from_arrays", "numbers, text or booleans", raw.dtype)
    absent = _absent(raw)
    known = raw[~absent]
    if task == "regression":
        return _targets(raw, absent, target, source), None
    try:
        found, inverse = _distinct(known)
    except TypeError:  # a value that is not hashable
        raise ParameterError("y", "from_arrays", "numbers, text or booleans", raw[~absent][0]) from None
    dates = [label for label in found if isinstance(label, date | timedelta | clock_time)]
    if dates and classes is None:
        accepted = "numbers, text or booleans; time= is for the time of each record"
        raise ParameterError("y", "from_arrays", accepted, dates[0])
    if classes is None and task == "auto" and all(isinstance(v, (int, float)) for v in found):
        numeric = not any(isinstance(v, bool) for v in found)
        if numeric and not looks_like_classes(found):
            warn_of_whole_labels([float(v) for v in found], len(raw), target, source)  # type: ignore[arg-type]  # numbers
            return _targets(raw, absent, target, source), None
    try:
        if classes is None and len({isinstance(v, bool) for v in found}) > 1:
            raise TypeError  # True and 1 are one label to Python, and two to the user
        order = in_order(found) if classes is None else checked_classes(classes, "from_arrays")
    except TypeError:  # they have no order
        other = next((v for v in found if _kind(v) != _kind(found[0])), found[-1])
        raise DataError(
            f"labels of several types: {found[0]!r} is {type(found[0]).__name__}, but another is "
            f"{type(other).__name__}",
            source=source,
            row=raw.tolist().index(other),
            row_kind="record",
            column=target,
            value=other,
            accepted="labels of one type; classes= declares others, in the order of their codes",
        ) from None
    code = {label: i for i, label in enumerate(order)}
    codes = np.array([code.get(label, UNLABELLED - 1) for label in found], dtype=np.int64)
    labels = np.full(len(raw), UNLABELLED, dtype=np.int64)
    labels[~absent] = codes[inverse] if len(found) else UNLABELLED
    at = first(labels < UNLABELLED)
    if at is not None:
        raise DataError(
            "a label outside the classes",
            source=source,
            row=at,
            row_kind="record",
            column=target,
            value=raw[at],
            accepted=listing(order),
        )
    if not order:
        raise DataError("no labels", source=source, column=target, accepted="labels, or classes=")
    if classes is None:
        warn_of_classes(order, len(raw), target, source, chosen=task != "auto")
    return labels, order


def _kind(label: object) -> type:
    """Return what labels must have in common."""
    return next((kind for kind in (bool, str) if isinstance(label, kind)), float)


def _distinct(known: npt.NDArray[Any]) -> tuple[list[Label], IntArray]:
    if known.dtype.kind != "O":
        values, inverse = np.unique(known, return_inverse=True)
        return [v.item() if isinstance(v, np.generic) else v for v in values], inverse.astype(np.int64)
    places: dict[Label, int] = {}
    inverse = np.array([places.setdefault(label, len(places)) for label in known.tolist()], dtype=np.int64)
    return [v.item() if isinstance(v, np.generic) else v for v in places], inverse


def _absent(raw: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    if raw.dtype.kind == "f":
        missing: npt.NDArray[np.bool_] = np.isnan(raw)
        return missing
    if raw.dtype.kind == "O":
        return np.array([is_absent(v) for v in raw.tolist()], dtype=bool)
    return np.zeros(len(raw), dtype=bool)


def is_absent(value: object) -> bool:
    """Return whether a label is None, NaN or pandas.NA."""
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True  # pandas.NA cannot be compared


def _targets(raw: npt.NDArray[Any], absent: npt.NDArray[np.bool_], target: str, source: str) -> FloatArray:
    values = np.full(len(raw), np.nan)
    try:
        values[~absent] = raw[~absent].astype(np.float64)
    except (TypeError, ValueError):
        raise DataError("not a number", source=source, column=target, accepted="numbers, for regression") from None
    _refuse(_first(np.isinf(values), INFINITE), values, target, source, "finite numbers")
    return values


def _numbers(values: npt.ArrayLike, what: str, source: str) -> FloatArray:
    try:
        return np.asarray(values, dtype=np.float64)
    except NO_NUMBERS:
        raise InputError(f"{source}: {what} must be one number per record.") from None


def _seconds(time: npt.ArrayLike, source: str) -> FloatArray:
    values: npt.NDArray[Any] = np.asarray(time)
    if values.dtype.kind == "M":
        micro = values.astype("datetime64[us]")
        return np.where(np.isnat(micro), np.nan, micro.astype(np.int64) / 1e6)
    return _numbers(values, "time", source)
