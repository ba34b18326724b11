"""Prequential AUC as a metric on its own: feed scores from any source, read the value after every record."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from prequential import _native
from prequential.arguments import is_whole
from prequential.errors import DataError, InputError, ParameterError
from prequential.metrics.auc import RANKS, RankMetric
from prequential.types import FloatArray, IntArray, Label, LabelsLike
from prequential.wording import listing

_MOST = 1 << 26
"""Most records in a window: their pairs can still be counted exactly."""


@dataclass(frozen=True, slots=True)
class RocCurve:
    """The ROC curve of some records: the shares of both classes at or above each threshold.

    Parameters
    ----------
    false_positive_rate, true_positive_rate
        Shares of the weight of the negatives and of the positives, from (0, 0) to (1, 1). With straight lines
        between the points, a tied pair counts one half, and the area below them is the AUC.
    threshold
        The scores, descending, infinity before the first. An abstention counts as infinity for a negative record and as
        minus infinity for a positive one.
    """

    false_positive_rate: FloatArray
    true_positive_rate: FloatArray
    threshold: FloatArray

    @property
    def area(self) -> float:
        """The area below the curve; NaN with one class only."""
        if np.isnan(self.true_positive_rate[-1]):
            return float("nan")
        heights = self.true_positive_rate[1:] + self.true_positive_rate[:-1]
        return float((np.diff(self.false_positive_rate) * heights).sum() / 2)


class RollingAUC:
    """The AUC of the last ``w`` records, exact, after every record.

    Insertion, removal and reading take O(log w) each, with any ties and weights; memory is O(w). With weights of 1 all
    sums are whole numbers and the value is exact. Real weights are subtracted only among records with the same score,
    with compensation, so rounding errors do not add up. The value is NaN while there is only one class.

    Parameters
    ----------
    w
        Number of records in the window, at least 1.
    classes
        The labels, in the order of the columns of the scores. With two classes, the second is the positive one.
    ties
        ``"half"``: a tied pair counts one half (Mann and Whitney). ``"paper"``: of two records with the same score, the
        first one is ranked higher, as in the pseudo-code of Brzezinski and Stefanowski (2014).
    metric
        ``"auc"`` (with more than two classes, the mean of one-against-rest), ``"auc_hand_till"``,
        ``"average_precision"`` (O(w) per reading) or ``"scored_auc"``.

    Examples
    --------
    >>> rolling = RollingAUC(3, classes=["ham", "spam"])
    >>> rolling.update(["ham", "spam", "ham", "spam"], [0.2, 0.6, 0.7, 0.7]).tolist()
    [nan, 1.0, 0.5, 0.25]
    >>> rolling.roc().true_positive_rate.tolist()
    [0.0, 0.5, 1.0]

    References
    ----------
    Brzezinski and Stefanowski, "Prequential AUC for classifier evaluation and drift detection in evolving data
    streams", NFMCP 2014.
    """

    def __init__(
        self,
        w: int,
        *,
        classes: Sequence[Label] = (0, 1),
        ties: Literal["half", "paper"] = "half",
        metric: RankMetric = "auc",
    ) -> None:
        if not is_whole(w, 1) or w > _MOST:
            raise ParameterError("w", "RollingAUC", f"a whole number from 1 to {_MOST:,}", w)
        if isinstance(classes, str) or len(set(classes)) != len(classes) or len(classes) < 2:
            raise ParameterError("classes", "RollingAUC", "at least two different labels", classes)
        if ties not in ("half", "paper"):
            raise ParameterError("ties", "RollingAUC", "'half' or 'paper'", ties)
        if metric not in RANKS:
            raise ParameterError("metric", "RollingAUC", f"one of {listing(RANKS)}", metric)
        self.w = int(w)
        self.classes = tuple(classes)
        self.ties = ties
        self.metric = metric
        self._codes = {label: code for code, label in enumerate(self.classes)}
        self._native = self._empty()

    def update(self, y: LabelsLike, scores: npt.ArrayLike, w: npt.ArrayLike | None = None) -> FloatArray:
        """Add some records; return the value after each.

        Parameters
        ----------
        y
            Labels from ``classes``; a record with None or NaN is skipped.
        scores
            With two classes one number per record, higher for the positive class; or one column per class, at least 0,
            divided by their sum. If NaN, infinite or all zero, the learner abstains, and all pairs of the record are
            wrong.
        w
            Weights of at least 0; a record with weight 0 is skipped.
        """
        try:
            table = np.asarray(scores, dtype=np.float64)
            weights = None if w is None else np.ascontiguousarray(w, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"RollingAUC.update: scores and weights must be numbers: {error}.") from error
        if table.ndim == 1 and len(self.classes) == 2:
            table = table[:, np.newaxis]
        if table.ndim != 2:
            raise ParameterError("scores", "RollingAUC.update", "one column of numbers per class", np.shape(scores))
        codes = self._coded(y)
        try:
            return self._native.update(codes, np.ascontiguousarray(table), weights)
        except ValueError as error:
            raise InputError(f"RollingAUC.update: {error}.") from error

    @property
    def value(self) -> float:
        """The current value."""
        return self._native.value

    @property
    def n_records(self) -> int:
        """The number of records in the window."""
        return self._native.size

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._native.nbytes

    def roc(self, label: Label | None = None) -> RocCurve:
        """Return the current ROC curve of the records in the window.

        Parameters
        ----------
        label
            The positive class, if there are more than two.
        """
        positive = self.classes[1] if label is None and len(self.classes) == 2 else label
        if positive not in self._codes or (len(self.classes) == 2 and positive != self.classes[1]):
            accepted = self.classes[1:] if len(self.classes) == 2 else self.classes
            raise ParameterError("label", "RollingAUC.roc", f"one of {listing(accepted)}", label)
        groups = self._native.groups(self._codes[positive])
        with np.errstate(invalid="ignore"):
            weights = (groups.negatives, groups.positives)
            rates = [np.concatenate([[0.0], np.cumsum(part[::-1])]) for part in weights]
            false, true = (rate / rate[-1] for rate in rates)
        return RocCurve(false, true, np.concatenate([[np.inf], groups.score[::-1]]))

    def to_bytes(self) -> bytes:
        """Return the whole state."""
        return self._native.to_bytes()

    def load_bytes(self, state: bytes) -> None:
        """Restore from ``to_bytes`` of one with the same parameters; if they do not fit, nothing is changed."""
        self._native.load_bytes(state)

    def _empty(self) -> _native.RankWindow:
        return _native.RankWindow(self.w, len(self.classes), RANKS.index(self.metric), self.ties == "paper")

    def _coded(self, y: LabelsLike) -> IntArray:
        labels = np.asarray(y)
        if labels.ndim != 1:
            raise ParameterError("y", "RollingAUC.update", "one label per record", labels.shape)
        if labels.dtype.kind in "iu" and self.classes == tuple(range(len(self.classes))):
            codes = labels.astype(np.int64)
            fine = (codes >= 0) & (codes < len(self.classes))
        else:
            known = self._codes
            codes = np.array([-1 if _absent(one) else known.get(one, -2) for one in labels.tolist()], dtype=np.int64)
            fine = codes >= -1
        if not fine.all():
            at = int(np.argmin(fine))
            raise DataError(
                "a label outside the classes",
                source="RollingAUC.update",
                row=at,
                row_kind="record",
                value=labels.tolist()[at],
                accepted=listing(self.classes),
            )
        return codes


def _absent(label: Hashable) -> bool:
    return label is None or label != label
