"""Naive Bayes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prequential import _native
from prequential.arguments import check_choice
from prequential.learners.catalogue import register
from prequential.learners.native import NativeLearner
from prequential.streams.schema import Schema


@register("naive_bayes")
@dataclass(eq=False, kw_only=True, repr=False)
class NaiveBayes(NativeLearner):
    """Naive Bayes: a Gaussian per class and numeric feature, counts per class and nominal feature.

    p(c | x) ∝ n_c · Π_j p(x_j | c). Missing values are ignored, and so is a numeric feature that has had only one
    value. Abstains until the first label. O(features × classes) per record.

    Numeric feature: the variance of a class is unbiased and at least W / 4n, where W is the variance of the feature
    within classes and n the weight of the class; without a value of the class, mean and variance over all classes are
    used. The density is at most 1 / h, where h is the least distance of two successive values: no recorded value has a
    probability above 1. A feature of only two values so far: p = (count + share in all classes) / (n + 1).

    Nominal feature: p = (count + 2v·q) / (n + 2v), where v is the number of values so far and q the share of the value
    in all classes, itself by Laplace's rule.

    W and the other values over all classes are recomputed whenever the number of records has grown by an eighth.
    Nothing depends on the unit of a feature.

    Parameters
    ----------
    densities
        ``"bounded"``: the rules above. ``"moa"``: as in MOA, for comparisons with it: a class whose values do not vary
        has the density 1 at its value and 0 elsewhere, a nominal value is smoothed by the highest code of its class,
        and a record to which no class gives a density is assigned to the first class.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, pq.learners.NaiveBayes(), metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.87
    """

    densities: Literal["bounded", "moa"] = "bounded"

    def __post_init__(self) -> None:
        check_choice(self.densities, "densities", "NaiveBayes", ("bounded", "moa"))

    def _make(self, schema: Schema, seed: int) -> _native.Learner:  # noqa: ARG002  # no random draws
        return _native.naive_bayes(schema.n_classes, schema.cardinalities, self.densities == "moa")
