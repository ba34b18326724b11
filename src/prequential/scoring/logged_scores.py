"""The scores in a log of predictions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from prequential.streams.readers.number import NotANumberError, first, numbers
from prequential.streams.readers.table_stream import TableStream
from prequential.types import FloatArray, IntArray


def logged_scores(
    batch: pa.RecordBatch,
    start: int,
    log: TableStream,
    columns: Mapping[int, str],
    n_classes: int,
    *,
    complement: bool,
) -> FloatArray:
    """Return one score per class for every row.

    Parameters
    ----------
    batch, start
        Rows of the log, and the index of the first.
    log
        The log, for messages.
    columns
        The column of each class that has one, by code.
    n_classes
        The number of classes.
    complement
        Whether the only column has probabilities, of which the other class has the rest.
    """
    scores = np.zeros((batch.num_rows, n_classes))
    for code, name in columns.items():
        column = batch.column(name)
        try:
            scores[:, code] = numbers(column)
        except NotANumberError as error:
            accepted = "a number of at least 0"
            raise log.fault("not a score", start + error.at, name, error.value, accepted) from None
        wrong = first(scores[:, code] < 0) if not complement else first(np.abs(scores[:, code] - 0.5) > 0.5)
        if wrong is not None:
            accepted = "a number from 0 to 1" if complement else "a number of at least 0"
            raise log.fault("not a score", start + wrong, name, column[wrong].as_py(), accepted)
        if complement:
            scores[:, 1 - code] = 1 - scores[:, code]
    return scores


def highest(scores: FloatArray) -> IntArray:
    """Return the class with the highest score, the first in a tie; -1 if none is above 0 or one is not finite."""
    usable = np.isfinite(scores).all(axis=1) & (scores > 0).any(axis=1)
    return np.where(usable, scores.argmax(axis=1), -1)
