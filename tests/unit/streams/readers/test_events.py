"""Records in one table and their labels in another are one stream of events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import prequential as pq

N = 400


def tables(seed: int = 1, *, text_ids: bool = False) -> tuple[pa.Table, pa.Table]:
    rng = np.random.default_rng(seed)
    ids = rng.permutation(N)
    arrives = np.sort(rng.integers(0, N, N))
    x, colour = rng.normal(size=N), rng.choice(["red", "green"], N)
    label = np.where(x + 0.3 * rng.normal(size=N) > 0, "up", "down")
    comes = arrives + rng.integers(0, 40, N)
    order = np.argsort(comes, kind="stable")
    names = np.array([f"r{i}" for i in ids]) if text_ids else ids
    instances = pa.table({"id": names, "time": arrives, "x": x, "colour": colour})
    labels = pa.table({"id": names[order], "time": comes[order], "label": label[order]})
    return instances, labels


def rows(stream: pq.Stream, size: int = 64, start: int = 0) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for chunk in stream.chunks(size, start):
        assert chunk.start == start + len(found)
        assert chunk.time is not None
        assert chunk.id is not None
        X = np.where(np.isnan(chunk.X), -9, chunk.X)
        found += list(zip(chunk.time, chunk.id.tolist(), chunk.y, map(tuple, X), strict=True))
    return found


def expected(instances: pa.Table, labels: pa.Table) -> list[tuple[object, ...]]:
    events = []
    for k, row in enumerate(instances.to_pylist()):
        events.append((row["time"], 0, k, row["id"], -1, (row["x"], ("green", "red").index(row["colour"]))))
    for k, row in enumerate(labels.to_pylist()):
        events.append((row["time"], 1, k, row["id"], ("down", "up").index(row["label"]), (-9, -9)))
    return [(time, *rest) for time, _, _, *rest in sorted(events, key=lambda e: e[:3])]


@pytest.mark.parametrize("text_ids", [False, True])
def test_two_tables_are_merged_by_time_records_first(text_ids: bool) -> None:
    instances, labels = tables(text_ids=text_ids)
    stream = pq.from_events(instances, labels, id="id", time="time")
    assert stream.events
    assert stream.n_records == 2 * N
    assert stream.schema.classes == ("down", "up")
    assert [feature.name for feature in stream.schema.features] == ["x", "colour"]
    assert rows(stream) == expected(instances, labels)


@pytest.mark.parametrize(("size", "start"), [(1, 0), (7, 0), (1000, 0), (16, 333), (5, 2 * N)])
def test_neither_the_size_of_chunks_nor_the_start_matters(size: int, start: int) -> None:
    stream = pq.from_events(*tables(), id="id", time="time")
    assert rows(stream, size, start) == rows(stream)[start:]
    assert rows(stream.skip(start).take(50))[:50] == rows(stream)[start : start + 50]
    assert stream.take(10).events


def test_files_of_any_format_give_the_same_events(tmp_path: Path) -> None:
    instances, labels = tables()
    paths = [tmp_path / name for name in ("i.csv", "l.csv", "i.parquet", "l.parquet")]
    pa.csv.write_csv(instances, paths[0])
    pa.csv.write_csv(labels, paths[1])
    pa.parquet.write_table(instances, paths[2], row_group_size=30)
    pa.parquet.write_table(labels, paths[3], row_group_size=70)
    whole = rows(pq.from_events(instances, labels, id="id", time="time"))
    assert rows(pq.from_events(paths[2], paths[3], id="id", time="time")) == whole
    for one, other in ((paths[0], paths[1]), (paths[0], paths[3]), (paths[2], paths[1])):
        found = rows(pq.from_events(one, other, id="id", time="time"))  # ids are text in a CSV file
        assert [(t, int(key), y) for t, key, y, _ in found] == [(t, key, y) for t, key, y, _ in whole]
        assert np.allclose([X for *_, X in found], [X for *_, X in whole])


def test_two_tables_give_the_run_of_one_stream_whose_labels_are_late() -> None:
    source = pq.streams.SEA(seed=3, noise=0.1).take(1500)
    late = source.delayed(pq.streams.UniformDelay(5, 60), seed=2)
    events = list(late.chunks(5000))
    X, y, time, ids = (np.concatenate([getattr(c, name) for c in events]) for name in ("X", "y", "time", "id"))
    classes = np.array(source.schema.classes)
    arrives = y < 0
    columns = {f.name: X[arrives, j] for j, f in enumerate(source.schema.features)}
    instances = pa.table({"id": ids[arrives], "time": time[arrives], **columns})
    labels = pa.table({"id": ids[~arrives], "time": time[~arrives], "class": classes[y[~arrives]]})
    options: dict[str, Any] = {"protocol": pq.Delayed(bins=5, reevaluate_every=7), "every": 200}
    one = pq.evaluate(late, ["naive_bayes", "no_change"], **options)
    two = pq.evaluate(pq.from_events(instances, labels, id="id", time="time"), ["naive_bayes", "no_change"], **options)
    assert one.to_arrow().equals(two.to_arrow())
    assert one.delays.bins().equals(two.delays.bins())


def test_a_record_may_arrive_again_in_a_new_version() -> None:
    instances = pa.table({"id": [1, 2, 1], "time": [0, 1, 2], "x": [0.0, 0.0, 5.0]})
    labels = pa.table({"id": [1, 2], "time": [3, 4], "class": ["a", "b"]})
    run = pq.evaluate(pq.from_events(instances, labels, id="id", time="time"), "no_change", protocol=pq.Delayed(bins=1))
    assert run.manifest.events is not None
    assert run.manifest.events["n_versions"] == 1
    assert run.manifest.events["n_records"] == 2


def test_another_protocol_refuses_events(tmp_path: Path) -> None:
    with pytest.raises(pq.InputError, match=r"protocol=pq.Delayed\(\)"):
        pq.evaluate(pq.from_events(*tables(), id="id", time="time"), "naive_bayes")
    path = tmp_path / "events.csv"
    path.write_text("id,time,x,class\n1,0,0.5,\n2,1,0.1,\n1,2,,a\n2,3,,b\n")
    with pytest.raises(pq.InputError, match=r"protocol=pq.Delayed\(\)"):
        pq.evaluate(pq.read(path, id="id", time="time", events=True), "naive_bayes")
    run = pq.evaluate(pq.read(path, id="id", time="time", events=True), "no_change", protocol=pq.Delayed(bins=2))
    assert run.manifest.events is not None
    assert run.manifest.events["n_labels"] == 2


def test_events_need_an_id(tmp_path: Path) -> None:
    path = tmp_path / "events.csv"
    path.write_text("x,class\n1,a\n2,b\n")
    with pytest.raises(pq.InputError, match="events= needs id="):
        pq.read(path, events=True)
    with pytest.raises(pq.ParameterError, match="'events' parameter of a reader must be True or False"):
        pq.from_table(pa.table({"x": [1], "class": ["a"]}), events="yes")  # type: ignore[arg-type]


GOOD_INSTANCES = "id,time,x\n1,0,0.5\n2,1,0.1\n3,2,0.2\n"
GOOD_LABELS = "id,time,label\n1,5,a\n2,6,b\n"


@pytest.mark.parametrize(
    ("instances", "labels", "message"),
    [
        ("id,time,x\n1,0,0.5\n,1,0.1\n", GOOD_LABELS, r"i.csv, line 3, column 'id': no id"),
        (GOOD_INSTANCES, "id,time,label\n1,5,a\n,6,b\n", r"l.csv, line 3, column 'id': no id"),
        (GOOD_INSTANCES, "id,time,label\n1,5,a\n2,6,\n", r"l.csv, line 3, column 'label': no label"),
        ("id,time,x\n1,0,0.5\n2,soon,0.1\n", GOOD_LABELS, r"i.csv, line 3, column 'time': not a time: 'soon'"),
        ("id,time,label\n1,0,0.5\n2,1,0.1\n", GOOD_LABELS, r"it contains the target 'label'.*ignore='label'"),
        ("key,time,x\n1,0,0.5\n", GOOD_LABELS, r"there is no column 'id'"),
        (GOOD_INSTANCES, "id,when,label\n1,5,a\n", r"there is no column 'time'"),
    ],
)
def test_a_bad_row_is_named(instances: str, labels: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "i.csv").write_text(instances)
    (tmp_path / "l.csv").write_text(labels)
    with pytest.raises(pq.InputError, match=message):
        for _ in pq.from_events(tmp_path / "i.csv", tmp_path / "l.csv", id="id", time="time").chunks():
            pass


def test_times_that_run_backwards_are_counted_and_listed_as_in_a_single_file(tmp_path: Path) -> None:
    """Record 3 (time 0.5) stays after record 2 (time 1), and the label of 1 (time 4) after that of 2 (time 5)."""
    (tmp_path / "i.csv").write_text("id,time,x\n1,0,0.5\n2,1,0.1\n3,0.5,0.2\n")
    (tmp_path / "l.csv").write_text("id,time,label\n2,5,a\n1,4,b\n3,6,a\n")
    (tmp_path / "one.csv").write_text("id,time,x,label\n1,0,0.5,\n2,1,0.1,\n3,0.5,0.2,\n2,5,,a\n1,4,,b\n3,6,,a\n")
    two = pq.from_events(tmp_path / "i.csv", tmp_path / "l.csv", id="id", time="time")
    one = pq.read(tmp_path / "one.csv", id="id", time="time", target="label", events=True)
    for stream in (two, one):
        (chunk,) = stream.chunks()
        assert chunk.time is not None
        assert chunk.time.tolist() == [0, 1, 0.5, 5, 4, 6]
        run = pq.evaluate(stream, "no_change", protocol=pq.Delayed())
        assert run.manifest.events is not None
        assert run.manifest.events["irregular"] == {"time runs backwards": 2}
        assert run.delays.irregular()["id"].to_pylist() == ["3", "1"]


def test_rows_before_a_bad_one_are_given_first(tmp_path: Path) -> None:
    (tmp_path / "i.csv").write_text("id,time,x\n1,0,0.5\n2,1,0.1\n3,2,much\n")
    (tmp_path / "l.csv").write_text("id,time,label\n1,0,a\n2,6,b\n")
    stream = pq.from_events(tmp_path / "i.csv", tmp_path / "l.csv", id="id", time="time", numeric="x")
    reading = stream.chunks()
    chunk = next(reading)
    assert chunk.id is not None
    found = list(zip(chunk.id.tolist(), chunk.y.tolist(), strict=True))
    with pytest.raises(pq.DataError, match="line 4, column 'x': not a number: 'much'"):
        next(reading)
    assert found == [("1", -1), ("1", 0), ("2", -1)]


@pytest.mark.parametrize(
    ("given", "name"), [((5, pa.table({})), "instances"), ((pa.table({"id": [1], "time": [1]}), 5), "labels")]
)
def test_what_is_no_table_is_refused(given: tuple[object, object], name: str) -> None:
    with pytest.raises(pq.ParameterError, match=f"'{name}' parameter of from_events"):
        pq.from_events(*given, id="id", time="time")


def test_an_id_that_is_no_number_is_named() -> None:
    """Otherwise each such row would be a record of its own."""
    table = pa.table({"id": [1.0, float("nan")], "time": [0.0, 1.0], "x": [0.1, 0.2], "class": [None, "a"]})
    with pytest.raises(pq.DataError, match="record 1, column 'id': no identifier"):
        list(pq.from_table(table, target="class", id="id", time="time").chunks())
