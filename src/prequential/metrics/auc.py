"""Ranking metrics: the area under the ROC curve (AUC) and its relatives, and the bounds on their errors.

These metrics depend on the order of the scores of all their records. A sliding window keeps its records, and a holdout
test its test set: there they are exact. Over all history and under a fading factor, the scores are kept in at most
4,096 bins per class: while there are no more different scores, the metrics are exact; beyond that, neighbouring scores
share a bin. A pair of records whose order is then unknown counts one half, and half the weight of such pairs, relative
to all pairs, is the bound on the error: ``auc_error``. The true value is never further away. Under ``AdaptiveWindow``
and ``ExponentialHistogram`` they are NaN.

Scores are taken relative to their sum. A learner that only predicts a class scores it 1 and the others 0. An abstention
is wrong in each of its pairs, or left out if the run says so (convention 3).

If the run has a positive class (``positive=``), it is ranked against the rest. Otherwise: with two classes, the second
is the positive class; with more, each class is ranked against the rest, and the result is the mean over the classes
that are present. AUC and scored AUC of two classes are the same for both, if scores are probabilities.

Brzezinski and Stefanowski, "Prequential AUC for classifier evaluation and drift detection in evolving data streams",
NFMCP 2014.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, TypeAlias

from prequential.metrics.counts import Counts
from prequential.metrics.forgetting import Forgetting, Sliding
from prequential.metrics.metric import Metric, register
from prequential.types import FloatArray

RankMetric: TypeAlias = Literal["auc", "auc_hand_till", "average_precision", "scored_auc"]

RANKS: tuple[RankMetric, ...] = ("auc", "auc_hand_till", "average_precision", "scored_auc")
"""Ranking metrics of the native windows, in the order of ``Counts.ranks``."""

ERRORS = tuple(f"{name}_error" for name in RANKS)
"""The bounds on the errors of the ranking metrics, in the same order; in ``Counts.ranks`` they come after them."""

_UNDEFINED = "under an adaptive window or an exponential histogram, and with only one class"


def ranks_of(metrics: Iterable[Metric]) -> tuple[str, ...]:
    """Return the ranking metrics that some metrics need; a user-defined metric of scores may read all of them."""
    needing = {m.name.removesuffix("_error") for m in metrics if m.needs == "scores"}
    return tuple(name for name in RANKS if name in needing or needing - set(RANKS))


def errors_of(metrics: Iterable[Metric], forgetting: Iterable[Forgetting]) -> tuple[str, ...]:
    """Return the bounds that belong to some metrics, if a forgetting does not keep all records."""
    if all(isinstance(one, Sliding) and one.window_size != math.inf for one in forgetting):
        return ()
    given = {m.name for m in metrics}
    return tuple(f"{name}_error" for name in RANKS if name in given)


def scored_names(metrics: Iterable[Metric]) -> list[str]:
    """Return the names of the metrics that need scores, without the bounds that come with them."""
    return [one.name for one in metrics if one.needs in ("scores", "probabilities") and one.name not in ERRORS]


def _rank(counts: Counts, name: str) -> FloatArray:
    if counts.ranks.shape[-1] == 0:
        return counts.weight * float("nan")
    values: FloatArray = counts.ranks[..., (*RANKS, *ERRORS).index(name)]
    return values


@register("auc", needs="scores", undefined=_UNDEFINED, sided="with many classes")
def auc(counts: Counts) -> FloatArray:
    """Area under the ROC curve (AUC): the probability that a positive record scores above a negative one, in [0, 1].

    Σ over pairs of w₊·w₋·([s₊ > s₋] + ½[s₊ = s₋]) / (Σw₊ · Σw₋). Higher is better; chance is ½, for any class shares.
    With more than two classes, the mean of each class against the rest. Exact in a sliding window, at O(log w) per
    record; elsewhere within ``auc_error``, at O(log bins). NaN with only one class.

    Examples
    --------
    Positives 0.8 and 0.4, negatives 0.6 and 0.4: two of four pairs are right and one is tied.

    >>> import prequential as pq
    >>> scorer = pq.Scorer("auc", pq.Sliding(4), classes=(0, 1))
    >>> scorer.update([1, 1, 0, 0], scores=[0.8, 0.4, 0.6, 0.4])
    >>> scorer.value()
    0.625
    """
    return _rank(counts, "auc")


@register("auc_hand_till", needs="scores", undefined=_UNDEFINED)
def auc_hand_till(counts: Counts) -> FloatArray:
    """Hand and Till's M: the mean AUC over the pairs of classes that are present, in [0, 1].

    A(i, j) = (A(i|j) + A(j|i)) / 2, where A(i|j) is the AUC of class i against class j by the scores of i. Higher is
    better; class shares do not matter: it is the prequential multi-class AUC of the literature on imbalance. NaN with
    only one class. O(C log w) per record, O(C²) per reading.

    References
    ----------
    Hand and Till, "A simple generalisation of the area under the ROC curve for multiple class classification problems",
    Machine Learning 45, 2001.
    """
    return _rank(counts, "auc_hand_till")


@register(
    "average_precision",
    needs="scores",
    undefined="under an adaptive window or an exponential histogram, and without a positive record",
    sided="always",
)
def average_precision(counts: Counts) -> FloatArray:
    """Average precision, the area under the stepwise precision-recall curve, in [0, 1].

    Σ (recall − previous recall) × precision over the distinct scores, from the highest to the lowest. Higher is better;
    chance is the share of the positives. With more than two classes, the mean over those with a label. NaN without a
    positive record. O(w) per reading; where scores share bins, halfway between its bounds.

    Examples
    --------
    Positives 0.8 and 0.4, negatives 0.6 and 0.4: ½ × 1 + ½ × 2/4.

    >>> import prequential as pq
    >>> scorer = pq.Scorer("average_precision", pq.Sliding(4), classes=(0, 1), positive=1)
    >>> scorer.update([1, 1, 0, 0], scores=[0.8, 0.4, 0.6, 0.4])
    >>> scorer.value()
    0.75
    """
    return _rank(counts, "average_precision")


@register("scored_auc", needs="scores", undefined=_UNDEFINED, sided="with many classes")
def scored_auc(counts: Counts) -> FloatArray:
    """Scored AUC: the mean over pairs of how far the positive scores above the negative, or 0, in [0, 1].

    Σ over pairs of w₊·w₋·max(0, s₊ − s₋) / (Σw₊ · Σw₋). Higher is better. NaN with only one class. O(log w) per record.

    Examples
    --------
    Positives 0.8 and 0.4, negatives 0.6 and 0.4: (0.2 + 0.4) / 4.

    >>> import prequential as pq
    >>> scorer = pq.Scorer("scored_auc", pq.Sliding(4), classes=(0, 1))
    >>> scorer.update([1, 1, 0, 0], scores=[0.8, 0.4, 0.6, 0.4])
    >>> round(scorer.value(), 4)
    0.15

    References
    ----------
    Wu, Flach and Ferri, "An improved model selection heuristic for AUC", ECML 2007.
    """
    return _rank(counts, "scored_auc")


def _register_errors() -> None:
    """Register the bound of every ranking metric."""
    for name, error in zip(RANKS, ERRORS, strict=True):

        def bound(counts: Counts, error: str = error) -> FloatArray:
            return _rank(counts, error)

        bound.__doc__ = f"""Bound on the error of ``{name}``: the true value is at most this far away; 0 if exact.

        Part of every trace with ``{name}`` under a forgetting other than a sliding window. Half the weight of the pairs
        whose order is unknown, relative to all pairs; for average precision and scored AUC, half the distance between
        the lowest and the highest possible value. NaN where ``{name}`` is.
        """
        register(error, needs="scores", better=None, undefined=_UNDEFINED)(bound)


_register_errors()
