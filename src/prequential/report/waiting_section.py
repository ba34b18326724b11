"""The section of the report on delayed labels: counts, latencies and irregular events."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from prequential.figures.latency_plotly import latency_figure
from prequential.number import count
from prequential.report.markup import facts, plot, section
from prequential.runs.directory import RunDirectory
from prequential.runs.events import KINDS, MEANINGS
from prequential.runs.latency_histogram import latency_histogram, written_latency
from prequential.sheets.html_table import html
from prequential.sheets.sheet import Cell, Heading, Sheet

FIRST_IDS = 5
"""The number of ids listed for each kind of irregular event."""


def waiting(directory: RunDirectory) -> str:
    """Return the section; empty for a run without delayed labels."""
    events = directory.manifest.events
    if events is None:
        return ""
    counts = {
        "records": count(events["n_records"]),
        "new versions of records": count(events["n_versions"]),
        "labels": count(events["n_labels"]),
        "still waiting at the end": count(events["n_waiting"]),
        "expired: waited longer than the horizon": count(events["n_expired"]),
        "irregular events": count(sum(events["irregular"].values())),
    }
    parts = [facts(counts)]
    if events["latency"] is not None:
        parts.append(_latency(events["latency"]))
    if events["irregular"]:
        parts.append(_irregular(directory, events["irregular"]))
    return section("waiting", "Waiting for labels", *parts)


def _latency(latency: Mapping[str, Any]) -> str:
    written = written_latency(latency)
    unit = "" if latency.get("unit") else ", in the unit of the stream's time"
    if latency["least"] == latency["most"]:
        return f"<p>Every label took {escape(written(latency['least']))}{unit}.</p>"
    quantiles = latency["quantiles"]
    shown = {
        "minimum": latency["least"],
        "5 %": quantiles["0.05"],
        "25 %": quantiles["0.25"],
        "median": quantiles["0.5"],
        "mean": latency["mean"],
        "75 %": quantiles["0.75"],
        "95 %": quantiles["0.95"],
        "99 %": quantiles["0.99"],
        "maximum": latency["most"],
    }
    caption = f"Time from the record to its label{unit}."
    caption += "" if latency.get("exact") else " Quantiles are accurate to 9 % of their value."
    rows = ((Cell("latency"), *(Cell(written(value)) for value in shown.values())),)
    table = html(Sheet(caption, (Heading("", number=False), *map(Heading, shown)), rows))
    histogram = latency_histogram(latency)
    if histogram is None:
        return table
    words = "Latencies of the labels, on a logarithmic axis."
    if at_once := sum(n for _, high, n in latency["histogram"] if high == 0):
        words += f" {count(at_once)} of {count(latency['n'])} labels came at once and are not drawn."
    return table + plot("Latency", latency_figure(histogram).to_json(), label="latencies of the labels", caption=words)


def _irregular(directory: RunDirectory, counts: Mapping[str, int]) -> str:
    ids = first_ids(directory, counts)
    rows = [
        (
            Cell(kind),
            Cell(count(n)),
            Cell(MEANINGS.get(kind, "")),
            Cell(", ".join(ids.get(kind, ())) + (", …" if n > FIRST_IDS else "")),
        )
        for kind, n in counts.items()
    ]
    headings = (
        Heading("event", number=False),
        Heading("number"),
        *(Heading(name, number=False) for name in ("what it means", f"first {FIRST_IDS} ids")),
    )
    caption = "Irregular events. None is scored twice, and all are reported."
    where = (
        "All of them, with id, place and time, are in irregular/*.parquet of the run's directory: "
        "run.delays.irregular()."
    )
    return html(Sheet(caption, headings, tuple(rows))) + f"<p>{escape(where)}</p>"


def first_ids(directory: RunDirectory, counts: Mapping[str, int]) -> dict[str, list[str]]:
    """Return the ids of the first irregular events of each kind, reading no more files than needed."""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS if kind in counts}
    for part in directory.irregular_parts():
        kinds = part["kind"].cast(pa.string())
        for kind, ids in found.items():
            here = part["id"].filter(pc.equal(kinds, kind))
            ids += here.slice(0, FIRST_IDS - len(ids)).to_pylist()
        if all(len(ids) == min(FIRST_IDS, counts[kind]) for kind, ids in found.items()):
            break
    return found
