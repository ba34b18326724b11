"""The weighted counts from which every metric is computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from prequential.arguments import checked_call
from prequential.errors import ParameterError
from prequential.namespace import Suggesting
from prequential.types import FloatArray

ROUNDING = 1e-10
"""A share below this counts as zero: it is a rounding error of weights that are not whole numbers."""


@checked_call
@dataclass(frozen=True)
class Counts(Suggesting):
    """Weighted counts, for any number of checkpoints and forgettings at once, which are the leading axes.

    Parameters
    ----------
    matrix
        (…, C, C + 1): weight of the records by label (row) and prediction (column); the last column holds the
        abstentions.
    majority_hits, no_change_hits
        Weight of the records that the majority class, or the last label, known before the record predicts right. The
        former is NaN while it includes records from before a merge, whose previous labels are not known.
    weight, n_records
        Weight and number of the records, faded if the forgetting fades.
    n_alarms
        How often the window has shrunk because of a change; zero if the forgetting does not detect changes.
    losses
        (…, K): weighted sums of real losses. Classification: log-loss and Brier score, if kept. Regression: absolute
        error, squared error, target and squared target (both relative to the first target; NaN under an exponential
        histogram).
    ranks
        (…, 8): AUC, Hand and Till's M, average precision and scored AUC, if kept, and then the bounds on their errors;
        NaN if undefined. They depend on the order of the scores and are not computed from counts.

    Examples
    --------
    >>> import prequential as pq
    >>> counts = pq.metrics.Counts.of_matrix([[40, 30], [5, 25]])
    >>> float(pq.as_metric("accuracy")(counts))
    0.65
    """

    matrix: FloatArray
    majority_hits: FloatArray
    no_change_hits: FloatArray
    weight: FloatArray
    n_records: FloatArray
    n_alarms: FloatArray
    losses: FloatArray
    ranks: FloatArray

    @classmethod
    def unpack(cls, flat: FloatArray, n_classes: int, n_ranks: int = 0) -> Self:
        """Read the rows of the native grid."""
        flat, ranks = flat[..., : flat.shape[-1] - n_ranks], flat[..., flat.shape[-1] - n_ranks :]
        cells = n_classes * (n_classes + 1)
        matrix = flat[..., :cells].reshape(*flat.shape[:-1], n_classes, n_classes + 1)
        tallies = flat[..., cells:]
        majority, no_change, weight, n_records, n_alarms = (tallies[..., k] for k in range(5))
        return cls(matrix, majority, no_change, weight, n_records, n_alarms, tallies[..., 5:], ranks)

    @classmethod
    def of_matrix(cls, confusion: npt.ArrayLike) -> Self:
        """Read a confusion matrix: labels in rows, predictions in columns, optionally a last column of abstentions.

        It has no order of records, so the largest class replaces the causal majority class, and everything that depends
        on the last label is undefined.
        """
        try:
            matrix = np.asarray(confusion, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            matrix = np.empty(0)  # not a matrix
        if matrix.ndim < 2 or matrix.shape[-1] - matrix.shape[-2] not in (0, 1) or not (matrix >= 0).all():
            raise ParameterError("confusion", "Counts.of_matrix", "a matrix of C x C or C x (C + 1) counts", confusion)
        if matrix.shape[-1] == matrix.shape[-2]:
            matrix = np.concatenate([matrix, np.zeros((*matrix.shape[:-1], 1))], axis=-1)
        rows = matrix.sum(axis=-1)
        weight = rows.sum(axis=-1)
        unknown = np.full_like(weight, np.nan)
        nothing = np.zeros((*weight.shape, 0))
        return cls(matrix, rows.max(axis=-1, initial=0.0), unknown, weight, weight, unknown, nothing, nothing)

    @classmethod
    def join(cls, parts: Sequence[Counts]) -> Counts:
        """Concatenate counts along the first axis; classes that a part does not know are filled with zeros."""
        n_classes = max(part.n_classes for part in parts)
        matrices = []
        for part in parts:
            matrix = np.zeros((*part.matrix.shape[:-2], n_classes, n_classes + 1))
            matrix[..., : part.n_classes, : part.n_classes] = part.matrix[..., :-1]
            matrix[..., : part.n_classes, -1] = part.matrix[..., -1]
            matrices.append(matrix)
        others = [field.name for field in fields(cls) if field.name != "matrix"]
        joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in others}
        return cls(np.concatenate(matrices), **joined)

    def by_class(self) -> Counts:
        """Return the same counts with the classes first in memory, which makes sums over classes fast."""
        matrix = np.moveaxis(self.matrix, (-2, -1), (0, 1)).copy(order="C")
        return replace(self, matrix=np.moveaxis(matrix, (0, 1), (-2, -1)))

    def label_shares(self) -> FloatArray:
        """Return the share of each class of the labels at the last checkpoint, under the forgetting that has most.

        Examples
        --------
        >>> Counts.of_matrix([[[3, 1], [0, 1]]]).label_shares()
        array([0.8, 0.2])
        """
        labels = self.matrix[-1].sum(axis=-1).reshape(-1, self.n_classes)
        most = labels[np.argmax(labels.sum(axis=-1))]
        return ratio(most, most.sum())

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return int(self.matrix.shape[-2])

    @cached_property
    def hits(self) -> FloatArray:
        """(…, C): weight on the diagonal."""
        return np.diagonal(self.matrix, axis1=-2, axis2=-1)

    @cached_property
    def labels(self) -> FloatArray:
        """(…, C): weight by label."""
        sums: FloatArray = self.matrix.sum(axis=-1)
        return sums

    @cached_property
    def predictions(self) -> FloatArray:
        """(…, C): weight by prediction, without abstentions."""
        sums: FloatArray = self.matrix[..., :-1].sum(axis=-2)
        return sums


def ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Divide; NaN where the denominator is zero (convention 2)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        result: FloatArray = np.where(denominator != 0, numerator / denominator, np.nan)
    return result


def mean_of_defined(values: FloatArray) -> FloatArray:
    """Average over the last axis, without NaN; NaN if all values are NaN."""
    defined = ~np.isnan(values)
    return ratio(np.where(defined, values, 0.0).sum(axis=-1), defined.sum(axis=-1).astype(np.float64))
