"""Bifet et al. 2015, tables 2 to 4: how often tests over ten folds reject, on thirteen streams.

The paper gives no lengths of the generated streams. On the full scale there are 20 runs of 20,000 records for each
stream, scheme and way of testing, which takes hours; the results of every run are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import prequential as pq
from prequential.errors import MissingFileError
from prequential.papers.claim import Claim
from prequential.papers.item import Made, item
from prequential.papers.paper_table import PaperTable, Place
from prequential.papers.value import Value
from prequential.papers.work import Work

Way = Literal["held_out", "trained"]
STREAMS: Final = (
    *("CovType", "Electricity", "Poker", "LED(50000)", "SEA(50)", "SEA(50000)", "HYP(10,.001)", "HYP(10,.0001)"),
    *("RBF(0,0)", "RBF(50,.001)", "RBF(10,.001)", "RBF(50,.0001)", "RBF(10,.0001)"),
)
SCHEMES: Final = ("bootstrap", "cross", "split")
NOISE: Final = (None, 0.05, 0.10)
TITLES = {None: "no change", 0.05: "noise .05", 0.10: "noise .10"}
WAYS: dict[str, Way] = {"non-prequential": "held_out", "prequential": "trained"}
TABLE_2 = {
    ("mcnemar", "non-prequential"): (0.71, 0.52, 0.66, 0.86, 0.80, 0.73, 0.88, 0.84, 0.75),
    ("mcnemar", "prequential"): (0.77, 0.80, 0.42, 0.88, 0.94, 0.56, 0.90, 0.95, 0.58),
    ("sign", "non-prequential"): (0.11, 0.11, 0.10, 0.77, 0.82, 0.44, 0.82, 0.88, 0.50),
    ("sign", "prequential"): (0.12, 0.12, 0.09, 0.77, 0.83, 0.44, 0.82, 0.89, 0.50),
    ("wilcoxon", "non-prequential"): (0.11, 0.11, 0.14, 0.79, 0.84, 0.51, 0.83, 0.90, 0.55),
    ("wilcoxon", "prequential"): (0.11, 0.10, 0.19, 0.80, 0.84, 0.54, 0.83, 0.91, 0.59),
}
"""Shares of rejections: without change, with noise .05 and .10; each with bootstrap, cross-validation and split."""
TABLE_3 = (  # McNemar's test, one tuple per column, the streams in order
    (0.86, 0.45, 0.73, 0.92, 0.67, 0.68, 0.61, 0.61, 0.89, 0.26, 0.88, 0.76, 0.89),
    (0.64, 0.16, 0.45, 0.85, 0.35, 0.35, 0.32, 0.40, 0.80, 0.20, 0.74, 0.68, 0.80),
    (0.98, 0.79, 0.86, 0.96, 0.88, 0.89, 0.61, 0.83, 0.36, 0.36, 0.36, 0.37, 0.36),
    (0.97, 0.99, 0.82, 0.96, 0.69, 0.70, 1.00, 1.00, 0.98, 0.18, 0.97, 0.91, 0.96),
    (0.98, 0.92, 0.78, 0.92, 0.39, 0.41, 1.00, 1.00, 0.98, 0.43, 0.96, 0.76, 0.92),
    (0.98, 0.88, 0.98, 1.00, 0.89, 0.89, 1.00, 1.00, 0.39, 0.39, 0.39, 0.39, 0.37),
    (0.98, 1.00, 0.96, 0.99, 0.70, 0.71, 1.00, 1.00, 0.99, 0.20, 0.98, 0.91, 0.98),
    (0.99, 1.00, 0.99, 0.96, 0.43, 0.44, 1.00, 1.00, 0.99, 0.44, 0.98, 0.76, 0.94),
    (0.99, 0.94, 1.00, 1.00, 0.89, 0.89, 1.00, 1.00, 0.40, 0.39, 0.40, 0.41, 0.40),
)
TABLE_4 = (  # Wilcoxon's test
    (0.12, 0.12, 0.08, 0.11, 0.11, 0.10, 0.09, 0.13, 0.11, 0.14, 0.12, 0.10, 0.10),
    (0.10, 0.13, 0.10, 0.09, 0.12, 0.09, 0.10, 0.09, 0.10, 0.10, 0.10, 0.11, 0.09),
    (0.10, 0.14, 0.10, 0.10, 0.14, 0.09, 0.13, 0.11, 0.32, 0.30, 0.32, 0.31, 0.31),
    (0.99, 1.00, 0.79, 0.82, 0.26, 0.21, 1.00, 1.00, 1.00, 0.32, 1.00, 1.00, 1.00),
    (1.00, 1.00, 1.00, 0.49, 0.27, 0.29, 1.00, 1.00, 1.00, 1.00, 1.00, 0.85, 1.00),
    (0.63, 0.72, 1.00, 1.00, 0.11, 0.11, 1.00, 1.00, 0.29, 0.33, 0.28, 0.31, 0.32),
    (1.00, 1.00, 1.00, 1.00, 0.36, 0.32, 1.00, 1.00, 1.00, 0.13, 1.00, 0.99, 1.00),
    (1.00, 1.00, 1.00, 0.99, 0.45, 0.49, 1.00, 1.00, 1.00, 1.00, 1.00, 0.86, 1.00),
    (0.97, 0.98, 1.00, 1.00, 0.12, 0.11, 1.00, 1.00, 0.33, 0.29, 0.28, 0.30, 0.29),
)
DIFFERS = (
    "The lengths of the paper's streams are not printed; ours have 20,000 records, and there are 20 runs, not 50.",
    "Streams whose file is not there are left out.",
    "The paper's sign test rejects with 8 of 10 folds, whose exact p-value is .109; ours needs 9 of 10.",
)


def rejections(work: Work, way: Way) -> list[dict[str, Any]]:
    """Return the rejection rates of every stream, scheme, copy and test."""
    rows: list[dict[str, Any]] = []
    for name in STREAMS:
        try:
            stream = pq.streams.preset(f"bifet2015.{name}").take(work.length(20_000))
        except MissingFileError:
            continue
        found = pq.power(
            {name: stream},
            pq.learners.RandomForest(n_models=10),
            folds=10,
            schemes=SCHEMES,
            tests=way,
            noise=[0.05, 0.10],
            runs=work.seeds(20),
            directory=work.runs / f"power-{way}" / name,
            progress=work.progress,
            workers=work.workers,
        )
        rows += found.to_dicts()
    return rows


def rate(
    rows: Sequence[dict[str, Any]], test: str, scheme: str, noise: float | None, stream: str | None = None
) -> Value:
    """Return a rejection rate, the mean over the streams if none is named."""
    own = [
        row["rejection_rate"]
        for row in rows
        if (row["test"], row["scheme"], row["noise"]) == (test, scheme, noise) and stream in (None, row["stream"])
    ]
    return Value.of([value for value in own if value is not None]) if own else Value(float("nan"))


@item("bifet2015.table2", "How often tests over ten folds reject: averages over thirteen streams")
def table2(work: Work) -> Made:
    """Make table 2."""
    paper: dict[Place, Value] = {}
    ours: dict[Place, Value] = {}
    rows = {name: rejections(work, way) for name, way in WAYS.items()}
    for (test, way), printed in TABLE_2.items():
        columns = [(noise, scheme) for noise in NOISE for scheme in SCHEMES]
        for (noise, scheme), value in zip(columns, printed, strict=True):
            place = f"{test}, {way}", f"{TITLES[noise]} {scheme}"
            paper[place], ours[place] = Value(value), rate(rows[way], test, scheme, noise)
    table = PaperTable("Share of runs in which a test rejects at 5 %", "test", paper, ours, digits=2)

    def mean(test: str, noise: float | None, scheme: str | None = None) -> float:
        wanted = [scheme] if scheme else SCHEMES
        found = [table.ours[f"{test}, {way}", f"{TITLES[noise]} {one}"].mean for way in WAYS for one in wanted]
        return sum(found) / len(found)

    power = {scheme: mean("wilcoxon", 0.05, scheme) for scheme in SCHEMES}
    same, wilcoxon, sign = (mean(test, None) for test in ("mcnemar", "wilcoxon", "sign"))
    return Made(
        table=table,
        claims=(
            Claim("McNemar's test rejects far too often on equal learners.", same >= 0.40, f"{same:.2f} on average"),
            Claim("Wilcoxon's test rejects equal learners rarely.", wilcoxon <= 0.20, f"{wilcoxon:.2f} on average"),
            Claim("The sign test rejects equal learners rarely.", sign <= 0.15, f"{sign:.2f} on average"),
            Claim(
                "Split validation is the weakest with noise .05.",
                min(power, key=lambda scheme: power[scheme]) == "split",
                ", ".join(f"{scheme} {value:.2f}" for scheme, value in power.items()),
            ),
        ),
        differs=DIFFERS,
    )


@item("bifet2015.table3", "How often McNemar's test rejects, by stream")
def table3(work: Work) -> Made:
    """Make table 3: the version that is not prequential."""
    return by_stream(work, "mcnemar", "held_out", TABLE_3)


@item("bifet2015.table4", "How often Wilcoxon's test rejects, by stream")
def table4(work: Work) -> Made:
    """Make table 4: the prequential version."""
    return by_stream(work, "wilcoxon", "trained", TABLE_4)


def by_stream(work: Work, test: str, way: Way, printed: tuple[tuple[float, ...], ...]) -> Made:
    """Make the table of one test: streams in rows, copies and schemes in columns."""
    rows = rejections(work, way)
    done = {row["stream"] for row in rows}
    paper: dict[Place, Value] = {}
    ours: dict[Place, Value] = {}
    columns = [(noise, scheme) for noise in NOISE for scheme in SCHEMES]
    for (noise, scheme), values in zip(columns, printed, strict=True):
        for stream, value in zip(STREAMS, values, strict=True):
            place = stream, f"{TITLES[noise]} {scheme}"
            paper[place] = Value(value)
            if stream in done:
                ours[place] = rate(rows, test, scheme, noise, stream)
    table = PaperTable(f"Share of runs in which {test} rejects at 5 %", "stream", paper, ours, digits=2)
    return Made(table=table, differs=DIFFERS)
