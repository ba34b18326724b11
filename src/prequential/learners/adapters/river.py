"""Adapter for River's classifiers and regressors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from prequential.arguments import checked_call
from prequential.errors import InputError, LearnerError, MissingExtraError, ParameterError
from prequential.learners.adapters.memory import deep_size
from prequential.learners.adapters.named import NamedLearner, takes
from prequential.learners.adapters.parameters import as_json
from prequential.streams.schema import Schema
from prequential.types import Label
from prequential.wording import listing

_POSITIONAL = "_POSITIONAL_ARGS"
"""River's name of the parameters ``*args``, such as the types of ``SelectType``."""


@checked_call
class RiverLearner(NamedLearner):
    """A River classifier or regressor, alone or at the end of a pipeline.

    `NamedLearner` describes how records, labels and weights are passed. In addition:

    - The model is cloned, so the original is never trained. Every unset ``seed`` (None), also inside pipelines and
      wrapped models, is set to the seed of the run; one that you set is kept.
    - A binary model (River's logistic regression, perceptron …) knows the labels False and True. In a stream with two
      other classes it gets False for the first and True for the second. A third class is refused.
    - In a pipeline only the last step learns with the weight, as in River. A model whose ``learn_one`` takes any
      keyword (``**kwargs``: bagging, forests) refuses weights, because some such models ignore them.
    - The prediction is the class with the highest score; of tied classes, the one with the lowest code.

    Parameters
    ----------
    model
        The River model, trained or not.

    Examples
    --------
    >>> import numpy as np
    >>> from river.naive_bayes import GaussianNB
    >>> learner = RiverLearner(GaussianNB()).fresh(Schema.numeric(1, ["no", "yes"]), seed=1)
    >>> learner.test_then_train(np.array([[1.0], [1.0]]), np.array([1, 1]))
    array([[0., 0.],
           [0., 1.]])
    """

    def __init__(self, model: Any) -> None:
        try:
            from river import base
        except ImportError as error:
            raise MissingExtraError("RiverLearner", "river") from error
        last = _last_step(model)
        if not isinstance(last, base.Classifier | base.Regressor):
            raise ParameterError("model", "RiverLearner", "a River classifier or regressor", model)
        self.model = model.clone()
        self._classifies = isinstance(last, base.Classifier)
        self._binary = self._classifies and not last._multiclass

    def accept(self, schema: Schema) -> None:
        """Refuse a stream of the wrong task, and more than two classes for a binary model."""
        if self._classifies != (schema.task == "classification"):
            kind = "classifier" if self._classifies else "regressor"
            raise InputError(f"{self.model_name} is a {kind}, but the stream is for {schema.task}.")
        if self._binary and schema.n_classes > 2:
            raise InputError(self._too_many(schema))
        for one in _selected_types(self.model):
            _check_types(one, schema)
        self._gets_booleans = self._binary and set(schema.classes or ()) != {False, True}

    def untrained(self, seed: int) -> Any:
        """Return a clone, with every seed of None set."""
        return self.model.clone(_seeds(self.model, seed))

    def labels(self, schema: Schema) -> tuple[Label, ...]:
        """Return the labels themselves, or False and True for a binary model that knows no others."""
        if self._binary and schema.n_classes > 2:
            raise LearnerError(self._too_many(schema))
        return (False, True) if self._gets_booleans else schema.classes or ()

    def _too_many(self, schema: Schema) -> str:
        return (
            f"{self.model_name} is a binary classifier, and the stream has {schema.n_classes} classes. Wrap it:"
            f" river.multiclass.OneVsRestClassifier({self.model_name}). (If you wrote the class and it handles more"
            " classes, let its property _multiclass return True.)"
        )

    def takes_weight(self) -> bool:
        """Return whether the last step accepts a weight."""
        return takes(_last_step(self.model).learn_one, "w")

    @property
    def model_name(self) -> str:
        """The name of the model; of a pipeline, the names of its steps."""
        return str(self.model)

    @property
    def nbytes(self) -> int:
        """Memory of the model in bytes, measured as for every Python learner."""
        return deep_size(self.model)

    def describe(self) -> dict[str, object]:
        """Return the name of the model, the version of River and the parameters."""
        import river

        return {
            "learner": self.model_name,
            "library": f"river {river.__version__}",
            "parameters": _public(as_json(self.model._get_params())),
        }


def _last_step(model: Any) -> Any:
    """Return the step of a pipeline that predicts; the model itself if it is not a pipeline."""
    while hasattr(model, "_last_step"):
        model = model._last_step
    return model


def _selected_types(model: Any) -> Iterator[tuple[type, ...]]:
    """Yield the types that the ``SelectType`` steps of a pipeline select."""
    parts = getattr(model, "steps", None) or getattr(model, "transformers", None)
    if isinstance(parts, dict):
        for part in parts.values():
            yield from _selected_types(part)
    elif type(model).__name__ == "SelectType":
        yield model.types


def _check_types(types: tuple[type, ...], schema: Schema) -> None:
    """Refuse to select integers among numeric features: these reach the model as floats, so none would be selected."""
    nominal = [value for feature in schema.features for value in feature.values or ()]
    numeric = [feature.name for feature in schema.features if feature.values is None]
    only_whole = isinstance(0, types) and not isinstance(0.0, types)
    if numeric and only_whole and not any(isinstance(value, types) for value in nominal):
        names = ", ".join(one.__name__ for one in types)
        raise InputError(
            f"SelectType({names}) selects no feature of this stream: numeric features ({listing(numeric, 5)}) are"
            " passed as floats. Select them with SelectType(float) or SelectType(numbers.Number)."
        )


def _public(parameters: Any) -> Any:
    """Return parameters with a readable name for those that River counts by position."""
    if isinstance(parameters, dict):
        return {("values" if name == _POSITIONAL else name): _public(one) for name, one in parameters.items()}
    return [_public(one) for one in parameters] if isinstance(parameters, list) else parameters


def _seeds(model: Any, seed: int) -> dict[str, Any]:
    """Return the parameters that ``clone`` must change so that no seed is None.

    ``clone`` takes the parameters of a step as a dict, and those of a wrapped model as ``(class, parameters)``.
    """
    parts = getattr(model, "steps", None) or getattr(model, "transformers", None)  # of a pipeline or a union
    if isinstance(parts, dict):
        changes = {name: _seeds(part, seed) for name, part in parts.items()}
        return {name: change for name, change in changes.items() if change}
    changed: dict[str, Any] = {}
    for name, value in model._get_params().items():
        if name == "seed" and value is None:
            changed[name] = seed
        if name != _POSITIONAL and isinstance(value, tuple) and value and isinstance(value[0], type):
            inner = _seeds(getattr(model, name), seed)
            changed |= {name: (value[0], inner)} if inner else {}
    return changed
