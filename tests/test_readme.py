"""Everything that README and docs print can be run, and does what they say."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.page import run_page

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
GUIDES = sorted(path for path in (ROOT / "docs").glob("*.md"))
TEXTS = [README, *(ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", [README, *GUIDES], ids=named)
@pytest.mark.usefixtures("workplace")
def test_a_page_can_be_run_as_printed(page: Path) -> None:
    names = run_page(page)
    if page == README:
        assert Path("report.html").stat().st_size > 100_000
        assert len(names["frame"]) == 3 * 3 * 10 * 4
    if page.name == "testbed.md":  # what its comments claim
        assert names["curve"].mean == pytest.approx(0.0403, abs=5e-5)
        assert [drift.at for drift in names["stream"].drifts] == [2000, 2500, 2500]
    if page.name == "power.md":
        assert len(names["frame"]) == 2 * 2 * 3 * 3
        assert names["stricter"].design.alpha == 0.01


@pytest.mark.parametrize("page", TEXTS, ids=named)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        place, _, heading = target.partition("#")
        if place.startswith(("http:", "https:")):
            continue
        path = (page.parent / place).resolve() if place else page
        assert path.exists(), target
        assert not heading or heading in headings(path), target


def headings(path: Path) -> list[str]:
    """Return the headings of a page as the addresses that links to them have."""
    lines = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", line).strip().lower().replace(" ", "-") for line in lines]


def test_every_guide_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in GUIDES if page.name != "README.md" and f"({page.name})" not in index] == []


def test_every_page_of_decisions_is_in_their_index() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in folder.glob("*.md") if page.name != "README.md" and page.name not in index] == []


def test_every_decision_has_a_status() -> None:
    for page in (ROOT / "docs" / "decisions").glob("[!R]*.md"):
        _, *decisions = page.read_text(encoding="utf-8").split("\n## ")
        assert decisions, page
        for one in decisions:
            assert re.search(r"^\*\*Status:\*\* (in force|replaced by)", one, re.MULTILINE), f"{page.name}: {one[:60]}"


def test_the_files_of_the_reading_order_are_there() -> None:
    """A package is in bold at the start of an entry; files without a folder are in the first one of their entry."""
    order = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## ")[1]
    source, headers = ROOT / "src" / "prequential", ROOT / "native" / "include" / "prequential"
    missing = []
    for entry in re.split(r"^\d+\. ", order, flags=re.MULTILINE)[1:]:
        package = source / re.findall(r"`(\w+/)`", entry)[0]
        for file in re.findall(r"`([\w/]+\.(?:py|hpp))`", entry.partition("\n\n")[0]):
            places = [headers / file] if file.endswith(".hpp") else [package / file, source / file]
            if not any(place.is_file() for place in places):
                missing.append(f"{package.name}/{file}")
    assert missing == []


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 200


def test_the_figures_of_the_readme_are_those_that_were_measured() -> None:
    results = (ROOT / "benchmarks" / "results.md").read_text(encoding="utf-8")
    quoted = re.findall(r"^\| ([^|]+ against [^|]+) \| ([\d.,]+) ×", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert quoted
    measured = {row[0]: row[1] for row in re.findall(r"^\| ([^|]+) \| ([\d.,]+) \|", results, re.MULTILINE)}
    assert {what: value for what, value in quoted if measured.get(what) != value} == {}, "see benchmarks/results.md"


@pytest.mark.usefixtures("workplace")
def test_the_example_of_peeking_shows_what_it_says() -> None:
    done = subprocess.run([sys.executable, "examples/peeking.py"], capture_output=True, text=True, check=True)
    rates = [float(line.split()[-1].rstrip("%")) for line in done.stdout.splitlines()[1:]]
    once, often, always, sequence, e_process = rates
    assert once < 2 < often < always
    assert always > 9
    assert sequence <= 1
    assert e_process <= 1.6


@pytest.mark.usefixtures("workplace")
def test_the_table_of_rejections_has_one_row_per_test_and_protocol() -> None:
    words = ["examples/table2_power.py", "--n", "200", "--runs", "1", "--models", "1", "--folds", "6"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
    rows = done.stdout.splitlines()
    assert len(rows) == 2 + 6
    assert rows[2].startswith("| McNemar, non-prequential | ")
    assert rows[2].endswith("/ 0.75 |")


def test_the_example_of_roc_curves_runs(workplace: Path) -> None:
    subprocess.run([sys.executable, "examples/roc_over_time.py"], capture_output=True, check=True)
    assert (workplace / "roc_over_time.png").stat().st_size > 10_000


def test_the_example_script_runs(workplace: Path) -> None:
    pytest.importorskip("river")
    pytest.importorskip("sklearn")
    subprocess.run([sys.executable, "examples/compare_libraries.py"], capture_output=True, check=True)
    assert (workplace / "comparison.html").exists()
