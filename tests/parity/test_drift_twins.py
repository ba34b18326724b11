"""The native detectors give the alarms of their Python twins."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from twins import drift as twin

import prequential as pq


def losses(seed: int, n: int = 1500) -> np.ndarray:
    """Errors whose rate jumps up, then down, then up."""
    rng = np.random.default_rng(seed)
    rate = np.repeat([0.1, 0.4, 0.15, 0.6], -(-n // 4))[:n]
    return (rng.random(n) < rate).astype(np.float64)


def reals(seed: int, n: int = 1500) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.repeat([0.0, 2.0, -1.0], -(-n // 3))[:n] + rng.normal(size=n)


SEEDS = range(5)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("make", [losses, reals])
def test_page_hinkley_is_four_lines_of_python(seed: int, make: object) -> None:
    series = make(seed)  # type: ignore[operator]
    found = pq.drift.PageHinkley(delta=0.01, threshold=10).detect(series).tolist()
    assert found == twin.page_hinkley(series.tolist(), 0.01, 10)
    assert found


@pytest.mark.parametrize("seed", SEEDS)
def test_downward_is_the_mirror_image_and_both_is_whichever_comes_first(seed: int) -> None:
    series = reals(seed)
    down = pq.drift.PageHinkley(delta=0.01, threshold=20, direction="down").detect(series).tolist()
    assert down == pq.drift.PageHinkley(delta=0.01, threshold=20).detect(-series).tolist()
    up = pq.drift.PageHinkley(delta=0.01, threshold=20).detect(series).tolist()
    both = pq.drift.PageHinkley(delta=0.01, threshold=20, direction="both").detect(series).tolist()
    assert both[0] == min(down[0], up[0])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_ratio_of_faded_means_is_algorithm_4(seed: int) -> None:
    series = losses(seed, 800)
    found = pq.drift.Ratio(short=pq.Fading(0.9), long=pq.Fading(0.99), delta=0.1, threshold=8).detect(series).tolist()
    short, long = partial(twin.faded, alpha=0.9), partial(twin.faded, alpha=0.99)
    assert found == twin.ratio(series.tolist(), short, long, 0.1, 8)
    assert found


@pytest.mark.parametrize("seed", SEEDS)
def test_the_ratio_of_windows_is_algorithm_4(seed: int) -> None:
    series = losses(seed, 800)
    found = pq.drift.Ratio(short=pq.Sliding(20), long=pq.Sliding(150), delta=0.1, threshold=8).detect(series).tolist()
    assert found == twin.ratio(series.tolist(), partial(twin.windowed, w=20), partial(twin.windowed, w=150), 0.1, 8)
    assert found


@pytest.mark.parametrize("seed", SEEDS)
def test_ddm_is_its_twin(seed: int) -> None:
    series = losses(seed)
    found = pq.drift.DDM().detect(series).tolist()
    assert found == twin.ddm(series.tolist(), 3, 30)
    assert found


@pytest.mark.parametrize("seed", SEEDS)
def test_eddm_is_its_twin(seed: int) -> None:
    series = losses(seed)
    found = pq.drift.EDDM().detect(series).tolist()
    assert found == twin.eddm(series.tolist(), 0.9, 30)
    assert found


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("make", [losses, reals])
@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"clock": 10, "max_buckets": 3, "delta": 0.05, "min_side": 3},
        {"bound": "theorem3"},
        {"bound": "theorem3", "clock": 1, "min_side": 1, "delta": 0.3},
    ],
)
def test_adwin_is_its_twin(seed: int, make: object, rules: dict[str, float]) -> None:
    series = make(seed, 700)  # type: ignore[operator]
    if "bound" in rules:  # the theorem is about values from 0 to 1
        series = 1 / (1 + np.exp(-4 * (series - series.mean()) / series.std()))
    shrunk, risen = twin.adwin(series.tolist(), **rules)  # type: ignore[arg-type]
    assert pq.drift.ADWIN(**rules, direction="both").detect(series).tolist() == shrunk  # type: ignore[arg-type]
    assert pq.drift.ADWIN(**rules).detect(series).tolist() == risen  # type: ignore[arg-type]
    assert risen


def test_huge_values_that_have_left_the_window_leave_nothing_behind() -> None:
    """Sums are added up again, not subtracted from: 1e17 − 1e17 would have eaten the others."""
    series = np.concatenate([np.full(256, 1e17), losses(1, 6000)])
    state = pq.drift.ADWIN()._start()
    state.update(series)
    width = state.width  # type: ignore[attr-defined]
    assert width < 6000
    assert state.mean == pytest.approx(series[-width:].mean(), abs=1e-12)  # type: ignore[attr-defined]
