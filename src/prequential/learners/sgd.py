"""A linear model learned by stochastic gradient descent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prequential import _native
from prequential.errors import ParameterError, is_number
from prequential.learners.native import NativeLearner
from prequential.streams.schema import Schema


@dataclass(eq=False, kw_only=True)
class Sgd(NativeLearner):
    """One linear model for each class against the rest, one gradient step a record.

    Nominal values are inputs of their own; missing values count as zero. Scores are the logistic function of each
    model's margin, relative to their sum. It abstains until the first label. O(features × classes) a record. On raw
    numbers it is ``SGDClassifier`` of scikit-learn with a constant rate.

    The defaults are those of River's ``LogisticRegression`` behind its ``StandardScaler``: the logistic loss, a rate of
    0.01, no penalty. MOA's are ``Sgd(loss="hinge", rate=0.0001, l2=0.0001, standardise=False)``.

    Parameters
    ----------
    loss
        ``"log"`` (logistic regression) or ``"hinge"`` (linear support vector machine).
    rate
        Learning rate.
    l2
        Strength of the L2 penalty, from which the intercept is exempt.
    standardise
        Whether numeric features are first brought to mean 0 and deviation 1, by their running moments.
    """

    loss: Literal["log", "hinge"] = "log"
    rate: float = 0.01
    l2: float = 0.0
    standardise: bool = True

    def __post_init__(self) -> None:
        if self.loss not in ("log", "hinge"):
            raise ParameterError("loss", "Sgd", "'log' or 'hinge'", self.loss)
        if not (is_number(self.rate) and 0 < self.rate < float("inf")):
            raise ParameterError("rate", "Sgd", "a number above 0", self.rate)
        if not (is_number(self.l2) and 0 <= self.l2 < float("inf")):
            raise ParameterError("l2", "Sgd", "a number of at least 0", self.l2)

        if not isinstance(self.standardise, bool):
            raise ParameterError("standardise", "Sgd", "True or False", self.standardise)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:  # noqa: ARG002  # it draws nothing
        return _native.sgd(
            schema.n_classes, schema.cardinalities, self.loss == "hinge", self.rate, self.l2, self.standardise
        )
