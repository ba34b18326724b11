"""The table and the timeline of detections."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import prequential as pq
from prequential.drift import Alarm, Detection
from prequential.figures.timeline_matplotlib import save_timeline
from prequential.figures.timeline_plotly import timeline_figure
from prequential.sheets.plain_text import plain
from prequential.tables.detection_table import detection_table

FOUND = [
    Detection("nb", "adwin:delta=0.002,on=error", 1000, (Alarm(90), Alarm(130), Alarm(140))),
    Detection("nb", "adwin:delta=0.1,on=error", 1000, ()),
    Detection("$x$", "river.ADWIN(delta=0.002):on=error", 1000, (Alarm(620),)),
]
DRIFTS = [pq.Drift(100), pq.Drift(600, width=100)]


def test_a_dummy_stands_below_every_detector_and_labels_are_footnotes() -> None:
    text = plain(detection_table("s", FOUND, DRIFTS, tolerance=50).sheet())
    assert text.splitlines()[0] == "s · 1,000 records · 2 drifts · tolerance 50"
    first = [line.split() for line in text.splitlines()[2:9]]
    assert first[0] == ["alarms", "alarms", "detected", "missed", "false", "repeats"]
    assert first[1] == ["nb", "·", "adwin¹", "3", "1", "1", "1", "1"]
    assert first[2][:3] == ["dummy,", "on", "average"]
    assert first[3][2:4] == ["adwin-2³", "0"]
    assert "¹ adwin:delta=0.002,on=error" in text
    assert "there is only one delay" in text
    assert "no drift was detected" in text


def test_delays_and_shares_are_those_of_the_score() -> None:
    text = plain(detection_table("s", FOUND[:1], DRIFTS, tolerance=50).sheet())
    rows = [line.split()[1:] for line in text.splitlines() if line.startswith("adwin¹")]
    assert rows[1] == ["30.0", "–²", "30.0", "0.6000"]
    assert rows[2] == ["0.5000", "0.5000", "0.5000", "798.0"]  # 1,000 records without 51 and 151


def test_without_drifts_the_alarms_are_shown() -> None:
    table = detection_table("s", FOUND, None)
    text = plain(table.sheet())
    assert "no drifts are known, so nothing is scored" in text
    assert "90, 130, 140" in text
    assert "none" in text
    assert table.scores() == [None, None, None]


@pytest.mark.parametrize(
    ("drifts", "tolerance", "suffix"), [(DRIFTS, 50, ".png"), (DRIFTS, math.inf, ".svg"), (None, math.inf, ".pdf")]
)
def test_a_timeline_is_written_and_the_same_every_time(
    tmp_path: Path, drifts: list[pq.Drift] | None, tolerance: float, suffix: str
) -> None:
    table = detection_table("s", FOUND, drifts, tolerance=tolerance).timeline()
    first = save_timeline(table, tmp_path / f"a{suffix}").read_bytes()
    assert len(first) > 1000
    assert save_timeline(table, tmp_path / f"b{suffix}").read_bytes() == first


def test_an_interactive_timeline_has_a_mark_for_every_alarm() -> None:
    fig = timeline_figure(detection_table("s", FOUND, DRIFTS, tolerance=50).timeline())
    assert sum(len(trace.x) for trace in fig.data) == 4
    assert {trace.name for trace in fig.data} == {"false alarm", "detects a drift", "repeats an alarm"}
    assert len(fig.layout.shapes) == 4
    assert timeline_figure(detection_table("s", FOUND, None).timeline()).layout.shapes == ()


def test_another_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(pq.InputError, match=r"Accepted: \.png"):
        save_timeline(detection_table("s", FOUND, DRIFTS).timeline(), tmp_path / "a.gif")


def test_blips_are_named_and_drawn_but_not_scored(tmp_path: Path) -> None:
    found = [Detection("nb", "adwin:delta=0.002,on=error", 1000, (Alarm(130), Alarm(410)))]
    table = detection_table("s", found, [pq.Drift(100), pq.Drift(405, 10, temporary=True)], tolerance=50)
    assert plain(table.sheet()).splitlines()[0] == "s · 1,000 records · 1 drift and 1 blip · tolerance 50"
    score = table.scores()[0]
    assert score is not None
    assert (score.n_drifts, score.n_detected, score.n_false) == (1, 1, 1)
    spans = [(shape.x0, shape.x1) for shape in timeline_figure(table.timeline()).layout.shapes]
    assert spans == [(100, 150), (100, 100), (400, 410)]
    assert "blip" in save_timeline(table.timeline(), tmp_path / "a.svg").read_text()
