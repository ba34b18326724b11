"""Calibration: whether the predicted class is right as often as its probability says; and sharpness.

The confidence of a prediction is its highest probability; 0 for an abstention. Records are put in bins by confidence,
and each bin keeps three sums, under every forgetting: of the confidences, of the hits, and of the weights. A hit is a
record whose label is the class with the highest probability.

Bins of equal width divide [0, 1]; a confidence on an edge belongs to the lower bin, as in scikit-learn's
``calibration_curve``. Bins of equal mass hold as equal shares of the weight as 21 fine bins allow, which are kept
instead, since the confidences themselves are not; they are narrower towards 1. Whole fine bins are joined, so a bin may
be empty if many confidences are close together. The error is exact for the bins that are used.

Naeini, Cooper and Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning", AAAI 2015.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from prequential.arguments import check_choice, check_whole, checked_call
from prequential.metrics.counts import Counts, ratio
from prequential.metrics.metric import REGISTRY, Metric, register_family
from prequential.types import FloatArray

Binning = Literal["width", "mass"]

FINE = np.array(
    [
        0.2,
        0.3,
        0.4,
        0.5,
        0.55,
        0.6,
        0.65,
        0.7,
        0.75,
        0.8,
        0.85,
        0.9,
        0.925,
        0.95,
        0.97,
        0.98,
        0.99,
        0.995,
        0.999,
        0.9999,
    ]
)
"""The inner edges of the fine bins."""


@dataclass(frozen=True)
class BinSums:
    """The confidence, the hit and the weight 1 of each record, each in the place of the bin of its confidence.

    Parameters
    ----------
    edges
        The inner edges, ascending.
    """

    edges: tuple[float, ...]

    @property
    def width(self) -> int:
        """How many numbers there are per record."""
        return 3 * (len(self.edges) + 1)

    def __call__(self, y: Any, p: FloatArray) -> FloatArray:
        """Return the numbers of some records."""
        at = np.arange(len(y))
        confidence = p.max(axis=1, initial=0.0)
        found = np.zeros((len(y), len(self.edges) + 1, 3))
        found[at, np.searchsorted(self.edges, confidence)] = np.column_stack(
            [confidence, (confidence > 0) & (p.argmax(axis=1) == y), np.ones(len(y))]
        )
        return found.reshape(len(y), -1)


@dataclass(frozen=True)
class CalibrationError:
    """Expected calibration error (ECE): Σ_b (w_b / Σw) · |accuracy of bin b − mean confidence of bin b|, in [0, 1].

    Lower is better; 0 means that confidences are right on average in every bin. NaN before the first label.

    Parameters
    ----------
    bins, binning
        The number of bins, and whether they have equal width or equal mass.
    place
        Where the sums begin in the losses of a grid, counted from the end; 0 if they are not kept.
    """

    bins: int = 10
    binning: Binning = "width"
    place: int = 0

    @property
    def sums(self) -> BinSums:
        """What is kept of each record."""
        return BinSums(tuple(FINE.tolist() if self.binning == "mass" else np.linspace(0, 1, self.bins + 1)[1:-1]))

    def __call__(self, counts: Counts) -> FloatArray:
        """Compute the error."""
        if self.place == 0:
            return counts.weight * float("nan")
        binned = self.binned(counts)
        gaps = np.abs(binned[..., 1] - binned[..., 0]).sum(axis=-1)
        return ratio(gaps, binned[..., 2].sum(axis=-1))

    def binned(self, counts: Counts) -> FloatArray:
        """Return (…, bins, 3): the sums of confidences, hits and weights of each bin."""
        width = self.sums.width
        end = self.place + width
        kept = counts.losses[..., self.place : end if end < 0 else None]
        kept = kept.reshape(*kept.shape[:-1], width // 3, 3)
        if self.binning == "width":
            return kept
        weight = kept[..., 2]
        middle = ratio(np.cumsum(weight, axis=-1) - weight / 2, weight.sum(axis=-1, keepdims=True))
        to = np.clip(np.floor(np.nan_to_num(middle) * self.bins), 0, self.bins - 1).astype(np.int64)
        found = np.zeros((*kept.shape[:-2], self.bins, 3))
        for fine in range(width // 3):  # each fine bin joins the bin in which its middle record is
            np.put_along_axis(
                found,
                to[..., fine, None, None],
                np.take_along_axis(found, to[..., fine, None, None], axis=-2) + kept[..., fine, None, :],
                axis=-2,
            )
        return found


@dataclass(frozen=True)
class MeanConfidence:
    """Sharpness: the mean confidence, the highest probability, in [1/C, 1]; 0 for an abstention.

    How far predictions are from "all classes are equally probable", whether they are right or not. NaN before the first
    label.

    Parameters
    ----------
    place
        Where the sum is in the losses of a grid, counted from the end; 0 if it is not kept.
    """

    place: int = 0

    def __call__(self, counts: Counts) -> FloatArray:
        """Compute the mean."""
        if self.place == 0:
            return counts.weight * float("nan")
        return ratio(counts.losses[..., self.place], counts.weight)


def confidences(y: Any, p: FloatArray) -> FloatArray:  # noqa: ARG001  # one signature
    """Return the highest probability of each record."""
    found: FloatArray = p.max(axis=1, initial=0.0)
    return found


@checked_call
def ece(bins: int = 10, binning: Binning = "width") -> Metric:
    """Return the expected calibration error as a metric.

    Parameters
    ----------
    bins
        The number of bins, at most 21; of equal mass at most 10.
    binning
        ``"width"`` for bins of equal width, ``"mass"`` for bins of equal weight.

    Examples
    --------
    >>> ece(20).name, ece(5, "mass").name, ece().name
    ('ece:20', 'ece:5:mass', 'ece')
    """
    check_choice(binning, "binning", "ece", ("width", "mass"))
    check_whole(bins, "bins", "ece", least=1, most=10 if binning == "mass" else 21)
    error = CalibrationError(int(bins), binning)
    plain = "ece" if bins == 10 and binning == "width" else f"ece:{bins}" if binning == "width" else f"ece:{bins}:mass"
    return Metric(plain, error, "probabilities", "lower", loss=error.sums)


REGISTRY["ece"] = ece()
REGISTRY["sharpness"] = Metric("sharpness", MeanConfidence(), "probabilities", None, loss=confidences)
register_family("ece", ece)
