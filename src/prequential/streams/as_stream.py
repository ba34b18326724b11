"""One look-up for every kind of source that can be read as a stream."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from prequential.arguments import checked_call
from prequential.errors import InputError
from prequential.streams.generators import GENERATORS
from prequential.streams.readers.arrays import from_arrays
from prequential.streams.readers.file import READERS, read
from prequential.streams.readers.iterable import Pairs, from_iterable
from prequential.streams.readers.table import Frame, from_table, is_table
from prequential.streams.stream import Stream
from prequential.textual import Text, call, parsed, register_look_up
from prequential.textual.call import Raw, instance, plain_value
from prequential.types import Label, LabelsLike
from prequential.wording import listing

Arrays: TypeAlias = tuple[npt.ArrayLike | Frame, LabelsLike]
StreamLike: TypeAlias = Stream | str | os.PathLike[str] | Frame | Arrays | Pairs | Callable[[], Pairs]
"""What ``as_stream`` accepts."""
_Task: TypeAlias = Literal["auto", "classification", "regression"]


@checked_call
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
        A stream, which is returned unchanged; the path of a file (see ``pq.read``); text that names a generator or a
        file with parameters, ``"SEA:concept=2,n=5000"``, ``"data.csv:target=class"``, a stream of the testbed,
        ``"NSGT:seed=2"``, or a plan or mixture in TOML; a data frame of pandas or Polars,
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
    >>> as_stream(([[21.0], [12.5]], ["no", "yes"])).n_records, as_stream("SEA:concept=2,n=5000").n_records
    (2, 5000)
    >>> as_stream([({"temperature": 21.0}, "no"), ({"temperature": 12.5}, "yes")]).schema.features
    (Feature(name='temperature', values=None),)
    """
    options: dict[str, Any] = {"task": task, "classes": classes}
    if isinstance(source, type) and issubclass(source, Stream) and not inspect.isabstract(source):
        source = instance(source)
    if isinstance(source, Stream):
        return _unchanged(source, target, task, classes)
    if isinstance(source, str | os.PathLike):
        if isinstance(source, str):
            return _of_text(source, target, task, classes)
        return read(os.fspath(source), target=target, **options)
    if is_table(source):
        return from_table(source, target, **options)
    name = "class" if target is None else target
    if _is_arrays(source):
        X, y = source
        return from_arrays(X, y, target=target, **options)
    if _yields_pairs(source):
        return from_iterable(source, target=name, **options)
    raise InputError(
        f"{_described(source)} cannot be read as a stream.{_hint(source)} Accepted: a stream, the path of a file, a "
        "data frame (target=…), a tuple (X, y), a River data set, or an iterable of (dict of features, label) pairs."
    )


def is_one_source(given: object) -> bool:
    """Return whether something is one source of a stream, and not a list or mapping of several."""
    if isinstance(given, list | tuple):
        return _is_arrays(given) or (len(given) > 0 and _is_pair(given[0]))
    return not isinstance(given, Mapping)


@dataclass(frozen=True, slots=True)
class Source:
    """A kind of streams that text can name, of a package above this one.

    Parameters
    ----------
    has
        Whether it has a stream of this name.
    make
        Makes the stream of a text.
    names
        The names, for messages and lists.
    """

    has: Callable[[str], bool]
    make: Callable[[Text], Stream]
    names: Callable[[], Sequence[str]]


_SOURCES: list[Source] = []


def register_source(source: Source) -> None:
    """Let ``as_stream`` find the streams of a package above this one."""
    _SOURCES.append(source)


@checked_call
def names() -> tuple[str, ...]:
    """Return the names of the streams that ``as_stream`` finds by name: generators, the testbed and data sets.

    Examples
    --------
    >>> names()[:3]
    ('SEA', 'LED', 'Waveform')
    """
    return (*GENERATORS, *(name for source in _SOURCES for name in source.names()))


_LIMITS = ("skip", "take", "n", "delay")
"""Keys that every stream has as text."""


def _of_text(text: str, target: str | None, task: _Task, classes: Sequence[Label] | None) -> Stream:
    """Return the stream that a text names: a generator, a file with options of its reader, or of another source."""
    if is_file_name(text) and Path(text).exists():  # its path may contain a colon
        return read(text, target=target, task=task, classes=classes)
    whole = parsed(text, "stream")
    keywords = dict(whole.keywords)
    limits = {key: keywords.pop(key) for key in _LIMITS if key in keywords}
    parts = replace(whole, keywords=keywords)
    found = next((source for source in _SOURCES if source.has(parts.name)), None)
    raw = {key: Raw(value) for key, value in keywords.items()}
    if parts.name in GENERATORS:
        stream: Stream = call(GENERATORS[parts.name], [Raw(one) for one in parts.positional], raw)
        stream = _unchanged(stream, target, task, classes)
    elif found is not None:
        stream = _unchanged(found.make(parts), target, task, classes)
    elif is_file_name(parts.name):
        given = {"target": target, "task": None if task == "auto" else task, "classes": classes}
        options = {key: value for key, value in given.items() if value is not None}
        for key in options.keys() & keywords.keys():
            raise InputError(f"Stream {text!r}: {key} is given twice.")
        stream = call(read, [parts.name, *map(Raw, parts.positional)], {**raw, **options})
    else:
        raise unknown_stream(parts.name)
    return _limited(stream, limits)


def _limited(stream: Stream, limits: Mapping[str, str]) -> Stream:
    """Return a part of a stream, with late labels if they are requested."""
    if "n" in limits and "take" in limits:
        raise InputError(f"{stream.name}: n and take both set the number of records: give one of them.")
    for key in ("n", "skip", "take"):
        if key in limits:
            n = plain_value(limits[key])
            stream = stream.skip(n) if key == "skip" else stream.take(n)  # type: ignore[arg-type]  # they check it
    return stream.delayed(limits["delay"]) if "delay" in limits else stream


def is_file_name(name: str) -> bool:
    """Return whether a name is that of a file or directory that ``read`` accepts."""
    return name.lower().endswith(tuple(READERS)) or Path(name).is_dir()


def unknown_stream(name: str) -> InputError:
    """Return the error for a name that is neither a stream nor a file."""
    near = GENERATORS.suggestion(name, names())
    if Path(name).suffix and not is_file_name(name) and not near:
        return InputError(f"{name} has a suffix that is not known. Accepted: {listing(READERS)}.")
    return InputError(
        f"Unknown stream {name!r}.{near} Accepted: a generator or a stream of the "
        f"testbed ({listing(names(), 20)}), a data set (prequential data lists them), or a file ({listing(READERS)})."
    )


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


def _hint(source: object) -> str:
    if isinstance(source, np.ndarray):
        return " Write (X, y)."
    return " Write frame.collect()." if callable(getattr(source, "collect", None)) else ""


def _described(source: object) -> str:
    if isinstance(source, type):
        return f"{source.__name__} is a class: make an object of it, {source.__name__}(…). A class"
    return f"An object of type {type(source).__name__}" + (" without labels" if isinstance(source, np.ndarray) else "")


register_look_up(Stream, as_stream)
