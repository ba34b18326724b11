"""Names and seeds of the learners of one run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from prequential.errors import ParameterError
from prequential.learners.adapters import as_learner
from prequential.learners.catalogue import CATALOGUE
from prequential.learners.contract import Learner


def named_learners(learners: object, caller: str) -> dict[str, Learner]:
    """Return learners by name, from one learner, a list, or a mapping; a second one of the same name is numbered.

    Examples
    --------
    >>> list(named_learners(["naive_bayes", "no_change", "no_change"], "evaluate"))
    ['naive_bayes', 'no_change', 'no_change-2']
    """
    if isinstance(learners, Mapping):
        named = {str(name): as_learner(learner) for name, learner in learners.items()}
    else:
        named = {}
        for item in learners if isinstance(learners, list | tuple) else [learners]:
            name, k = _name(item), 2
            while name in named:
                name, k = f"{_name(item)}-{k}", k + 1
            named[name] = as_learner(item)
    if not named:
        raise ParameterError("learners", caller, "at least one learner", learners)
    return named


def seed_of(name: str, seed: int, fold: int = 0) -> int:
    """Return the seed of one learner of a run, derived from its name: 31 bits, which every library accepts.

    So no two learners share random draws, and the result of a learner depends neither on the order nor on the other
    learners. Each replica of a learner, numbered from 1, has its own seed.

    Examples
    --------
    >>> seed_of("forest", 1), seed_of("forest-2", 1)
    (1791614481, 267762791)
    """
    key = f"{seed}:{name}\0{fold}" if fold else f"{seed}:{name}"
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=4).digest()) >> 1


def _name(learner: object) -> str:
    if isinstance(learner, str):
        return learner
    known: dict[type, str] = {cls: name for name, cls in CATALOGUE.items()}
    cls = learner if isinstance(learner, type) else type(learner)
    return known.get(cls, cls.__name__)
