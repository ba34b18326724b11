"""What ``prequential demo`` asks of one stream: its plan, and a table with an answer for each question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from prequential.evaluation.run import Run
from prequential.number import chance, fixed
from prequential.runs.alarms import short_name
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.tables.run_detections import run_detections
from prequential.wording import listing

LATE = 1_000
"""How late labels come in the second run, in records."""
_N = 100_000
_LEARNERS: list[dict[str, Any]] = [
    {"type": "naive_bayes"},
    {"type": "hoeffding_tree"},
    {"type": "hoeffding_adaptive_tree"},
    {"type": "adaptive_random_forest", "n_models": 10, "name": "adaptive_random_forest"},
]
_STREAM: dict[str, Any] = {
    "type": "SEA",
    "n": _N,
    "concept": 1,
    "noise": 0.1,
    "seed": 1,
    "change": [
        {"type": "drift_to", "to": {"type": "SEA", "concept": concept, "seed": seed}, "at": at}
        for at, concept, seed in ((25_000, 4, 2), (50_000, 3, 3), (75_000, 2, 4))
    ],
}
PLAN: dict[str, Any] = {
    "every": 500,
    "seed": 1,
    "metrics": ["accuracy", "kappa"],
    "forgetting": ["cumulative", "sliding:1000", "fading:0.999"],
    "detectors": ["adwin", "page_hinkley", "ddm"],
    "stream": _STREAM,
    "protocol": {"type": "prequential"},
    "learner": _LEARNERS,
}
"""SEA with three abrupt drifts: four learners, three forgettings, three detectors."""
LATE_PLAN: dict[str, Any] = {
    **{key: value for key, value in PLAN.items() if key != "detectors"},
    "metrics": ["accuracy"],
    "forgetting": ["cumulative"],
    "stream": {**_STREAM, "delay": LATE},
    "protocol": {"type": "delayed", "bins": 2, "reevaluate_every": LATE},
}
"""The same, with late labels; a waiting record is predicted again after as many labels as it waits for."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, the answer in one line, and the table that shows it."""

    question: str
    answer: str
    table: Sheet

    def sheet(self) -> Sheet:
        """Return the table."""
        return self.table

    def to_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        titles = [heading.group or heading.title for heading in self.table.headings]
        rows = [dict(zip(titles, [cell.text for cell in row], strict=True)) for row in self.table.rows]
        return {"question": self.question, "answer": self.answer, "table": rows}


def answers(run: Run, late: Run, best_possible: float) -> Iterator[Answer]:
    """Yield the answers of the run and of the run with late labels."""
    accuracy = {
        forgetting: {
            row["learner"]: float(row["value"])
            for row in run.table(metrics=["accuracy"], forgetting=[forgetting]).to_dicts()
        }
        for forgetting in PLAN["forgetting"]
    }
    best, second, *_ = sorted(run.learners, key=lambda name: -accuracy["cumulative"][name])
    yield _how_good(accuracy, best, best_possible)
    yield _who_is_better(run, best, second)
    yield _which_drifts(run, best)
    yield _how_late(accuracy["cumulative"], late)


def _how_good(accuracy: dict[str, dict[str, float]], best: str, best_possible: float) -> Answer:
    rows = []
    for name in accuracy["cumulative"]:
        values = [accuracy[forgetting][name] for forgetting in accuracy]
        lacking = best_possible - accuracy["cumulative"][name]
        rows.append((Cell(name), *(Cell(fixed(v), best=name == best) for v in values), Cell(fixed(lacking))))
    dash = (Cell(fixed(best_possible)),) * len(accuracy)
    rows.append((Cell("best possible", notes=(1,)), *dash, Cell(fixed(0.0))))
    headings = (Heading("learner", number=False), *map(Heading, accuracy), Heading("below best"))
    lacking = 100 * (best_possible - accuracy["cumulative"][best])
    return Answer(
        "How good is each learner, and how far is it from the best possible?",
        f"{best} is best: {fixed(accuracy['cumulative'][best])} over all records, {lacking:.1f} percentage points "
        f"below the best possible {fixed(best_possible)}.",
        Sheet(
            "Accuracy after the last record, under three forgettings",
            headings,
            tuple(rows),
            notes=("Over few records chance can lift an estimate above the best possible.",),
        ),
    )


def _who_is_better(run: Run, best: str, second: str) -> Answer:
    rows = []
    for other in run.learners:
        if other == best:
            continue
        trace = run.compare(best, other).trace
        series = trace.series("cumulative", trace.folds[0])
        low, high = float(series["sequence_low"][-1]), float(series["sequence_high"][-1])
        cells = (
            Cell(f"− {other}"),
            Cell(f"[{fixed(low)}, {fixed(high)}]"),
            Cell(chance(float(series["anytime_p_value"][-1]))),
        )
        rows.append(cells)
    headings = (Heading(best, number=False), Heading("confidence sequence"), Heading("anytime p"))
    caption = "Difference of the error rates over all records (95 %, however often one looks)"
    return Answer(
        "Who is better, and how certain is it?",
        run.compare(best, second).conclusion,
        Sheet(caption, headings, tuple(rows)),
    )


def _which_drifts(run: Run, best: str) -> Answer:
    table = run_detections(run.directory)
    assert table is not None
    assert table.drifts is not None
    rows, summaries = [], []
    for one, score in zip(table.detections, table.scores(), strict=True):
        if one.learner != best or score is None:
            continue
        delays = dict.fromkeys((drift.at for drift in table.drifts), "missed")
        for drift in table.drifts:
            within = [a.record - drift.at for a in one.alarms if 0 <= a.record - drift.at <= table.tolerance]
            delays[drift.at] = f"{within[0]:,}" if within else "missed"
        name = short_name(one.detector)
        rows.append((Cell(name), *map(Cell, delays.values()), Cell(f"{score.n_false:g}")))
        summaries.append(f"{name} {score.n_detected:g} of {score.n_drifts}")
    headings = (
        Heading("detector", number=False),
        *(Heading(f"at {drift.at:,}") for drift in table.drifts),
        Heading("false alarms"),
    )
    return Answer(
        "Which drifts were found, and how late?",
        f"Drifts found by watching the errors of {best}: {listing(summaries)}.",
        Sheet("Records from each drift to the first alarm", headings, tuple(rows)),
    )


def _how_late(at_once: dict[str, float], late: Run) -> Answer:
    lag = {
        row["learner"]: float(row["value"]) for row in late.table().to_dicts() if row["metric"] == "accuracy_initial"
    }
    rows = [
        (Cell(name), Cell(fixed(value)), Cell(fixed(lag[name])), Cell(f"{100 * (lag[name] - value):+.2f}"))
        for name, value in at_once.items()
    ]
    titles = ("labels at once", f"{LATE:,} records late", "change in points")
    most = max(at_once, key=lambda name: at_once[name] - lag[name])
    leader = max(lag, key=lambda name: lag[name])
    return Answer(
        f"What changes if labels come {LATE:,} records late?",
        f"Every learner adapts later: {most} loses most, {100 * (at_once[most] - lag[most]):.2f} percentage points; "
        f"{leader} is best then.",
        Sheet(
            "Accuracy of the first predictions, over all records",
            (Heading("learner", number=False), *map(Heading, titles)),
            tuple(rows),
        ),
    )
