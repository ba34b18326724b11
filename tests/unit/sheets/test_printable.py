"""Every result prints as its table, gives its data in every format, and is written for papers and pages."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects
import pyarrow as pa
import pytest
from matplotlib.figure import Figure

import prequential as pq
from prequential.comparisons import friedman, mcnemar, nemenyi, pairwise_wilcoxon, ranking, sign_test, wilcoxon
from prequential.drift import Alarm
from prequential.figures.pictured import Pictured
from prequential.power.design import Design
from prequential.power.repetition import Contrast, Repetition
from prequential.power.table import Power
from prequential.sheets.latex import latex
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.tables.detection_table import detection_table
from prequential.tables.rank_table import RankTable
from prequential.testbed.optimal_error_table import OptimalErrorRow, OptimalErrorTable

RESULTS = (
    *("result", "folds", "stages", "comparison", "ranks", "rank_pairs", "significance", "detection", "detections"),
    *("score", "scorer", "power", "optimal", "mcnemar", "wilcoxon", "sign", "friedman", "nemenyi", "holm"),
)


@pytest.fixture(scope="module")
def results() -> dict[str, Printable]:
    sea = pq.streams.SEA(seed=1).take(600)
    run = pq.evaluate(sea, ["naive_bayes", "no_change"], metrics=["accuracy", "kappa"], every=300)
    folds = pq.evaluate(sea, ["naive_bayes", "no_change"], protocol=pq.KFold(6, "cross"), every=300)
    late = pq.evaluate(sea.delayed(20), ["naive_bayes", "no_change"], protocol=pq.Delayed(bins=2), every=300)
    rng = np.random.default_rng(1)
    values = rng.random((7, 3))
    ranks = RankTable(ranking(values, ["NB", "arbre", "σ-tree"], metric="accuracy"))
    found = pq.drift.Detection("nb", "adwin", 600, (Alarm(310), Alarm(420)))
    scorer = pq.Scorer(["accuracy", "kappa"], ["cumulative", "sliding:10"])
    scorer.update(["up", "down", "up"], ["up", "up", "up"])
    return {
        "result": run.table(),
        "folds": folds.table(),
        "stages": late.delays.ranking("accuracy"),
        "comparison": run.compare(),
        "ranks": ranks,
        "rank_pairs": ranks.pairs(),
        "significance": folds.folds.table(),
        "detection": found,
        "detections": detection_table("SEA", [found], [pq.Drift(300)]),
        "score": found.score([pq.Drift(300)]),
        "scorer": scorer.table(),
        "power": _power(),
        "optimal": OptimalErrorTable((OptimalErrorRow("NSGT", 0.1, 0.0001, "sample", 0.11, 0.001, None),), 10),
        "mcnemar": mcnemar([[50, 5], [17, 28]]),
        "wilcoxon": wilcoxon(values[:, 0], values[:, 1]),
        "sign": sign_test(values[:, 0], values[:, 1]),
        "friedman": friedman(values),
        "nemenyi": nemenyi([1.5, 1.8, 2.7], n_streams=7),
        "holm": pairwise_wilcoxon(values)[0],
    }


def _power() -> Power:
    design = Design(
        learner="tree",
        description={},
        streams={"SEA": {}},
        schemes=("cross",),
        tests=("held_out",),
        folds=(10,),
        noise=(0.1,),
        metric="accuracy",
        runs=1,
        alpha=0.05,
        seed=1,
        version="1",
    )
    p = {"sign": 0.5, "wilcoxon": 0.2, "mcnemar": 0.01}
    contrasts = tuple(Contrast(noise, 0.8, 0.7, False, p, {}) for noise in (None, 0.1))
    return Power(design, (Repetition(design.cases[0], 1, 0.5, contrasts),))


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_prints_as_its_table_and_has_every_format(results: dict[str, Printable], name: str) -> None:
    one = results[name]
    assert isinstance(one, Printable)
    assert repr(one) == str(one)
    assert not repr(one).startswith(f"{type(one).__name__}(")
    assert one.sheet().rows[0][-1].text in repr(one)
    assert "<table" in one._repr_html_()
    assert one.to_markdown().count("|") > 4
    rows = one.to_dicts()
    assert rows
    assert all(value == value for row in rows for value in row.values())  # NaN is None
    table = one.to_arrow()
    assert table.num_rows == len(rows)
    assert pa.table(one).equals(table) or table.schema == pa.table(one).schema  # NaN differs from itself
    assert len(one.to_pandas()) == len(rows)
    text = one.to_latex(caption=r"A \emph{caption}", label="tab:x")
    assert text.isascii()
    assert r"\caption{A \emph{caption}}" in text
    assert r"\label{tab:x}" in text


@pytest.mark.parametrize("name", [name for name in RESULTS if name in ("comparison", "ranks", "detections", "power")])
def test_plot_is_plotly_figure_is_matplotlib_and_save_figure_is_a_file(
    results: dict[str, Printable], name: str, tmp_path: Path
) -> None:
    one = results[name]
    assert isinstance(one, Pictured)
    assert isinstance(one.plot(), plotly.graph_objects.Figure)
    assert len(one.plot().data)
    assert isinstance(one.figure(), Figure)
    for suffix in (".png", ".svg", ".pdf"):
        assert one.save_figure(tmp_path / f"{name}{suffix}").stat().st_size > 1000


def test_digits_and_per_cent_change_metrics_that_are_shares_and_nothing_else() -> None:
    y = [1.0, 0.0, 1.0, 1.0]
    run = pq.score(y, y_score=[0.9, 0.2, 0.4, 0.8], classes=[0.0, 1.0], metrics=["accuracy", "log_loss"])
    table = run.table(forgetting="cumulative")
    cells = table.sheet(counts=False).rows[0][1:]
    share, loss = (float(cell.numbers[0]) for cell in cells)
    plain, per_cent = table.to_markdown(digits=2), table.to_markdown(digits=1, percent=True)
    assert f"{share:.2f}" in plain
    assert f"{loss:.2f}" in plain
    assert f"{100 * share:.1f}" in per_cent
    assert "accuracy (%)" in per_cent
    assert f"{loss:.1f}" in per_cent
    assert "log\\_loss (%)" not in per_cent
    assert table.to_latex(percent=True).count(f"{100 * share:.2f}") == 1
    with pytest.raises(pq.errors.InputError, match="'digits' parameter of a table must be a whole number"):
        table.to_latex(digits=-1)


def test_mean_and_deviation_of_folds_are_written_with_the_digits_asked_for(results: dict[str, Printable]) -> None:
    table: Any = results["folds"]
    row = table.rows[0]
    shown = f"{100 * row.values[0]:.1f} $\\pm$ {100 * row.spreads[0]:.1f}"
    assert shown in table.to_latex(digits=1, percent=True)


SIGNS = "κ ± Ψ₂ – — × − α χ² Φ Α Σ é ü ñ ç å ž ø ß … ≤ ½ · ∞ \" ' | ~ ^ < > & % $ # _ { } \\ 中 ъ"
SHEET = Sheet(SIGNS, (Heading(SIGNS, number=False), Heading("κ", over="Ψ₁₀")), ((Cell(SIGNS), Cell("1 ± 2", True)),))


def test_latex_has_no_raw_unicode() -> None:
    text = latex(SHEET)
    assert text.isascii()
    for command in (r"$\kappa$", r"$\pm$", r"$\Psi_2$", "--", r"$\times$", r"$\alpha$", r"\'{e}", r"\c{c}", "[U+4E2D]"):
        assert command in text


def test_pdflatex_compiles_every_table(results: dict[str, Printable], tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed, so NO table has been compiled (Debian: texlive-latex-recommended)")
    tables = [one.to_latex(label=f"t:{name}") for name, one in results.items()] + [latex(SHEET)]
    body = "\n\\clearpage\n".join(tables)
    document = f"\\documentclass{{article}}\\usepackage{{booktabs}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    (tmp_path / "a.tex").write_text(document, encoding="ascii")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "a.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    assert (tmp_path / "a.pdf").is_file()
