"""Every native learner of the catalogue, in a small size, and records to test it on."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from prequential.learners import SGD, as_learner
from prequential.learners.catalogue import LEARNERS as CATALOGUE
from prequential.learners.composed import ComposedLearner
from prequential.learners.forest import Forest
from prequential.learners.native import NativeLearner
from prequential.streams import Feature, Schema

SMALL = {"n_models": 3, "grace_period": 20, "tau": 0.3, "period": 10}
"""Parameters for the learners that have them."""


def small(cls: type[NativeLearner], **more: Any) -> NativeLearner:
    """Create a learner of the catalogue; ensembles have few members."""
    known = {field.name for field in fields(cls)}  # type: ignore[arg-type]  # every one is a dataclass
    if issubclass(cls, Forest) and "base" in more:  # then it takes no parameters of a tree
        known = {"n_models"}
    return cls(**{key: value for key, value in SMALL.items() if key in known}, **more)


def native(text: str) -> NativeLearner:
    """Make a native learner from its textual form."""
    learner = as_learner(text)
    assert isinstance(learner, NativeLearner)
    return learner


NATIVE = {name: cls for name, cls in CATALOGUE.items() if issubclass(cls, NativeLearner)}
COMPOSED = {name: cls for name, cls in NATIVE.items() if issubclass(cls, ComposedLearner)}
LEARNERS: dict[str, NativeLearner] = {
    **{name: small(cls) for name, cls in NATIVE.items()},
    **{f"{name} of sgd": small(cls, base=SGD()) for name, cls in COMPOSED.items()},
}
for _text in ("majority_class:window_size=50", "sgd:loss=hinge,l2=0.1", "sgd:standardise=false"):
    LEARNERS[_text] = native(_text)
for _detector in ("page_hinkley:threshold=2", "ratio:threshold=2,short=sliding:5,long=sliding:50", "adwin", "eddm"):
    LEARNERS[f"drift_reset with {_detector}"] = native(f"drift_reset:detector=({_detector})")

MIXED = Schema(
    tuple(Feature(f"x{j}", tuple(range(k)) if k else None) for j, k in enumerate((0, 3, 0, 5, 0))), (0, 1, 2)
)


def mixed(n: int, seed: int = 1, *, missing: float = 0.05, unlabelled: float = 0.05) -> tuple[np.ndarray, np.ndarray]:
    """Return learnable records of `MIXED`, with a change of concept in the middle."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    shown = np.where(np.arange(n) < n // 2, y, (y + 1) % 3)
    X = np.empty((n, 5))
    for j, k in enumerate(MIXED.cardinalities):
        X[:, j] = (shown + rng.integers(2, size=n)) % k if k else rng.normal(shown * (j + 1), 1 + j)
    X[rng.random(X.shape) < missing] = np.nan
    y[rng.random(n) < unlabelled] = -1
    return X, y
