"""The card as text, JSON, a page and a figure."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from unit.testbed.cards.made_up import flat, noisy, results

from prequential.errors import InputError
from prequential.runs.failure import Failure
from prequential.tables.terminal import rich_table
from prequential.testbed.cards.card import Card
from prequential.testbed.cards.panels import card_panels
from prequential.types import IntArray

OWN = "mine <$x$>"


def mine(stream: str) -> IntArray:
    return noisy(4, len(stream))


def better(stream: str) -> IntArray:
    return np.maximum(mine(stream) - 2, 0)


def card(**options: object) -> Card:
    learners = {OWN: mine, "NB": lambda s: noisy(20, 50 + len(s)), "SGD": lambda s: noisy(4, 90 + len(s))}
    return Card(results(learners, **options))  # type: ignore[arg-type]  # any options


def lines(table: object) -> dict[str, list[str]]:
    return {line.split("  ")[0].strip(): line.split() for line in str(table).splitlines() if line.strip()}


def test_errors_are_means_over_the_seeds_with_a_star_for_the_best() -> None:
    made = card()
    found = lines(made.table())["NSGT"]
    error = made.results.errors(OWN, "NSGT").mean
    assert found[1] == f"{200 / 10_001:.4f}"
    assert found[2].rstrip("*") == f"{error:.4f}"
    assert [cell.endswith("*") for cell in found[2:]][1] is False  # NB is five times as bad
    assert "*" in found[2] + found[4]


def test_a_piped_card_keeps_its_stars() -> None:
    table = card().table()
    written = StringIO()
    Console(file=written, width=200).print(rich_table(table))
    assert [line.rstrip() for line in written.getvalue().rstrip().splitlines()] == [
        line.rstrip() for line in str(table).splitlines()
    ]
    assert "*" in written.getvalue().split("NSGT", 1)[1].splitlines()[0]


def test_regrets_have_their_deviation_over_the_seeds() -> None:
    made = card()
    found = lines(made.regrets())["NSCX"]
    errors = made.results.learners[OWN].errors["NSCX"].counts.sum(axis=1) / 10_001
    assert found[1:3] == [f"{errors.mean():.4f}", f"{errors.std(ddof=1):.4f}"]
    assert found[5:7] == [f"{errors.mean() - 200 / 10_001:.4f}", f"{errors.std(ddof=1):.4f}"]


def test_verdicts_against_each_learner_have_their_signs() -> None:
    text = str(card().against())
    row = next(line for line in text.splitlines() if line.startswith("NSPC-A"))
    assert row.split()[2] == "+"  # better than NB
    assert row.count("+") == 1


def test_the_properties_stand_in_their_groups() -> None:
    text = str(card().properties())
    assert text.index("3 long-term memory") < text.index("gain when NSGT-I repeats") < text.index("4 change of")
    assert "inertia on NSGR: recovery, records" in text


def test_a_card_of_one_learner_has_no_stars_and_nobody_to_be_against() -> None:
    alone = Card(results({OWN: mine}))
    assert "*" not in str(alone)
    assert alone.conclusion == ""
    with pytest.raises(InputError, match="references=False"):
        alone.against()
    with pytest.raises(InputError, match=r"card\.compare"):
        alone.changes()


def test_few_seeds_are_reported_in_a_footnote() -> None:
    few = Card(results({OWN: lambda s: flat(3, 2), "NB": lambda s: flat(9, 2)}, seeds=(1, 2)))
    assert "Wilcoxon's test needs at least 6 seeds at α = 0.05; there are 2" in str(few.table())
    assert few.conclusion.startswith(
        f"On 9 of 9 streams (NSGT, NSGT-F, NSGR, NSLC, NSGT-I, NSPC, NSPC-A, NSGT-5D, NSCX) {OWN} has"
    )


def test_the_conclusion_claims_only_what_the_tests_show() -> None:
    worse = Card(results({"NB": lambda s: noisy(20, 50 + len(s)), "mine": mine}))
    assert worse.conclusion == "On each of 9 streams another learner is significantly better than NB."
    assert "is the best, or not significantly worse than the best." in card().conclusion


def test_a_failure_is_reported_with_record_and_message() -> None:
    made = card(failed={"NSGT": Failure(123, "ValueError: <no>", "Traceback <deep>")})
    assert made.failures == {"NSGT": "failed at record 123 of 1 of 10 seeds: ValueError: <no>"}
    assert made.conclusion.endswith("It failed on NSGT (failed at record 123 of 1 of 10 seeds: ValueError: <no>).")
    assert "NSGT: failed at record 123" in str(made.table())
    row = made.to_dict()["streams"][0]
    assert row["errors"][OWN]["mean"] is None
    assert "failed at record 123" in row["errors"][OWN]["undefined"]


def test_a_change_is_compared_with_the_last_card(tmp_path: Path) -> None:
    last, now = card(), Card(results({OWN: better, "NB": lambda s: noisy(20, 50 + len(s))}))
    last.save(tmp_path / "last.json")
    compared = now.compare(tmp_path / "last.json")
    text = str(compared)
    assert text.startswith(f"since the last card: {OWN} against {OWN}, the same 10 seeds")
    assert lines(compared.changes())["error on NSGT"][-2:] == ["+", "0.0020"]
    assert "of 19 numbers are significantly better" in compared.conclusion
    assert compared.to_dict()["changes"][0]["verdict"] == "better"
    same = last.compare(last)
    assert same.conclusion.endswith("Since the last card none of 19 numbers has changed significantly.")


def test_records_that_have_changed_are_omitted_with_a_warning() -> None:
    with pytest.raises(InputError, match="no stream and seed in common"):
        card().compare(card(digest="other"))
    mixed = card()
    other = card(digest="other").results
    streams = {**other.streams, "NSGT": mixed.results.streams["NSGT"]}
    last = Card(type(other)(learner=OWN, seeds=other.seeds, streams=streams, learners=other.learners))
    text = str(mixed.compare(last).changes())
    assert text.startswith("Omitted, because their records have changed since: NSGT-F, NSGR,")
    assert "error on NSGT " in text
    assert "error on NSPC" not in text


def test_json_has_every_number_and_no_nan() -> None:
    made = card(streams=("NSGT", "NSPC-A"))
    data = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert [row["stream"] for row in data["streams"]] == ["NSGT", "NSPC-A"]
    memory = next(row for row in data["properties"] if row["reading"] == "memory NSGT-I")
    assert memory["learners"]["NB"] == {"mean": None, "sd": None, "undefined": "the card has no NSGT-I"}
    assert data["streams"][0]["against"]["NB"]["p_value"] == pytest.approx(2 / 2**10)


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] not in ("script", "style"):
            self.found.append(data)


def page(made: Card, tmp_path: Path) -> tuple[str, str]:
    raw = made.report(tmp_path / "card.html").read_text(encoding="utf-8")
    parser = _Text()
    parser.feed(raw.split("</main>")[0])
    return raw, " ".join(parser.found)


def test_the_page_has_all_sections_and_escapes_names(tmp_path: Path) -> None:
    made = card(failed={"NSLC": Failure(5, "<script>alert(1)</script>", "")}).compare(card())
    raw, text = page(made, tmp_path)
    for part in ("Eight properties", "Since the last card", "Error over time", "Errors", "Against", "Failures"):
        assert part in text
    assert "<script>alert(1)" not in raw
    assert "mine &lt;$x$&gt;" in raw
    assert "long-term memory." in text


def test_the_page_is_offline_and_the_same_each_time(tmp_path: Path) -> None:
    made = card()
    raw, _ = page(made, tmp_path)
    head = raw.split("<script>")[0]
    assert "http" not in head.replace("http-equiv", "")
    assert page(card(), tmp_path)[0] == raw


def test_the_place_among_the_learners_is_marked(tmp_path: Path) -> None:
    raw, text = page(card(), tmp_path)
    assert "3/3" in text or "2/3" in text or "1/3" in text
    assert raw.count('class="place"') == 15


def test_every_learner_has_a_curve_in_every_panel(tmp_path: Path) -> None:
    figure = card().plot()
    assert len(figure.data) == 9 * 4
    assert [trace.name for trace in figure.data if trace.showlegend] == ["NB", "SGD", "mine &lt;$x$&gt;", "optimum"]
    for suffix in (".png", ".svg", ".pdf"):
        assert card().save_figure(tmp_path / f"card{suffix}").stat().st_size > 10_000


def test_the_curve_is_the_mean_over_the_seeds_that_did_not_fail() -> None:
    made = card(failed={"NSGT": Failure(5, "no", "")})
    panel = card_panels(made.results)[0]
    counts = made.results.learners[OWN].errors["NSGT"].counts[1:]
    assert panel.curves[OWN][99] == pytest.approx(counts[:, 90:100].sum() / 9 / 500)


def test_changes_all_along_a_stream_are_not_marked() -> None:
    entry = card().results.streams["NSGT"]
    whole = ({"at": 2500, "width": 5000, "real": True}, {"at": 7500, "width": 5000, "real": True})
    for drifts, marked in ((whole, 0), ((*whole, *entry.drifts), 1), (whole[:1], 1)):
        found = card(streams=("NSGT",)).results
        streams = {"NSGT": type(entry)(entry.n_records, entry.digests, entry.optimum, drifts)}
        (panel,) = card_panels(
            type(found)(learner=found.learner, seeds=found.seeds, streams=streams, learners=found.learners)
        )
        assert len(panel.drifts) == marked


def test_only_known_suffixes_are_written(tmp_path: Path) -> None:
    for write, name in ((card().save, "card.txt"), (card().report, "card.pdf"), (card().save_figure, "card.html")):
        with pytest.raises(InputError, match="Accepted"):
            write(tmp_path / name)
