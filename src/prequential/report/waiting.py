"""How many records waited for their labels, how long, and what was irregular: in words and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from prequential.report.number import count
from prequential.runs.directory import RunDirectory
from prequential.runs.events import KINDS
from prequential.runs.manifest import Manifest

FIRST_IDS = 5
"""Ids that are named of each kind of irregular event."""


def latency(value: float) -> str:
    """Write a time that a label took, to three digits; quantiles are not known any better.

    Examples
    --------
    >>> latency(100.0), latency(2138.67), latency(0.01234), latency(0.0)
    ('100', '2,140', '0.0123', '0')
    """
    shown = float(f"{value:.3g}")
    return f"{shown:,.0f}" if shown.is_integer() else f"{shown:,g}"


def told(manifest: Manifest, path: Path | None = None) -> str:
    """Say in one line how many records and labels there were, how long labels took, and what was irregular.

    ``path`` is where the irregular events are listed. Nothing is said of runs whose labels come at once.
    """
    events = manifest.events
    if events is None:
        return ""
    took = "" if events["latency"] is None else f" ({_median(events['latency'])})"
    parts = [_many(events["n_records"], "record"), f"{_many(events['n_labels'], 'label')}{took}"]
    if events["n_versions"]:
        parts.insert(1, _many(events["n_versions"], "new version"))
    if events["n_expired"]:
        parts.append(f"{count(events['n_expired'])} expired")
    if events["n_waiting"]:
        parts.append(f"{count(events['n_waiting'])} still waiting")
    text = ", ".join(parts)
    if n := sum(events["irregular"].values()):
        where = "" if path is None else f": see {path}"
        text += f"; {_many(n, 'irregular event')}{where}"
    return text


def first_ids(directory: RunDirectory, irregular: Mapping[str, int]) -> dict[str, list[str]]:
    """Return the ids of the first irregular events of each kind, reading no further than needed."""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS if kind in irregular}
    for part in directory.irregular_parts():
        kinds = part["kind"].cast(pa.string())
        for kind, ids in found.items():
            here = part["id"].filter(pc.equal(kinds, kind))
            ids += here.slice(0, FIRST_IDS - len(ids)).to_pylist()
        if all(len(ids) == min(FIRST_IDS, irregular[kind]) for kind, ids in found.items()):
            break
    return found


def _many(n: int, what: str) -> str:
    return f"1 {what}" if n == 1 else f"{count(n)} {what}s"


def _median(told: dict[str, Any]) -> str:
    about = "" if told.get("exact") else "about "
    return f"median latency {about}{latency(told['quantiles']['0.5'])}"
