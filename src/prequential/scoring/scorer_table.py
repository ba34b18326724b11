"""The table of the live scorer: one row per metric, one column per forgetting."""

from __future__ import annotations

import math

from prequential.evaluation.settings import Settings
from prequential.metrics.grid import Checkpoints
from prequential.metrics.metric import REGISTRY, Metric, split_class
from prequential.number import count, finite_or_none, plural
from prequential.runs.positive import positive_of, titled
from prequential.runs.status import one_line
from prequential.runs.trace import Measured
from prequential.sheets.footnotes import Footnotes
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.sheets.text_table import TextTable
from prequential.streams.schema import Schema


def scorer_table(at: Checkpoints, found: Measured, settings: Settings, schema: Schema) -> TextTable:
    """Return the values of a checkpoint as a table; the positive class is named where the value depends on it."""
    notes = Footnotes()
    metrics = {one.name: one for one in settings.metrics}
    positive = settings.positive_of(schema, at.counts.label_shares() if schema.n_classes else ())
    rows = []
    for i, name in enumerate(found.names):
        title, metric = titled(name, positive_of(positive, name)), metrics[split_class(name)[0]]
        cells = [_cell(value, title, metric, notes) for value in found.values[0, :, i].tolist()]
        rows.append((Cell(one_line(title)), *cells))
    extra = ((at.n_abstained, "abstained"), (at.n_unlabelled, "unlabelled"))
    parts = [plural(int(at.n[0]), "record"), *(f"{count(int(n[0]))} {word}" for n, word in extra if n[0])]
    return TextTable(
        Sheet(
            caption=" · ".join(["scorer", *parts]),
            headings=(Heading("", number=False), *(Heading(one.label) for one in settings.forgetting)),
            rows=tuple(rows),
            notes=notes.texts,
            remark="" if positive is None else positive.remark(found.names),
        ),
        data=tuple(
            {"n": int(at.n[0]), "forgetting": one.label, "metric": name, "value": finite_or_none(value)}
            for one, values in zip(settings.forgetting, found.values[0].tolist(), strict=True)
            for name, value in zip(found.names, values, strict=True)
        ),
    )


def _cell(value: float, title: str, metric: Metric, notes: Footnotes) -> Cell:
    if math.isnan(value):
        return Cell("–", notes=notes.number(f"{title} is undefined {metric.undefined}"))
    if metric.better is None and value.is_integer():
        return Cell(count(int(value)))
    return Cell.of(value, share=metric.name in REGISTRY and metric.needs in ("labels", "scores"))
