"""One look-up for every kind of source that can be read as a stream."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from prequential.arguments import known_keywords
from prequential.errors import InputError
from prequential.streams.readers.arrays import from_arrays
from prequential.streams.readers.file import read
from prequential.streams.readers.iterable import Pairs, from_iterable
from prequential.streams.readers.table import Frame, from_table, is_table
from prequential.streams.stream import Stream
from prequential.types import Label, LabelsLike

Arrays: TypeAlias = tuple[npt.ArrayLike | Frame, LabelsLike]
StreamLike: TypeAlias = Stream | str | os.PathLike[str] | Frame | Arrays | Pairs | Callable[[], Pairs]
"""What ``as_stream`` accepts."""
_Task: TypeAlias = Literal["auto", "classification", "regression"]


@known_keywords
def as_stream(
    source: StreamLike,
    target: str | None = None,
    *,
    task: _Task = "auto",
    classes: Sequence[Label] | None = None,
) -> Stream:
    """Return a stream of any source: a file, a data frame, arrays, a River data set.

    ``pq.evaluate`` and ``pq.detect`` use it for their first argument. The functions that it calls have more options.

    Parameters
    ----------
    source
        A stream, which is returned unchanged; the path of a file (see ``pq.read``); a data frame of pandas or Polars,
        or an Arrow table (``pq.from_table``); a tuple ``(X, y)`` of features and labels (``pq.from_arrays``); a River
        data set, or another iterable of (dict of features, label) pairs, or a function that returns one
        (``pq.from_iterable``).
    target
        The label column of a file or data frame, by default usually the last one; for other sources the name of the
        label.
    task
        ``"classification"``, ``"regression"`` or ``"auto"`` to decide by the labels.
    classes
        The classes in the order of their codes, also those that do not occur; by default those that occur.

    Examples
    --------
    >>> import pyarrow as pa
    >>> weather = pa.table({"rain": ["no", "yes"], "temperature": [21.0, 12.5]})
    >>> as_stream(weather, target="rain").schema.classes
    ('no', 'yes')
    >>> as_stream(([[21.0], [12.5]], ["no", "yes"])).n_records
    2
    >>> as_stream([({"temperature": 21.0}, "no"), ({"temperature": 12.5}, "yes")]).schema.features
    (Feature(name='temperature', values=None),)
    """
    options: dict[str, Any] = {"task": task, "classes": classes}
    if isinstance(source, Stream):
        return _unchanged(source, target, task, classes)
    if isinstance(source, str | os.PathLike):
        return _of_text(source, target=target, **options)
    if is_table(source):
        return from_table(source, target, **options)
    name = "class" if target is None else target
    if _is_arrays(source):
        X, y = source
        return from_arrays(X, y, target=name, **options)
    if _yields_pairs(source):
        return from_iterable(source, target=name, **options)
    raise InputError(
        f"{_described(source)} cannot be read as a stream. Accepted: a stream, the path of a file, a data frame "
        "(target=…), a tuple (X, y), a River data set, or an iterable of (dict of features, label) pairs."
    )


def is_one_source(given: object) -> bool:
    """Return whether something is one source of a stream, and not a list or mapping of several."""
    if isinstance(given, list | tuple):
        return _is_arrays(given) or (len(given) > 0 and _is_pair(given[0]))
    return not isinstance(given, Mapping)


def _of_text(text: str | os.PathLike[str], **options: Any) -> Stream:
    """Return the stream that a text names: a file, by its path."""
    return read(os.fspath(text), **options)


def _unchanged(stream: Stream, target: str | None, task: str, classes: Sequence[Label] | None) -> Stream:
    """Return a stream; options that would change it are refused."""
    if task != "auto" or classes is not None or (target is not None and target != stream.schema.target):
        raise InputError(
            f"{stream.name} is a stream already, with the target {stream.schema.target!r}: target, task and classes "
            "are set where it is made, for example with pq.read(path, target=…)."
        )
    return stream


def _is_arrays(source: object) -> TypeGuard[Arrays]:
    """Return whether a source is a tuple (X, y), and not one of two streams, two paths or two records."""
    if not isinstance(source, tuple) or len(source) != 2:
        return False
    return not isinstance(source[0], Stream | str | os.PathLike | Mapping) and not _is_pair(source[0])


def _is_pair(record: object) -> bool:
    return isinstance(record, tuple) and len(record) == 2 and isinstance(record[0], Mapping)


def _yields_pairs(source: object) -> TypeGuard[Pairs | Callable[[], Pairs]]:
    """Return whether a source may yield (dict, label) pairs."""
    if isinstance(source, type | Mapping | np.ndarray | bytes) or _is_pair(source):
        return False
    return isinstance(source, Iterable) or callable(source)


def _described(source: object) -> str:
    if isinstance(source, type):
        return f"{source.__name__} is a class: make an object of it, {source.__name__}(…). A class"
    return f"An object of type {type(source).__name__}" + (" without labels" if isinstance(source, np.ndarray) else "")
