"""The papers reproduced: tables beside the printed ones, claims, the book, and resuming."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from typer.testing import CliRunner

import prequential as pq
from prequential import papers
from prequential.cli import app
from prequential.papers.book import markdown_page, write_book
from prequential.papers.catalogue import PAPERS, items
from prequential.papers.claim import Claim
from prequential.papers.item import Item, Made
from prequential.papers.paper_table import PaperTable
from prequential.papers.reproduce import of_item, work_of
from prequential.papers.reproduction import Reproduction
from prequential.papers.value import Value
from prequential.streams.data_sets.data_set import known

SHARED = Path(__file__).parents[4] / "shared" / "data"
PAPER = {("LED", "MC"): Value(2155, 370, 10, 0, 0), ("LED", "NBa"): Value(486, 10), ("RBF", "MC"): Value(math.nan)}
OURS = {("LED", "MC"): Value.of([2000.0, 2200.0], missed=1, false=2), ("RBF", "NBa"): Value(5.0)}


def test_a_table_has_the_paper_s_value_ours_and_the_difference() -> None:
    table = PaperTable("Delays", "stream", PAPER, OURS, digits=0, unit="records")
    assert table.difference(("LED", "MC")) == 2100 - 2155
    assert math.isnan(table.difference(("LED", "NBa")))
    text = str(table)
    assert "2155 ± 370 (0; 0)" in text
    assert "2100 ± 141 (1; 2)" in text
    rows = {(row["row"], row["column"]): row for row in table.to_dicts()}
    assert len(rows) == 4
    assert rows["LED", "MC"]["n_runs"] == 2
    again = PaperTable.from_json(json.loads(json.dumps(table.to_json())))
    assert str(again) == text


def test_a_claim_that_does_not_hold_says_so() -> None:
    assert Claim("A.", True, "1 < 2", "because").line() == "holds: A. (1 < 2)"
    assert Claim("A.", False, "3 > 2", "because").line() == "does not hold: A. (3 > 2) Likely reason: because."


def test_every_item_belongs_to_a_paper_and_needs_known_data() -> None:
    for one in items().values():
        assert one.paper in PAPERS
        assert set(one.needs) <= set(known())
        assert one.title


def test_table_5_and_table_1_of_bifet_come_out(tmp_path: Path) -> None:
    made = papers.reproduce("bifet2015.table5", directory=tmp_path)
    assert all(claim.holds for claim in made.claims)
    again = papers.reproduce("bifet2015.table5", directory=tmp_path)
    assert (again.seconds, str(again)) == (made.seconds, str(made)), "it is loaded, not made again"
    ranks = papers.reproduce("bifet2015.table1", directory=tmp_path)
    assert ranks.table is not None
    assert ranks.table.ours["sum of ranks of A", "value"].mean == 52
    assert {path.name for path in (tmp_path / "bifet2015.table1").iterdir()} == {
        "reproduction.json",
        "table.csv",
        "table.md",
        "table.tex",
    }


def test_the_errors_on_the_testbed_are_those_of_the_paper(tmp_path: Path) -> None:
    """Two of ten seeds: the standard error of a mean of ten is 0.1 points at most, here it is twice that."""
    made = papers.reproduce("cervantes.table3", scale=0.2, directory=tmp_path, engine="serial", progress=False)
    assert made.table is not None
    for place in made.table.paper:
        assert abs(made.table.difference(place)) < 0.9, place
    assert sum(claim.holds for claim in made.claims) >= len(made.claims) - 1
    assert {one.name for one in (tmp_path / "runs" / "cervantes").iterdir()} == {row for row, _ in made.table.paper}


def test_no_change_and_majority_class_come_out_digit_for_digit(tmp_path: Path) -> None:
    if not SHARED.is_dir():
        pytest.skip("the folder with real streams is not there")
    from prequential.papers.grzenda2020 import TABLE_2, evaluated, stages

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PREQUENTIAL_DATA", str(SHARED))
        one = items()["grzenda2020.table2"]
        found = stages(evaluated(work_of(tmp_path, one, 1, "serial", None, False), "Hyperplane"))
    for i, learner in ((0, "NB"), (1, "NC"), (2, "MC"), (3, "kNN")):
        values = [f"{100 * value:.2f}" for value in found[learner].values()]
        assert values == [f"{row[i]:.2f}" for row in TABLE_2["Hyperplane"]]


def test_a_book_continues_where_it_was_and_shows_what_does_not_hold(tmp_path: Path) -> None:
    calls = []

    def make(work: object) -> Made:
        calls.append(work)
        return Made(
            table=PaperTable("Delays", "stream", PAPER, OURS, digits=0),
            claims=(Claim("It holds.", True, "1"), Claim("It fails.", False, "2", "a seed")),
            differs=("Lengths.",),
        )

    one = Item("cervantes.table9", "Something", make)
    work = work_of(tmp_path, one, 0.5, "serial", None, False)
    made = [of_item(one, work), of_item(one, work)]
    assert len(calls) == 1
    with pytest.raises(pq.InputError, match=r"on the scale 0\.5, not 1"):
        of_item(one, work_of(tmp_path, one, 1, "serial", None, False))
    page = write_book(made[:1], tmp_path / "book.html").read_text(encoding="utf-8")
    for words in ("cervantes.table9", "1 of 2 claims hold", "does not hold: It fails.", "Lengths.", "2155 ± 370"):
        assert words in page
    assert "does not hold: It fails. (2) Likely reason: a seed." in markdown_page(made[:1])
    (work.directory / "reproduction.json").write_text("{}")
    with pytest.raises(pq.StorageError, match="cannot be read"):
        Reproduction.load(work.directory)


def test_the_command_lists_makes_and_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREQUENTIAL_DATA", str(tmp_path / "nothing"))

    def called(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, ["reproduce", *words])
        return result.exit_code, " ".join(result.output.split())

    assert "cervantes.table3" in called()[1]
    assert {one["name"] for one in json.loads(CliRunner().invoke(app, ["reproduce", "--json"]).stdout)} == set(items())
    book = str(tmp_path / "book")
    code, text = called("bifet2015.table5", "bifet2015.figure2", "-o", book, "--scale", "0.5")
    assert code == 0
    assert "kappa_m" in text
    assert "bifet2015.figure2 is skipped: " in text
    assert (tmp_path / "book" / "book.html").is_file()
    for words, expected in {
        ("bifet2015.table9", "-o", book): "Unknown item 'bifet2015.table9'. Did you mean 'bifet2015.table",
        ("bifet2015.table5", "-o", book): "has a book on the scale 0.5, not 1. Give --scale 0.5",
        ("bifet2015.table5", "-o", str(tmp_path)): "has other files",
        ("bifet2015.table5", "-o", str(tmp_path / "new"), "--scale", "2"): "above 0 and at most 1. Got 2",
        ("bifet2015.table5", "--all"): "--all names all items",
    }.items():
        code, text = called(*words)
        assert (code, expected in text) == (2, True), text


def test_the_printed_tables_are_whole() -> None:
    """Every row has a value for every column, and means of the printed streams give the printed averages."""
    from prequential.papers import bifet2015_folds, brzezinski2014, gama2013

    for table in (gama2013.TABLE_2, gama2013.TABLE_3):
        assert {len(row) for row in table.values()} == {8}
    assert list(gama2013.TABLE_2) == list(gama2013.ESTIMATES)
    assert list(gama2013.TABLE_3) == list(gama2013.RATIOS)
    assert {len(row) for row in brzezinski2014.TABLE_2.values()} == {10}
    for metric in brzezinski2014.TABLE_4.values():
        assert {len(row) for row in metric.values()} == {5}
    printed = {"mcnemar": (0.71, 0.52, 0.66, 0.86, 0.80, 0.73, 0.88, 0.84, 0.75)}
    printed["wilcoxon"] = (0.11, 0.10, 0.19, 0.80, 0.84, 0.54, 0.83, 0.91, 0.59)
    for columns, averages in zip((bifet2015_folds.TABLE_3, bifet2015_folds.TABLE_4), printed.values(), strict=True):
        for column, average in zip(columns, averages, strict=True):
            assert abs(sum(column) / 13 - average) <= 0.0101
    assert set(bifet2015_folds.STREAMS) == {
        name.partition(".")[2] for name in pq.streams.presets() if name.startswith("bifet2015.")
    }
