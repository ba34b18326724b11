"""The label before."""

from __future__ import annotations

from dataclasses import dataclass

from prequential import _native
from prequential.learners.native import NativeLearner
from prequential.streams.schema import Schema


@dataclass(eq=False, kw_only=True)
class NoChange(NativeLearner):
    """Predicts the last label seen; it abstains until the first."""

    def _make(self, schema: Schema, seed: int) -> _native.Learner:  # noqa: ARG002  # it draws nothing
        return _native.no_change(schema.n_classes, schema.cardinalities)
