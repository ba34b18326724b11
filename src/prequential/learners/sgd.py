"""A linear model trained by stochastic gradient descent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prequential import _native
from prequential.arguments import check_choice, check_flag, check_number
from prequential.learners.catalogue import register
from prequential.learners.native import NativeLearner
from prequential.streams.schema import Schema


@register("sgd")
@dataclass(eq=False, kw_only=True, repr=False)
class SGD(NativeLearner):
    """Linear model trained by stochastic gradient descent: one-vs-rest, one gradient step per record.

    Nominal values are one-hot encoded; missing values count as zero. Scores are the logistic function of each model's
    margin, relative to their sum. Abstains until the first label. O(features × classes) per record. Without
    standardising it equals scikit-learn's ``SGDClassifier`` with a constant learning rate.

    The defaults are those of River's ``LogisticRegression`` after its ``StandardScaler``: logistic loss, learning rate
    0.01, no penalty. MOA's are ``SGD(loss="hinge", learning_rate=0.0001, l2=0.0001, standardise=False)``.

    Parameters
    ----------
    loss
        ``"log"`` (logistic regression; ``"log_loss"`` is the same) or ``"hinge"`` (linear support vector machine).
    learning_rate
        Learning rate.
    l2
        Strength of the L2 penalty, which does not apply to the intercept.
    standardise
        Whether to scale numeric features to mean 0 and standard deviation 1, by their running moments.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, pq.learners.SGD(loss="hinge"), metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.87
    """

    loss: Literal["log", "log_loss", "hinge"] = "log"
    learning_rate: float = 0.01
    l2: float = 0.0
    standardise: bool = True

    def __post_init__(self) -> None:
        self.loss = "log" if self.loss == "log_loss" else self.loss
        check_choice(self.loss, "loss", "SGD", ("log", "hinge"))
        check_number(self.learning_rate, "learning_rate", "SGD", above=0)
        check_number(self.l2, "l2", "SGD", least=0)
        check_flag(self.standardise, "standardise", "SGD")

    def _make(self, schema: Schema, seed: int) -> _native.Learner:  # noqa: ARG002  # no random draws
        return _native.sgd(
            schema.n_classes, schema.cardinalities, self.loss == "hinge", self.learning_rate, self.l2, self.standardise
        )
