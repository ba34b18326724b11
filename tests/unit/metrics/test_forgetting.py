"""The textual form of forgettings, and invalid forgettings."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest

from prequential.errors import InputError, ParameterError
from prequential.metrics.forgetting import (
    AdaptiveWindow,
    Cumulative,
    ExponentialHistogram,
    Fading,
    Forgetting,
    Sliding,
    as_forgetting,
)


@pytest.mark.parametrize(
    ("forgetting", "label"),
    [
        (Cumulative(), "cumulative"),
        (Sliding(1000), "sliding:1000"),
        (Sliding(seconds=0.5), "sliding:0.5s"),
        (Fading(0.999), "fading:0.999"),
        (ExponentialHistogram(10**7), "histogram:10000000:0.01"),
        (ExponentialHistogram(500, 0.125), "histogram:500:0.125"),
        (ExponentialHistogram(seconds=3600), "histogram:3600s:0.01"),
        (ExponentialHistogram(seconds=0.25, error=1e-05), "histogram:0.25s:1e-05"),
    ],
)
def test_the_textual_form_can_be_read_back(forgetting: Forgetting, label: str) -> None:
    assert forgetting.label == label
    assert as_forgetting(label) == forgetting
    assert as_forgetting(label) == forgetting
    assert forgetting.needs_time == label.partition(":")[2].partition(":")[0].endswith("s")


@pytest.mark.parametrize(
    "text",
    [
        "histogram",
        "histogram:",
        "histogram:s:0.1",
        "sliding:7w",
        "histogram:10:0.1:2",
        "histogram:x:0.1",
        "sliding:",
    ],
)
def test_a_form_without_its_parameters_is_refused_with_the_accepted_forms(text: str) -> None:
    with pytest.raises(
        InputError, match=r"lacks its parameter, or has a wrong one\. .*Accepted: .*histogram:LENGTH,ERROR"
    ):
        as_forgetting(text)


@pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("30m", 1800), ("12h", 43_200), ("7d", 604_800)])
def test_a_length_of_time_has_a_unit(text: str, seconds: float) -> None:
    assert Sliding(text) == as_forgetting(f"sliding:{text}") == Sliding(seconds=seconds)
    assert as_forgetting(f"histogram:{text},0.05") == ExponentialHistogram(seconds=seconds, error=0.05)
    assert as_forgetting(Sliding(text).label) == Sliding(text)


def test_a_class_is_instantiated_or_its_call_is_shown() -> None:
    assert as_forgetting(Cumulative) == Cumulative()
    with pytest.raises(InputError, match=r"give an object, Sliding\(window_size=1000\)"):
        as_forgetting(Sliding)
    with pytest.raises(InputError, match=r"Fading is a class that needs arguments \(alpha\)"):
        as_forgetting(Fading)


def test_a_misspelt_name_gets_a_suggestion() -> None:
    with pytest.raises(InputError, match="histogram"):
        as_forgetting("histogramm:1000:0.01")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "The 'window_size' parameter of ExponentialHistogram must be given, or else 'seconds'"),
        ({"window_size": 5, "seconds": 5}, "but not both"),
        ({"window_size": 0}, "a whole number of at least 1. Got 0"),
        ({"window_size": 2.5}, "a whole number of at least 1"),
        ({"window_size": math.nan}, "'window_size'"),
        ({"window_size": "5"}, "'window_size' parameter of ExponentialHistogram must be a whole number"),
        ({"seconds": 0}, "a number above 0"),
        (
            {"window_size": 5, "error": 0},
            r"'error' parameter of ExponentialHistogram must be a number in \(0, 1\). Got 0",
        ),
        ({"window_size": 5, "error": 1}, "'error'"),
        ({"window_size": 5, "error": "small"}, "'error'"),
    ],
)
def test_invalid_windows_and_errors_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        ExponentialHistogram(**arguments)


@pytest.mark.parametrize("delta", [0, 1, -0.1, math.nan, "x"])
def test_an_invalid_delta_of_an_adaptive_window_is_refused(delta: Any) -> None:
    with pytest.raises(ParameterError, match="'delta' parameter of AdaptiveWindow must be"):
        AdaptiveWindow(delta)


@pytest.mark.parametrize("largest", [0, -1, math.nan])
def test_an_invalid_largest_loss_of_an_adaptive_window_is_refused(largest: Any) -> None:
    with pytest.raises(ParameterError, match="'largest' parameter of AdaptiveWindow must be"):
        AdaptiveWindow(largest=largest)


@pytest.mark.parametrize("value", [5, None, int, SimpleNamespace(label="x"), SimpleNamespace(join=print)])
def test_an_object_that_is_not_a_forgetting_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match=r"is not a forgetting\. Accepted: cumulative, sliding:RECORDS"):
        as_forgetting(value)
