"""The elementary functions: how accurate they are, what they give at the edges, and that nothing else is used."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal, getcontext, localcontext
from pathlib import Path

import numpy as np
import pytest

from prequential import elementary
from prequential.types import FloatArray

ROOT = Path(__file__).resolve().parents[2]
LONG = np.longdouble
RNG = np.random.default_rng(7)
N = 200_000

RANGES: dict[str, tuple[Callable[..., FloatArray], Callable[..., np.ndarray], float, list[FloatArray]]] = {
    "exp": (
        elementary.exp,
        np.exp,
        1,
        [RNG.uniform(-745, 709.7, N), RNG.uniform(-2, 2, N), -(10 ** RNG.uniform(-18, 0, N))],
    ),
    "log": (
        elementary.log,
        np.log,
        1,
        [RNG.uniform(0, 2, N), 2.0 ** RNG.uniform(-1074, 1023, N), 1 + RNG.normal(0, 1e-5, N)],
    ),
    "log2": (
        elementary.log2,
        np.log2,
        2,
        [RNG.uniform(0, 2, N), 2.0 ** RNG.uniform(-1074, 1023, N), 1 + RNG.normal(0, 1e-5, N)],
    ),
    "sin": (elementary.sin, np.sin, 1, [RNG.uniform(-1, 1, N), RNG.uniform(-20, 20, N), RNG.uniform(-1e6, 1e6, N)]),
    "cos": (elementary.cos, np.cos, 1, [RNG.uniform(-1, 1, N), RNG.uniform(-20, 20, N), RNG.uniform(-1e6, 1e6, N)]),
}


@pytest.mark.skipif(float(np.finfo(LONG).eps) > 1e-18, reason="long double is as accurate as double here")
@pytest.mark.parametrize("name", RANGES)
def test_errors_are_at_most_the_stated_units_in_the_last_place(name: str) -> None:
    function, exact, bound, ranges = RANGES[name]
    for x in ranges:
        expected = exact(x.astype(LONG))
        errors = np.abs((function(x) - expected) / np.spacing(np.abs(expected.astype(np.float64))))
        assert float(errors.max()) < bound, f"{name} at {x[np.argmax(errors)]!r}"


def exact_erfc(x: Decimal) -> Decimal:
    """Return 1 − erf(x) from its Taylor series, in the current precision; x²/ln 10 digits cancel."""
    term = total = x
    k = 0
    while abs(term) > Decimal(10) ** -getcontext().prec:
        k += 1
        term *= -x * x / k
        total += term / (2 * k + 1)
    return 1 - 2 * total / exact_root_of_pi()


def exact_root_of_pi() -> Decimal:
    """Return √π by the Gauss–Legendre iteration, in the current precision."""
    a, b, t, p = Decimal(1), 1 / Decimal(2).sqrt(), Decimal("0.25"), 1
    for _ in range(10):
        mean = (a + b) / 2
        a, b, t, p = mean, (a * b).sqrt(), t - p * (a - mean) ** 2, 2 * p
    return ((a + b) ** 2 / (4 * t)).sqrt()


def test_errors_of_erfc_are_below_3_units_in_the_last_place() -> None:
    x = np.concatenate([RNG.uniform(-6, 0.5, 400), RNG.uniform(0.5, 5, 400), RNG.uniform(5, 26, 100)])
    for at, found in zip(x.tolist(), elementary.erfc(x).tolist(), strict=True):
        with localcontext(prec=60 + int(at * at)):
            error = abs(Decimal(found) - exact_erfc(Decimal(at))) / Decimal(math.ulp(found))
        assert error < 3, f"erfc({at!r})"


def test_errors_of_the_normal_quantile_are_below_5_units_in_the_last_place() -> None:
    """By one step of Newton's method from the value that is found, whose error is quadratically smaller."""
    p = np.concatenate([RNG.uniform(0, 1, 400), 2.0 ** RNG.uniform(-54, -4, 200), 0.5 + RNG.normal(0, 1e-4, 100)])
    for at, found in zip(p.tolist(), elementary.normal_quantile(p).tolist(), strict=True):
        with localcontext(prec=80):
            root_of_two = Decimal(2).sqrt()
            erfc = exact_erfc(-Decimal(found) / root_of_two)
            density = (-(Decimal(found) ** 2) / 2).exp() / (root_of_two * exact_root_of_pi())
            error = abs((erfc / 2 - Decimal(at)) / density) / Decimal(math.ulp(found))
        assert error < 5, f"normal_quantile({at!r})"


def test_special_values() -> None:
    inf, nan = math.inf, math.nan
    cases: list[tuple[Callable[..., FloatArray], list[float], list[float]]] = [
        (elementary.exp, [0.0, -0.0, inf, -inf, nan, 710.0, -746.0], [1.0, 1.0, inf, 0.0, nan, inf, 0.0]),
        (elementary.log, [1.0, 0.0, -0.0, -1.0, inf, -inf, nan], [0.0, -inf, -inf, nan, inf, nan, nan]),
        (elementary.log2, [1.0, 1024.0, 0.125, 0.0, -1.0, inf], [0.0, 10.0, -3.0, -inf, nan, inf]),
        (elementary.sin, [0.0, inf, nan, 2e6], [0.0, nan, nan, nan]),
        (elementary.cos, [0.0, -inf, nan, -2e6], [1.0, nan, nan, nan]),
        (elementary.erfc, [0.0, inf, -inf, nan, 30.0, -30.0], [1.0, 0.0, 2.0, nan, 0.0, 2.0]),
        (elementary.normal_quantile, [0.5, 0.0, 1.0, -0.1, 1.1, nan], [0.0, -inf, inf, nan, nan, nan]),
    ]
    for function, given, expected in cases:
        np.testing.assert_array_equal(function(given), expected)


def test_arrays_of_any_shape_and_stride_are_accepted() -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    assert elementary.exp(x[:, ::2, 1:].T).tolist() == elementary.exp(x).T[1:, ::2].tolist()
    assert elementary.exp(np.empty((0, 3))).shape == (0, 3)
    assert isinstance(elementary.exp(1), float)


LIBRARY = (
    r"\b(exp|expm1|exp2|log|log2|log10|log1p|sin|cos|tan|atan|atan2|pow|power|erf|erfc|lgamma|tgamma|tanh|cbrt|hypot)"
)
DRAWINGS = ("mixture_view.py", "mixture_figure.py", "mixture_animation.py")


def test_records_and_results_use_no_function_that_differs_between_processors() -> None:
    native = [*ROOT.glob("native/include/**/*.hpp"), *ROOT.glob("native/bind/*")]
    folders = ("streams", "testbed", "learners", "metrics", "drift", "protocols", "evaluation", "scoring")
    python = [path for name in folders for path in (ROOT / "src/prequential" / name).rglob("*.py")]
    assert len(native) > 50
    assert len(python) > 100
    for paths, pattern in ((native, rf"std::{LIBRARY}\("), (python, rf"(np|math|special)\.{LIBRARY}\(|ndtri|expit")):
        for path in paths:
            if path.name not in DRAWINGS:
                assert not re.findall(pattern, path.read_text(encoding="utf-8")), path
