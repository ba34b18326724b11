"""Calls that do not fit: every public class, function and method answers in a sentence of this package."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import prequential as pq
from prequential.namespace import PUBLIC

STREAM = pq.streams.SEA(seed=1).take(400)
WORD = "frobnicate"


def public_callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    seen: set[int] = set()
    for place in PUBLIC:
        module = importlib.import_module(place)
        for name in dir(module):
            found = getattr(module, name)
            raised = isinstance(found, type) and issubclass(found, BaseException)
            if callable(found) and id(found) not in seen and not raised and found is not pq.forgettings.Forgetting:
                seen.add(id(found))
                yield f"{place.replace('prequential', 'pq')}.{name}", found


CALLABLES = dict(public_callables())


def objects() -> dict[str, object]:
    run = pq.evaluate(STREAM, ["naive_bayes", "no_change"], every=200, detectors="adwin", predictions=True)
    folds = pq.evaluate(STREAM, ["naive_bayes", "no_change"], protocol=pq.KFold(6, "split")).folds
    late = pq.evaluate(STREAM.delayed(20), "naive_bayes", protocol=pq.Delayed(bins=2)).delays
    return {
        "run": run,
        "folds": folds,
        "delays": late,
        "alarms": run.alarms(),
        "table": run.table(),
        "comparison": run.compare(),
        "detections": pq.detect(STREAM, "naive_bayes", "adwin"),
        "stream": STREAM,
        "learner": pq.learners.NaiveBayes(),
        "detector": pq.drift.ADWIN(),
        "state": pq.drift.ADWIN().fresh(),
        "scorer": pq.Scorer("accuracy"),
        "mixture": pq.testbed.mixture("NSGT"),
        "wilcoxon": pq.comparisons.wilcoxon([9, 8, 7, 9, 8, 9, 9], [1, 2, 3, 4, 5, 6, 8]),
    }


@pytest.mark.parametrize("name", CALLABLES)
def test_an_unknown_keyword_is_refused_by_name(name: str) -> None:
    with pytest.raises(pq.InputError, match=rf"{WORD}|needs|base of other classes"):
        CALLABLES[name](**{WORD: 1})


@pytest.mark.parametrize("name", CALLABLES)
def test_too_many_arguments_are_refused(name: str) -> None:
    with pytest.raises(pq.InputError):
        CALLABLES[name](*range(30))


def test_an_unknown_keyword_of_a_method_is_refused_by_name() -> None:
    n_methods = 0
    for what, one in objects().items():
        for name in dir(type(one)):
            method = inspect.getattr_static(type(one), name)
            if name.startswith("_") or not inspect.isfunction(method) or name in ("count", "index"):  # of Sequence
                continue
            n_methods += 1
            with pytest.raises(pq.InputError) as caught:
                getattr(one, name)(**{WORD: 1})
            assert WORD in str(caught.value), f"{what}.{name}: {caught.value}"
    assert n_methods > 150


def test_a_type_error_inside_a_method_stays_as_it_is() -> None:
    class Broken(pq.streams.Stream):
        @property
        def schema(self) -> pq.Schema:
            return pq.Schema.numeric(1, ["a", "b"])

        def chunks(self, *args: Any, **keywords: Any) -> Any:
            raise TypeError("inside")

    with pytest.raises(TypeError, match=r"^inside$"):
        Broken().head()


def test_base_classes_say_what_to_write() -> None:
    bases: list[tuple[Any, str]] = [
        (pq.Stream, "from_arrays"),
        (pq.Learner, "learn_one"),
        (pq.drift.Detector, "ADWIN"),
        (pq.protocols.Protocol, "KFold"),
    ]
    for kind, word in bases:
        with pytest.raises(pq.CallError, match=word):
            kind()
