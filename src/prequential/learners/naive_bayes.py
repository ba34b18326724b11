"""Naive Bayes."""

from __future__ import annotations

from dataclasses import dataclass

from prequential import _native
from prequential.learners.catalogue import register
from prequential.learners.native import NativeLearner
from prequential.streams.schema import Schema


@register("naive_bayes")
@dataclass(eq=False, kw_only=True, repr=False)
class NaiveBayes(NativeLearner):
    """Naive Bayes: a Gaussian per class and numeric feature, counts per class and nominal feature.

    p(c | x) ∝ n_c · Π_j p(x_j | c). Variances are unbiased, and at least (1e-5 d)², where d is the largest distance of
    a value of the feature from its first value, so that units do not matter. A nominal value seen n_cv times in n_c
    records of a class has the probability (n_cv + 1) / (n_c + v), where v is the number of values of the feature so far
    (Laplace smoothing). Missing values are ignored, and so are features that have had only one value. Abstains until
    the first label. O(features × classes) per record.
    """

    def _make(self, schema: Schema, seed: int) -> _native.Learner:  # noqa: ARG002  # no random draws
        return _native.naive_bayes(schema.n_classes, schema.cardinalities)
