"""Feature matrices and labels from data frames, whose names and categories are kept."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from prequential.errors import InputError
from prequential.streams.chunk import concatenate
from prequential.streams.readers.columns import Columns
from prequential.streams.readers.table import MemoryTableStream, as_arrow
from prequential.streams.schema import Feature
from prequential.types import FloatArray, Label


def matrix_of_frame(frame: object, source: str) -> tuple[FloatArray, tuple[Feature, ...]]:
    """Return the columns of a data frame as a matrix, and as features: categories, text and booleans are nominal.

    Examples
    --------
    >>> frame = pa.table({"x": [1.5, 2.5], "sky": ["grey", "blue"]})
    >>> matrix_of_frame(frame, "frame")
    (array([[1.5, 1. ],
           [2.5, 0. ]]), (Feature(name='x', values=None), Feature(name='sky', values=('blue', 'grey'))))
    """
    table = as_arrow(frame)
    twice = next((name for i, name in enumerate(table.column_names) if name in table.column_names[:i]), None)
    if twice is not None:
        raise InputError(f"{source}: X has two columns {twice!r}. Accepted: columns with distinct names.")
    # The reader of tables needs a target; a column of zeros, of a name that is free, takes its place.
    target = "y" + "_".join(table.column_names)
    table = table.append_column(target, pa.array(np.zeros(len(table))))
    stream = MemoryTableStream(table, Columns(target=target, task="regression"), None, source)
    chunks = list(stream.chunks(max(1, len(table))))
    matrix = concatenate(chunks).X if chunks else np.empty((0, stream.schema.n_features))
    return matrix, stream.schema.features


def categories_of(y: object) -> tuple[Label, ...] | None:
    """Return the categories of labels in a categorical series of pandas or Polars; None for any other labels."""
    kind = type(y).__module__.partition(".")[0]
    if kind == "pandas" and hasattr(y, "cat"):
        return tuple(y.cat.categories.tolist()) or None
    if kind == "polars" and hasattr(y, "to_arrow"):
        labels = y.to_arrow()
        if pa.types.is_dictionary(labels.type):
            return tuple(labels.dictionary.to_pylist()) or None
    return None
