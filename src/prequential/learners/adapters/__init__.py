"""Adapters that turn models of other libraries, and plain Python objects, into learners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from prequential.arguments import checked_call
from prequential.errors import InputError, PrequentialError
from prequential.learners.adapters.capymoa import CapymoaLearner
from prequential.learners.adapters.plain import plain_learner
from prequential.learners.adapters.river import RiverLearner
from prequential.learners.adapters.sklearn import SklearnLearner
from prequential.learners.catalogue import LEARNERS
from prequential.learners.contract import Learner
from prequential.textual import register_look_up
from prequential.textual.call import instance

__all__ = ["LearnerLike", "LearnersLike", "as_learner"]


class _LearnsRecords(Protocol):
    """A model of River, or a plain object."""

    def learn_one(self, x: Any, y: Any, /) -> Any: ...


class _LearnsBatches(Protocol):
    """An estimator of scikit-learn, or a plain object."""

    def partial_fit(self, X: Any, y: Any, /) -> Any: ...


class _LearnsInstances(Protocol):
    """A learner of CapyMOA."""

    def train(self, instance: Any, /) -> Any: ...


class _LearnsChunks(Protocol):
    """The methods of `Learner` without its base class."""

    def learn(self, X: Any, y: Any, /) -> Any: ...


LearnerLike: TypeAlias = (
    Learner | str | Mapping[str, Any] | type | _LearnsRecords | _LearnsBatches | _LearnsInstances | _LearnsChunks
)
"""What is accepted as a learner: a `Learner`, a name, a table, a class, a model of River, scikit-learn or CapyMOA."""
LearnersLike: TypeAlias = LearnerLike | Sequence[LearnerLike] | Mapping[str, LearnerLike]
"""One learner, a list, or a mapping from names to learners."""


@checked_call
def as_learner(obj: LearnerLike) -> Learner:
    """Return a learner for an object, a class or a name.

    ===========================  ==========================================================
    a `Learner`                  returned unchanged
    text                         a reference learner: ``naive_bayes``, ``NaiveBayes``, ``knn:n_neighbors=5``
    a mapping                    a reference learner: ``{"type": "knn", "n_neighbors": 5}``
    a class                      instantiated, if it needs no arguments
    of River                     `RiverLearner`
    of CapyMOA, object or class  `CapymoaLearner`
    of scikit-learn              `SklearnLearner`
    any other object             `plain_learner`, by its methods
    ===========================  ==========================================================

    A library is imported only if the object comes from it.

    Raises
    ------
    InputError
        If the object is none of these; the message lists the methods that are needed.

    Examples
    --------
    >>> as_learner("online_bagging:base=(majority_class:window_size=50),n_models=3")
    OnlineBagging(base=MajorityClass(window_size=50), n_models=3)
    """
    if isinstance(obj, Learner):
        return obj
    if isinstance(obj, str):
        return LEARNERS.of_text(obj)
    if isinstance(obj, Mapping):
        return LEARNERS.of_table(obj)
    try:
        return _adapted(obj)
    except PrequentialError:
        raise
    except (Exception, SystemExit) as error:  # from the user's code: a constructor, a copy
        name = obj.__name__ if isinstance(obj, type) else type(obj).__name__
        raise InputError(f"{name} cannot be used as a learner: {type(error).__name__}: {error}.") from error


def _adapted(obj: object) -> Learner:
    """Return the learner of the library that an object or a class comes from."""
    cls = obj if isinstance(obj, type) else type(obj)
    ancestors = {(ancestor.__module__, ancestor.__name__) for ancestor in cls.__mro__}
    if any(module == "capymoa.base" or module.startswith("capymoa.base.") for module, _ in ancestors):
        return CapymoaLearner(obj)
    if isinstance(obj, type):
        return as_learner(instance(obj))
    if ("river.base.base", "Base") in ancestors:
        return RiverLearner(obj)
    if any(module == "sklearn.base" for module, _ in ancestors):
        return SklearnLearner(obj)
    return plain_learner(obj)


register_look_up(Learner, as_learner)
