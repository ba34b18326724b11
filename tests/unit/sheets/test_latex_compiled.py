"""Every table of every result compiles with pdfLaTeX, which accepts ASCII and few packages."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import prequential as pq
from prequential.sheets.printable import Printable

MISSING = "pdflatex is not installed, so no table was compiled: apt-get install texlive-latex-recommended"
HOSTILE = r"a_b & 50% #1 {x} ~ ^ \ $ é ≥ Ψ₂ 日 “q”"


def tables() -> dict[str, Printable]:
    """Return one table of each kind, with a learner whose name is hostile to LaTeX."""
    learners = {"naive_bayes": "naive_bayes", HOSTILE: "no_change", "m": "majority_class"}
    streams = [pq.streams.SEA(concept=k, seed=k).take(600) for k in (1, 2, 3)]
    runs = [pq.evaluate(stream, learners, metrics=["accuracy", "kappa"], every=300) for stream in streams]
    folds = pq.evaluate(streams[0], learners, protocol=pq.KFold(6, "bootstrap"), metrics="accuracy", every=300)
    late = pq.evaluate(streams[0].delayed(50), learners, protocol=pq.Delayed(bins=5), metrics="accuracy", every=300)
    ranks = pq.compare({f"s_{k} & {HOSTILE}": run for k, run in enumerate(runs)})
    drifting = streams[0].take(300).followed_by(streams[1].take(300))
    return {
        "result": runs[0].table(),
        "comparison": runs[0].compare("naive_bayes", HOSTILE),
        "ranks": ranks,
        "paper": ranks.by_stream(),
        "folds": folds.folds.table(),
        "significance": folds.folds.table(),
        "late": late.table(),
        "ranking": late.delays.ranking("accuracy"),
        "latencies": late.delays.latencies(),
        "detections": pq.detect(drifting, learners, ["adwin", "ddm"]),
    }


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason=MISSING)
def test_all_tables_compile(tmp_path: Path) -> None:
    found = tables()
    pieces = []
    for k, (name, table) in enumerate(found.items()):
        default = table.to_latex()
        chosen = table.to_latex(
            caption=rf"≥ 50% of \emph{{{name}}}, in $\kappa$", label=f"t:{k}", digits=3, percent=True
        )
        assert default.isascii(), name
        assert chosen.isascii(), name
        pieces += [default, chosen]
    body = "\n".join(f"{piece}\n\\clearpage" for piece in pieces)
    (tmp_path / "all.tex").write_text(
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n" + body + "\n\\end{document}\n"
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Missing character" not in done.stdout
    pages = re.search(r"Output written on all.pdf \((\d+) pages", done.stdout)
    assert pages is not None
    assert int(pages[1]) == len(pieces)


def test_every_table_is_its_own_repr_and_has_the_other_formats() -> None:
    for name, table in tables().items():
        assert "\n" in repr(table), name
        assert not repr(table).startswith(f"{type(table).__name__}("), name
        assert table.to_markdown().startswith("|"), name
        assert "<table" in table.to_html(), name
