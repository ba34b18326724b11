"""Adapters for plain Python objects that learn, without a base class of any library."""

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
    """Return a learner for an object with one of three sets of methods.

    ==========================  =============================================================
    ``fresh, scores, learn``    the methods of `Learner`, without its base class
    ``learn_one, predict_one``  one record at a time, as a dict, as in River
    ``partial_fit, predict``    arrays, as in scikit-learn
    ==========================  =============================================================

    Raises
    ------
    InputError
        If the object has none of these; the message lists the methods that are needed, with an example.
    """

    def has(*methods: str) -> bool:
        return all(callable(getattr(obj, method, None)) for method in methods)

    if has("fresh", "scores", "learn"):
        return DuckLearner(obj)
    if has("learn_one", "predict_one"):
        return OneByOneLearner(obj)
    if has("partial_fit", "predict"):
        return SklearnLearner(obj)
    plain = type(obj).__repr__ is object.__repr__  # it would show an address
    shown = f"An object of type {type(obj).__name__}" if plain else repr(obj)
    raise InputError(
        f"{shown} is not a learner. It needs the methods learn_one and predict_one, or partial_fit and predict,"
        f" or fresh, scores and learn. For example:\n{_EXAMPLE}"
    )


class OneByOneLearner(NamedLearner):
    """An object with ``learn_one(x, y)`` and ``predict_one(x)``.

    `NamedLearner` describes how records, labels and weights are passed. The object is deep-copied when the learner is
    created and again for every run, so it must be untrained, and the original is never trained. It gets no seed: seed
    an object that draws random numbers yourself, or give it the methods of `Learner`.

    Parameters
    ----------
    model
        The untrained object.
    """

    def __init__(self, model: Any) -> None:
        self._template = copy.deepcopy(model)
        self.model = self._template

    def untrained(self, seed: int) -> Any:  # noqa: ARG002  (a plain object takes no seed)
        """Return a deep copy of the original object."""
        return copy.deepcopy(self._template)

    @property
    def nbytes(self) -> int:
        """Memory of the object in bytes."""
        return deep_size(self.model)

    def describe(self) -> dict[str, object]:
        """Return the name of the class and the attributes of the untrained object."""
        return {"learner": self.model_name, "parameters": as_json(getattr(self._template, "__dict__", {}))}


class DuckLearner(Learner):
    """An object with the methods ``fresh``, ``scores`` and ``learn`` of `Learner`, without its base class.

    Parameters
    ----------
    model
        The object; its method ``fresh`` creates the one that is trained.
    """

    def __init__(self, model: Any) -> None:
        self.model = model

    def fresh(self, schema: Schema, seed: int) -> Self:
        """Return a learner with the object that ``fresh`` of the original returns."""
        learner = copy.copy(self)
        learner.model = self.model.fresh(schema, seed)
        learner.schema = schema
        learner.clock = Clock()
        return learner

    def scores(self, X: FloatArray) -> FloatArray:
        """Return the scores that the wrapped object gives to the records."""
        return np.asarray(self.model.scores(X), dtype=np.float64)

    def learn(self, X: FloatArray, y: IntArray | FloatArray, w: FloatArray | None = None) -> None:
        """Let the object learn; weights are passed only if there are any."""
        if w is None:
            self.model.learn(X, y)
        else:
            self.model.learn(X, y, w)

    @property
    def learns_unlabelled(self) -> bool:
        """Whether the object has ``learn_unlabelled``."""
        return hasattr(self.model, "learn_unlabelled")

    def learn_unlabelled(self, X: FloatArray) -> None:
        """Let the object learn records without labels, if it can."""
        if self.learns_unlabelled:
            self.model.learn_unlabelled(X)

    def takes_weight(self) -> bool:
        """Return whether ``learn`` has a third parameter."""
        try:
            parameters = inspect.signature(self.model.learn).parameters.values()
        except (TypeError, ValueError):  # a compiled method without a signature
            return True
        return len(parameters) > 2 or any(one.kind == one.VAR_POSITIONAL for one in parameters)

    def extend(self, schema: Schema) -> None:
        """Adopt new classes and nominal values, and pass them to the object if it has ``extend``."""
        if hasattr(self.model, "extend"):
            self.model.extend(schema)
        self.schema = schema

    @property
    def nbytes(self) -> int:
        """Memory of the object in bytes: its own ``nbytes``, or else measured."""
        own = getattr(self.model, "nbytes", None)
        return own if isinstance(own, int) else deep_size(self.model)

    def describe(self) -> dict[str, object]:
        """Return the description by the object itself, or else the name of its class."""
        if hasattr(self.model, "describe"):
            description: dict[str, object] = self.model.describe()
            return description
        return {"learner": type(self.model).__name__}
