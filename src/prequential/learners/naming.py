"""Names and seeds of the learners of one run."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from typing import Any

from prequential.errors import ParameterError
from prequential.learners.adapters import LearnersLike, as_learner
from prequential.learners.contract import Learner

_LONGEST = 60
"""Number of characters of a name; longer parameters are left out."""


def named_learners(learners: LearnersLike, caller: str) -> dict[str, Learner]:
    """Return learners by name, from one learner, a list, or a mapping.

    A learner given as text has this text as its name, and an object its class and the parameters that are not at their
    defaults. A second learner of the same name is numbered.

    Examples
    --------
    >>> from prequential.learners import KNN
    >>> list(named_learners(["naive_bayes", KNN(), KNN(n_neighbors=5), KNN(n_neighbors=5)], "evaluate"))
    ['naive_bayes', 'KNN', 'KNN(n_neighbors=5)', 'KNN(n_neighbors=5)-2']
    """
    if isinstance(learners, Mapping):
        named = {str(name): as_learner(learner) for name, learner in learners.items()}
        if len(named) < len(learners):  # such as 1 and "1"
            raise ParameterError("learners", caller, "learners with different names", list(learners))
    else:
        named = {}
        several: list[Any] = list(learners) if isinstance(learners, list | tuple) else [learners]
        for item in several:
            name, k = _name(item), 2
            while name in named:
                name, k = f"{_name(item)}-{k}", k + 1
            named[name] = as_learner(item)
    if not named:
        raise ParameterError("learners", caller, "at least one learner", learners)
    return named


def learner_seeds(learners: Iterable[Learner], seed: int) -> list[int]:
    """Return the seed of each learner of a run, derived from the run's seed and the learner's type and parameters.

    The name of a learner, the other learners and their order do not change its draws. Learners that are identical get
    different seeds, in their order.

    Examples
    --------
    >>> from prequential.learners import KNN, RandomForest
    >>> (alone,) = learner_seeds([RandomForest()], 1)
    >>> _, first, second = learner_seeds([KNN(), RandomForest(), RandomForest()], 1)
    >>> first == alone, second == alone
    (True, False)
    """
    seen: Counter[str] = Counter()
    found = []
    for learner in learners:
        identity = json.dumps(_identity(learner), sort_keys=True, ensure_ascii=False, default=str)
        found.append(derived_seed(seed, identity, seen[identity]))
        seen[identity] += 1
    return found


def derived_seed(seed: int, *key: object) -> int:
    """Return a seed made of another one and a key: 31 bits, which every library accepts."""
    text = "\0".join(map(str, (seed, *key)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest()) >> 1


def _identity(learner: Learner) -> dict[str, Any]:
    """Return the type of a learner and its parameters; of a learner of this package, those that are not the default.

    Versions of libraries and the treatment of missing values are left out, so they do not change the draws. Neither
    does a new parameter.
    """
    found = {key: value for key, value in learner.describe().items() if key not in ("library", "missing")}
    if is_dataclass(learner):
        try:
            default = type(learner)().describe()
        except TypeError:  # a parameter without a default
            default = {}
        found = {key: value for key, value in found.items() if key == "learner" or value != default.get(key, ...)}
    base = getattr(learner, "base", None)
    if "base" in found and isinstance(base, Learner):
        found["base"] = _identity(base)
    return found


def _name(learner: object) -> str:
    if isinstance(learner, str):
        return learner
    if isinstance(learner, type):
        return learner.__name__
    if is_dataclass(learner) and isinstance(learner, Learner):
        return repr(learner).removesuffix("()")
    model: object = learner
    for wrapped in ("model", "estimator"):  # of an adapter
        model = getattr(learner, wrapped, model) if isinstance(learner, Learner) else model
    changed = ", ".join(f"{key}={value!r}" for key, value in _changed(model).items())
    name = f"{type(model).__name__}({changed})" if changed else type(model).__name__
    return name if len(name) <= _LONGEST else type(model).__name__


def _changed(model: object) -> dict[str, object]:
    """Return the parameters of an object of another library that are numbers or text and not at their defaults."""
    try:
        parameters = inspect.signature(type(model)).parameters
    except (TypeError, ValueError):
        return {}
    found: dict[str, object] = {}
    for name, parameter in parameters.items():
        value = getattr(model, name, parameter.default)
        if isinstance(value, bool | int | float | str) and value != parameter.default:
            found[name] = value
    return found
