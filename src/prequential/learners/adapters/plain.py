"""Plain Python objects that learn, without a base class of any library."""

from __future__ import annotations

import copy
import inspect
from typing import Any, Self

import numpy as np

from prequential.errors import InputError
from prequential.learners.adapters.memory import deep_size
from prequential.learners.adapters.named import NamedLearner
from prequential.learners.adapters.parameters import as_json
from prequential.learners.adapters.sklearn import SklearnLearner
from prequential.learners.contract import Clock, Learner
from prequential.streams.schema import Schema
from prequential.types import FloatArray, IntArray

_EXAMPLE = """
    class LastLabel:
        label = None
        def predict_one(self, x):      # x: a dict from feature name to value
            return self.label          # None: no prediction
        def learn_one(self, x, y):
            self.label = y
"""


def plain_learner(obj: object) -> Learner:
    """Return a learner for an object of one of three shapes.

    ========================  =============================================================
    ``fresh, scores, learn``  the methods of `Learner`, without its base class
    ``learn_one, predict_one``  one record at a time, as a dict, as in River
    ``partial_fit, predict``  arrays, as in scikit-learn
    ========================  =============================================================

    Raises
    ------
    InputError
        When the object has none of these shapes; the message shows what is needed.
    """

    def can(*methods: str) -> bool:
        return all(callable(getattr(obj, method, None)) for method in methods)

    if can("fresh", "scores", "learn"):
        return DuckLearner(obj)
    if can("learn_one", "predict_one"):
        return OneByOneLearner(obj)
    if can("partial_fit", "predict"):
        return SklearnLearner(obj)
    raise InputError(
        f"{obj!r} is not a learner. It needs the methods learn_one and predict_one, or partial_fit and predict,"
        f" or fresh, scores and learn. For example:\n{_EXAMPLE}"
    )


class OneByOneLearner(NamedLearner):
    """An object with ``learn_one(x, y)`` and ``predict_one(x)``.

    How records, labels and weights are handed over is told in `NamedLearner`. The object is copied deeply when the
    learner is made, and once more for every run: give it untrained. Yours is never trained. An object that draws
    random numbers is to be seeded by yourself, or to have the methods of `Learner`.

    Parameters
    ----------
    model
        The untrained object.
    """

    def __init__(self, model: Any) -> None:
        self._template = copy.deepcopy(model)
        self.model = self._template

    def untrained(self, seed: int) -> Any:  # noqa: ARG002  (a plain object has no place for a seed)
        """Return a deep copy of the object as it was given."""
        return copy.deepcopy(self._template)

    @property
    def nbytes(self) -> int:
        """Bytes of the object."""
        return deep_size(self.model)

    def describe(self) -> dict[str, object]:
        """Return the object's class and the attributes it came with."""
        return {"learner": self.model_name, "parameters": as_json(getattr(self._template, "__dict__", {}))}


class DuckLearner(Learner):
    """An object with the methods ``fresh``, ``scores`` and ``learn`` of `Learner`, but not its base class.

    Parameters
    ----------
    model
        The object; ``fresh`` is asked of it, so it is never trained.
    """

    def __init__(self, model: Any) -> None:
        self.model = model

    def fresh(self, schema: Schema, seed: int) -> Self:
        """Return a learner around the object's own fresh copy."""
        learner = copy.copy(self)
        learner.model = self.model.fresh(schema, seed)
        learner.schema = schema
        learner.clock = Clock()
        return learner

    def scores(self, X: FloatArray) -> FloatArray:
        """Return the object's scores."""
        return np.asarray(self.model.scores(X), dtype=np.float64)

    def learn(self, X: FloatArray, y: IntArray | FloatArray, w: FloatArray | None = None) -> None:
        """Let the object learn; the weights are handed over only where there are any."""
        if w is None:
            self.model.learn(X, y)
        else:
            self.model.learn(X, y, w)

    def takes_weight(self) -> bool:
        """Return whether ``learn`` has a third parameter."""
        try:
            parameters = inspect.signature(self.model.learn).parameters.values()
        except (TypeError, ValueError):  # a compiled method without a signature
            return True
        return len(parameters) > 2 or any(one.kind == one.VAR_POSITIONAL for one in parameters)

    def extend(self, schema: Schema) -> None:
        """Take note of new classes and nominal values, and tell the object if it can be told."""
        if hasattr(self.model, "extend"):
            self.model.extend(schema)
        self.schema = schema

    @property
    def nbytes(self) -> int:
        """Bytes of the object, as it says itself or as they are found."""
        own = getattr(self.model, "nbytes", None)
        return own if isinstance(own, int) else deep_size(self.model)

    def describe(self) -> dict[str, object]:
        """Return what the object says of itself, or its class."""
        if hasattr(self.model, "describe"):
            said: dict[str, object] = self.model.describe()
            return said
        return {"learner": type(self.model).__name__}
