"""Adapter for scikit-learn's estimators with ``partial_fit``, and for objects with the same methods."""

from __future__ import annotations

import copy
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from prequential.arguments import check_choice, checked_call, checked_whole
from prequential.errors import InputError, LearnerError, ParameterError
from prequential.learners.adapters.imputation import Imputation
from prequential.learners.adapters.memory import deep_size
from prequential.learners.adapters.named import takes
from prequential.learners.adapters.one_hot import OneHot
from prequential.learners.adapters.parameters import as_json
from prequential.learners.adapters.sklearn_pipeline import check_pipeline, is_pipeline, last_step, partial_fit
from prequential.learners.contract import Clock, Learner, labelled
from prequential.streams.schema import Schema
from prequential.types import FloatArray, IntArray
from prequential.wording import listing


@checked_call
class SklearnLearner(Learner):
    """A classifier or regressor with ``partial_fit`` and ``predict``.

    - The estimator is cloned, so the original is never trained. Every unset ``random_state`` (None) is set to the
      seed of the run; one that you set is kept.
    - Labels are class codes. All classes known at the first fit are declared to the estimator. scikit-learn accepts no
      class after that, so a class that appears later is refused: declare the classes of an open stream beforehand.
    - Scores are ``predict_proba``. Without it (hinge loss, perceptron) the label of ``predict`` scores 1, because
      margins are not scores. The learner abstains before its first fit and where a probability is NaN (naive Bayes,
      until each class has some variance; a larger ``batch`` helps).
    - A missing value (NaN) is replaced by the mean of its column over the records learned so far, in a nominal column
      by the most frequent value; ``missing="pass"`` passes it on unchanged, and most estimators then raise an error,
      which fails the learner. For an object that is not scikit-learn's, or declares that it takes NaN, "pass" is the
      default.
    - In a ``Pipeline``, transformers with ``partial_fit`` learn each record before the next step does, without its
      weight; those that need no fit are applied. A step that must be fitted to all data is refused.
    - A weight other than 1 is passed as ``sample_weight`` if ``partial_fit`` has this parameter, otherwise it is
      refused.

    Parameters
    ----------
    estimator
        The estimator, trained or not: with ``partial_fit``, or a ``Pipeline`` whose steps can learn from a stream.
    batch
        Labelled records collected before each ``partial_fit``. Every record is predicted by the current model when it
        arrives. The result does not depend on how the stream is cut into chunks. Records collected at the end of the
        stream are not learned if there are fewer than ``batch``.
    nominal
        ``"one_hot"``: one column of 0 and 1 per value known at the first fit, all 0 if the value is missing or newer.
        ``"codes"``: the codes as numbers.
    missing
        ``"mean"`` or ``"pass"``: what is done with missing values, see above.

    Examples
    --------
    >>> from sklearn.linear_model import SGDClassifier
    >>> learner = SklearnLearner(SGDClassifier()).fresh(Schema.numeric(1, ["no", "yes"]), seed=1)
    >>> learner.test_then_train(np.array([[1.0], [1.0]]), np.array([1, 1]))
    array([[0., 0.],
           [0., 1.]])
    """

    def __init__(self, estimator: Any, *, batch: int = 1, nominal: str = "one_hot", missing: str | None = None) -> None:
        if is_pipeline(estimator):
            check_pipeline(estimator)
        elif not (hasattr(estimator, "partial_fit") and hasattr(estimator, "predict")):
            needed = "an object with partial_fit and predict"
            if hasattr(estimator, "fit") and hasattr(estimator, "predict"):
                needed += " (one that only has fit: pq.learners.Refit(estimator, window=1000))"
            raise ParameterError("estimator", "SklearnLearner", needed, estimator)
        self._begin(estimator, batch=batch, nominal=nominal, missing=missing)

    def _begin(self, estimator: Any, *, batch: int, nominal: str, missing: str | None) -> None:
        """Set the parameters of an untrained learner."""
        caller = type(self).__name__
        check_choice(nominal, "nominal", caller, ("one_hot", "codes"))
        if missing is not None:
            check_choice(missing, "missing", caller, ("mean", "pass"))
        self.estimator = untrained(estimator)
        self.batch = checked_whole(batch, "batch", "SklearnLearner", least=1)
        self.nominal = nominal
        self.missing = missing or ("pass" if _takes_nan(estimator) else "mean")
        self._imputation: Imputation | None = None
        self._fitted_classes: int | None = None
        self._columns: OneHot | None = None
        self._waiting: list[tuple[FloatArray, float, float]] = []

    def fresh(self, schema: Schema, seed: int) -> Self:
        """Return an untrained learner with the same parameters, for records of this schema."""
        kind = _kind(self.estimator)
        if kind is not None and (kind == "classifier") != (schema.task == "classification"):
            raise InputError(f"{type(self.estimator).__name__} is a {kind}, but the stream is for {schema.task}.")
        learner = copy.copy(self)
        learner.estimator = untrained(self.estimator, seed)
        learner.schema = schema
        learner.clock = Clock()
        learner._fitted_classes = None
        learner._columns = None
        learner._imputation = Imputation(schema.cardinalities) if self.missing == "mean" else None
        learner._waiting = []
        return learner

    def extend(self, schema: Schema) -> None:
        """Adopt new classes and nominal values; classes that appear after the first fit are refused."""
        known = self._fitted_classes
        if known is not None and schema.n_classes > known:
            classes = schema.classes or ()
            raise LearnerError(
                f"The class {classes[known]!r} has appeared after the first partial_fit of"
                f" {type(self.estimator).__name__}, which knows {listing(map(repr, classes[:known]))}. scikit-learn"
                " accepts no class after the first fit: declare all classes of the stream beforehand."
            )
        self.schema = schema

    def scores(self, X: FloatArray) -> FloatArray:
        """Return probabilities, 1 for the predicted label, or the predicted number."""
        regression = self.schema.classes is None
        out = np.full((len(X), 1), np.nan) if regression else np.zeros((len(X), self.schema.n_classes))
        if self._columns is None or not len(X):
            return out
        inputs = self._columns(self._imputed(X))
        # A score that is not finite is an abstention, which the run counts: a warning of numpy adds nothing.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            if regression:
                out[:, 0] = self.estimator.predict(inputs)
            elif hasattr(self.estimator, "predict_proba"):
                shares = np.asarray(self.estimator.predict_proba(inputs))
                out[:, self._codes(shares.shape[1])] = shares
            else:
                out[np.arange(len(X)), np.asarray(self.estimator.predict(inputs), dtype=np.intp)] = 1.0
        return out

    def _codes(self, n_columns: int) -> npt.NDArray[np.intp]:
        """Return the class code of every column of ``predict_proba``."""
        return np.asarray(getattr(self.estimator, "classes_", np.arange(n_columns)), dtype=np.intp)

    def learn(self, X: FloatArray, y: IntArray | FloatArray, w: FloatArray | None = None) -> None:
        """Collect labelled records in order, and fit whenever there are ``batch`` of them."""
        known = labelled(y, self.schema)
        for i in np.flatnonzero(known if w is None else known & (w != 0)):
            if self._imputation is not None:
                self._imputation.learn(X[i])
            self._waiting.append((X[i].copy(), y[i].item(), 1.0 if w is None else float(w[i])))
            if len(self._waiting) == self.batch:
                records, self._waiting = self._waiting, []
                self._fit(records)

    def takes_weight(self) -> bool:
        """Return whether ``partial_fit`` takes ``sample_weight``."""
        return takes(last_step(self.estimator).partial_fit, "sample_weight")

    def _imputed(self, X: FloatArray) -> FloatArray:
        return X if self._imputation is None else self._imputation(X)

    def _fit(self, records: list[tuple[FloatArray, float, float]]) -> None:
        rows, labels, weights = zip(*records, strict=True)
        options: dict[str, object] = {}
        if any(weight != 1 for weight in weights):
            if not self.takes_weight():
                name = type(last_step(self.estimator)).__name__
                raise LearnerError(
                    f"partial_fit of {name} takes no sample_weight, and a record has"
                    f" weight {next(weight for weight in weights if weight != 1):g}."
                )
            options["sample_weight"] = np.array(weights)
        columns = self._columns or OneHot(self.schema if self.nominal == "one_hot" else None)
        regression = self.schema.classes is None
        if not regression and self._fitted_classes is None and takes(last_step(self.estimator).partial_fit, "classes"):
            options["classes"] = np.arange(self.schema.n_classes)
        y = np.array(labels, dtype=np.float64 if regression else np.int64)
        inputs = columns(self._imputed(np.array(rows)))
        if is_pipeline(self.estimator):
            partial_fit(self.estimator, inputs, y, **options)
        else:
            self.estimator.partial_fit(inputs, y, **options)
        if "classes" in options:
            self._fitted_classes = self.schema.n_classes
        self._columns = columns

    @property
    def nbytes(self) -> int:
        """Memory of the estimator and of the records collected, in bytes."""
        return deep_size([self.estimator, self._waiting])

    def describe(self) -> dict[str, object]:
        """Return the name and parameters of the estimator and the options of this adapter."""
        library = type(self.estimator).__module__.partition(".")[0]
        if library == "sklearn":
            import sklearn

            library = f"scikit-learn {sklearn.__version__}"
        parameters = self.estimator.get_params() if hasattr(self.estimator, "get_params") else {}
        return {
            "learner": _model_name(self.estimator),
            "library": library,
            "parameters": as_json(parameters),
            "batch": self.batch,
            "nominal": self.nominal,
            "missing": self.missing,
        }


def _from_sklearn(estimator: object) -> bool:
    """Return whether the class is scikit-learn's, or derives from one of scikit-learn's."""
    return any(cls.__module__ == "sklearn.base" for cls in type(estimator).__mro__)


def _model_name(estimator: Any) -> str:
    """Return the name of the class; of a pipeline, those of its steps."""
    steps = [step for _, step in estimator.steps] if is_pipeline(estimator) else [estimator]
    return " | ".join(step if isinstance(step, str) else type(step).__name__ for step in steps)


def _takes_nan(estimator: Any) -> bool:
    """Return whether missing values are left to the estimator: if it takes them, or is not scikit-learn's."""
    if not _from_sklearn(estimator):
        return True
    try:
        from sklearn.utils import get_tags

        return bool(get_tags(estimator).input_tags.allow_nan)
    except (ImportError, AttributeError, TypeError):  # scikit-learn before 1.6, or a class without tags
        return False


def _kind(estimator: Any) -> str | None:
    """Return "classifier" or "regressor" as scikit-learn reports it, or None if the object does not report it."""
    if not _from_sklearn(estimator):
        return None
    from sklearn.base import is_classifier, is_regressor

    return "classifier" if is_classifier(estimator) else "regressor" if is_regressor(estimator) else None


def untrained(estimator: Any, seed: int | None = None) -> Any:
    """Return a clone, with every random state of None set to the seed; a deep copy if it is not scikit-learn's."""
    if not _from_sklearn(estimator):
        return copy.deepcopy(estimator)
    from sklearn.base import clone

    cloned = clone(estimator)
    if seed is not None:
        states = {name: value for name, value in cloned.get_params().items() if name.split("__")[-1] == "random_state"}
        cloned.set_params(**{name: seed for name, value in states.items() if value is None})
    return cloned
