"""A notebook, executed and turned into HTML, shows every table and every figure, without a network."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat", reason="nbconvert is not installed: pip install -e '.[dev]'")
nbconvert = pytest.importorskip("nbconvert", reason="nbconvert is not installed: pip install -e '.[dev]'")
pytest.importorskip("ipykernel", reason="ipykernel is not installed: pip install -e '.[dev]'")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARTEFACTS = Path(__file__).parents[2] / "test-artefacts"
"""Screenshots to look at; not in git."""
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
]

SETUP = """
import prequential as pq
one, other = (pq.streams.SEA(concept=concept, seed=concept) for concept in (3, 4))
stream = one.drift_to(other, at=1000).take(2000)
run = pq.evaluate(stream, ["naive_bayes", "no_change"], detectors="page_hinkley", every=100)
delayed = stream.delayed(pq.streams.UniformDelay(20, 90))
late = pq.evaluate(delayed, ["naive_bayes", "no_change"], protocol=pq.Delayed(bins=5), every=500)
folds = pq.evaluate(stream, ["naive_bayes", "no_change"], protocol=pq.KFold(6, "bootstrap"), every=500)
found = pq.detect(stream, "naive_bayes", ["adwin", "ddm"])
"""
TABLES = ("run", "run.table()", "run.compare()", "late.delays.ranking('accuracy')", "folds.folds.table()", "found")
PICTURED = ("run", "run.compare()", "late.delays", "late.delays.latencies()", "folds.folds", "found")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Any]:
    """Return the HTML of the executed notebook, and the notebook."""
    figures = [f"{one}.{way}()" for one in PICTURED for way in ("plot", "figure")]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(text) for text in (SETUP, *TABLES, *figures)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    folder = {"metadata": {"path": str(tmp_path_factory.mktemp("notebook"))}}
    nbconvert.preprocessors.ExecutePreprocessor(timeout=300).preprocess(notebook, folder)
    exporter = nbconvert.HTMLExporter(mathjax_url="", require_js_url="")
    return exporter.from_notebook_node(notebook)[0], notebook


def test_every_cell_has_an_output_that_html_can_show(page: tuple[str, Any]) -> None:
    _, notebook = page
    outputs = [[kind for output in cell.outputs for kind in output.get("data", ())] for cell in notebook.cells[1:]]
    for cell, kinds in zip(notebook.cells[1:], outputs, strict=True):
        wanted = "text/html" if cell.source in TABLES else "image/png"
        assert wanted in kinds, cell.source
        if ".plot()" in cell.source:
            assert "application/vnd.plotly.v1+json" in kinds, "still interactive where that is possible"


@pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not installed, so no page was drawn: apt-get install chromium"
)
def test_chromium_draws_all_of_it(page: tuple[str, Any], tmp_path: Path) -> None:
    assert CHROMIUM is not None
    html, _ = page
    count = (
        "<script>addEventListener('load', () => {"
        "const seen = [...document.images].filter(i => i.naturalWidth > 100 && i.clientWidth > 100).length;"
        "const tables = [...document.querySelectorAll('.jp-OutputArea table')].filter(t => t.clientHeight > 20).length;"
        "document.body.dataset.seen = `${seen} ${tables}`;});</script></body>"
    )
    path = tmp_path / "notebook.html"
    path.write_text(html.replace("</body>", count), encoding="utf-8")
    ARTEFACTS.mkdir(exist_ok=True)
    for width in (1300, 420):
        screenshot = ARTEFACTS / f"notebook-{width}.png"
        command = [CHROMIUM, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={width},9000"]
        subprocess.run([*command, f"--screenshot={screenshot}", path.as_uri()], check=True, capture_output=True)
        assert screenshot.stat().st_size > 50_000
        dom = subprocess.run([*command, "--dump-dom", path.as_uri()], check=True, capture_output=True, text=True).stdout
        seen = re.search(r'data-seen="(\d+) (\d+)"', dom)
        assert seen is not None
        assert int(seen[1]) == 2 * len(PICTURED)
        assert int(seen[2]) >= len(TABLES)
