"""Precision, recall and F1, per class and averaged over classes."""

from __future__ import annotations

from prequential.metrics.counts import Counts, mean_of_defined, ratio
from prequential.metrics.metric import register
from prequential.types import FloatArray


@register("precision", per_class=True, undefined="for a class that was never predicted")
def precision(counts: Counts) -> FloatArray:
    """Precision, the share of the predictions of a class that are right: tp / (tp + fp), in [0, 1].

    Higher is better. NaN for a class that was never predicted.

    Examples
    --------
    >>> precision(Counts.of_matrix([[30, 10], [10, 10]])).tolist()
    [0.75, 0.5]
    """
    return ratio(counts.hits, counts.predictions)


@register("recall", per_class=True, undefined="for a class without a label")
def recall(counts: Counts) -> FloatArray:
    """Recall (class accuracy), the share of the records of a class that are found: tp / (tp + fn), in [0, 1].

    Higher is better. NaN for a class without a label.

    Examples
    --------
    >>> recall(Counts.of_matrix([[30, 10], [10, 10]])).tolist()
    [0.75, 0.5]
    """
    return ratio(counts.hits, counts.labels)


@register("f1", per_class=True, undefined="for a class that neither appeared nor was predicted")
def f1(counts: Counts) -> FloatArray:
    """F1, the harmonic mean of precision and recall of a class: 2tp / (2tp + fp + fn), in [0, 1].

    Higher is better. NaN for a class that neither appeared nor was predicted.

    Examples
    --------
    >>> f1(Counts.of_matrix([[30, 10], [10, 10]])).tolist()
    [0.75, 0.5]
    """
    return ratio(2 * counts.hits, counts.labels + counts.predictions)


@register("macro_precision", undefined="before the first label and prediction")
def macro_precision(counts: Counts) -> FloatArray:
    """Precision averaged over the classes that were predicted, in [0, 1].

    Higher is better. NaN before the first label and prediction.
    """
    return mean_of_defined(precision(counts))


@register("macro_recall")
def macro_recall(counts: Counts) -> FloatArray:
    """Recall averaged over the classes that have a label, in [0, 1].

    Higher is better. NaN before the first label.
    """
    return mean_of_defined(recall(counts))


@register("macro_f1")
def macro_f1(counts: Counts) -> FloatArray:
    """F1 averaged over the classes that appeared or were predicted, in [0, 1].

    Higher is better. NaN before the first label.
    """
    return mean_of_defined(f1(counts))
