"""Damaged files are refused with an error of ours, or read as another reader reads them; nothing hangs or crashes."""

import random
from pathlib import Path

import pytest
from fuzz.corpus import write_corpus
from fuzz.mutators import BINARY, TEXT
from fuzz.runner import Report, fuzz
from fuzz.targets import TARGETS, DifferentRecordsError, compare, csv_rows, placed
from fuzz.worker import content_of, outcome

from prequential.streams.readers import CsvStream

INPUTS = {"csv": 400, "arff": 400, "parquet": 400, "plan": 200, "run": 60, "save": 100, "log": 60}


@pytest.mark.parametrize("kind", INPUTS)
def test_damaged_files_are_refused_or_read_right(kind: str) -> None:
    report = Report()
    fuzz(report, kind, seed=0, first=0, last=INPUTS[kind])
    assert report.counts[kind].total() == INPUTS[kind]
    assert not report.faults, report.faults[0][-1]


def test_the_sound_files_are_accepted(tmp_path: Path) -> None:
    seeds = write_corpus(tmp_path / "corpus")
    assert set(seeds) == set(TARGETS)
    (tmp_path / "work").mkdir()
    for kind, files in seeds.items():
        for seed in files:
            path = placed(kind, seed, seed.read_bytes(), tmp_path / "corpus", tmp_path / "work")
            assert outcome(kind, path)[0] in ("accepted", "warned"), (kind, seed.name, outcome(kind, path)[1])


def test_an_input_is_the_same_for_the_same_seed_and_index(tmp_path: Path) -> None:
    seeds = write_corpus(tmp_path / "corpus")["csv"]
    assert content_of(seeds, "csv", 1, 5) == content_of(seeds, "csv", 1, 5)
    assert len({content_of(seeds, "csv", 1, i) for i in range(20)}) > 15


@pytest.mark.parametrize("mutator", [*{*TEXT, *BINARY}], ids=lambda one: one.__name__)
def test_mutators_change_any_content(mutator) -> None:  # type: ignore[no-untyped-def]  # a mutator
    draw, changed = random.Random(1), 0
    for content in (b"a", b"x,y\n1,2\n", bytes(range(256)) * 4):
        changed += sum(bytes(mutator(bytearray(content), draw)) != content for _ in range(20))
    assert changed > 20


def test_a_wrong_record_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("x,w,class\n1,a,u\n2,b,v\n")
    stream = CsvStream(path)
    rows = csv_rows(stream)
    chunks = list(stream.chunks())
    compare(stream, chunks, rows)
    for column, value in (("x", "3"), ("w", "b"), ("class", None)):
        with pytest.raises(DifferentRecordsError, match=f"column '{column}'"):
            compare(stream, chunks, [{**rows[0], column: value}, rows[1]])
    with pytest.raises(DifferentRecordsError, match="2 records, not 1"):
        compare(stream, chunks, rows[:1])
