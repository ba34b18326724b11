"""A learner written in Python as the base of every learner of the catalogue that has a base."""

from __future__ import annotations

import gc
import weakref
from typing import Any, ClassVar

import numpy as np
import pytest
from support.native_learners import COMPOSED, small

from prequential.errors import LearnerError
from prequential.learners import Learner, MajorityClass, NaiveBayes
from prequential.learners.composed import ComposedLearner
from prequential.learners.contract import Clock
from prequential.streams import Schema
from prequential.testing import check_learner

SCHEMA = Schema.numeric(1, ("a", "b"))
POISON = 666.0

every_composed = pytest.mark.parametrize("name", COMPOSED)


class Wrapped(Learner):
    """A native learner behind the Python interface."""

    alive: ClassVar[weakref.WeakSet[Wrapped]] = weakref.WeakSet()

    def __init__(self, inner: Learner | None = None, seed: int = 0) -> None:
        self.inner, self.seed, self.n_learned = inner or NaiveBayes(), seed, 0
        self.held: object = object()

    def fresh(self, schema: Schema, seed: int) -> Wrapped:
        made = Wrapped(self.inner.fresh(schema, seed), seed)
        made.schema, made.clock, made.held = schema, Clock(), self.held
        self.alive.add(made)
        return made

    def created(self) -> list[Wrapped]:
        """The learners that were created from this one and still exist."""
        gc.collect()
        return [one for one in self.alive if one.held is self.held]

    def extend(self, schema: Schema) -> None:
        super().extend(schema)
        self.inner.extend(schema)

    def scores(self, X: np.ndarray) -> np.ndarray:
        return self.inner.scores(X)

    def learn(self, X: np.ndarray, y: np.ndarray, w: np.ndarray | None = None) -> None:
        if (X == POISON).any():
            raise RuntimeError("this record is poison")
        self.n_learned += len(X)
        self.inner.learn(X, y, w)

    def to_bytes(self) -> bytes:
        return self.inner.to_bytes()

    def load_bytes(self, state: bytes) -> None:
        self.inner.load_bytes(state)


def around(name: str, base: Learner | None = None) -> ComposedLearner:
    made: Any = small(COMPOSED[name], base=base or Wrapped())
    return made  # type: ignore[no-any-return]


def records(n: int = 120, n_classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    y = rng.integers(n_classes, size=n)
    return rng.normal(2.0 * y)[:, np.newaxis], y


@every_composed
def test_a_python_base_gives_the_same_results_as_a_native_base(name: str) -> None:
    X, y = records()
    found = around(name).fresh(SCHEMA, 1).test_then_train(X, y)
    expected = around(name, NaiveBayes()).fresh(SCHEMA, 1).test_then_train(X, y)
    np.testing.assert_array_equal(found, expected)


@every_composed
def test_the_contract_holds(name: str) -> None:
    check_learner(around(name, Wrapped(MajorityClass())))


@every_composed
def test_the_given_base_never_learns_and_fresh_ones_do(name: str) -> None:
    base = Wrapped()
    learner = around(name, base).fresh(SCHEMA, 1)
    learner.test_then_train(*records())
    assert base.n_learned == 0
    learning = [one for one in base.created() if one.n_learned]
    assert learning
    assert len({one.seed for one in learning}) == len(learning), "two learners have the same seed"


@every_composed
def test_a_cycle_through_the_base_is_collected(name: str) -> None:
    base = Wrapped()
    base.held = holder = {}
    learner = around(name, base).fresh(SCHEMA, 1)
    holder["learner"] = learner  # learner → compiled learner → base → holder → learner
    learner.test_then_train(*records(60))
    gone = weakref.ref(learner)
    bases = [weakref.ref(one) for one in base.created()]
    assert bases
    del learner, base, holder
    gc.collect()
    assert gone() is None
    assert not [ref for ref in bases if ref() is not None]


@every_composed
def test_the_garbage_collector_may_run_at_any_time(name: str) -> None:
    usual = gc.get_threshold()
    gc.set_threshold(1)
    try:
        found = around(name).fresh(SCHEMA, 1).test_then_train(*records(40))
    finally:
        gc.set_threshold(*usual)
    np.testing.assert_array_equal(found, around(name).fresh(SCHEMA, 1).test_then_train(*records(40)))


@every_composed
def test_an_exception_in_the_base_has_the_record_and_the_scores_before(name: str) -> None:
    """The base fails from record 50 on; a member of an ensemble need not learn each record, so it may fail later."""
    X, y = records()
    expected = around(name).fresh(SCHEMA, 1).test_then_train(X, y)
    poisoned = X.copy()
    poisoned[50:] = POISON
    with pytest.raises(LearnerError, match="RuntimeError: this record is poison") as caught:
        around(name).fresh(SCHEMA, 1).test_then_train(poisoned, y)
    assert 50 <= caught.value.offset < 80
    assert caught.value.scores is not None
    assert len(caught.value.scores) == caught.value.offset
    np.testing.assert_array_equal(caught.value.scores[:50], expected[:50])
    assert isinstance(caught.value.__cause__, RuntimeError)


@every_composed
def test_classes_that_appear_late_reach_the_base(name: str) -> None:
    X, y = records(200, 3)
    later = Schema.numeric(1, ("a", "b", "c"))
    base = Wrapped()
    learner = around(name, base).fresh(SCHEMA, 1)
    learner.test_then_train(X[:100], np.minimum(y[:100], 1))
    learner.extend(later)
    scores = learner.test_then_train(X[100:], y[100:])
    assert scores.shape == (100, 3)
    assert scores[:, 2].any()
    assert {one.schema for one in base.created() if one.n_learned} == {later}


@every_composed
def test_a_learner_can_be_saved_if_its_base_can(name: str) -> None:
    X, y = records()
    learner, other = around(name).fresh(SCHEMA, 1), around(name).fresh(SCHEMA, 2)
    learner.learn(X[:60], y[:60])
    other.load_bytes(learner.to_bytes())
    np.testing.assert_array_equal(other.test_then_train(X[60:], y[60:]), learner.test_then_train(X[60:], y[60:]))
