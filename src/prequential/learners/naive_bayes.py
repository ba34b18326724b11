"""Naive Bayes."""

from __future__ import annotations

from dataclasses import dataclass

from prequential import _native
from prequential.learners.native import NativeLearner
from prequential.streams.schema import Schema


@dataclass(eq=False, kw_only=True)
class NaiveBayes(NativeLearner):
    """Naive Bayes with a Gaussian for each class and numeric feature, counts for each class and nominal feature.

    p(c | x) ∝ n_c · Π_j p(x_j | c). Variances are unbiased, and at least (1e-5 d)², d the farthest that a value of the
    feature was from the first one: no unit matters. A nominal value that was seen n_cv times in n_c records of a
    class has probability (n_cv + 1) / (n_c + v), where v is the number of values the feature has taken so far
    (Laplace). A missing value is left out, and so is a feature that has had one value only. It abstains until the
    first label. O(features × classes) a record.
    """

    def _make(self, schema: Schema, seed: int) -> _native.Learner:  # noqa: ARG002  # it draws nothing
        return _native.naive_bayes(schema.n_classes, schema.cardinalities)
