"""What learners made of other learners share."""

from __future__ import annotations

from dataclasses import fields

from prequential import _native
from prequential.learners.adapters import as_learner
from prequential.learners.contract import Learner
from prequential.learners.foreign import Foreign
from prequential.learners.native import NativeLearner
from prequential.streams.schema import Schema


class ComposedLearner(NativeLearner):
    """A native learner made of a base, which may be any learner: native, another library's, or written in Python.

    Around a base that is not native the work is done record by record, in Python's pace.
    """

    base: Learner

    def __post_init__(self) -> None:
        self.base = as_learner(self.base)
        self.batch = self.base.batch

    def _base(self, schema: Schema, seed: int) -> _native.Learner:
        """Make the compiled base."""
        if isinstance(self.base, NativeLearner):
            return self.base._make(schema, seed)
        made = Foreign(self.base, self.base.fresh(schema, seed))
        return _native.python_learner(schema.n_classes, schema.cardinalities, made)

    @property
    def native(self) -> bool:
        """Whether the base is native."""
        return self.base.native

    def describe(self) -> dict[str, object]:
        """Return what a manifest says of this learner: its name and parameters, those of the base included."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]  # a dataclass
        return {"learner": type(self).__name__, **own, "base": self.base.describe()}
