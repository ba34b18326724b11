"""Figures stay readable: at most twelve panels, small multiples by forgetting, dates, waiting times in words."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import prequential as pq
from prequential.figures.curves import MOST_PANELS, limited, panels
from prequential.number import waiting_time

RNG = np.random.default_rng(1)
N = 1200


@pytest.fixture(scope="module")
def many_classes() -> pq.Run:
    labels = np.array([f"c{k:02d}" for k in RNG.integers(0, 40, N)])
    return pq.score(labels, RNG.permutation(labels), metrics=["accuracy", "recall"], every=300)


def test_forty_classes_make_twelve_panels_and_a_remark(many_classes: pq.Run) -> None:
    figure = many_classes.figure()
    assert len(figure.axes) == MOST_PANELS
    assert figure.get_figheight() < 20
    assert (
        figure.get_suptitle()
        == "12 of 41 panels (41 metrics). The others are drawn by name: metrics=['recall[c11]', …]."
    )
    plotly = many_classes.plot()
    assert plotly.layout.height <= MOST_PANELS * 350
    assert plotly.layout.title.text.startswith("12 of 41 panels")
    last = many_classes.figure(["recall[c39]", "accuracy"])
    assert [ax.get_title(loc="left").split(",")[0] for ax in last.axes] == ["recall[c39]", "accuracy"]
    assert not last.get_suptitle()


def test_twelve_panels_have_no_remark(many_classes: pq.Run) -> None:
    found = panels(many_classes.directory)[:MOST_PANELS]
    assert limited(found) == (found, "")


def test_five_learners_under_three_forgettings_are_small_multiples() -> None:
    learners = ["naive_bayes", "no_change", "majority_class", "sgd", "hoeffding_tree"]
    forgetting = ["cumulative", "sliding:500", "fading:0.99"]
    run = pq.evaluate(
        pq.streams.SEA(seed=1).take(N), learners, forgetting=forgetting, metrics=["accuracy", "kappa"], every=200
    )
    figure = run.figure()
    titles = [ax.get_title(loc="left") for ax in figure.axes]
    assert titles == [f"{metric}, {name}" for metric in ("accuracy", "kappa") for name in forgetting]
    assert all(len(ax.lines) == len(learners) for ax in figure.axes)
    for row in (figure.axes[:3], figure.axes[3:]):
        assert len({ax.get_ylim() for ax in row}) == 1
    few = run.figure(learners=["naive_bayes", "no_change"])
    assert len(few.axes) == 2, "six curves fit into one panel"


def test_streams_with_dates_have_dates_on_the_axis() -> None:
    days = 1_704_067_200 + np.arange(N) * 7200.0  # from 2024-01-01 on
    table = pa.table({"at": days, "x": RNG.normal(size=N), "class": RNG.choice(["a", "b"], N)})
    run = pq.evaluate(pq.from_table(table, "class", time="at"), "naive_bayes", every=100)
    (ax, *_) = run.figure("accuracy").axes
    assert ax.xaxis.get_major_formatter()(600, 0) == "600\n2024-02-19"
    assert run.plot("accuracy").layout.xaxis.title.text == "records, 2024-01-09 to 2024-04-09 UTC"
    plain = pq.from_table(table.set_column(0, "at", pa.array(np.arange(N) * 1.0)), "class", time="at")
    (ax, *_) = pq.evaluate(plain, "naive_bayes", every=100).figure("accuracy").axes
    assert ax.xaxis.get_major_formatter()(600, 0) == "600"


def test_latencies_between_dates_are_in_days_and_hours() -> None:
    start = 1_704_067_200.0
    predictions = pa.table({"id": [1, 2, 3], "time": [start, start + 60, start + 120], "prediction": ["a", "b", "a"]})
    labels = pa.table({"id": [1, 2, 3], "time": [start + 90, start + 7260, start + 3e5], "label": ["a", "b", "a"]})
    table = str(pq.score_delayed(predictions, labels, bins=2, metrics="accuracy").delays.latencies())
    assert "2 h" in table
    assert "3 d 11 h" in table
    assert "in the unit" not in table
    assert waiting_time(0.5) == "0.5 s"
