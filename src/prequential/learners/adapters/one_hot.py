"""One-hot encoding of nominal features."""

from __future__ import annotations

import numpy as np

from prequential.streams.schema import Schema
from prequential.types import FloatArray


class OneHot:
    """Encode a feature matrix with one column of 0 and 1 per nominal value.

    Parameters
    ----------
    schema
        The nominal features and their values; None leaves every matrix unchanged.

    Examples
    --------
    >>> from prequential.streams.schema import Feature
    >>> encode = OneHot(Schema((Feature("x"), Feature("day", ("mon", "tue"))), classes=("a", "b")))
    >>> encode(np.array([[0.5, 1.0], [0.7, np.nan]]))
    array([[0.5, 0. , 1. ],
           [0.7, 0. , 0. ]])
    """

    def __init__(self, schema: Schema | None) -> None:
        self._cardinalities = schema.cardinalities if schema is not None and any(schema.cardinalities) else None

    def __call__(self, X: FloatArray) -> FloatArray:
        """Return the encoded matrix; a missing or unknown value is all zero."""
        if self._cardinalities is None:
            return X
        columns = [
            X[:, [j]] if n_values == 0 else (X[:, [j]] == np.arange(n_values)).astype(np.float64)
            for j, n_values in enumerate(self._cardinalities)
        ]
        return np.hstack(columns)
