"""Incremental learning of a scikit-learn ``Pipeline``, which has no ``partial_fit`` of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy.typing as npt

from prequential.errors import ParameterError
from prequential.learners.adapters.named import takes
from prequential.types import FloatArray

_SHAPE_ONLY = ("PolynomialFeatures", "RBFSampler", "SkewedChi2Sampler")
"""Transformers of scikit-learn whose fit looks at the number of columns only."""
_STATELESS = ("FunctionTransformer", "Normalizer", "Binarizer")
"""Transformers that need no fit, for versions of scikit-learn that do not tell."""


def is_pipeline(estimator: object) -> bool:
    """Return whether an estimator is a ``Pipeline`` of scikit-learn."""
    return any(cls.__module__ == "sklearn.pipeline" and cls.__name__ == "Pipeline" for cls in type(estimator).__mro__)


def check_pipeline(pipeline: Any) -> None:
    """Refuse a pipeline with a step that cannot learn from a stream.

    Raises
    ------
    ParameterError
        The message names the step.
    """
    steps = pipeline.steps
    last_name, last = steps[-1]
    if not (hasattr(last, "partial_fit") and hasattr(last, "predict")):
        raise _refused(pipeline, last_name, last, "partial_fit and predict")
    for name, step in steps[:-1]:
        if not (step is None or step == "passthrough" or hasattr(step, "partial_fit") or _needs_no_data(step)):
            raise _refused(pipeline, name, step, "partial_fit, or need no fit")


def partial_fit(pipeline: Any, X: FloatArray, y: npt.NDArray[Any], **options: Any) -> None:
    """Let every step learn the records, as the steps before it transform them; the last one gets the options."""
    for step in _transformers(pipeline):
        if hasattr(step, "partial_fit"):
            step.partial_fit(X, y) if takes(step.partial_fit, "y") else step.partial_fit(X)
        elif _is_shape_only(step) and not hasattr(step, "n_features_in_"):
            step.fit(X)
        X = step.transform(X)
    pipeline.steps[-1][1].partial_fit(X, y, **options)


def last_step(estimator: Any) -> Any:
    """Return the last step of a pipeline; of another estimator, itself."""
    return estimator.steps[-1][1] if is_pipeline(estimator) else estimator


def _transformers(pipeline: Any) -> Iterator[Any]:
    for _, step in pipeline.steps[:-1]:
        if step is not None and step != "passthrough":
            yield step


def _needs_no_data(step: Any) -> bool:
    """Return whether a transformer gives the same result whatever it was fitted to."""
    if _is_shape_only(step):
        return True
    if not hasattr(step, "transform"):
        return False
    try:
        from sklearn.utils import get_tags

        return not get_tags(step).requires_fit
    except (ImportError, AttributeError, TypeError):  # scikit-learn before 1.6, or no estimator of scikit-learn
        return type(step).__name__ in _STATELESS


def _is_shape_only(step: Any) -> bool:
    return type(step).__name__ in _SHAPE_ONLY and type(step).__module__.startswith("sklearn.")


def _refused(pipeline: Any, name: str, step: Any, needed: str) -> ParameterError:
    return ParameterError(
        "estimator",
        "SklearnLearner",
        f"a pipeline whose steps learn from a stream: the step {name!r} ({type(step).__name__}) must have {needed}."
        " Transformers with partial_fit: StandardScaler, MinMaxScaler, MaxAbsScaler, IncrementalPCA and others; missing"
        " values are imputed and nominal features encoded before the first step. Use another pipeline",
        pipeline,
    )
