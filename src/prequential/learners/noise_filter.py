"""Noise in the predictions of a learner."""

from __future__ import annotations

from dataclasses import dataclass, field

from prequential import _native
from prequential.arguments import check_number
from prequential.learners.catalogue import register
from prequential.learners.composed import ComposedLearner
from prequential.learners.contract import Learner
from prequential.learners.naive_bayes import NaiveBayes
from prequential.streams.schema import Schema


@register("noise_filter")
@dataclass(eq=False, kw_only=True, repr=False)
class NoiseFilter(ComposedLearner):
    """Noise filter: a learner whose predictions are changed with probability ``p``, so it is worse by a known amount.

    The predicted class swaps its score with a class drawn uniformly from the other classes learned so far. Abstentions
    are not changed, and neither are predictions while only one class is known. The base learns as it would alone. If
    the base is right with probability p₀ and there are c classes, the filtered learner is right with probability
    p₀(1 − p) + (1 − p₀)p / (c − 1), provided that the errors of the base are spread evenly over the wrong classes. (The
    paper prints p / c there, which holds if a class may also be replaced by itself; a flip to *another* class gives
    p / (c − 1).)

    The draw for a record depends only on the seed, the number of records learned before it and its values: predicting
    twice gives the same result, and the chunk size does not matter. Equal records get the same draw as long as nothing
    is learned between them.

    Parameters
    ----------
    base
        The learner.
    p
        Probability that a prediction is changed.

    References
    ----------
    Bifet, De Francisci Morales, Read, Holmes and Pfahringer, "Efficient online evaluation of big data stream
    classifiers", KDD 2015, section 4.1, with p = 0.05 and 0.10.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> learner = pq.learners.NoiseFilter(base="naive_bayes", p=0.1)
    >>> run = pq.evaluate(stream, learner, metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.79
    """

    base: Learner = field(default_factory=NaiveBayes)
    p: float = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self.p, "p", "NoiseFilter", least=0, most=1)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.noise_filter(self._base(schema, seed), self.p, seed)
