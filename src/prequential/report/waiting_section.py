"""The section of the report on records that wait: how many, how long, and what was irregular."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from prequential.report.markup import facts, plot, section
from prequential.report.number import count
from prequential.report.sheet import Cell, Heading, Sheet
from prequential.report.typeset import html
from prequential.report.waiting import FIRST_IDS, first_ids, latency
from prequential.runs.directory import RunDirectory
from prequential.runs.events import MEANINGS
from prequential.runs.manifest import Manifest


def waiting(directory: RunDirectory) -> str:
    """Return what is known of the events of a run with delayed labels; nothing of other runs."""
    events = directory.manifest.events
    if events is None:
        return ""
    told = {
        "records": count(events["n_records"]),
        "new versions of records": count(events["n_versions"]),
        "labels": count(events["n_labels"]),
        "still waiting at the end": count(events["n_waiting"]),
        "expired: waited longer than the horizon": count(events["n_expired"]),
        "irregular events": count(sum(events["irregular"].values())),
    }
    parts = [facts(told)]
    if events["latency"] is not None:
        parts.append(_latency(events["latency"]))
    if events["irregular"]:
        parts.append(_irregular(directory, events["irregular"]))
    return section("waiting", "Waiting for labels", *parts)


def n_records(manifest: Manifest) -> str:
    """Say how many records a run had; with delayed labels, how many labels too."""
    if manifest.events is None:
        return f"{count(manifest.n_records)} records"
    return f"{count(manifest.events['n_records'])} records · {count(manifest.events['n_labels'])} labels"


def _latency(told: Mapping[str, Any]) -> str:
    from prequential.report.latency_figure import latency_figure

    if told["least"] == told["most"]:
        return f"<p>Every label took {escape(latency(told['least']))}, in the unit of the stream's time.</p>"
    quantiles = told["quantiles"]
    shown = {
        "least": told["least"],
        "5 %": quantiles["0.05"],
        "25 %": quantiles["0.25"],
        "median": quantiles["0.5"],
        "mean": told["mean"],
        "75 %": quantiles["0.75"],
        "95 %": quantiles["0.95"],
        "99 %": quantiles["0.99"],
        "most": told["most"],
    }
    caption = "Time that labels took, in the unit of the stream's time."
    caption += "" if told.get("exact") else " Quantiles are right to 9 % of their value."
    rows = ((Cell("latency"), *(Cell(latency(value)) for value in shown.values())),)
    table = html(Sheet(caption, (Heading("", number=False), *map(Heading, shown)), rows))
    fig = latency_figure(told)
    at_once = sum(n for _, high, n in told["histogram"] if high == 0)
    words = "How long labels took, on a logarithmic axis."
    if at_once:
        words += f" {count(at_once)} of {count(told['n'])} labels came at once, and are not drawn."
    if fig is None:
        return table
    return table + plot("Latency", fig.to_json(), label="how long labels took", caption=words)


def _irregular(directory: RunDirectory, counts: Mapping[str, int]) -> str:
    ids = first_ids(directory, counts)
    names = ("event", "what it means", f"first {FIRST_IDS} ids")
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
        Heading(names[0], number=False),
        Heading("number"),
        *(Heading(name, number=False) for name in names[1:]),
    )
    caption = "Events that are not as they should be. None is scored twice, none is dropped unsaid."
    where = "All of them, with id, place and time, are in irregular/*.parquet of the run's directory: run.irregular()."
    return html(Sheet(caption, headings, tuple(rows))) + f"<p>{escape(where)}</p>"
