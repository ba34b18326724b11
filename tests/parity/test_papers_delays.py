"""Delays of Page-Hinkley in two papers, each by one ``prequential detect … --seeds``.

Brzezinski and Stefanowski 2014, table 4, SEA_Ratio; Gama, Sebastião and Rodrigues 2013, table 2, LED with VFDT-NBA. The
printed delays are means of ten seeds; the whole of table 2 is in docs/replication.md.
"""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from prequential.cli import app

PH = "page_hinkley:delta=0.1,threshold=100"


def detected(words: str, *detectors: str) -> list[dict[str, object]]:
    options = [word for detector in detectors for word in ("-d", detector)]
    done = CliRunner().invoke(app, ["detect", *words.split(), *options, "--engine", "serial", "--json"])
    assert done.exit_code == 0, done.output
    return list(json.loads(done.stdout)["detections"])


def test_a_ratio_change_is_missed_on_the_error_and_found_on_auc() -> None:
    printed = {1000: 1339, 2000: 2249, 3000: 3152, 4000: 4057, 5000: 4959}
    tree = "hoeffding_tree:leaf_prediction=nb,grace_period=100,delta=0.01"
    change = "--ratio 1:1 --ratio-change 10000=1:100 --label-noise 0.1"
    found = detected(
        f"SEA:noise=0 --n 4e4 {change} --seeds 10 -l {tree} --tolerance inf",
        *(f"{PH},on={metric},under=sliding:{w}" for w in printed for metric in ("error", "auc")),
    )
    assert [(one["n_missed"], one["n_false"]) for one in found[::2]] == [(10, 0)] * 5
    assert [(one["n_missed"], one["n_false"]) for one in found[1::2]] == [(0, 0)] * 5
    for one, delay in zip(found[1::2], printed.values(), strict=True):
        assert one["delay_mean"] == pytest.approx(delay, rel=0.02)


def test_the_delays_on_led_are_those_of_the_paper() -> None:
    printed = {"fading:0.997": 486, "fading:0.9994": 1183, "sliding:1000": 725}
    found = detected(
        "LED --n 140e3 --drift-to LED:n_drifting=7,at=128000 --seeds 2 -l hoeffding_tree:leaf_prediction=nba",
        *(f"{PH},under={under}" for under in printed),
    )
    for one, delay in zip(found, printed.values(), strict=True):
        assert (one["n_missed"], one["n_false"]) == (0, 0)
        assert one["delay_mean"] == pytest.approx(delay, rel=0.05)
