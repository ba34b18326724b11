"""Real streams by name: their files are recognised by names, values and order, whatever their format."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from typer.testing import CliRunner

import prequential as pq
from prequential.cli import app
from prequential.streams.data_sets.content import checksum
from prequential.streams.data_sets.data_set import DataSet, known
from prequential.streams.data_sets.folder import data_folder, file_of

SHARED = Path(__file__).parents[4] / "shared" / "data"
TABLE: dict[str, list[Any]] = {"x": [1, 2, 3, 4], "kind": ["a", "b", None, "a"], "class": ["no", "yes", "no", "yes"]}
CONTENT = checksum((name, pa.chunked_array([values])) for name, values in TABLE.items())
TINY = DataSet(
    name="tiny",
    title="Four records",
    task="classification",
    n_records=4,
    n_numeric=1,
    n_nominal=1,
    n_classes=2,
    provenance="this test",
    licence="free",
    checksum=CONTENT,
    file_sha256="none",
    read={"target": "class"},
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder for data, and let only a tiny data set be known."""
    monkeypatch.setenv("PREQUENTIAL_DATA", str(tmp_path / "data"))
    for place in ("data", "data_set"):
        monkeypatch.setattr(f"prequential.streams.data_sets.{place}.known", lambda: {"tiny": TINY})
    return tmp_path / "data"


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".arff"])
def test_a_file_of_any_format_is_recognised(folder: Path, tmp_path: Path, suffix: str) -> None:
    source = tmp_path / f"anything{suffix}"
    stream = pq.from_table(pa.table(TABLE), target="class")
    pq.write(stream, source)
    result = CliRunner().invoke(app, ["data", "tiny", str(source)])
    assert result.exit_code == 0, result.output
    read = pq.data("tiny")
    assert (read.name, read.n_records or 4) == ("tiny", 4)
    assert [label for _, label in read] == TABLE["class"]
    assert file_of(TINY, folder) == folder / f"tiny{suffix}"


def test_values_names_and_order_are_checked() -> None:
    def of(table: dict[str, list[Any]]) -> str:
        return checksum((name, pa.chunked_array([values])) for name, values in table.items())

    assert of(TABLE) == CONTENT
    assert of({**TABLE, "x": ["1", "2.0", "3", "4e0"]}) == CONTENT, "numbers as text are the same numbers"
    for changed in (
        {**TABLE, "x": [1, 2, 4, 3]},
        {**TABLE, "kind": ["a", "b", "a", None]},
        {**TABLE, "kind": ["ab", "", None, "a"]},
        {"y": TABLE["x"], "kind": TABLE["kind"], "class": TABLE["class"]},
        {"kind": TABLE["kind"], "x": TABLE["x"], "class": TABLE["class"]},
    ):
        assert of(changed) != CONTENT


def test_another_file_is_refused_with_both_checksums(folder: Path) -> None:
    folder.mkdir()
    parquet.write_table(pa.table({**TABLE, "x": [1, 2, 4, 3]}), folder / "tiny.parquet")
    with pytest.raises(pq.DataError, match=f"not the data set 'tiny'.*Accepted: the checksum {CONTENT}"):
        pq.data("tiny")
    listed = CliRunner().invoke(app, ["data", "tiny"])
    assert "another checksum" in listed.output
    (folder / "tiny.parquet").write_bytes(b"PAR1 damaged")
    with pytest.raises(pq.DataError, match="not a readable Parquet file"):
        pq.data("tiny")


def test_a_missing_file_says_how_to_obtain_it(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"Electricity .* comes from .* prequential data electricity FILE"):
        pq.data("electricity", folder=tmp_path)
    with pytest.raises(pq.MissingFileError, match="cannot be obtained: the file of the competition"):
        pq.data("pakdd2009", folder=tmp_path)
    with pytest.raises(pq.InputError, match="Did you mean 'electricity'"):
        pq.data("electrcity")
    with pytest.raises(pq.InputError, match="Did you mean 'electricity'"):
        pq.as_stream("electrcity")


def test_a_name_is_a_stream_as_text(folder: Path) -> None:
    folder.mkdir()
    parquet.write_table(pa.table(TABLE), folder / "tiny.parquet")
    assert pq.as_stream("tiny:n=2").n_records == 2


def test_the_folder_is_that_of_the_variable_or_in_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PREQUENTIAL_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.delenv("PREQUENTIAL_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("sys.platform", "linux")
    assert data_folder() == tmp_path / "cache" / "prequential" / "data"


def test_every_known_file_at_hand_is_the_right_one() -> None:
    if not SHARED.is_dir():
        pytest.skip("the folder with real streams is not there")
    found = {name: file_of(one, SHARED) for name, one in known().items()}
    assert [name for name, path in found.items() if path is None] == ["pakdd2009"]
    for name in ("electricity", "bike", "delayed_led"):
        stream = pq.data(name, folder=SHARED)
        assert stream.n_records == known()[name].n_records
    table = parquet.read_table(SHARED / "keystroke.parquet")
    assert checksum((name, table.column(name)) for name in table.column_names) == known()["keystroke"].checksum


def test_a_plan_and_the_command_line_run_a_data_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not SHARED.is_dir():
        pytest.skip("the folder with real streams is not there")
    monkeypatch.setenv("PREQUENTIAL_DATA", os.fspath(SHARED))
    plan = pq.Plan({"stream": {"type": "keystroke", "take": 50}, "learner": [{"type": "no_change"}]})
    assert plan.run().manifest.n_records == 50
    words = ["run", "keystroke", "--take", "60", "-l", "no_change", "-o", str(tmp_path / "run"), "--no-report", "-q"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert pq.load(tmp_path / "run").manifest.n_records == 60
    listed = CliRunner().invoke(app, ["data", "--json"])
    assert listed.exit_code == 0
    assert '"status": "ready"' in listed.output
