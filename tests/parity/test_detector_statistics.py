"""The statistic that ``trace`` shows is that of the formula, computed from the start at every value."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pytest
from river import drift
from twins import drift as twin

import prequential as pq
from prequential.errors import InputError, ParameterError


def losses(seed: int, n: int = 700) -> Any:
    rng = np.random.default_rng(seed)
    return (rng.random(n) < np.where(np.arange(n) < n // 2, 0.1, 0.6)).astype(float)


def rise(series: list[float], delta: float) -> float:
    """Return m_T − min m of the Page–Hinkley test after a series."""
    m = np.cumsum([x - math.fsum(series[: i + 1]) / (i + 1) - delta for i, x in enumerate(series)])
    return float(m[-1] - m.min())


def since(alarms: list[int], i: int) -> int:
    """Return the first position after the last alarm before position i."""
    return max((alarm + 1 for alarm in alarms if alarm < i), default=0)


def compared(found: Any, expected: Any) -> None:
    assert len(found.record) == 700
    assert len(found.alarms) >= 1
    for i in range(0, 700, 7):
        np.testing.assert_allclose(found.values[i], expected(i), rtol=1e-9, atol=1e-9, err_msg=str(i))
    for i in found.alarms.tolist():
        np.testing.assert_allclose(found.values[i], expected(i), rtol=1e-9, atol=1e-9, err_msg=str(i))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("under", [None, "fading:0.98", "sliding:40", "cumulative"])
def test_page_hinkley(seed: int, under: str | None) -> None:
    series = losses(seed).tolist()
    detector = pq.drift.PageHinkley(delta=0.01, threshold=8, under=under)
    found = detector.trace(series)
    alarms = detector.detect(series).tolist()
    assert found.alarms.tolist() == alarms
    mean: Any = {
        None: lambda part: part[-1],
        "fading:0.98": partial(twin.faded, alpha=0.98),
        "sliding:40": partial(twin.windowed, w=40),
        "cumulative": lambda part: math.fsum(part) / len(part),
    }[under]

    def expected(i: int) -> list[float]:
        part = series[since(alarms, i) : i + 1]
        return [rise([mean(part[: k + 1]) for k in range(len(part))], 0.01)]

    compared(found, expected)
    assert (found.limit == 8).all()
    assert all(found.values[i, 0] >= 8 for i in alarms)


@pytest.mark.parametrize("seed", range(2))
def test_ratio(seed: int) -> None:
    series = losses(seed).tolist()
    detector = pq.drift.Ratio(short=pq.Fading(0.9), long=pq.Fading(0.98), delta=0.05, threshold=10)
    found = detector.trace(series)
    alarms = detector.detect(series).tolist()

    def expected(i: int) -> list[float]:
        part = series[since(alarms, i) : i + 1]
        long = [twin.faded(part[: k + 1], 0.98) for k in range(len(part))]
        ratios = [twin.faded(part[: k + 1], 0.9) / long[k] for k in range(len(part)) if long[k] > 0]
        return [ratios[-1], rise(ratios, 0.05)] if long[-1] > 0 else [math.nan, math.nan]

    compared(found, expected)


def test_ddm() -> None:
    series = losses(1).tolist()
    found = pq.drift.DDM().trace(series)
    alarms = found.alarms.tolist()
    assert alarms == pq.drift.DDM().detect(series).tolist()

    def expected(i: int) -> list[float]:
        part = series[since(alarms, i) : i + 1]
        p = math.fsum(part) / len(part)
        return [p + math.sqrt(p * (1 - p) / len(part))]

    compared(found, expected)
    assert all(found.values[i, 0] > found.limit[i] for i in alarms)
    quiet = np.setdiff1d(found.record[~np.isnan(found.limit)], alarms)
    assert (found.values[quiet, 0] <= found.limit[quiet]).all()


def test_adwin_and_eddm() -> None:
    series = losses(2)
    adwin = pq.drift.ADWIN()
    found = adwin.trace(series)
    state: Any = adwin._start()
    for i, x in enumerate(series.tolist()):
        state.update(x)
        assert found.values[i].tolist() == [state.width, state.mean]
    assert len(found.alarms)
    assert np.isnan(found.limit).all()
    found = pq.drift.EDDM().trace(series)
    assert len(found.alarms)
    assert all(found.values[i, 0] < found.limit[i] == 0.9 for i in found.alarms.tolist())


def test_missing_values_change_nothing_and_every_nth_position_is_kept() -> None:
    series = losses(1)
    holes = series.copy()
    holes[::5] = np.nan
    detector = pq.drift.PageHinkley(delta=0.01, threshold=8, under="fading:0.98")
    whole, without = detector.trace(holes), detector.trace(holes[~np.isnan(holes)])
    assert np.array_equal(whole.values[~np.isnan(holes)], without.values, equal_nan=True)
    assert np.array_equal(whole.values[5::5], whole.values[4:-1:5], equal_nan=True)
    some = detector.trace(series, every=100)
    assert some.record.tolist() == sorted({*range(99, 700, 100), *some.alarms.tolist(), 699})
    assert some.to_arrow().num_rows == len(some.record)
    assert "alarm" in str(some)


def test_bad_input_is_refused() -> None:
    with pytest.raises(InputError, match="a detector of another library, whose statistic is not known"):
        pq.as_detector(drift.ADWIN()).trace([0, 1])
    with pytest.raises(ParameterError, match="'every' parameter of trace"):
        pq.drift.DDM().trace([0, 1], every=0)
