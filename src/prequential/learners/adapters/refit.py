"""A batch model in a stream: an estimator that only has ``fit``, refitted on the latest records again and again."""

from __future__ import annotations

import threading
from collections import deque
from typing import Any, Self

import numpy as np

from prequential.arguments import checked_call, checked_whole
from prequential.errors import LearnerError, ParameterError
from prequential.learners.adapters.imputation import Imputation
from prequential.learners.adapters.memory import deep_size
from prequential.learners.adapters.named import takes
from prequential.learners.adapters.one_hot import OneHot
from prequential.learners.adapters.sklearn import SklearnLearner, untrained
from prequential.learners.adapters.sklearn_pipeline import is_pipeline, last_step
from prequential.learners.contract import labelled
from prequential.saved import pickled
from prequential.stopping import learner_faults
from prequential.streams.schema import Schema
from prequential.types import FloatArray, Labels


@checked_call
class Refit(SklearnLearner):
    """Refit a batch estimator: after every ``every`` labelled records it is fitted to the last ``window`` of them.

    It is the baseline of everyone who has a model that learns from a table: decision trees, boosting, pipelines,
    anything with ``fit`` and ``predict``. Each fit begins with an untrained clone, with the same seed. Between two fits
    the model does not change; before the first one the learner abstains. The fit runs on its own thread until the next
    prediction needs it, so it never changes a result.

    Scores, weights and the clone are as in `SklearnLearner`. Missing values are replaced by the mean of their column in
    the window (nominal: by the most frequent value). Classes and nominal values that appear later are known from the
    next fit on. If a window has labels of one class only, that class is predicted, because most estimators refuse it.

    Parameters
    ----------
    estimator
        An object with ``fit`` and ``predict``: a classifier, a regressor or a pipeline.
    window
        Number of labelled records that it is fitted to; fewer at the start.
    every
        Number of labelled records between two fits; by default ``window``.
    nominal, missing
        As in `SklearnLearner`.

    Examples
    --------
    >>> import prequential as pq
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = pq.learners.Refit(DecisionTreeClassifier(max_depth=4), window=1000, every=250)
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, tree, metrics="accuracy", forgetting="cumulative", every=1000)
    >>> run.to_arrow()["value"].to_pylist()
    [0.63, 0.7455]
    """

    def __init__(
        self,
        estimator: Any,
        *,
        window: int = 1000,
        every: int | None = None,
        nominal: str = "one_hot",
        missing: str | None = None,
    ) -> None:
        if isinstance(estimator, type) or not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
            hint = " Pass an object, not the class" if isinstance(estimator, type) else ""
            raise ParameterError("estimator", "Refit", f"an object with fit and predict.{hint}".rstrip("."), estimator)
        self.window = checked_whole(window, "window", "Refit", least=1)
        self.every = self.window if every is None else checked_whole(every, "every", "Refit", least=1)
        self._begin(estimator, batch=1, nominal=nominal, missing=missing)
        self._forget()

    def _forget(self) -> None:
        self._kept: deque[tuple[FloatArray, float, float]] = deque(maxlen=self.window)
        self._n_learned = 0
        self._blank = self.estimator
        self._only: int | None = None
        self._fitting: threading.Thread | None = None
        self._fault: BaseException | None = None

    def fresh(self, schema: Schema, seed: int) -> Self:
        """Return an untrained learner with the same parameters, for records of this schema."""
        learner = super().fresh(schema, seed)
        learner._forget()
        learner._blank = learner.estimator
        return learner

    def extend(self, schema: Schema) -> None:
        """Adopt new classes and nominal values, which the next fit knows."""
        self._settle()
        self.schema = schema

    def scores(self, X: FloatArray) -> FloatArray:
        """Return probabilities, 1 for the predicted label, or the predicted number."""
        self._settle()
        if self._only is None:
            return super().scores(X)
        out = np.zeros((len(X), self.schema.n_classes))
        out[:, self._only] = 1.0
        return out

    def learn(self, X: FloatArray, y: Labels, w: FloatArray | None = None) -> None:
        """Keep labelled records in order, and begin a fit whenever ``every`` of them have come."""
        known = labelled(y, self.schema)
        for i in np.flatnonzero(known if w is None else known & (w != 0)):
            self._kept.append((X[i].copy(), y[i].item(), 1.0 if w is None else float(w[i])))
            self._n_learned += 1
            if self._n_learned % self.every == 0:
                self._settle()
                self._begin_fit()

    def takes_weight(self) -> bool:
        """Return whether ``fit`` takes ``sample_weight``."""
        return takes(last_step(self.estimator).fit, "sample_weight")

    def _begin_fit(self) -> None:
        """Begin a fit of the window on a thread of its own."""
        rows, labels, weights = map(np.array, zip(*self._kept, strict=True))
        options: dict[str, object] = {}
        if (weights != 1).any():
            if not self.takes_weight():
                name = type(last_step(self.estimator)).__name__
                raise LearnerError(
                    f"fit of {name} takes no sample_weight, and a record has weight {weights[weights != 1][0]:g}."
                )
            prefix = f"{self.estimator.steps[-1][0]}__" if is_pipeline(self.estimator) else ""
            options[f"{prefix}sample_weight"] = weights
        if self.schema.classes is not None:
            labels = labels.astype(np.int64)
            self._only = int(labels[0]) if (labels == labels[0]).all() else None
            if self._only is not None:
                return
        if self.missing == "mean":
            self._imputation = Imputation(self.schema.cardinalities)
            for row in rows:
                self._imputation.learn(row)
        self._columns = OneHot(self.schema if self.nominal == "one_hot" else None)
        inputs = self._columns(self._imputed(rows))
        self.estimator = untrained(self._blank)

        def fit() -> None:
            try:
                self.estimator.fit(inputs, labels, **options)
            except learner_faults() as error:
                self._fault = error

        self._fitting = threading.Thread(target=fit, name="prequential-refit", daemon=True)
        self._fitting.start()

    def _settle(self) -> None:
        """Wait for the fit in progress; raise its error."""
        if self._fitting is not None:
            self._fitting.join()
            self._fitting = None
        if self._fault is not None:
            fault, self._fault = self._fault, None
            raise fault

    @property
    def nbytes(self) -> int:
        """Memory of the estimator and of the window, in bytes."""
        self._settle()
        return deep_size([self.estimator, list(self._kept)])

    def to_bytes(self) -> bytes:
        """Return the learned state, pickled."""
        self._settle()
        return pickled(vars(self), str(self.describe()["learner"]))

    def describe(self) -> dict[str, object]:
        """Return the name and parameters of the estimator, and the window."""
        described = {name: value for name, value in super().describe().items() if name != "batch"}
        return {**described, "learner": f"Refit({described['learner']})", "window": self.window, "every": self.every}
