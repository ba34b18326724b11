"""Settings are checked once, and each message names the function that was called."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import prequential as pq
from prequential.errors import InputError, ParameterError
from prequential.evaluation import settings
from prequential.evaluation.execution import Execution
from prequential.evaluation.settings import UncheckedSettings
from prequential.plans.plan import Plan
from prequential.protocols import Protocol

LOG = pa.table({"id": [1, 2], "time": [0, 1], "prediction": ["a", "b"]})
LABELS = pa.table({"id": [1, 2], "time": [5, 6], "label": ["a", "b"]})
CALLS: dict[str, Callable[..., object]] = {
    "evaluate": lambda **given: pq.evaluate(pq.streams.SEA().take(10), "naive_bayes", **given),
    "score": lambda **given: pq.score(["a", "b"], ["a", "a"], **given),
    "score_delayed": lambda **given: pq.score_delayed(LOG, LABELS, **given),
    "detect": lambda **given: pq.detect(pq.streams.SEA().take(10), "naive_bayes", "adwin", **given),
    "power": lambda **given: pq.power(pq.streams.SEA().take(10), "random_forest", **given),
}


@pytest.mark.parametrize(
    ("caller", "given"),
    [
        *((caller, {"every": 0}) for caller in ("evaluate", "score", "score_delayed")),
        *((caller, {"seed": "x"}) for caller in ("evaluate", "detect", "power")),
        *((caller, {"abstain": "maybe"}) for caller in ("evaluate", "score", "score_delayed", "detect")),
        *((caller, {"engine": "cluster"}) for caller in CALLS),
        *((caller, {"workers": 0}) for caller in CALLS),
        *((caller, {"save_seconds": -1}) for caller in ("evaluate", "score", "score_delayed", "detect")),
        *((caller, {"chunk_size": 0}) for caller in ("evaluate", "score", "score_delayed", "detect")),
        *((caller, {"directory": 3}) for caller in ("evaluate", "score", "score_delayed", "detect")),
        *((caller, {"forgetting": []}) for caller in ("evaluate", "score", "score_delayed")),
        *((caller, {"metrics": []}) for caller in ("evaluate", "score", "score_delayed")),
    ],
)
def test_a_bad_setting_blames_the_function_that_was_called(caller: str, given: dict[str, Any]) -> None:
    (name,) = given
    with pytest.raises(ParameterError, match=rf"^The '{name}' parameter of {caller} must be"):
        CALLS[caller](**given)


def test_the_settings_of_files_are_checked_too(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("label,prediction\na,a\nb,a\n")
    with pytest.raises(ParameterError, match="'every' parameter of score must be"):
        pq.score(tmp_path / "a.csv", every=0)


@pytest.mark.parametrize("caller", ["evaluate", "score", "score_delayed", "detect"])
def test_resume_needs_a_directory_and_excludes_overwrite(caller: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="directory"):
        CALLS[caller](resume=True)
    with pytest.raises(InputError, match="overwrite"):
        CALLS[caller](resume=True, overwrite=True, directory=tmp_path / "run")


def test_a_plan_is_validated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """``Plan.check`` finds all faults; running the plan does not look for them again."""
    seen: list[object] = []
    check = UncheckedSettings._checks

    def counted(self: UncheckedSettings, *given: Any) -> Any:
        seen.append(self)
        return check(self, *given)

    monkeypatch.setattr(settings.UncheckedSettings, "_checks", counted)
    plan = Plan({"stream": {"type": "SEA", "n": 20}, "learner": [{"type": "no_change"}]})
    run = plan.run()
    assert run.status == "complete"
    assert len(seen) == 1


def test_a_warning_points_at_the_users_line() -> None:
    learner = {"a": "naive_bayes", "b": "no_change"}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pq.evaluate(pq.streams.SEA().take(100), learner, protocol=pq.KFold(3, "cross"))
    assert [Path(one.filename).name for one in caught] == [Path(__file__).name]
    log = pa.table({"id": [1, 2], "time": [0, 1], "prediction": ["a", "c"]})
    with pytest.warns(pq.UnseenClassWarning) as caught_too:
        pq.score_delayed(log, LABELS)
    assert caught_too[0].filename == __file__


PROTOCOLS: dict[str, tuple[Protocol, set[str]]] = {
    "prequential": (pq.Prequential(), set()),
    "holdout": (pq.Holdout(share=0.1), {"forgetting", "detectors", "predictions"}),
    "kfold": (pq.KFold(6, "cross"), {"detectors", "predictions"}),
    "delayed": (pq.Delayed(), {"predictions"}),
}


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_protocol_declares_what_it_does_not_support_and_says_why(name: str) -> None:
    protocol, unsupported = PROTOCOLS[name]
    assert set(protocol.unsupported) == unsupported
    assert protocol.supports_pairs == ("pairs" not in unsupported)
    assert protocol.supports_detectors == ("detectors" not in unsupported)
    assert protocol.keeps_predictions == ("predictions" not in unsupported)
    for feature in ("forgetting", "detectors", "pairs", "predictions"):
        protocol.check(**{feature: False})
        if feature in unsupported:
            with pytest.raises(InputError, match=type(protocol).__name__):
                protocol.check(**{feature: True})
        else:
            protocol.check(**{feature: True})


@pytest.mark.parametrize("name", PROTOCOLS)
def test_what_a_protocol_does_not_support_is_refused_by_evaluate(name: str) -> None:
    protocol, unsupported = PROTOCOLS[name]
    stream = pq.streams.SEA().take(50)
    source = stream.delayed(5) if protocol.takes_events else stream
    wanted: dict[str, Any] = {"predictions": True, "detectors": "adwin", "pairs": True, "forgetting": "cumulative"}
    for feature in unsupported:
        with pytest.raises(InputError, match=type(protocol).__name__):
            pq.evaluate(source, ["naive_bayes", "no_change"], protocol=protocol, **{feature: wanted[feature]})


def test_events_are_refused_by_protocols_that_need_records() -> None:
    events = pq.streams.SEA().take(50).delayed(5)
    for name in ("prequential", "holdout", "kfold"):
        with pytest.raises(InputError, match=r"protocol=pq\.Delayed\(\)"):
            pq.evaluate(events, "naive_bayes", protocol=PROTOCOLS[name][0])


@pytest.mark.parametrize("kind", [UncheckedSettings, Execution])
def test_the_defaults_of_a_plan_are_those_of_evaluate(kind: type) -> None:
    expected = inspect.signature(pq.evaluate).parameters
    made = kind(caller="evaluate")
    shared = {field.name: getattr(made, field.name) for field in fields(kind) if field.name in expected}
    assert len(shared) >= 9
    assert shared == {name: expected[name].default for name in shared}


def test_a_run_has_a_positive_class_only_if_one_was_given_or_a_metric_depends_on_it() -> None:
    stream = pq.streams.SEA(seed=1).take(300)
    assert pq.evaluate(stream, "naive_bayes", metrics="accuracy").manifest.positive is None
    given = pq.evaluate(stream, "naive_bayes", metrics="accuracy", positive="groupA").manifest.positive
    assert given is not None
    assert (given.label, given.given, given.metrics) == ("groupA", True, [])
    by_metric = pq.evaluate(stream, "naive_bayes", metrics=["accuracy", "average_precision"]).manifest.positive
    assert by_metric is not None
    assert (by_metric.given, by_metric.metrics) == (False, ["average_precision"])


def test_a_metric_may_name_the_positive_class() -> None:
    made = UncheckedSettings(caller="evaluate", metrics=["accuracy", "average_precision of groupA"])
    assert (made.metrics, made.positive) == (["accuracy", "average_precision"], "groupA")
    run = pq.evaluate(pq.streams.SEA(seed=1).take(300), "naive_bayes", metrics="average_precision of groupA")
    assert run.manifest.positive is not None
    assert (run.manifest.positive.label, list(run.manifest.metrics)) == (
        "groupA",
        ["average_precision", "average_precision_error"],
    )
