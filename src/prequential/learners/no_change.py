"""The no-change baseline."""

from __future__ import annotations

from dataclasses import dataclass

from prequential import _native
from prequential.learners.catalogue import register
from prequential.learners.native import NativeLearner
from prequential.streams.schema import Schema


@register("no_change")
@dataclass(eq=False, kw_only=True, repr=False)
class NoChange(NativeLearner):
    """Predicts the last label seen; abstains until the first label.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, pq.learners.NoChange(), metrics="accuracy", forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.53
    """

    def _make(self, schema: Schema, seed: int) -> _native.Learner:  # noqa: ARG002  # no random draws
        return _native.no_change(schema.n_classes, schema.cardinalities)
