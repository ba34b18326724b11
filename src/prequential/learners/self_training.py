"""Self-training: learning from records without labels."""

from __future__ import annotations

from dataclasses import dataclass, field

from prequential import _native
from prequential.arguments import check_number
from prequential.learners.catalogue import register
from prequential.learners.composed import ComposedLearner
from prequential.learners.contract import Learner
from prequential.learners.naive_bayes import NaiveBayes
from prequential.streams.schema import Schema


@register("self_training")
@dataclass(eq=False, kw_only=True, repr=False)
class SelfTraining(ComposedLearner):
    """Self-training: a record without a label is learned with the class that the base predicts, if it is sure enough.

    The base learns a record whose label is unknown as if its prediction were the label, with weight 1, if the share of
    the predicted class in the scores is at least ``threshold``. Under ``Delayed`` it does so when a record arrives, and
    learns the record again when its label comes. Labelled records are learned as by the base alone. It never sees a
    label that is not known yet. Put it around an ensemble, not inside: members of an ensemble get labelled records
    only.

    Parameters
    ----------
    base
        The learner.
    threshold
        Least share of the predicted class, above 0 and at most 1.

    References
    ----------
    Yarowsky, "Unsupervised word sense disambiguation rivaling supervised methods", ACL 1995.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).sparse_labels(0.02).take(5000)
    >>> learners = ["naive_bayes", "self_training:base=naive_bayes,threshold=0.95"]
    >>> run = pq.evaluate(stream, learners, metrics="accuracy", forgetting="cumulative", every=5000)
    >>> run.status
    'complete'
    """

    base: Learner = field(default_factory=NaiveBayes)
    threshold: float = 0.9

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self.threshold, "threshold", "SelfTraining", above=0, most=1)

    def _make(self, schema: Schema, seed: int) -> _native.Learner:
        return _native.self_training(self._base(schema, seed), self.threshold, seed)
