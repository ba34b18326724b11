"""What holds for every native learner of the catalogue: the contract, memory, states, threads."""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import gc
import os
import threading
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from support.native_learners import COMPOSED, LEARNERS, MIXED, NATIVE, mixed, small

from prequential import _native
from prequential.drift import Detector
from prequential.errors import InputError
from prequential.learners import Learner, NoChange
from prequential.learners.forest import Forest
from prequential.learners.native import NativeLearner
from prequential.streams import Feature, Schema
from prequential.testing import check_learner

every_learner = pytest.mark.parametrize("name", LEARNERS)


@every_learner
def test_the_contract_holds(name: str) -> None:
    check_learner(LEARNERS[name])


@every_learner
def test_the_contract_holds_with_nominal_features_and_three_classes(name: str) -> None:
    schema = Schema((Feature("x"), Feature("colour", ("red", "green")), Feature("z")), ("low", "mid", "high"))
    check_learner(LEARNERS[name], schema=schema)


# --- memory ---------------------------------------------------------------------------------------------


class _MallInfo(ctypes.Structure):
    """The result of ``mallinfo2``."""

    _fields_ = [
        *((name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd")),
        *((name, ctypes.c_size_t) for name in ("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")),
    ]


def allocator() -> Callable[[], int] | None:
    """Return a function for the bytes that glibc has allocated; None without glibc or under a sanitiser."""
    library = ctypes.CDLL(ctypes.util.find_library("c") or "libc.so.6")
    if not hasattr(library, "mallinfo2") or "PREQUENTIAL_SANITIZED" in os.environ:
        return None
    ask = library.mallinfo2
    ask.restype = _MallInfo

    def in_use() -> int:
        gc.collect()
        found = ask()
        return int(found.uordblks + found.hblkhd)

    return in_use


@every_learner
def test_nbytes_is_what_the_allocator_reports_within_five_percent(name: str) -> None:
    in_use = allocator()
    if in_use is None:
        pytest.skip("NBYTES IS NOT CHECKED: no mallinfo2 (glibc 2.33 or newer, not under a sanitiser)")
    X, y = mixed(2000)

    def trained(seed: int) -> _native.Learner:
        """Return the compiled learner alone: the dictionary of a Python object may or may not be on the same heap."""
        learner = LEARNERS[name].fresh(MIXED, seed)
        learner.learn(X, y)
        return learner.model

    n = max(20, min(1000, 2_000_000 // trained(1).nbytes))
    replicas: list[_native.Learner | None] = [None] * n
    for _ in range(5):  # the runtime allocates tables at first, and other code uses the heap too
        replicas[:] = [None] * n
        before = in_use()
        for i in range(n):
            replicas[i] = trained(i)
        allocated = in_use() - before
        reported = sum(replica.nbytes for replica in replicas if replica)
        if reported == pytest.approx(allocated, rel=0.05):
            return
    pytest.fail(f"{reported / n:.0f} bytes reported and {allocated / n:.0f} allocated per learner")


# --- states ---------------------------------------------------------------------------------------------


@every_learner
def test_a_restored_learner_continues_with_the_same_results(name: str) -> None:
    X, y = mixed(1200)
    learner, other = LEARNERS[name].fresh(MIXED, 1), LEARNERS[name].fresh(MIXED, 2)
    learner.test_then_train(X[:700], y[:700])
    other.test_then_train(X[300:400], y[300:400])
    state = learner.to_bytes()
    other.load_bytes(state)
    assert other.to_bytes() == state
    np.testing.assert_array_equal(other.scores(X), learner.scores(X))
    np.testing.assert_array_equal(other.test_then_train(X[700:], y[700:]), learner.test_then_train(X[700:], y[700:]))
    assert other.to_bytes() == learner.to_bytes()


@every_learner
def test_a_restored_learner_accepts_new_classes(name: str) -> None:
    X, y = mixed(400)
    fewer = Schema(MIXED.features, (0, 1))
    known = np.where(y < 2, y, -1)
    learner, late = LEARNERS[name].fresh(MIXED, 1), LEARNERS[name].fresh(fewer, 1)
    learner.learn(X[:200], known[:200])
    late.learn(X[:200], known[:200])
    state = late.to_bytes()
    restored = LEARNERS[name].fresh(MIXED, 3)
    restored.load_bytes(state)
    np.testing.assert_array_equal(restored.test_then_train(X[200:], y[200:]), learner.test_then_train(X[200:], y[200:]))


@every_learner
def test_a_damaged_state_is_refused_and_changes_nothing(name: str) -> None:
    X, y = mixed(300)
    learner = LEARNERS[name].fresh(MIXED, 1)
    learner.learn(X, y)
    state = learner.to_bytes()
    before = learner.scores(X)
    rng = np.random.default_rng(1)
    damaged = [state[:n] for n in {0, 1, 8, len(state) - 1, *rng.integers(len(state), size=20).tolist()}]
    for at in rng.integers(len(state), size=40).tolist():
        flipped = bytearray(state)
        flipped[at] ^= 1 << rng.integers(8)
        damaged.append(bytes(flipped))
    damaged += [state + b"\0", b"no state at all"]
    for bad in damaged:
        with pytest.raises(ValueError, match="state"):
            learner.load_bytes(bad)
    np.testing.assert_array_equal(learner.scores(X), before)
    assert learner.to_bytes() == state


def varied(cls: type[NativeLearner], parameter: str) -> NativeLearner:
    """Return the learner with another value of a parameter."""
    usual, hint = small(cls), get_type_hints(cls)[parameter]
    own = {field.name: getattr(usual, field.name) for field in fields(cls)}  # type: ignore[arg-type]  # a dataclass
    value = own[parameter]
    candidates: list[Any] = [7, 0.5]
    if issubclass(cls, Forest) and parameter == "base":  # it takes no parameters of a tree then
        return small(cls, base=NoChange())
    if isinstance(value, Learner):
        candidates = [NoChange()]
    elif isinstance(value, Detector):
        candidates = ["page_hinkley"]
    elif isinstance(value, bool):
        candidates = [not value]
    elif get_origin(hint) is Literal:
        candidates = [choice for choice in reversed(get_args(hint)) if choice != value]  # "log_loss" is "log"
    elif isinstance(value, int | float):
        candidates = [value + 1, value + 2, value / 2, value / 2 + 0.25]
    for candidate in candidates:
        with contextlib.suppress(InputError):
            return cls(**{**own, parameter: candidate})
    raise AssertionError(f"no other value of {cls.__name__}.{parameter} is known to this test")


@pytest.mark.parametrize(
    ("name", "parameter"),
    [(name, field.name) for name, cls in NATIVE.items() for field in fields(cls)],  # type: ignore[arg-type]
)
def test_the_state_of_another_parameter_is_refused(name: str, parameter: str) -> None:
    X, y = mixed(300)
    learner = small(NATIVE[name]).fresh(MIXED, 1)
    learner.learn(X, y)
    other = varied(NATIVE[name], parameter).fresh(MIXED, 1)
    with pytest.raises(ValueError, match="state"):
        other.load_bytes(learner.to_bytes())


@every_learner
def test_the_state_of_other_features_or_of_another_learner_is_refused(name: str) -> None:
    X, y = mixed(100)
    learner = LEARNERS[name].fresh(MIXED, 1)
    learner.learn(X, y)
    state = learner.to_bytes()
    for features in (MIXED.features[:-1], MIXED.features[1:] + MIXED.features[:1], ()):
        with pytest.raises(ValueError, match="state of a learner of other features"):
            LEARNERS[name].fresh(Schema(features, MIXED.classes), 1).load_bytes(state)
    for cls in NATIVE.values():
        if cls is not type(LEARNERS[name]):
            with pytest.raises(ValueError, match="these bytes are the state of"):
                small(cls).fresh(MIXED, 1).load_bytes(state)


# --- threads --------------------------------------------------------------------------------------------


def at_once(*actions: Callable[[], object]) -> list[Any]:
    """Run each action in its own thread, all starting together; return the results."""
    gate = threading.Barrier(len(actions))
    found: list[Any] = [None] * len(actions)

    def run(k: int) -> None:
        gate.wait()
        found[k] = actions[k]()

    threads = [threading.Thread(target=run, args=(k,)) for k in range(len(actions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@every_learner
def test_two_threads_with_one_learner_each_give_the_same_results_as_one(name: str) -> None:
    X, y = mixed(1500)
    learners = [LEARNERS[name].fresh(MIXED, seed) for seed in (1, 2)]
    expected = [LEARNERS[name].fresh(MIXED, seed).test_then_train(X, y) for seed in (1, 2)]
    found = at_once(*(lambda learner=learner: learner.test_then_train(X, y) for learner in learners))
    for ours, right in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours, right)


@every_learner
def test_two_threads_can_predict_with_one_learner(name: str) -> None:
    X, y = mixed(800)
    learner = LEARNERS[name].fresh(MIXED, 1)
    learner.learn(X, y)
    expected = learner.scores(X)
    other = np.ascontiguousarray(X[::-1])
    for forth, back in (at_once(lambda: learner.scores(X), lambda: learner.scores(other)) for _ in range(5)):
        np.testing.assert_array_equal(forth, expected)
        np.testing.assert_array_equal(back, expected[::-1])


# --- coverage -------------------------------------------------------------------------------------------


def test_composed_learners_are_covered() -> None:
    assert {"online_bagging", "noise_filter", "drift_reset"} <= set(COMPOSED)
