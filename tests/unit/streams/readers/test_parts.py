"""Several files with the same columns are one stream: a list, a directory, a pattern."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import prequential as pq

N = 300
TABLE = pa.table(
    {
        "at": [float(i) for i in range(N)],
        "x": [i % 7 / 2 for i in range(N)],
        "kind": ["first"] * 100 + ["second"] * 100 + ["third"] * 100,
        "class": ["up" if i % 3 else "down" for i in range(N)],
    }
)


def write_jsonl(table: pa.Table, path: Path) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))


WRITERS: dict[str, Callable[[pa.Table, Path], None]] = {
    ".csv": pyarrow.csv.write_csv,
    ".jsonl": write_jsonl,
    ".parquet": pyarrow.parquet.write_table,
}


def written(folder: Path, suffix: str) -> list[Path]:
    paths = [folder / f"part-{k}{suffix}" for k in range(3)]
    for k, path in enumerate(paths):
        WRITERS[suffix](TABLE.slice(100 * k, 100), path)
    return paths


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("how", ["list", "directory", "pattern"])
def test_files_are_read_as_one(tmp_path: Path, suffix: str, how: str) -> None:
    paths = written(tmp_path, suffix)
    given = {"list": paths, "directory": tmp_path, "pattern": tmp_path / f"part-*{suffix}"}[how]
    parts = pq.read(given, time="at", target="class")  # type: ignore[arg-type]
    whole = pq.from_table(TABLE, "class", time="at")
    assert parts.schema.features[1].values == ("first", "second", "third")
    for start in (0, 145, 200):
        for one, other in zip(parts.chunks(7, start), whole.chunks(7, start), strict=True):
            assert (one.start, one.X.tolist(), one.y.tolist()) == (other.start, other.X.tolist(), other.y.tolist())
    runs = [pq.evaluate(stream, "naive_bayes", every=10) for stream in (parts, whole)]
    assert runs[0].to_arrow()["value"].to_pylist() == runs[1].to_arrow()["value"].to_pylist()


def test_a_bad_value_is_reported_with_its_own_file(tmp_path: Path) -> None:
    paths = written(tmp_path, ".csv")
    paths[1].write_text(paths[1].read_text().replace("\n103,", "\noops,", 1))
    with pytest.raises(pq.DataError, match=r"part-1.csv, line 5, column 'at'.*'oops'"):
        list(pq.read(tmp_path, time="at", target="class").chunks())
    paths = written(tmp_path, ".csv")
    text = paths[2].read_text().splitlines()
    at, _, kind, label = text[4].split(",")
    text[4] = f"{at},oops,{kind},{label}"
    paths[2].write_text("\n".join(text))
    with pytest.raises(pq.DataError, match=r"part-2.csv, line 5, column 'x': not a number"):
        list(pq.read(tmp_path, time="at", target="class").chunks())


def test_files_out_of_order_differing_columns_and_mixed_formats_are_refused(tmp_path: Path) -> None:
    paths = written(tmp_path, ".csv")
    with pytest.raises(pq.DataError, match=r"part-0.csv, line 2.*time runs backwards.*files in order of time"):
        list(pq.read([paths[1], paths[0]], time="at", target="class").chunks())
    pyarrow.csv.write_csv(TABLE.drop_columns("x"), paths[2])
    with pytest.raises(pq.DataError, match=r"part-2.csv: the columns .* differ from those of"):
        pq.read(paths, target="class")
    paths = written(tmp_path, ".csv")
    write_jsonl(TABLE, tmp_path / "z.jsonl")
    with pytest.raises(pq.InputError, match="files of one format"):
        pq.read(tmp_path)
    with pytest.raises(pq.InputError, match="does not exist"):
        pq.read(tmp_path / "other-*.csv")
    with pytest.raises(pq.ParameterError, match="at least one file"):
        pq.read([])
    (tmp_path / "empty").mkdir()
    with pytest.raises(pq.InputError, match="is a directory"):
        pq.read(tmp_path / "empty")


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_logs_of_several_files_score_as_one_file_does(tmp_path: Path, suffix: str) -> None:
    predictions = pa.table(
        {"id": list(range(N)), "time": [float(i) for i in range(N)], "prediction": ["up", "down", "up"] * 100}
    )
    labels = pa.table({"id": list(range(N)), "time": [i + 40.5 for i in range(N)], "label": TABLE["class"]})
    values = []
    for n_files in (1, 3):
        logs = []
        for name, table in (("predictions", predictions), ("labels", labels)):
            folder = tmp_path / f"{name}-{n_files}"
            folder.mkdir()
            step = N // n_files
            for k in range(n_files):
                WRITERS[suffix](table.slice(k * step, step), folder / f"{k}{suffix}")
            logs.append(folder)
        run = pq.score_delayed(*logs, metrics="accuracy", every=10)
        values.append(run.to_arrow()["value"].to_pylist())
        listed = pq.score_delayed(*(sorted(folder.iterdir()) for folder in logs), metrics="accuracy", every=10)
        values.append(listed.to_arrow()["value"].to_pylist())
    assert values[0] == values[1] == values[2] == values[3]


def test_predictions_of_one_learner_may_be_in_several_files(tmp_path: Path) -> None:
    scored = pa.table({"label": TABLE["class"], "prediction": ["up", "down", "up"] * 100})
    for k in range(3):
        pyarrow.csv.write_csv(scored.slice(100 * k, 100), tmp_path / f"{k}.csv")
    pyarrow.csv.write_csv(scored, tmp_path.with_suffix(".csv"))
    several = pq.score({"model": sorted(tmp_path.iterdir())}, every=10)
    assert several.learners == ["model"]
    one = pq.score(tmp_path.with_suffix(".csv"), every=10)
    assert several.to_arrow()["value"].to_pylist() == one.to_arrow()["value"].to_pylist()
