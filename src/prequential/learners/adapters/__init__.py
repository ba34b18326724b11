"""Adapters that turn models of other libraries, and plain Python objects, into learners."""

from __future__ import annotations

import inspect

from prequential.errors import InputError, PrequentialError
from prequential.learners.adapters.capymoa import CapymoaLearner
from prequential.learners.adapters.plain import plain_learner
from prequential.learners.adapters.river import RiverLearner
from prequential.learners.adapters.sklearn import SklearnLearner
from prequential.learners.catalogue import by_name
from prequential.learners.contract import Learner

__all__ = ["as_learner"]


def as_learner(obj: object) -> Learner:
    """Return a learner for an object, a class or a name.

    ===========================  ==========================================================
    a `Learner`                  returned unchanged
    a name                       looked up among the reference learners
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
    """
    if isinstance(obj, Learner):
        return obj
    if isinstance(obj, str):
        return by_name(obj)
    try:
        return _adapted(obj)
    except PrequentialError:
        raise
    except (Exception, SystemExit) as error:  # from the user's code: a constructor, a copy
        name = obj.__name__ if isinstance(obj, type) else type(obj).__name__
        raise InputError(f"{name} cannot be made a learner: {type(error).__name__}: {error}.") from error


def _adapted(obj: object) -> Learner:
    """Return the learner of the library that an object or a class comes from."""
    cls = obj if isinstance(obj, type) else type(obj)
    ancestors = {(ancestor.__module__, ancestor.__name__) for ancestor in cls.__mro__}
    if any(module == "capymoa.base" or module.startswith("capymoa.base.") for module, _ in ancestors):
        return CapymoaLearner(obj)
    if isinstance(obj, type):
        return as_learner(_instance(obj))
    if ("river.base.base", "Base") in ancestors:
        return RiverLearner(obj)
    if any(module == "sklearn.base" for module, _ in ancestors):
        return SklearnLearner(obj)
    return plain_learner(obj)


def _instance(cls: type) -> object:
    """Return an object of a class that needs no arguments."""
    try:
        required = [
            name
            for name, parameter in inspect.signature(cls).parameters.items()
            if parameter.default is parameter.empty
            and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        ]
    except ValueError:  # a compiled class without a signature: try
        required = []
    if required:
        raise InputError(
            f"{cls.__name__} is a class that needs arguments ({', '.join(required)}): give an object,"
            f" {cls.__name__}({', '.join(f'{name}=…' for name in required)})."
        )
    instance: object = cls()
    return instance
