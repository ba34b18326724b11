"""The p-values of two or more learners over time, as a Plotly figure."""

from __future__ import annotations

from html import escape

import numpy as np
import plotly.graph_objects as go
import pyarrow as pa
import pyarrow.compute as pc

from prequential.errors import InputError, listing, suggestion
from prequential.report.curves import thin
from prequential.report.interactive import GRID, INK, laid_out
from prequential.report.palette import COLOURS
from prequential.report.status import one_line
from prequential.runs.directory import RunDirectory
from prequential.types import FloatArray, IntArray

ALPHA = 0.05
LEAST = 1e-6
"""A p-value below this is drawn here."""
MOST_PAIRS = 6
"""Up to so many pairs are drawn; of more, those of the learner that is first in the run."""
_DASHES = {"wilcoxon": "solid", "sign": "dash", "mcnemar": "dot"}


def significance_figure(
    directory: RunDirectory, measure: str | None = None, forgetting: str | None = None
) -> go.Figure:
    """Draw p over the records: a colour a pair of learners, a dash a test, and a line at 0.05.

    Parameters
    ----------
    directory
        A run with several folds.
    measure, forgetting
        Of which measure, under which forgetting; the first of the run by default.
    """
    table = directory.significance()
    if not len(table):
        raise InputError(f"{directory.path}: no tests over folds. They need two learners and protocol=pq.KFold(…).")
    of_folds = table.filter(pc.not_equal(table["test"].cast(pa.string()), "mcnemar"))
    measure = _chosen("measure", measure, of_folds)
    forgetting = _chosen("forgetting", forgetting, of_folds)
    for column, wanted in (("measure", measure), ("forgetting", forgetting)):
        table = table.filter(pc.equal(table[column].cast(pa.string()), wanted))
    fig = go.Figure()
    for i, (a, b) in enumerate(drawn_pairs(table)):
        for test, dash in _DASHES.items():
            n, p = _series(table, a, b, test)
            if not len(n) or np.isnan(p).all():
                continue
            fig.add_scatter(
                x=n,
                y=np.maximum(p, LEAST),
                customdata=p,
                mode="lines" if len(n) > 1 else "markers",
                name=escape(f"{one_line(a)} and {one_line(b)}, {test}"),
                line={"color": COLOURS[i % len(COLOURS)], "dash": dash, "width": 1.8},
                hovertemplate="%{x:,}: p = %{customdata:.3g}",
            )
    fig.add_hline(ALPHA, line={"color": INK, "width": 1, "dash": "dot"}, annotation_text="0.05")
    fig.update_xaxes(title_text="records", gridcolor=GRID, zeroline=False, tickformat=",d")
    fig.update_yaxes(
        type="log",
        title_text=f"p, {measure}, {forgetting}",
        range=(np.log10(LEAST) - 0.1, 0.05),
        tickvals=[10.0**k for k in range(-6, 1)],
        ticktext=["≤ 0.000001", "0.00001", "0.0001", "0.001", "0.01", "0.1", "1"],
        gridcolor=GRID,
        zeroline=False,
    )
    return laid_out(fig, height=420)


def drawn_pairs(table: pa.Table) -> list[tuple[str, str]]:
    """Return the pairs of learners of a table of tests; of many, those of the first learner."""
    sides = (table[side].cast(pa.string()).to_pylist() for side in ("learner_a", "learner_b"))
    pairs = list(dict.fromkeys(zip(*sides, strict=True)))
    return pairs if len(pairs) <= MOST_PAIRS else [pair for pair in pairs if pair[0] == pairs[0][0]]


def _series(table: pa.Table, a: str, b: str, test: str) -> tuple[IntArray, FloatArray]:
    for column, wanted in (("learner_a", a), ("learner_b", b), ("test", test)):
        table = table.filter(pc.equal(table[column].cast(pa.string()), wanted))
    return thin(table["n"].to_numpy(), table["p"].to_numpy())


def _chosen(column: str, asked: str | None, table: pa.Table) -> str:
    known: list[str] = pc.unique(table[column].cast(pa.string())).to_pylist()
    if asked is None:
        return known[0]
    if asked not in known:
        raise InputError(f"No tests of the {column} {asked!r}.{suggestion(asked, known)} There are: {listing(known)}.")
    return asked
