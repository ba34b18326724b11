"""A native learner as a classifier of scikit-learn. Imported only by ``to_sklearn``: it needs scikit-learn."""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, validate_data

from prequential.errors import InputError, ParameterError
from prequential.learners.contract import Learner
from prequential.learners.naming import learner_seeds
from prequential.learners.record_coder import RecordCoder
from prequential.parameters import HasParameters
from prequential.streams.readers.inference import is_nominal
from prequential.streams.readers.table import as_arrow
from prequential.streams.schema import Feature, Schema
from prequential.types import FloatArray, IntArray
from prequential.wording import listing

if TYPE_CHECKING:
    from prequential.learners.native import NativeLearner

_BLOCK = 4096
"""Rows of a sparse matrix that are made dense at a time."""


class SklearnClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A native learner as a classifier of scikit-learn: in pipelines, grid searches and ``cross_val_score``.

    - Records are learned in the order of their rows: ``fit`` and calls of ``partial_fit`` on parts of the same rows
      give the same model. It equals that of ``evaluate`` on the same records and with ``seed=random_state``.
    - NaN is a missing value. Sparse matrices are accepted and made dense in parts.
    - Text, booleans and categories in a data frame are nominal features. New values may appear later.
    - A record on which the learner abstains gets the same probability for every class, and the first class.

    Parameters
    ----------
    learner
        The learner, untrained. Its parameters are ``learner__NAME`` in ``set_params`` and in a grid search.
    random_state
        Seed of the learner's draws; None or a ``RandomState`` as in scikit-learn.

    Attributes
    ----------
    classes_
        The class labels, sorted.
    n_features_in_, feature_names_in_
        The number of features, and their names if a data frame was given.

    Examples
    --------
    >>> from prequential.learners import NaiveBayes
    >>> model = NaiveBayes().to_sklearn().fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "high", "high"])
    >>> model.predict([[1.5], [8.5]]).tolist()
    ['low', 'high']
    """

    classes_: npt.NDArray[Any]

    def __init__(self, learner: NativeLearner, *, random_state: Any = None) -> None:
        self.learner = learner
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget everything, then learn the records in order."""
        if sample_weight is not None and not np.asarray(sample_weight).any():
            raise ParameterError("sample_weight", "fit", "weights that are not all zero", sample_weight)
        return self._fit(X, y, None, sample_weight, first=True)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more records in order.

        Parameters
        ----------
        X, y
            The features and labels.
        classes
            All classes; needed at the first call, as in scikit-learn.
        sample_weight
            The weights of the records.
        """
        first = not hasattr(self, "classes_")
        if first and classes is None:
            raise ParameterError("classes", "partial_fit", "a list of all classes at the first call", None)
        return self._fit(X, y, classes, sample_weight, first=first)

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each class, in the order of ``classes_``."""
        scores = self._scores(X)
        total = scores.sum(axis=1, keepdims=True)
        return np.where(total > 0, scores / np.where(total > 0, total, 1.0), 1 / len(self.classes_))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class with the highest score, the first in a tie."""
        codes = self._scores(X).argmax(axis=1)
        predicted: npt.NDArray[Any] = self.classes_[codes]
        return predicted

    def _fit(self, X: Any, y: Any, classes: Any, sample_weight: Any, *, first: bool) -> Self:
        rows, y, coder = self._records_to_learn(X, y, first=first)
        check_classification_targets(y)
        known: npt.NDArray[Any] = unique_labels(y if classes is None else classes) if first else self.classes_
        if not first and classes is not None and not np.array_equal(known, unique_labels(classes)):
            raise ParameterError("classes", "partial_fit", f"those of the first call, {listing(known)}", classes)
        codes, weights = _codes(y, known), _weights(sample_weight, len(y))
        if first:
            self._bound = self._fresh(coder, known)
            self._coder, self.classes_ = coder, known
        elif coder is not None and coder.grown:
            self._bound.extend(coder.schema.with_classes(known.tolist()))
        for part, block in _blocks(rows):
            self._bound.learn(block, codes[part], None if weights is None else weights[part])
        return self

    def _records_to_learn(self, X: Any, y: Any, *, first: bool) -> tuple[Any, npt.NDArray[Any], RecordCoder | None]:
        """Return the rows and labels, and what gives the rows of a data frame with nominal features their codes."""
        coder = None if first else self._coder
        if first and _has_nominal(X):
            coder = RecordCoder(Schema((), ()), type(self.learner).__name__, sort=False)
        if coder is None:
            rows, y = validate_data(self, X, y, reset=first, **_CHECKS)
            return rows, y, None
        validate_data(self, X, reset=first, skip_check_array=True)
        y = column_or_1d(y, warn=True)
        check_consistent_length(X, y)
        return coder.matrix(X, learn=True), y, coder

    def _fresh(self, coder: RecordCoder | None, classes: npt.NDArray[Any]) -> NativeLearner:
        learner = self.learner
        if not all(isinstance(learner, kind) for kind in (Learner, HasParameters)):
            raise ParameterError("learner", "SklearnClassifier", "a native learner", learner)
        names = getattr(self, "feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)])
        features = tuple(Feature(str(name)) for name in names) if coder is None else coder.schema.features
        seed = self.random_state
        if not isinstance(seed, numbers.Integral):
            seed = check_random_state(seed).randint(np.iinfo(np.int32).max)
        return learner.fresh(Schema(features, tuple(classes.tolist())), learner_seeds([learner], int(seed))[0])

    def _scores(self, X: Any) -> FloatArray:
        check_is_fitted(self)
        if self._coder is None:
            rows = validate_data(self, X, reset=False, **_CHECKS)
        else:
            validate_data(self, X, reset=False, skip_check_array=True)
            rows = self._coder.matrix(X)
        return np.concatenate([self._bound.scores(block) for _, block in _blocks(rows)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


_CHECKS = {"dtype": np.float64, "order": "C", "accept_sparse": "csr", "ensure_all_finite": "allow-nan"}
"""The options of ``validate_data`` for a matrix."""


def _has_nominal(X: Any) -> bool:
    """Return whether this is a data frame with text, booleans or categories."""
    if not hasattr(X, "columns"):
        return False
    try:
        return any(is_nominal(column.type) for column in as_arrow(X).columns)
    except (pa.ArrowException, InputError):  # scikit-learn explains what is wrong with it
        return False


def _blocks(rows: Any) -> Iterator[tuple[slice, FloatArray]]:
    """Yield a matrix as it is, or a sparse one in dense parts."""
    if isinstance(rows, np.ndarray):
        yield slice(None), rows
        return
    for start in range(0, rows.shape[0], _BLOCK):
        part = slice(start, start + _BLOCK)
        yield part, rows[part].toarray()


def _codes(y: npt.NDArray[Any], classes: npt.NDArray[Any]) -> IntArray:
    codes = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    unknown = np.flatnonzero(classes[codes] != y)
    if len(unknown):
        raise ParameterError("y", "partial_fit", f"labels among the classes {listing(classes)}", y[unknown[0]])
    return codes.astype(np.int64)


def _weights(sample_weight: Any, n: int) -> FloatArray | None:
    if sample_weight is None:
        return None
    return np.ascontiguousarray(np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), n))
