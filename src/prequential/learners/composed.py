"""The base class of learners made of another learner."""

from __future__ import annotations

from dataclasses import fields

from prequential import _native
from prequential.arguments import check_number, check_whole
from prequential.learners.adapters import as_learner
from prequential.learners.contract import Learner
from prequential.learners.foreign import Foreign
from prequential.learners.native import NativeLearner
from prequential.streams.schema import Schema


class ComposedLearner(NativeLearner):
    """A native learner around a base learner: native, of another library, or written in Python.

    With a base that is not native, every record makes a call to Python.
    """

    base: Learner | None

    def __post_init__(self) -> None:
        if self.base is not None:
            self.base = as_learner(self.base)
        self.batch = self.member().batch

    def member(self) -> Learner:
        """Return the learner that this one is made of."""
        assert self.base is not None
        return self.base

    def _base(self, schema: Schema, seed: int) -> _native.Learner:
        """Create the compiled base."""
        member = self.member()
        if isinstance(member, NativeLearner):
            return member._make(schema, seed)
        base = Foreign(member, member.fresh(schema, seed))
        return _native.python_learner(schema.n_classes, schema.cardinalities, base)

    @property
    def native(self) -> bool:
        """Whether the base is native."""
        return self.member().native

    def describe(self) -> dict[str, object]:
        """Return the name and parameters of the learner and of its base, for the manifest."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]  # a dataclass
        return {"learner": type(self).__name__, **own, "base": None if self.base is None else self.base.describe()}


def check_n_models(n_models: object, caller: str) -> None:
    """Check the number of members of an ensemble."""
    check_whole(n_models, "n_models", caller, least=1, most=10_000)


def check_lambda(lambda_: object, caller: str) -> None:
    """Check the mean of the Poisson draws of an ensemble."""
    check_number(lambda_, "lambda_", caller, above=0, most=100)
