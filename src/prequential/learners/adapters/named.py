"""Adapter for models with ``learn_one`` and ``predict_one``, which take a record as a dict of named values.

This is River's interface; many hand-written models follow it.
"""

from __future__ import annotations

import copy
import inspect
from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Self

from prequential.errors import LearnerError
from prequential.learners.adapters.record import RecordLearner
from prequential.learners.contract import Clock
from prequential.streams.schema import Schema
from prequential.types import FloatArray, Label
from prequential.wording import listing


class NamedLearner(RecordLearner[dict[str, object]]):
    """A model with ``learn_one(x, y)`` and ``predict_one(x)``.

    - A record is a dict from feature name to value: a float, or the nominal value itself. A missing value has no key,
      as in River.
    - Labels are those of ``schema.classes``, of any type, not their codes.
    - Scores come from ``predict_proba_one`` if the model has it; otherwise the label of ``predict_one`` scores 1. None
      or an empty dict is an abstention.
    - A record without a label is passed to ``learn_unlabelled_one(x)`` if the model has it.
    - A weight other than 1 is passed as ``w`` if ``learn_one`` has this parameter, otherwise it is refused.
    """

    model: Any
    """The model; untrained until ``fresh`` binds the learner to a schema."""
    _weighted: bool
    _predicts_shares: bool

    @abstractmethod
    def untrained(self, seed: int) -> Any:
        """Return a new, untrained model."""

    def fresh(self, schema: Schema, seed: int) -> Self:
        """Return an untrained learner with the same parameters, for records of this schema."""
        learner = copy.copy(self)
        learner.accept(schema)
        learner.model = self.untrained(seed)
        learner.clock = Clock()
        learner._weighted = learner.takes_weight()
        learner._predicts_shares = hasattr(learner.model, "predict_proba_one")
        learner._read(schema)
        return learner

    def accept(self, schema: Schema) -> None:
        """Refuse a stream that the model cannot learn; ``fresh`` calls it once, on the new learner."""

    def extend(self, schema: Schema) -> None:
        """Adopt new classes and nominal values."""
        self._read(schema)

    def _read(self, schema: Schema) -> None:
        labels = self.labels(schema)
        self.schema = schema
        self._features = [(feature.name, feature.values) for feature in schema.features]
        self._labels = labels
        self._codes = {label: code for code, label in enumerate(labels)}

    def labels(self, schema: Schema) -> tuple[Label, ...]:
        """Return the label that the model gets for each class code."""
        return schema.classes or ()

    def takes_weight(self) -> bool:
        """Return whether the model can learn a record with a weight."""
        return takes(self.model.learn_one, "w")

    @property
    def model_name(self) -> str:
        """The name of the model's class."""
        return type(self.model).__name__

    def record(self, row: FloatArray) -> dict[str, object]:
        """Return the record as a dict without its missing values."""
        return {
            name: value if values is None else values[int(value)]
            for (name, values), value in zip(self._features, row.tolist(), strict=True)
            if value == value  # a missing value is NaN, which alone differs from itself
        }

    def score_record(self, record: dict[str, object], out: FloatArray) -> None:
        """Write the probabilities, 1 for the predicted label, or the predicted number."""
        if self.schema.classes is None:
            predicted = self.model.predict_one(record)
            if predicted is not None:
                out[0] = predicted
            return
        for label, share in self._shares(record).items():
            code = self._codes.get(label)
            if code is None:
                raise LearnerError(
                    f"{self.model_name} predicted the label {label!r}, which is not a class of the stream."
                    f" Its classes: {listing(map(repr, self.schema.classes))}."
                )
            if code < len(out):
                out[code] = share

    def _shares(self, record: dict[str, object]) -> Mapping[Label, float]:
        if self._predicts_shares:
            try:
                return self.model.predict_proba_one(record) or {}
            except NotImplementedError:  # a River classifier that predicts labels only
                self._predicts_shares = False
        predicted = self.model.predict_one(record)
        return {} if predicted is None else {predicted: 1.0}

    @property
    def learns_unlabelled(self) -> bool:
        """Whether the model has ``learn_unlabelled_one``."""
        return hasattr(self.model, "learn_unlabelled_one")

    def learn_unlabelled_record(self, record: dict[str, object]) -> None:
        """Learn one record without its label."""
        self.model.learn_unlabelled_one(record)

    def learn_record(self, record: dict[str, object], label: float, weight: float) -> None:
        """Learn one record."""
        target = label if self.schema.classes is None else self._labels[int(label)]
        if weight == 1:
            self.model.learn_one(record, target)
        elif self._weighted:
            self.model.learn_one(record, target, w=weight)
        else:
            raise LearnerError(
                f"learn_one of {self.model_name} has no weight parameter (w), but a record has weight {weight:g}."
            )


def takes(method: Callable[..., object], name: str) -> bool:
    """Return whether a method declares a parameter of this name; ``**kwargs`` declares nothing.

    Examples
    --------
    >>> takes(lambda x, y, w=1.0: None, "w"), takes(lambda x, **kwargs: None, "w")
    (True, False)
    """
    try:
        return name in inspect.signature(method).parameters
    except (TypeError, ValueError):  # a compiled method without a signature
        return False
