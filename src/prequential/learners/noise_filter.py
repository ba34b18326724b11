"""Noise on predictions."""

from __future__ import annotations

from dataclasses import dataclass, field

from prequential import _native
from prequential.errors import ParameterError, is_number
from prequential.learners.composed import ComposedLearner
from prequential.learners.contract import Learner
from prequential.learners.naive_bayes import NaiveBayes
from prequential.streams.schema import Schema


@dataclass(eq=False, kw_only=True)
class NoiseFilter(ComposedLearner):
    """A learner whose predictions are changed with a given probability: one that is worse by a known amount.

    The class predicted changes places, scores included, with one chosen evenly among the other classes learned so far;
    an abstention stays one, and so does the prediction of the only class there is. The base learns as it would
    alone. If the base is right with probability p₀ and there are c classes, the filtered learner is with p₀(1 − p) +
    (1 − p₀)p / (c − 1), provided that the base's errors are spread evenly over the wrong classes.

    What happens to a record depends on the seed, on the number of records learned before it and on its values alone:
    asking twice gives the same answer, and chunks make no difference. Equal records that come while nothing is
    learned share their fate.

    Parameters
    ----------
    base
        The learner.
    p
        Probability that a prediction is changed.

    References
    ----------
    Bifet, De Francisci Morales, Read, Holmes and Pfahringer, "Efficient online evaluation of big data stream
    classifiers", KDD 2015, section 3.2, with p = 0.05 and 0.10.
    """

    base: Learner = field(default_factory=NaiveBayes)
    p: float = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_number(self.p) or not 0 <= self.p <= 1:
            raise ParameterError("p", "NoiseFilter", "a number from 0 to 1", self.p)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.noise_filter(self._base(schema, seed), self.p, seed)
