"""scikit-learn's estimators with ``partial_fit``, and others of that shape."""

from __future__ import annotations

import copy
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from prequential.errors import InputError, LearnerError, ParameterError, checked_whole, listing
from prequential.learners.adapters.memory import deep_size
from prequential.learners.adapters.named import takes
from prequential.learners.adapters.one_hot import OneHot
from prequential.learners.adapters.parameters import as_json
from prequential.learners.contract import Clock, Learner
from prequential.streams.chunk import UNLABELLED
from prequential.streams.schema import Schema
from prequential.types import FloatArray, IntArray


class SklearnLearner(Learner):
    """A classifier or regressor with ``partial_fit`` and ``predict``.

    - The estimator is cloned, so yours is never trained. Every ``random_state`` that is None is set to the seed of the
      run; one that you set stays.
    - Labels are class codes. All classes known at the first fit are declared to the estimator; scikit-learn takes none
      after it, so a class that appears later is refused: declare the classes of an open stream beforehand.
    - Scores are ``predict_proba``; without it (hinge loss, perceptron) the label of ``predict`` scores 1, because
      margins are not scores. Before its first fit the learner abstains, and so it does where a probability is
      NaN (naive Bayes, until each class has shown some variance; a larger ``batch`` helps).
    - A missing value (NaN) goes to the estimator as it is; most raise an error, which fails the run.
    - A weight other than 1 is given as ``sample_weight`` where ``partial_fit`` has it, else it is refused.

    Parameters
    ----------
    estimator
        The estimator, trained or not. A scikit-learn ``Pipeline`` has no ``partial_fit``.
    batch
        Labelled records that are gathered before each ``partial_fit``. Every record is predicted by the model as it is
        when the record comes. The result does not depend on how the stream is cut into chunks; records
        gathered at its end and fewer than ``batch`` are not learned.
    nominal
        ``"one_hot"``: a column of 0 and 1 for every value known at the first fit, all 0 where the value is missing or
        newer than that. ``"codes"``: the codes as numbers.

    Examples
    --------
    >>> from sklearn.linear_model import SGDClassifier
    >>> learner = SklearnLearner(SGDClassifier()).fresh(Schema.numeric(1, ["no", "yes"]), seed=1)
    >>> learner.test_then_train(np.array([[1.0], [1.0]]), np.array([1, 1]))
    array([[0., 0.],
           [0., 1.]])
    """

    def __init__(self, estimator: Any, *, batch: int = 1, nominal: str = "one_hot") -> None:
        if nominal not in ("one_hot", "codes"):
            raise ParameterError("nominal", "SklearnLearner", "'one_hot' or 'codes'", nominal)
        if not (hasattr(estimator, "partial_fit") and hasattr(estimator, "predict")):
            raise ParameterError("estimator", "SklearnLearner", "an object with partial_fit and predict", estimator)
        self.estimator = _untrained(estimator)
        self.batch = checked_whole(batch, "batch", "SklearnLearner", least=1)
        self.nominal = nominal
        self._fitted_classes: int | None = None
        self._columns: OneHot | None = None
        self._waiting: list[tuple[FloatArray, float, float]] = []

    def fresh(self, schema: Schema, seed: int) -> Self:
        """Return an untrained learner with the same parameters, for records of this schema."""
        kind = _kind(self.estimator)
        if kind is not None and (kind == "classifier") != (schema.task == "classification"):
            raise InputError(f"{type(self.estimator).__name__} is a {kind}, and the stream is for {schema.task}.")
        learner = copy.copy(self)
        learner.estimator = _untrained(self.estimator, seed)
        learner.schema = schema
        learner.clock = Clock()
        learner._fitted_classes = None
        learner._columns = None
        learner._waiting = []
        return learner

    def extend(self, schema: Schema) -> None:
        """Take note of new classes and nominal values; classes that come after the first fit are refused."""
        known = self._fitted_classes
        if known is not None and schema.n_classes > known:
            classes = schema.classes or ()
            raise LearnerError(
                f"{type(self.estimator).__name__} was told all its classes at its first partial_fit"
                f" ({listing(map(repr, classes[:known]))}), and {classes[known]!r} has appeared since. scikit-learn"
                " takes no class after the first fit: declare all classes of the stream beforehand."
            )
        self.schema = schema

    def scores(self, X: FloatArray) -> FloatArray:
        """Return probabilities, 1 for the predicted label, or the predicted number."""
        regression = self.schema.classes is None
        out = np.full((len(X), 1), np.nan) if regression else np.zeros((len(X), self.schema.n_classes))
        if self._columns is None or not len(X):
            return out
        inputs = self._columns(X)
        # A score that is not finite is an abstention, which the run counts: numpy need not warn of it as well.
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
        """Gather labelled records in order, and fit whenever there are ``batch`` of them."""
        known = ~np.isnan(y) if self.schema.classes is None else y != UNLABELLED
        for i in np.flatnonzero(known if w is None else known & (w != 0)):
            self._waiting.append((X[i].copy(), y[i].item(), 1.0 if w is None else float(w[i])))
            if len(self._waiting) == self.batch:
                gathered, self._waiting = self._waiting, []
                self._fit(gathered)

    def takes_weight(self) -> bool:
        """Return whether ``partial_fit`` takes ``sample_weight``."""
        return takes(self.estimator.partial_fit, "sample_weight")

    def _fit(self, gathered: list[tuple[FloatArray, float, float]]) -> None:
        rows, labels, weights = zip(*gathered, strict=True)
        options: dict[str, object] = {}
        if any(weight != 1 for weight in weights):
            if not self.takes_weight():
                raise LearnerError(
                    f"partial_fit of {type(self.estimator).__name__} takes no sample_weight, and a record has weight"
                    f" {next(weight for weight in weights if weight != 1):g}."
                )
            options["sample_weight"] = np.array(weights)
        columns = self._columns or OneHot(self.schema if self.nominal == "one_hot" else None)
        regression = self.schema.classes is None
        if not regression and self._fitted_classes is None and takes(self.estimator.partial_fit, "classes"):
            options["classes"] = np.arange(self.schema.n_classes)
        y = np.array(labels, dtype=np.float64 if regression else np.int64)
        self.estimator.partial_fit(columns(np.array(rows)), y, **options)
        if "classes" in options:
            self._fitted_classes = self.schema.n_classes
        self._columns = columns

    @property
    def nbytes(self) -> int:
        """Bytes of the estimator and of the records gathered."""
        return deep_size([self.estimator, self._waiting])

    def describe(self) -> dict[str, object]:
        """Return the estimator's name and parameters, and how it is fed."""
        library = type(self.estimator).__module__.partition(".")[0]
        if library == "sklearn":
            import sklearn

            library = f"scikit-learn {sklearn.__version__}"
        parameters = self.estimator.get_params() if hasattr(self.estimator, "get_params") else {}
        return {
            "learner": type(self.estimator).__name__,
            "library": library,
            "parameters": as_json(parameters),
            "batch": self.batch,
            "nominal": self.nominal,
        }


def _from_sklearn(estimator: object) -> bool:
    """Return whether scikit-learn made the class, or it derives from one that scikit-learn made."""
    return any(cls.__module__ == "sklearn.base" for cls in type(estimator).__mro__)


def _kind(estimator: Any) -> str | None:
    """Return "classifier" or "regressor" as scikit-learn tells, or None for an object that does not say."""
    if not _from_sklearn(estimator):
        return None
    from sklearn.base import is_classifier, is_regressor

    return "classifier" if is_classifier(estimator) else "regressor" if is_regressor(estimator) else None


def _untrained(estimator: Any, seed: int | None = None) -> Any:
    """Return a clone, with its open random states set if there is a seed; a deep copy of what is not scikit-learn's."""
    if not _from_sklearn(estimator):
        return copy.deepcopy(estimator)
    from sklearn.base import clone

    cloned = clone(estimator)
    if seed is not None:
        states = {name: value for name, value in cloned.get_params().items() if name.split("__")[-1] == "random_state"}
        cloned.set_params(**{name: seed for name, value in states.items() if value is None})
    return cloned
