"""Predictions made elsewhere with late labels: every number against a plain loop over the logs."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import prequential as pq

BINS = 4
OPTIONS: dict[str, Any] = {"bins": BINS, "metrics": ["accuracy"], "forgetting": "cumulative"}


def logs(
    n: int = 300, seed: int = 1, *, again: int = 2, models: tuple[str, ...] = (), missing: float = 0.05
) -> tuple[pa.Table, pa.Table]:
    """Return predictions, several for some records, and labels; some are missing, repeated or too late."""
    rng = np.random.default_rng(seed)
    classes = np.array(["a", "b", "c"])
    predictions, labels = [], []
    for i in range(n):
        arrives = float(rng.integers(0, n))
        waits = float(rng.integers(0, 50))
        if rng.random() > missing:
            labels.append((arrives + waits, i, rng.choice(classes)))
        if rng.random() < missing:
            labels.append((arrives + waits + float(rng.integers(-9, 9)), i, rng.choice(classes)))
        for name in models or ("",):
            if rng.random() > missing:
                predictions.append((arrives, i, rng.choice(classes), name))
            for _ in range(rng.integers(0, again + 1)):
                said = None if rng.random() < missing else rng.choice(classes)
                predictions.append((arrives + float(rng.integers(0, 60)), i, said, name))
    predictions.sort(key=lambda row: row[0])
    labels.sort(key=lambda row: row[0])
    columns = dict(zip(("time", "id", "prediction", "model"), map(list, zip(*predictions, strict=True)), strict=True))
    if not models:
        del columns["model"]
    return pa.table(columns), pa.table(
        dict(zip(("time", "id", "label"), map(list, zip(*labels, strict=True)), strict=True))
    )


def bin_predictions(asked: list[tuple[float, object]], start: float, end: float) -> list[object]:
    """Return the predictions in bins 0 to B + 1, by a plain implementation of the protocol."""
    first = asked[0][1]
    waited = end - start
    held = [first] + [None] * BINS + [asked[-1][1]]
    if waited <= 0:
        return [first] * (BINS + 1) + [asked[-1][1]]
    now = first
    for b in range(1, BINS + 1):
        within = [
            (t, predicted)
            for t, predicted in asked[1:]
            if min(max(1 + math.floor(BINS * (t - start) / waited), 1), BINS) == b
        ]
        if len(within) == 1:
            now = held[b] = within[0][1]
            continue
        times: dict[object, float] = {now: 0.0}
        since = start + waited * (b - 1) / BINS
        stop = start + waited * b / BINS
        for t, predicted in within:
            times[now] += t - since
            since, now = t, predicted
            times.setdefault(now, 0.0)
        times[now] += stop - since
        order = ["a", "b", "c"]
        code: dict[object, int] = {None: -1, **{c: k for k, c in enumerate(order)}}
        held[b] = min(times, key=lambda c: (-times[c], code[c]))
    return held


def by_hand(predictions: pa.Table, labels: pa.Table) -> tuple[list[float], Counter[str]]:
    """Return the accuracy in every bin, and the number of irregular events by kind."""
    events = [(r["time"], 0, k, r) for k, r in enumerate(predictions.to_pylist())]
    events += [(r["time"], 1, k, r) for k, r in enumerate(labels.to_pylist())]
    waiting: dict[object, list[tuple[float, object]]] = {}
    past: dict[object, tuple[str, object]] = {}
    right, n, irregular = [0] * (BINS + 2), 0, Counter[str]()
    for time, known, _, row in sorted(events, key=lambda e: e[:3]):
        key = row["id"]
        if not known:
            if key in past:
                irregular["record after its label" if past[key][0] == "early" else "record again after its label"] += 1
            else:
                waiting.setdefault(key, []).append((time, row["prediction"]))
        elif key in waiting:
            asked = waiting.pop(key)
            n += 1
            for b, predicted in enumerate(bin_predictions(asked, asked[0][0], time)):
                right[b] += predicted == row["label"]
            past[key] = ("scored", row["label"])
        elif key in past:
            irregular["second label, the same" if past[key][1] == row["label"] else "second label, another one"] += 1
        else:
            irregular["label without a record"] += 1
            past[key] = ("early", row["label"])
    return [hits / n for hits in right], irregular


def bins(run: pq.Run, learner: str | None = None) -> list[float]:
    table = run.delays.bins().to_pylist()
    last = max(row["n"] for row in table if learner in (None, row["learner"]))
    return [row["value"] for row in table if row["n"] == last and learner in (None, row["learner"])]


@pytest.mark.parametrize("seed", range(6))
def test_every_bin_equals_that_of_a_plain_loop_over_the_logs(seed: int) -> None:
    predictions, labels = logs(seed=seed)
    run = pq.score_delayed(predictions, labels, **OPTIONS)
    expected, irregular = by_hand(predictions, labels)
    assert bins(run) == pytest.approx(expected, abs=1e-12)
    assert run.manifest.events is not None
    assert run.manifest.events["irregular"] == dict(irregular)
    assert Counter(run.delays.irregular()["kind"].to_pylist()) == irregular
    assert len(irregular) >= 4
    values = dict(zip(run.to_arrow()["metric"].to_pylist(), run.to_arrow()["value"].to_pylist(), strict=True))
    assert values["accuracy_initial"] == pytest.approx(expected[0])
    assert values["accuracy_final"] == pytest.approx(expected[-1])
    weights = [2 ** (-b / BINS) for b in range(BINS + 1)]
    psi = sum(w * v for w, v in zip(weights, expected, strict=False)) / sum(weights)
    assert values["accuracy_psi_2"] == pytest.approx(psi)


def test_results_do_not_depend_on_the_chunk_size() -> None:
    predictions, labels = logs(models=("one", "two"))
    runs = [
        pq.score_delayed(
            predictions, labels, bins=3, every=10, forgetting=["sliding:20", "fading:0.9"], disorder=5, chunk_size=size
        )
        for size in (1, 7, 100_000)
    ]
    for run in runs[1:]:
        assert run.to_arrow().equals(runs[0].to_arrow())
        assert run.delays.bins().equals(runs[0].delays.bins())
        assert run.delays.irregular().to_pylist() == runs[0].delays.irregular().to_pylist()


def test_each_model_is_scored_on_the_records_it_predicted() -> None:
    predictions, labels = logs(models=("one", "two"), missing=0.1)
    run = pq.score_delayed(predictions, labels, **OPTIONS)
    assert run.learners == ["one", "two"]
    for name in run.learners:
        own = predictions.filter(pa.compute.equal(predictions["model"], name))
        expected, irregular = by_hand(own, labels)
        assert bins(run, name) == pytest.approx(expected, abs=1e-12)
        entry = run.manifest.learners[name]
        assert entry.n_unpredicted == irregular["label without a record"] > 0
        labelled = set(labels["id"].to_pylist())
        assert entry.n_unlabelled == len(set(own["id"].to_pylist()) - labelled)
    _, irregular = by_hand(predictions, labels)
    assert run.manifest.events is not None
    assert run.manifest.events["irregular"] == dict(irregular)
    assert run.manifest.events["n_waiting"] == len(set(predictions["id"].to_pylist()) - labelled)


def test_one_prediction_per_record_is_scored_as_without_delay() -> None:
    predictions, labels = logs(again=0, missing=0.0)
    run = pq.score_delayed(predictions, labels, metrics=["accuracy", "kappa", "kappa_t"], bins=7, every=50)
    said = dict(zip(predictions["id"].to_pylist(), predictions["prediction"].to_pylist(), strict=True))
    plain = pq.score(
        labels["label"].to_pylist(),
        [said[key] for key in labels["id"].to_pylist()],
        metrics=["accuracy", "kappa", "kappa_t"],
        every=50,
    )
    wanted = plain.to_arrow()["value"].to_pylist()
    for stage in ("initial", "psi_2", "final"):
        table = run.to_arrow()
        found = [r["value"] for r in table.to_pylist() if r["metric"].endswith(stage)]
        assert found == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def test_files_and_frames_and_ids_of_any_kind_give_the_same_run(tmp_path: Path) -> None:
    predictions, labels = logs()
    pa.csv.write_csv(predictions, tmp_path / "p.csv")
    pa.csv.write_csv(labels, tmp_path / "l.csv")
    pa.parquet.write_table(predictions, tmp_path / "p.parquet", row_group_size=50)
    (tmp_path / "l").mkdir()
    pa.parquet.write_table(labels[:100], tmp_path / "l" / "0.parquet")
    pa.parquet.write_table(labels[100:], tmp_path / "l" / "1.parquet")
    text = predictions["id"].cast(pa.float64())
    sources = [
        (tmp_path / "p.csv", tmp_path / "l.csv"),
        (tmp_path / "p.parquet", tmp_path / "l"),
        (tmp_path / "p.parquet", tmp_path / "l.csv"),
        (predictions.to_pandas(), labels.to_pandas()),
        (predictions.set_column(predictions.schema.get_field_index("id"), "id", text), labels),
        (
            predictions.set_column(1, "id", predictions["id"].cast(pa.string()).dictionary_encode()),
            labels.set_column(1, "id", labels["id"].cast(pa.string())),
        ),
    ]
    whole = pq.score_delayed(predictions, labels, **OPTIONS)
    for one, other in sources:
        run = pq.score_delayed(one, other, **OPTIONS)
        assert bins(run) == bins(whole)
        assert run.delays.irregular().to_pylist() == whole.delays.irregular().to_pylist()


def test_dates_are_seconds(tmp_path: Path) -> None:
    predictions, labels = logs()
    seconds = [pa.array([int(t * 1e6) for t in table["time"].to_pylist()]) for table in (predictions, labels)]
    dated = [
        table.set_column(0, "time", moments.cast(pa.timestamp("us", tz="UTC")))
        for table, moments in zip((predictions, labels), seconds, strict=True)
    ]
    pa.csv.write_csv(dated[1], tmp_path / "l.csv")
    whole = pq.score_delayed(predictions, labels, every=1000, **OPTIONS)
    run = pq.score_delayed(dated[0], tmp_path / "l.csv", every=1000, **OPTIONS)
    assert bins(run) == bins(whole)
    assert run.to_arrow()["time"].to_pylist() == whole.to_arrow()["time"].to_pylist()


def test_without_a_prediction_the_highest_score_decides() -> None:
    scores = np.array([[0.2, 0.5, 0.5], [0.9, 0.1, 0.0], [0.0, 0.0, 0.0], [np.nan, 1.0, 0.0], [0.0, 0.0, 7.0]])
    columns = {f"score_{c}": scores[:, k] for k, c in enumerate("abc")}
    predictions = pa.table({"id": range(5), "time": range(5), **columns})
    labels = pa.table({"id": range(5), "time": range(10, 15), "label": ["b", "a", "a", "b", "c"]})
    run = pq.score_delayed(predictions, labels, **OPTIONS)
    assert bins(run) == [0.6] * (BINS + 2)  # the third and the fourth abstain
    assert run.manifest.learners["predictions"].n_abstained == 2
    one = pa.table({"id": [1, 2], "time": [0, 0], "score_yes": [0.4, 0.6]})
    truth = pa.table({"id": [1, 2], "time": [1, 1], "label": ["no", "no"]})
    assert bins(pq.score_delayed(one, truth, classes=["yes", "no"], **OPTIONS)) == [0.5] * (BINS + 2)


def test_disorder_within_the_bound_is_sorted_and_beyond_it_reported() -> None:
    predictions, labels = logs()
    rng = np.random.default_rng(3)
    shaken = [
        table.take(np.argsort(np.array(table["time"].to_pylist()) + rng.uniform(0, 10, len(table)), kind="stable"))
        for table in (predictions, labels)
    ]
    whole = pq.score_delayed(predictions, labels, **OPTIONS)
    run = pq.score_delayed(*shaken, disorder=10, **OPTIONS)
    # Rows with the same time may be in another order, so only numbers that do not depend on it are compared.
    assert run.manifest.events is not None
    assert whole.manifest.events is not None
    assert "time runs backwards" not in run.manifest.events["irregular"]
    for key in ("n_records", "n_labels", "n_waiting"):
        assert run.manifest.events[key] == whole.manifest.events[key]
    late = pq.score_delayed(*shaken, disorder=3, **OPTIONS)
    assert late.manifest.events is not None
    n_late = 0
    for table in shaken:
        times = np.array(table["time"].to_pylist())
        before = np.maximum.accumulate(np.concatenate([[-np.inf], times]))[:-1]
        n_late += int((times < before - 3).sum())
    assert late.manifest.events["irregular"]["time runs backwards"] == n_late > 0
    assert late.manifest.events["n_events"] == len(predictions) + len(labels)


def test_text_ids_are_recognised_after_many_others() -> None:
    """There are more ids than are remembered: those of waiting records must keep their codes."""
    n = 130_000
    names = np.array([f"record-{i}" for i in range(n)], dtype=object)
    time = np.arange(n) * 1.0
    waits = np.where(np.arange(n) % 1000 == 0, 200_000.0, 5.0)
    order = np.argsort(time + waits, kind="stable")
    label = np.where(np.arange(n) % 2 == 0, "even", "odd")
    predictions = pa.table({"id": names, "time": time, "prediction": label})
    labels = pa.table({"id": names[order], "time": (time + waits)[order], "label": label[order]})
    run = pq.score_delayed(predictions, labels, bins=1, remember=10, metrics="accuracy", forgetting="cumulative")
    assert run.manifest.events is not None
    assert run.manifest.events["n_labels"] == n
    assert run.manifest.events["irregular"] == {}
    assert bins(run) == [1.0, 1.0, 1.0]


def test_records_beyond_the_horizon_expire_and_are_reported() -> None:
    predictions = pa.table({"id": [1, 2], "time": [0.0, 50.0], "prediction": ["a", "b"]})
    labels = pa.table({"id": [2, 1], "time": [55.0, 56.0], "label": ["b", "a"]})
    run = pq.score_delayed(predictions, labels, horizon=20, **OPTIONS)
    assert run.manifest.events is not None
    assert run.manifest.events["irregular"] == {"expired record": 1, "label of an expired record": 1}
    assert run.delays.irregular()["id"].to_pylist() == ["1", "1"]
    assert run.manifest.learners["predictions"].n_unlabelled == 1


def test_classes_spelt_differently_are_the_same_class(tmp_path: Path) -> None:
    predictions = pa.table({"id": [1, 2, 3], "time": [0, 1, 2], "prediction": [1.0, 0.0, 1.0]})
    (tmp_path / "l.csv").write_text("id,time,label\n1,5, 1\n2,6,0 \n3,7,0\n")
    run = pq.score_delayed(predictions, tmp_path / "l.csv", **OPTIONS)
    assert run.manifest.schema["classes"] == ["0", "1"]
    assert bins(run) == pytest.approx([2 / 3] * (BINS + 2))


def test_a_run_has_a_table_and_a_report(tmp_path: Path) -> None:
    run = pq.score_delayed(*logs(models=("one", "two")), every=50, directory=tmp_path / "run")
    assert "Ψ₂" in str(run.table())
    assert run.save_report(tmp_path / "report.html").stat().st_size > 1000
    assert pq.load(tmp_path / "run").manifest.learners["one"].n_unpredicted > 0


P = "id,time,prediction\n1,0,a\n2,1,b\n"
L = "id,time,label\n1,5,a\n2,6,b\n"


@pytest.mark.parametrize(
    ("predictions", "labels", "message"),
    [
        ("key,time,prediction\n1,0,a\n", L, r"p.csv has no column 'id' for id \(--id\)"),
        ("id,time,predicted\n1,0,a\n", L, r"p.csv has no column 'prediction' and no 'score_CLASS'.*predicted"),
        (P, "id,time,class\n1,5,a\n", r"l.csv has no column 'label' for label \(--label\).*id, time, class"),
        (
            "id,time,prediction\n1,0,a\n,1,b\n",
            L,
            r"p.csv, line 3, column 'id': no id. Accepted: a whole number or text",
        ),
        (P, "id,time,label\n1,5,a\n2,,b\n", r"l.csv, line 3, column 'time': no time"),
        ("id,time,prediction\n1,0,a\n2,soon,b\n", L, r"p.csv, line 3, column 'time': not a time: 'soon'"),
        (P, "id,time,label\n1,5,a\n2,6,\n3,7,b\n", r"l.csv, line 3, column 'label': no label"),
        ("id,time,prediction\n1,0,x\n2,1,y\n", L, r"none of the predicted values \(x, y\) is among the labels"),
        ("model,id,time,prediction\nm,1,0,a\n,2,1,b\n", L, r"p.csv, line 3, column 'model': no model"),
        ("id,time,score_a\n1,0,0.5\n", "id,time,label\n1,5,a\n1,5,b\n1,5,c\n", r"no scores for the classes b, c"),
        ("id,time,score_a,score_b\n1,0,0.5,-1\n", L, r"p.csv, line 2, column 'score_b': not a score: '-1'"),
        ("id,time,score_a,score_b\n1,0,0.5,x\n", L, r"p.csv, line 2, column 'score_b': not a score: 'x'"),
        (P, "id,time,label\n7,5,a\n8,6,b\n", r"no label arrived for a record.*label without a record: 2"),
    ],
)
def test_a_fault_is_reported_with_its_place(predictions: str, labels: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(predictions)
    (tmp_path / "l.csv").write_text(labels)
    with pytest.raises(pq.InputError, match=message):
        pq.score_delayed(tmp_path / "p.csv", tmp_path / "l.csv")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"id": [1.5], "time": [0], "prediction": ["a"]}, "record 0, column 'id': not an id: 1.5"),
        ({"id": [True], "time": [0], "prediction": ["a"]}, "record 0, column 'id': not an id: True"),
        ({"id": [1], "time": [0], "prediction": [["a"]]}, r"column 'prediction': a column of type list"),
        ({"id": [1], "time": [0], "prediction": [0.5]}, r"column 'prediction': not a class: 0.5.*score_CLASS"),
        ({"id": [1], "time": [np.inf], "prediction": ["a"]}, "record 0, column 'time': no time: inf"),
    ],
)
def test_values_of_a_wrong_type_are_reported(table: dict[str, object], message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        pq.score_delayed(pa.table(table), pa.table({"id": [1], "time": [1], "label": ["a"]}))


def test_an_undeclared_class_is_reported_with_its_row() -> None:
    predictions, labels = logs()
    with pytest.raises(pq.InputError, match=r"labels, record \d+, column 'label': not a class: 'c'. Accepted: a, b"):
        pq.score_delayed(
            predictions.filter(pa.compute.not_equal(predictions["prediction"], "c")), labels, classes=["a", "b"]
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"disorder": -1}, "'disorder' parameter of score_delayed"),
        ({"bins": 0}, "'bins' parameter"),
        ({"psi_alpha": 0.5}, "'psi_alpha' parameter"),
        ({"psi_alpha": [2, 2.0000001]}, "differ in their first six digits"),
        ({"horizon": 0}, "'horizon' parameter"),
        ({"chunk_size": 0}, "'chunk_size' parameter of score_delayed"),
        ({"metrics": "auc"}, "auc needs one score per class"),
        ({"model": "modell"}, r"has no column 'modell' for model \(--model\)"),
    ],
)
def test_invalid_parameters_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        pq.score_delayed(*logs(), **options)


def test_huge_horizons_and_memories_mean_no_limit(tmp_path: Path) -> None:
    run = pq.score_delayed(*logs(), horizon=math.inf, remember=10**30, directory=tmp_path / "run", **OPTIONS)
    plain = pq.score_delayed(*logs(), **OPTIONS)
    assert run.to_arrow()["value"].to_pylist() == plain.to_arrow()["value"].to_pylist()
    assert run.manifest.protocol["horizon"] is None
    assert "Infinity" not in (tmp_path / "run" / "manifest.json").read_text()


def test_ids_of_64_bits_are_recognised() -> None:
    """Such as hashes."""
    predictions, labels = logs()
    wide = [
        table.set_column(1, "id", pa.array([2**64 - 1 - i for i in table["id"].to_pylist()], pa.uint64()))
        for table in (predictions, labels)
    ]
    text = wide[1].set_column(1, "id", wide[1]["id"].cast(pa.string()))
    expected = pq.score_delayed(predictions, labels, **OPTIONS)
    ids = [str(2**64 - 1 - int(one)) for one in expected.delays.irregular()["id"].to_pylist()]
    assert ids
    for given in (wide, (wide[0], text)):
        found = pq.score_delayed(*given, **OPTIONS)
        assert found.to_arrow()["value"].to_pylist() == expected.to_arrow()["value"].to_pylist()
        assert found.delays.irregular()["id"].to_pylist() == ids


def test_a_time_that_is_too_large_is_reported() -> None:
    predictions = pa.table({"id": [1, 2], "time": [0.0, 1e301], "prediction": ["a", "a"]})
    labels = pa.table({"id": [1], "time": [1.0], "label": ["a"]})
    with pytest.raises(pq.DataError, match="record 1, column 'time': no time: 1e\\+301"):
        pq.score_delayed(predictions, labels)


def test_many_bins_are_counted_in_small_pieces() -> None:
    """Otherwise ten thousand bins would take gigabytes."""
    for bins in (1, 100, 10_000):
        protocol = pq.Delayed(bins=bins)
        assert 4 * protocol.n_events_at_once * (bins + 2) <= 1 << 23


def test_an_object_that_is_not_a_table_is_refused() -> None:
    with pytest.raises(pq.ParameterError, match="'labels' parameter of score_delayed must be the path"):
        pq.score_delayed(logs()[0], 5)


def test_results_before_a_fault_are_saved(tmp_path: Path) -> None:
    predictions, labels = logs()
    broken = labels.set_column(0, "time", pa.array([*labels["time"].to_pylist()[:-1], None]))
    with pytest.raises(pq.DataError, match="no time") as caught:
        pq.score_delayed(predictions, broken, chunk_size=10, every=20, directory=tmp_path / "run")
    assert isinstance(caught.value.run, pq.Run)
    assert caught.value.run.status == "partial"
    assert len(caught.value.run.to_arrow())


@pytest.mark.parametrize("broken", ["predictions", "labels"])
@pytest.mark.parametrize("size", [1, 7, None])
def test_rows_before_a_fault_are_scored_for_any_chunk_size(broken: str, size: int | None, tmp_path: Path) -> None:
    """Fifty records, each labelled a second later; row 30 of one of the logs has no id, and row 40 no time.

    The last good prediction is at second 29. Another one at that second could still come before its labels.
    """
    ids, time = list(range(50)), np.arange(50.0)
    tables: dict[str, dict[str, Any]] = {
        "predictions": {"id": ids, "time": time, "prediction": ["a", "b"] * 25},
        "labels": {"id": ids, "time": time + 1, "label": ["a", "a"] * 25},
    }
    tables[broken]["id"] = [None if i == 30 else i for i in ids]
    tables[broken]["time"] = [None if i == 40 else t for i, t in enumerate(tables[broken]["time"])]
    classes = ("a", "b")
    with pytest.raises(pq.DataError, match=r"30, column 'id': no id") as caught:
        pq.score_delayed(
            pa.table(tables["predictions"]),
            pa.table(tables["labels"]),
            classes=classes,
            chunk_size=size,
            every=1,
            metrics="accuracy",
            forgetting="cumulative",
            directory=tmp_path / "run",
        )
    run = caught.value.run
    assert isinstance(run, pq.Run)
    assert run.manifest.events is not None
    assert run.manifest.events["n_labels"] == {"predictions": 28, "labels": 30}[broken]
    assert run.to_arrow()["n"].to_pylist()[-1] == run.manifest.events["n_labels"]


def test_a_predicted_class_that_is_never_a_label_gives_a_warning() -> None:
    predictions = pa.table({"id": [1, 2], "time": [0, 1], "prediction": ["churns", "churn"]})
    labels = pa.table({"id": [1, 2], "time": [5, 6], "label": ["churns", "stays"]})
    message = r"predicted but never a label: churn. Did you mean 'churns'\? The labels are: churns, stays"
    with pytest.warns(pq.UnseenClassWarning, match=message):
        pq.score_delayed(predictions, labels)
    pq.score_delayed(
        predictions, labels, classes=("churn", "churns", "stays")
    )  # declared: no warning, which would be an error


@pytest.mark.parametrize("forgetting", ["cumulative", "adaptive:0.002"])
def test_abstentions_are_counted_in_the_initial_predictions(forgetting: str) -> None:
    ids, times = [1, 2, 1, 2, 3, 3], [0.0, 1, 2, 3, 4, 5]
    predictions = pa.table({"id": ids, "time": times, "prediction": [None, None, "a", "a", "b", "b"]})
    labels = pa.table({"id": [1, 2, 3], "time": [10.0, 11, 12], "label": ["a", "b", "b"]})
    run = pq.score_delayed(predictions, labels, bins=2, metrics="accuracy", forgetting=forgetting)
    assert [entry.n_abstained for entry in run.manifest.learners.values()] == [2]
