"""The probabilities that scores stand for."""

from __future__ import annotations

import numpy as np

from prequential.errors import InputError
from prequential.types import FloatArray, IntArray


def probabilities(scores: FloatArray | None, prediction: IntArray | None, n_classes: int) -> FloatArray:
    """Return scores relative to their sum, one row per record; all 0 for an abstention.

    A prediction without scores has the probability 1.

    Examples
    --------
    >>> probabilities(np.array([[1.0, 3.0], [0.0, 0.0]]), None, 3).tolist()
    [[0.25, 0.75, 0.0], [0.0, 0.0, 0.0]]
    """
    if scores is None:
        if prediction is None:
            raise InputError("Probabilities need scores of every class, or predicted classes.")
        one = np.zeros((len(prediction), n_classes))
        known = np.flatnonzero(prediction >= 0)
        one[known, prediction[known]] = 1.0
        return one
    p = np.zeros((len(scores), max(n_classes, scores.shape[1])))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        total = scores.sum(axis=1, keepdims=True)
        scaled = np.where(np.isinf(total), scores / max(1, scores.shape[1]), scores)
        total = scaled.sum(axis=1, keepdims=True)
        usable = np.isfinite(scores).all(axis=1) & (scores >= 0).all(axis=1) & (total[:, 0] > 0)
        p[usable, : scores.shape[1]] = (scaled / total)[usable]
    return p
