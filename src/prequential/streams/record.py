"""The records of a chunk one by one, as dicts with their labels: the form in which River's models take them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import Any

import numpy as np

from prequential.streams.chunk import Chunk
from prequential.types import FloatArray, Label


def records(chunk: Chunk) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield each record as a dict of its features, without missing values, and its label, None if it is unknown.

    Examples
    --------
    >>> from prequential.streams import from_arrays
    >>> [chunk] = from_arrays([[1.5, 0], [np.nan, 1]], ["up", None], nominal={1: ["mon", "tue"]}).chunks()
    >>> list(records(chunk))
    [({'x0': 1.5, 'x1': 'mon'}, 'up'), ({'x1': 'tue'}, None)]
    """
    schema = chunk.schema
    names = [feature.name for feature in schema.features]
    cells = [_values(column, feature.values) for column, feature in zip(chunk.X.T, schema.features, strict=True)]
    rows = zip(*cells, strict=True) if cells else repeat((), len(chunk))
    incomplete: list[bool] = np.isnan(chunk.X).any(axis=1).tolist()  # type: ignore[assignment]  # one per row
    labels = _values(np.where(chunk.labelled, chunk.y, np.nan), schema.classes)
    for row, gaps, label in zip(rows, incomplete, labels, strict=True):
        record = zip(names, row, strict=True)
        yield {name: value for name, value in record if value is not None} if gaps else dict(record), label


def _values(cells: FloatArray, values: tuple[Label, ...] | None) -> list[Any]:
    """Return numbers, or the values of codes; None where one is missing."""
    if values is None:
        return [None if cell != cell else cell for cell in cells.tolist()]
    return [None if cell != cell else values[int(cell)] for cell in cells.tolist()]
