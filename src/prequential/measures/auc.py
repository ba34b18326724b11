"""How well scores rank the records: the area under the ROC curve, and what is akin to it.

These measures rest on the order of the scores of all records they cover, so they exist under sliding windows only,
where the records are kept (O(log w) a record, O(w) memory); under other forgettings they are NaN. Scores are taken
relative to their sum. A learner that only names a class ranks it 1 and the others 0. An abstention is wrong in each of
its pairs, or left out where the run says so (convention 3).

Of two classes, the second is the positive one. Of more, each class is ranked against the rest, and the mean is over the
classes that are present.

Brzezinski and Stefanowski, "Prequential AUC for classifier evaluation and drift detection in evolving data streams",
NFMCP 2014.
"""

from __future__ import annotations

from collections.abc import Iterable

from prequential.measures.counts import Counts
from prequential.measures.measure import Measure, register
from prequential.types import FloatArray

RANKS = ("auc", "auc_hand_till", "average_precision", "scored_auc")
"""What the native windows can keep, in the order of ``Counts.ranks``."""

_UNDEFINED = "outside a sliding window, and in one with one class only"


def ranks_of(measures: Iterable[Measure]) -> tuple[str, ...]:
    """Return which ranks some measures need; one that is not ours may look at all of them."""
    needy = {m.name for m in measures if m.needs == "scores"}
    return tuple(name for name in RANKS if name in needy or needy - set(RANKS))


def _kept(counts: Counts, name: str) -> FloatArray:
    if counts.ranks.shape[-1] == 0:
        return counts.weight * float("nan")
    kept: FloatArray = counts.ranks[..., RANKS.index(name)]
    return kept


@register("auc", needs="scores", undefined=_UNDEFINED)
def auc(counts: Counts) -> FloatArray:
    """Area under the ROC curve: how probably a positive record is scored above a negative one, in [0, 1].

    Σ over pairs of w₊·w₋·([s₊ > s₋] + ½[s₊ = s₋]) / (Σw₊ · Σw₋). Chance is ½, whatever the shares of the classes. Of
    more than two classes, the mean of each against the rest. O(log w) a record, exact.

    Examples
    --------
    Positives 0.8 and 0.4, negatives 0.6 and 0.4: of four pairs two are right and one is tied.

    >>> from prequential.measures.rolling_auc import RollingAUC
    >>> RollingAUC(4).update([1, 1, 0, 0], [0.8, 0.4, 0.6, 0.4]).tolist()
    [nan, nan, 0.5, 0.625]
    """
    return _kept(counts, "auc")


@register("auc_hand_till", needs="scores", undefined=_UNDEFINED)
def auc_hand_till(counts: Counts) -> FloatArray:
    """Hand and Till's M: the AUC of each pair of classes, averaged over the pairs that are present, in [0, 1].

    A(i, j) = (A(i|j) + A(j|i)) / 2, where A(i|j) is the AUC of class i against class j by the scores of i. Shares of
    the classes do not matter. O(C log w) a record, and O(C²) a reading.

    References
    ----------
    Hand and Till, "A simple generalisation of the area under the ROC curve for multiple class classification problems",
    Machine Learning 45, 2001.
    """
    return _kept(counts, "auc_hand_till")


@register(
    "average_precision", needs="scores", undefined="outside a sliding window, and in one without a positive record"
)
def average_precision(counts: Counts) -> FloatArray:
    """Average precision, the area under the precision-recall curve by steps, in [0, 1].

    Σ over scores, from the highest down, of (recall − recall before) × precision; records of one score come together.
    Of more than two classes, the mean over those with a label. Chance is the share of the positives. O(w) a reading.

    Examples
    --------
    Positives 0.8 and 0.4, negatives 0.6 and 0.4: ½ × 1 + ½ × 2/4.

    >>> from prequential.measures.rolling_auc import RollingAUC
    >>> float(RollingAUC(4, measure="average_precision").update([1, 1, 0, 0], [0.8, 0.4, 0.6, 0.4])[-1])
    0.75
    """
    return _kept(counts, "average_precision")


@register("scored_auc", needs="scores", undefined=_UNDEFINED)
def scored_auc(counts: Counts) -> FloatArray:
    """Scored AUC: the mean over pairs of how far the positive is scored above the negative, if it is, in [0, 1].

    Σ over pairs of w₊·w₋·max(0, s₊ − s₋) / (Σw₊ · Σw₋). O(log w) a record.

    Examples
    --------
    Positives 0.8 and 0.4, negatives 0.6 and 0.4: (0.2 + 0.4) / 4.

    >>> from prequential.measures.rolling_auc import RollingAUC
    >>> round(float(RollingAUC(4, measure="scored_auc").update([1, 1, 0, 0], [0.8, 0.4, 0.6, 0.4])[-1]), 4)
    0.15

    References
    ----------
    Wu, Flach and Ferri, "An improved model selection heuristic for AUC", ECML 2007.
    """
    return _kept(counts, "scored_auc")
