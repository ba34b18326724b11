"""Delay against false alarms, and the settings that no other one beats."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import prequential as pq
from prequential.drift import Alarm, Detection
from prequential.sweeps.trade_off import TradeOff
from prequential.tables.detection_table import DetectionTable, detection_table
from prequential.tables.seed_detections import seed_detections


def made(alarms: dict[str, list[int]], learner: str = "nb") -> DetectionTable:
    found = [Detection(learner, name, 1000, tuple(map(Alarm, at))) for name, at in alarms.items()]
    return detection_table("s", found, [pq.Drift(300), pq.Drift(700)], tolerance=100)


def test_the_pareto_set_counts_misses_and_leaves_out_what_detects_nothing() -> None:
    found = TradeOff(
        seed_detections(
            {
                1: made(
                    {
                        "ddm:level=1": [50, 310, 710],  # delay 10, 1 false
                        "ddm:level=2": [320, 720],  # delay 20, 0 false
                        "ddm:level=3": [330, 730],  # beaten by level=2
                        "ddm:level=4": [305],  # the fastest, but misses one
                        "ddm:level=5": [],  # detects nothing
                        "ddm:level=6": [50, 340],  # beaten by level=4: as many misses, slower, more false
                    }
                )
            },
            100,
        )
    )
    assert [row.detector for row in found.pareto] == ["ddm:level=1", "ddm:level=2", "ddm:level=4"]
    rows = found.to_dicts()
    assert [row["pareto"] for row in rows] == [True, True, False, True, False, False]
    assert [row["false_per_run"] for row in rows] == [1, 0, 0, 0, 0, 1]
    text = str(found)
    assert "no drift was detected" in text
    assert "1 of 2" in text
    assert [point.missed for point in found.points().points] == [0, 0, 0, 1, 1]
    assert "1 setting without a detected drift not drawn" in found.points().title


def test_the_pareto_set_is_that_of_brute_force() -> None:
    rng = np.random.default_rng(3)
    tables = {
        seed: made({f"ddm:level={k}": sorted(rng.choice(1000, rng.integers(0, 9), replace=False)) for k in range(12)})
        for seed in (1, 2, 3)
    }
    found = TradeOff(seed_detections(tables, 100))
    costs = {
        row["detector"]: (row["delay_mean"], row["n_false"], row["n_missed"])
        for row in found.to_dicts()
        if row["delay_mean"] is not None
    }
    beaten = {
        b
        for a, b in itertools.permutations(costs, 2)
        if np.all(np.array(costs[a]) <= costs[b]) and np.any(np.array(costs[a]) < costs[b])
    }
    assert 0 < len(beaten) < len(costs)
    assert {row.detector for row in found.pareto} == set(costs) - beaten


def test_the_figures_have_one_point_per_setting(tmp_path: Path) -> None:
    found = TradeOff(seed_detections({1: made({"ddm:level=1": [310, 710, 900], "ddm:level=2": [320, 730]})}, 100))
    fig = found.plot()
    assert sum(len(trace.x) for trace in fig.data) == 2
    assert sorted(y for trace in fig.data for y in trace.y) == [10, 25]
    assert found.save_figure(tmp_path / "a.png").stat().st_size > 1000


def test_a_sweep_makes_all_combinations() -> None:
    made = pq.drift.sweep(pq.drift.PageHinkley(on="kappa", under="sliding:50"), delta=[0.1, 0.2], threshold=[5, 9])
    assert [(one.delta, one.threshold) for one in made] == [(0.1, 5), (0.1, 9), (0.2, 5), (0.2, 9)]  # type: ignore[attr-defined]
    assert {one.on for one in made} == {"kappa"}


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"thresold": [1]}, "no parameter 'thresold'. Did you mean 'threshold'?"),
        ({"threshold": [1, -1]}, "threshold"),
        ({"threshold": 5}, "a list of values"),
        ({"threshold": []}, "a list of values"),
        ({}, "a list of values per parameter"),
    ],
)
def test_a_sweep_over_what_does_not_exist_is_refused(parameters: dict[str, object], words: str) -> None:
    with pytest.raises(pq.InputError, match=words.replace("?", r"\?")):
        pq.drift.sweep("page_hinkley", **parameters)


def test_a_replication_compares_settings() -> None:
    def experiment(seed: int, **options: object) -> pq.Run:
        old, new = (pq.streams.SEA(concept=k) for k in (3, 4))
        stream = old.drift_to(new, at=1500).take(3000).reseeded(seed)
        detectors = pq.drift.sweep("page_hinkley", threshold=[5, 20])
        return pq.evaluate(stream, "naive_bayes", detectors=detectors, seed=seed, **options)  # type: ignore[arg-type]

    found = pq.replicate(experiment, seeds=2)
    low, high = found.trade_off(tolerance=700).to_dicts()
    assert low["detector"].startswith("page_hinkley:delta=0.005,threshold=5")
    assert low["n_false"] > high["n_false"]
    assert low["delay_mean"] < high["delay_mean"]
