"""The reference learners by name, for the command line and plans.

``naive_bayes``, ``majority_class:window=1000``, and with a learner as a parameter, in brackets where it has parameters
of its own: ``online_bagging:base=naive_bayes,size=25``, ``online_bagging:base=(sgd:loss=hinge,rate=0.1),size=25``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from prequential.errors import InputError, listing, suggestion
from prequential.learners.accuracy_updated_ensemble import AccuracyUpdatedEnsemble
from prequential.learners.adaptive_random_forest import AdaptiveRandomForest
from prequential.learners.adwin_bagging import AdwinBagging
from prequential.learners.contract import Learner
from prequential.learners.dynamic_weighted_majority import DynamicWeightedMajority
from prequential.learners.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from prequential.learners.hoeffding_tree import HoeffdingTree
from prequential.learners.knn import Knn
from prequential.learners.leveraging_bagging import LeveragingBagging
from prequential.learners.majority_class import MajorityClass
from prequential.learners.naive_bayes import NaiveBayes
from prequential.learners.no_change import NoChange
from prequential.learners.noise_filter import NoiseFilter
from prequential.learners.online_bagging import OnlineBagging
from prequential.learners.random_forest import RandomForest
from prequential.learners.sgd import Sgd
from prequential.learners.target import LastTarget, MeanTarget

CATALOGUE: dict[str, type[Learner]] = {
    "majority_class": MajorityClass,
    "naive_bayes": NaiveBayes,
    "no_change": NoChange,
    "sgd": Sgd,
    "knn": Knn,
    "hoeffding_tree": HoeffdingTree,
    "hoeffding_adaptive_tree": HoeffdingAdaptiveTree,
    "online_bagging": OnlineBagging,
    "random_forest": RandomForest,
    "adaptive_random_forest": AdaptiveRandomForest,
    "adwin_bagging": AdwinBagging,
    "leveraging_bagging": LeveragingBagging,
    "dynamic_weighted_majority": DynamicWeightedMajority,
    "accuracy_updated_ensemble": AccuracyUpdatedEnsemble,
    "noise_filter": NoiseFilter,
    "mean_target": MeanTarget,
    "last_target": LastTarget,
}


def register(name: str, cls: type[Learner]) -> None:
    """Add a learner whose parts lie in a higher layer, and which this file cannot import, to the catalogue.

    A parameter whose type this file does not know may be given as text where its type hint says so; the learner
    makes of it what it means. Such a value tells its textual form in its ``label``.
    """
    CATALOGUE[name] = cls


def by_name(text: str) -> Learner:
    """Make a learner from its name and, after a colon, parameters.

    Examples
    --------
    >>> by_name("majority_class:window=1000")
    MajorityClass(window=1000)
    >>> by_name("online_bagging:base=(majority_class:window=50),size=3")
    OnlineBagging(base=MajorityClass(window=50), size=3, mean=1.0)
    """
    return make(*parsed(text))


def parsed(text: str, what: str = "Learner") -> tuple[str, dict[str, Any]]:
    """Take ``name:key=value,key=value`` apart; ``what`` it names is said in errors."""
    name, _, rest = text.strip().partition(":")
    parameters: dict[str, Any] = {}
    for item in filter(None, _items(rest, f"{what} {text!r}")):
        key, sign, value = item.partition("=")
        key, value = key.strip(), value.strip()
        if not sign or not value:
            raise InputError(f"{what} {text!r}: {item!r} is not a parameter. Accepted: {name}:KEY=VALUE,KEY=VALUE.")
        if ":" in value and not value.startswith("("):
            raise InputError(
                f"{what} {text!r}: what has parameters of its own goes into brackets: {key}=({value},…). "
                "Whose would those after it be?"
            )
        if key in parameters:
            raise InputError(f"{what} {text!r}: {key} is given twice.")
        parameters[key] = _value(value)
    return name, parameters


def in_brackets(key: str, value: object) -> str:
    """Return a parameter as text that can be read back."""
    return f"{key}=({value})" if ":" in str(value) else f"{key}={value}"


def make(name: str, parameters: Mapping[str, Any]) -> Learner:
    """Make a learner from its name and parameters."""
    if name not in CATALOGUE:
        raise InputError(f"Unknown learner {name!r}.{suggestion(name, CATALOGUE)} Learners: {listing(CATALOGUE, 40)}.")
    cls = CATALOGUE[name]
    known = parameters_of(cls)
    for key in parameters:
        if key not in known:
            raise InputError(
                f"Learner {name!r} has no parameter {key!r}.{suggestion(key, known)} "
                f"Its parameters: {listing(known) or 'none'}."
            )
    hints = get_type_hints(cls)
    given = {}
    for key, value in parameters.items():
        given[key] = _learner(name, key, value) if hints[key] is Learner else value
        if not _fits(given[key], hints[key]):
            raise InputError(f"Learner {name!r}: {key} must be {_shown(hints[key])}, not {value!r}.")
    return cls(**given)


def _learner(name: str, key: str, value: object) -> object:
    """Make the learner that is a parameter of another, from its text or from a table with its name and parameters."""
    try:
        if isinstance(value, Mapping):
            return make(str(value.get("name")), {k: v for k, v in value.items() if k != "name"})
        return by_name(value) if isinstance(value, str) else value
    except InputError as error:
        raise InputError(f"{key} of {name}: {error}") from error


def parameters_of(cls: type[Learner]) -> dict[str, object]:
    """Return the parameters of a learner with their defaults."""
    found: dict[str, object] = {}
    for field in fields(cls):  # type: ignore[arg-type]  # every one is a dataclass
        if field.init:
            made = field.default_factory() if field.default_factory is not MISSING else field.default
            found[field.name] = None if made is MISSING else _plain(made)
    return found


def written(learner: Learner) -> str:
    """Return the textual form of a reference learner, without parameters that have their defaults."""
    names: dict[type, str] = {cls: name for name, cls in CATALOGUE.items()}
    defaults = parameters_of(type(learner))
    shown = {key: _plain(getattr(learner, key)) for key in defaults}
    other = [in_brackets(key, value) for key, value in shown.items() if value != defaults[key]]
    return ":".join(filter(None, (names[type(learner)], ",".join(other))))


def _plain(value: object) -> object:
    """Return the textual form of a value that has one, others as they are."""
    return written(value) if isinstance(value, Learner) else getattr(value, "label", value)


def _fits(value: object, hint: Any) -> bool:
    """Whether a value is of a type that a learner declares for its parameter."""
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return any(_fits(value, one) for one in get_args(hint))
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, hint) and (hint is bool or not isinstance(value, bool))


def _shown(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(map(repr, get_args(hint)))
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(_shown(one) for one in get_args(hint))
    plain = {int: "a whole number", float: "a number", bool: "true or false", str: "text", NoneType: "None"}
    return plain.get(hint) or f"a {hint.__name__.lower()}"


def _items(text: str, whole: str) -> list[str]:
    """Split at the commas that stand outside of brackets."""
    depth, items = 0, [""]
    for sign in text:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if not 0 <= depth <= 20:
            break
        if sign == "," and depth == 0:
            items.append("")
        else:
            items[-1] += sign
    if depth:
        raise InputError(f"{whole}: its brackets do not match.")
    return items


def _value(text: str) -> Any:
    if text.startswith("(") and text.endswith(")"):
        return text[1:-1]
    try:
        return json.loads({"True": "true", "False": "false", "None": "null"}.get(text, text))
    except ValueError:
        return text
