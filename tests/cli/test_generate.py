"""``prequential generate`` as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import prequential as pq
from prequential.cli import app
from prequential.streams import SEA, Stream
from prequential.streams.generators import GENERATORS

EXAMPLES = Path(__file__).parents[2] / "examples"


def generate(*words: object, code: int = 0) -> Any:
    done = CliRunner(env={"COLUMNS": "200"}).invoke(app, ["generate", *map(str, words)])
    assert done.exit_code == code, done.output
    return done


def made(path: Path, *words: object) -> Stream:
    generate(*words, "-o", path)
    return pq.read(path)


def assert_same(one: Stream, other: Stream) -> None:
    assert one.schema == other.schema
    assert one.drifts == other.drifts
    for part in ("X", "y"):
        found, expected = (np.concatenate([getattr(c, part) for c in s.chunks()]) for s in (one, other))
        np.testing.assert_array_equal(found, expected)


def test_the_program_writes_a_stream_and_says_what_it_made(tmp_path: Path) -> None:
    program = str(Path(sys.executable).parent / "prequential")
    words = [program, "generate", "SEA:concept=2", "--n", "1e4", "--drift-to", "SEA:concept=4,at=5e3", "-o", "a.csv"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "records  10,000" in done.stdout
    assert "classes  groupA 0.4" in done.stdout
    assert "drifts  at 5,000" in done.stdout
    assert "Bayes error  0.1000" in done.stdout
    assert "a.csv.stream.json" in done.stdout
    wanted = SEA(2).drift_to(SEA(4, seed=2), at=5000).take(10_000)
    assert_same(pq.read(tmp_path / "a.csv"), wanted)


@pytest.mark.parametrize("suffix", ["parquet", "csv", "arff", "csv.gz"])
def test_parameters_of_the_same_generator_keep_their_values_except_the_seed(tmp_path: Path, suffix: str) -> None:
    words = ["SEA:noise=0.2", "--n", 1000, "--seed", 5, "--drift-to", "SEA:concept=3,at=300"]
    again = made(tmp_path / f"a.{suffix}", *words, "--drift-to", "SEA:concept=4,noise=0,at=600,width=100,seed=40")
    first, second, third = SEA(noise=0.2, seed=5), SEA(3, noise=0.2, seed=6), SEA(4, noise=0, seed=40)
    assert_same(again, first.drift_to(second, at=300, seed=5).drift_to(third, at=600, width=100, seed=5).take(1000))


def test_changes_are_made_in_the_order_that_the_help_lists(tmp_path: Path) -> None:
    noisy = ["--ratio", "1:3", "--ratio-change", "500=3:1", "--ratio-width", 20, "--ratio-scale", "ratio"]
    noisy += ["--feature-noise", 0.1]
    noisy += ["--missing", 0.05, "--label-noise", 0.1, "--sparse-labels", 0.5]
    again = made(tmp_path / "a.parquet", "SEA", "-n", 1000, "--blip", "SEA:concept=3,at=100,width=20", *noisy)
    wanted = (
        SEA().blip(SEA(3, seed=2), at=100, width=20).class_ratio("1:3", changes={500: "3:1"}, width=20, scale="ratio")
    )
    wanted = wanted.feature_noise(0.1).missing(0.05).label_noise(0.1).sparse_labels(0.5).take(1000)
    assert_same(again, wanted)


def test_streams_take_turns(tmp_path: Path) -> None:
    turns = ["--recurring", "SEA:concept=3,every=100", "--recurring", "SEA:concept=4,seed=9"]
    again = made(tmp_path / "a.parquet", "SEA", "-n", 450, *turns)
    assert_same(again, SEA().recurring(SEA(3, seed=2), SEA(4, seed=9), every=100).take(450))
    assert "every=10000" in generate("SEA", "-n", 9, "--recurring", "SEA:concept=3", "--head", 1, code=2).output


def test_a_file_is_changed_and_written_again(tmp_path: Path) -> None:
    source = EXAMPLES / "data.csv"
    again = made(tmp_path / "a.csv", f"{source}:target=day", "--n", 500, "--label-noise", 0.2)
    assert again.schema.target == "day"
    assert_same(again, pq.read(source, target="day").label_noise(0.2).take(500))


def test_a_plan_describes_its_stream_with_changes_in_any_order(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(
        '[stream]\ntype = "SEA"\nn = 500\n'
        'change = [{type = "label_noise", share = 0.1}, '
        '{type = "drift_to", to = {type = "SEA", concept = 3}, at = 200}]\n'
    )
    again = made(tmp_path / "a.parquet", plan)
    assert_same(again, SEA().label_noise(0.1).drift_to(SEA(3), at=200).take(500))
    done = generate(plan, "--missing", 0.1, "--head", 2, code=2)
    assert "--missing cannot be given here: the plan describes its stream" in done.output


def test_a_file_brings_its_drifts_to_the_detectors(tmp_path: Path) -> None:
    path = tmp_path / "a.arff"
    generate("SEA:noise=0", "-n", 4000, "--drift-to", "SEA:concept=4,at=2000", "-o", path)
    done = CliRunner().invoke(app, ["detect", str(path), "-d", "adwin", "--no-figure", "--json"])
    assert [drift["at"] for drift in json.loads(done.stdout)["drifts"]] == [2000]


def test_the_result_is_printed_as_json(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    done = generate("Sine", "-n", 1000, "--sparse-labels", 0.5, "-o", path, "--json")
    data = json.loads(done.stdout)
    assert data["path"] == str(path)
    assert data["sidecar"] == f"{path}.stream.json"
    assert data["size_bytes"] == path.stat().st_size
    assert data["n_records"] == 1000
    assert sum(one["n_records"] for one in data["classes"]) + data["n_unlabelled"] == 1000
    assert data["drifts"] == []
    assert data["warnings"] == []


def test_the_first_records_are_shown_with_names_not_codes() -> None:
    text = generate("STAGGER", "--head", 5).output
    assert "The first 5 records of STAGGER" in text
    assert any(word in text for word in ("small", "medium", "large"))
    rows = json.loads(generate("STAGGER", "--head", 5, "--json").stdout)
    chunk = next(GENERATORS["STAGGER"]().chunks(5))  # type: ignore[call-arg]  # every generator has defaults
    features = chunk.schema.features
    assert [row["size"] for row in rows] == [(features[0].values or ())[int(x)] for x in chunk.X[:, 0]]
    assert [row["class"] for row in rows] == [(chunk.schema.classes or ())[k] for k in chunk.y]
    missing = json.loads(generate("SEA", "--head", 50, "--missing", 0.5, "--json").stdout)
    assert any(row["attrib1"] is None for row in missing)


def test_a_drift_beyond_the_end_is_warned_of(tmp_path: Path) -> None:
    words = ("SEA", "-n", 100, "--drift-to", "SEA:concept=3,at=500", "-o", tmp_path / "a.csv")
    done = generate(*words)
    assert "the stream ends after 100 records" in done.stderr
    assert "drifts  none known" in done.stdout
    data = json.loads(generate(*words, "--overwrite", "--json").stdout)
    assert "the stream ends after 100 records" in data["warnings"][0]
    assert pq.read(tmp_path / "a.csv").drifts == ()


BAD: list[tuple[tuple[object, ...], str]] = [
    (("Sae",), "Unknown stream 'Sae'. Did you mean 'SEA'?"),
    (("SEA:nosie=0.1",), "SEA has no parameter 'nosie'. Did you mean 'noise'? Its parameters: concept, noise, seed."),
    (("SEA:concept=5",), "The 'concept' parameter of SEA must be 1, 2, 3 or 4. Got 5 instead."),
    (("SEA:concept",), "'concept' parameter of SEA must be a whole number. Got 'concept'"),
    (("SEA", "--n", -1), "must be a whole number of at least 0. Got -1"),
    (("SEA", "--n", 1.5), "must be a whole number of at least 0. Got 1.5"),
    (("SEA", "--head", -1), "must be a whole number of at least 0. Got -1"),
    (("SEA", "--drift-to", "SEA:concept=3"), "at"),
    (("SEA", "--drift-to", "LED:at=5"), "drift_to"),
    (("SEA", "--drift-to", "SEA:concpet=3,at=5"), "Did you mean 'concept'?"),
    (("SEA", "--ratio-change", "5=1:2"), "such as --ratio 1:1"),
    (("SEA", "--ratio", "1:2", "--ratio-change", "half=1:2"), "Accepted: RECORD=RATIO"),
    (("SEA", "--ratio", "1:2:3"), "ratio"),
    (("SEA", "--label-noise", 2), "--label-noise must be"),
    (("nothing.csv",), "nothing.csv does not exist"),
    ((), "Name a stream"),
]


@pytest.mark.parametrize(("words", "message"), BAD)
def test_bad_input_is_explained(words: tuple[object, ...], message: str) -> None:
    head = () if "--head" in words else ("--head", 3)
    done = generate(*words, *head, code=2)
    assert message in done.output.replace("\n", " ")


def test_the_file_to_write_must_be_named_and_must_not_exist(tmp_path: Path) -> None:
    assert "-o FILE" in generate("SEA", "-n", 5, code=2).output
    assert "never ends. Give the number of records" in generate("SEA", "-o", tmp_path / "a.csv", code=2).output
    assert "unknown suffix '.xls'" in generate("SEA", "-n", 5, "-o", tmp_path / "a.xls", code=2).output
    assert "leave out -o" in generate("SEA", "-n", 5, "-o", tmp_path / "a.csv", "--head", 2, code=2).output
    assert list(tmp_path.iterdir()) == []
    generate("SEA", "-n", 5, "-o", tmp_path / "a.csv")
    assert "exists already" in generate("SEA", "-n", 7, "-o", tmp_path / "a.csv", code=4).output
    generate("SEA", "-n", 7, "-o", tmp_path / "a.csv", "--overwrite")
    assert pq.read(tmp_path / "a.csv").n_records == 7


def test_a_stream_of_the_testbed_has_its_own_length(tmp_path: Path) -> None:
    assert_same(made(tmp_path / "own.csv", "NSPC-A"), pq.testbed.stream("NSPC-A"))
    assert made(tmp_path / "short.csv", "NSPC-A", "-n", 300).n_records == 300
    assert made(tmp_path / "long.parquet", "NSPC-A", "-n", 12_000).n_records == 12_000


def test_a_changed_stream_of_the_testbed_has_n_records(tmp_path: Path) -> None:
    found = made(tmp_path / "a.csv", "NSGT", "-n", 900, "--drift-to", "NSGT-F:at=500", "--ratio", "1:9")
    assert found.n_records == 900
    found = made(tmp_path / "b.csv", "NSGT", "-n", 6000, "--drift-to", "NSGT-F:at=500")
    one, other = pq.testbed.stream("NSGT"), pq.testbed.stream("NSGT-F", seed=2)
    assert_same(found, one.drift_to(other, at=500).take(6000))
