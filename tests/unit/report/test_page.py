"""The report is one file, complete, faithful to the run, and safe to open."""

import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from plotly.offline import get_plotlyjs
from support.runs import entry, failed, make_run

from prequential.conventions import CONVENTIONS
from prequential.errors import InputError
from prequential.report.page import write_page
from prequential.runs.directory import RunDirectory

EVIL = "<script>alert('x')</script>"


class Reader(HTMLParser):
    """Collects tags, and the text outside of scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "script" not in self.open and "style" not in self.open:
            self.text += data


def page_of(run: RunDirectory, tmp_path: Path) -> tuple[str, Reader]:
    """Return the page without the JavaScript of Plotly, as source and as read."""
    source = write_page(run, tmp_path / "report.html").read_text(encoding="utf-8")
    assert source.count(get_plotlyjs()) == 1
    source = source.replace(get_plotlyjs(), "")
    reader = Reader()
    reader.feed(source)
    reader.close()
    assert reader.open == []
    return source, reader


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    points: dict[tuple[str, str, str], list[tuple[int, float]]] = {}
    for f in ("cumulative", "sliding:100"):
        points["tree", f, "accuracy"] = [(1000, 0.61), (2000, 0.81236)]
        points["bayes", f, "accuracy"] = [(1000, 0.5), (2000, 0.7)]
        points["bayes", f, "kappa_m"] = [(1000, 0.1), (2000, math.nan)]
        points[EVIL, f, "accuracy"] = [(1000, 0.3)]
        points["tree", f, f"recall[{EVIL}]"] = [(1000, 0.3), (2000, 0.4)]
    directory = make_run(
        tmp_path / "run",
        points,
        name=f"run of {EVIL}",
        stream={"name": f"{EVIL}.csv", "n_records": 2000},
        learners={
            "tree": entry("HoeffdingTree", n_abstained=17, n_unlabelled=23),
            "bayes": entry(),
            EVIL: failed(1234, f"ValueError: {EVIL}", f"Traceback: {EVIL} in line 5"),
        },
        drifts=[{"at": 700, "width": 1, "real": True}],
        status="failed",
    )
    directory.write_plan(f'stream = "{EVIL}"\n')
    return directory


def test_the_numbers_of_the_page_are_those_of_the_trace(run: RunDirectory, tmp_path: Path) -> None:
    source, reader = page_of(run, tmp_path)
    assert "<strong>0.8124</strong>" in source
    assert "0.7000" in reader.text
    assert "kappa_m is undefined when the majority baseline is always right" in reader.text
    blocks = re.findall(r'<script type="application/json">(.*?)</script>', source)
    assert len(blocks) == 3
    accuracy: dict[str, Any] = json.loads(blocks[0])
    assert {t.get("legendgroup") for t in accuracy["data"]} >= {"tree", "bayes"}
    assert accuracy["layout"]["shapes"][0]["x0"] == 700


def test_resources_abstentions_and_settings_are_shown(run: RunDirectory, tmp_path: Path) -> None:
    _, reader = page_of(run, tmp_path)
    for part in (
        *("500.0 ms", "1.25 s", "125.0 ms", "1,070", "150.0 kB", "2e-08"),  # resources
        *("17", "23", "Abstentions are counted as wrong"),
        *("Prequential", "1,000 records", "seed", "3.50 s", "2026-07-22 10:00 UTC"),
        *("3.11.2", "x86_64", "price", "nominal", "UP, DOWN"),
        *CONVENTIONS,
    ):
        assert part in reader.text


def test_a_failure_is_shown_first_and_with_record_message_and_traceback(run: RunDirectory, tmp_path: Path) -> None:
    source, reader = page_of(run, tmp_path)
    assert source.index('<p class="banner failed" role="alert">') < source.index("<table>")
    assert "Failed: 1 of 3 learners" in reader.text
    assert f"Failed at record 1,234: ValueError: {EVIL}" in reader.text
    assert f"Traceback: {EVIL} in line 5" in reader.text


def test_text_of_users_is_escaped_everywhere(run: RunDirectory, tmp_path: Path) -> None:
    source, reader = page_of(run, tmp_path)
    assert EVIL not in source
    assert "alert('x')" in reader.text
    assert sum(tag == "script" for tag, _ in reader.tags) == 2 + 3


def test_nothing_is_loaded_from_a_network(run: RunDirectory, tmp_path: Path) -> None:
    source, reader = page_of(run, tmp_path)
    assert "http://" not in source
    assert "https://" not in source
    assert "@import" not in source
    assert "url(" not in source
    assert not [tag for tag, attributes in reader.tags if {"src", "href"} & set(attributes)]
    policy = [a["content"] for _, a in reader.tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy
    assert str(policy[0]).startswith("default-src 'none'")


def test_the_page_can_be_read_by_everyone(run: RunDirectory, tmp_path: Path) -> None:
    source, reader = page_of(run, tmp_path)
    tags = reader.tags
    assert ("html", {"lang": "en"}) in tags
    assert ("meta", {"charset": "utf-8"}) in tags
    assert sum(tag == "h1" for tag, _ in tags) == 1
    assert sum(tag == "table" for tag, _ in tags) == sum(tag == "caption" for tag, _ in tags)
    assert all("scope" in attributes for tag, attributes in tags if tag == "th")
    assert "prefers-color-scheme: dark" in source


def test_the_same_run_gives_the_same_page(run: RunDirectory, tmp_path: Path) -> None:
    assert write_page(run, tmp_path / "a.html").read_bytes() == write_page(run, tmp_path / "b.html").read_bytes()


def test_the_report_is_of_a_page_only(run: RunDirectory, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Accepted: \.html"):
        write_page(run, tmp_path / "report.pdf")


def test_a_run_without_checkpoints_has_a_report(tmp_path: Path) -> None:
    run = make_run(
        tmp_path / "run",
        {},
        metrics=["accuracy"],
        forgetting=["cumulative"],
        learners={"a": entry(status="running")},
        status="running",
        n_records=0,
        n_expected=None,
    )
    _, reader = page_of(run, tmp_path)
    assert "The trace has no checkpoint yet: there is nothing to draw." in reader.text
    assert "Stopped: the run ended after 0 records" in reader.text


def test_a_complete_run_has_no_banner(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {("a", "cumulative", "accuracy"): [(2000, 0.5)]})
    source, reader = page_of(run, tmp_path)
    assert 'role="alert"' not in source
    assert "Failures" not in reader.text
