"""Learners by name, whatever they were given as."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from prequential.errors import ParameterError
from prequential.learners.adapters import as_learner
from prequential.learners.catalogue import CATALOGUE
from prequential.learners.contract import Learner


def named_learners(learners: object, caller: str) -> dict[str, Learner]:
    """Take one learner, a list, or a mapping from names; of two that would share a name, the second is numbered.

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
    """Return the seed of one learner among several, by its name: 31 bits, which every library takes.

    So two learners share no draw, and neither order nor company of a learner matters. Where a learner has several
    replicas, numbered from 1, each has a seed of its own.

    Examples
    --------
    >>> seed_of("forest", 1), seed_of("forest-2", 1)
    (1791614481, 267762791)
    """
    said = f"{seed}:{name}\0{fold}" if fold else f"{seed}:{name}"
    return int.from_bytes(hashlib.blake2b(said.encode(), digest_size=4).digest()) >> 1


def _name(learner: object) -> str:
    if isinstance(learner, str):
        return learner
    known: dict[type, str] = {cls: name for name, cls in CATALOGUE.items()}
    cls = learner if isinstance(learner, type) else type(learner)
    return known.get(cls, cls.__name__)
