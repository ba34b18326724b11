"""The statistic of a detector, drawn with its limit and its alarms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import prequential as pq

SERIES = np.r_[np.tile([0.0, 1.0, 0.0, 0.0], 300), np.ones(300)]


@pytest.mark.parametrize(
    ("detector", "has_limit"),
    [
        (pq.drift.PageHinkley(delta=0.1, threshold=20), True),
        (pq.drift.Ratio(threshold=20), True),
        (pq.drift.ADWIN(), False),
        (pq.drift.DDM(), True),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_the_figures_show_statistics_limit_and_alarms(detector: pq.drift.Detector, has_limit: bool) -> None:
    found = detector.trace(SERIES)
    assert len(found.alarms)
    interactive, printed = found.plot(), found.figure()
    assert len(interactive.data) == len(found.statistics) + has_limit
    np.testing.assert_array_equal(interactive.data[0].y, found.values[:, 0])
    assert {shape.x0 for shape in interactive.layout.shapes} == set(found.alarms.tolist())
    axes = printed.get_axes()
    assert [ax.get_ylabel() for ax in axes] == list(found.statistics)
    shown = [line.get_label() for line in axes[-1].get_lines()]
    assert ("limit" in shown) is has_limit
    assert len(shown) == 1 + len(found.alarms) + has_limit
    if has_limit:
        np.testing.assert_array_equal(interactive.data[-1].y, found.limit)


def test_the_figure_is_written_and_the_same_every_time(tmp_path: Path) -> None:
    found = pq.drift.PageHinkley(delta=0.1, threshold=20).trace(SERIES, every=10)
    first, second = (found.save_figure(tmp_path / name).read_bytes() for name in ("a.svg", "b.svg"))
    assert first == second
    with pytest.raises(pq.InputError, match=r"\.png"):
        found.save_figure(tmp_path / "a.txt")
