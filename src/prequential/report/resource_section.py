"""The section of the report on resources: time, memory, abstentions."""

from __future__ import annotations

from prequential.number import count, duration, rate, size
from prequential.report.markup import section
from prequential.runs.manifest import LearnerEntry, Manifest
from prequential.runs.status import one_line
from prequential.sheets.html_table import html
from prequential.sheets.sheet import Cell, Heading, Sheet

_HEADINGS = ("predicting", "learning", "scoring", "records/s", "memory", "RAM-Hours", "abstained", "unlabelled")


def resources(manifest: Manifest) -> str:
    """Return time and memory of each learner, and its abstentions and unlabelled records."""
    sheet = Sheet(
        caption="Wall-clock time, and memory of the model at the end. One RAM-Hour is 1 GB held for 1 hour.",
        headings=(Heading("learner", number=False), *map(Heading, _HEADINGS)),
        rows=tuple((Cell(one_line(name)), *map(Cell, _texts(entry))) for name, entry in manifest.learners.items()),
    )
    how = "left out" if manifest.abstain == "skip" else "counted as wrong"
    return section("resources", "Resources", html(sheet), f"<p>Abstentions are {how} in this run.</p>")


def _texts(entry: LearnerEntry) -> tuple[str, ...]:
    used = entry.resources
    times = tuple(map(duration, (used.predict_seconds, used.learn_seconds, used.score_seconds)))
    costs = (rate(used.records_per_second), size(used.memory_bytes), f"{used.ram_hours:.3g}")
    return (*times, *costs, count(entry.n_abstained), count(entry.n_unlabelled))
