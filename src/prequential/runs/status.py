"""The status of a run, its learners and its events, in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prequential.number import count, plural
from prequential.runs.latency_histogram import written_latency
from prequential.runs.manifest import Manifest
from prequential.runs.stage import counted
from prequential.wording import listing


def warning(manifest: Manifest) -> str:
    """Return the warning that precedes every result of an incomplete run; empty if the run is complete.

    A failed, interrupted or running run is never shown as if it were complete.
    """
    if manifest.status == "complete":
        return ""
    so_far = f"{count(manifest.n_records)} {counted(manifest)}"
    if manifest.n_expected is not None:
        so_far = f"{count(manifest.n_records)} of {count(manifest.n_expected)} {counted(manifest)}"
    reason = one_line(manifest.reason)
    if manifest.status == "running":
        return _sentence(f"Running: {so_far} so far", reason)
    if manifest.status in ("partial", "interrupted", "stopped"):
        return _sentence(f"{manifest.status.capitalize()}: the run ended after {so_far}", reason)
    failed = [one_line(name) for name, entry in manifest.learners.items() if entry.status == "failed"]
    names = f" ({listing(failed)})" if failed else ""
    return _sentence(f"Failed: {len(failed)} of {len(manifest.learners)} learners{names}", reason)


def shortfall(name: str, manifest: Manifest) -> str:
    """Return why a learner has not seen the whole stream; empty if it has."""
    entry, unit = manifest.learners[name], counted(manifest)
    name = one_line(name)
    if entry.failure is not None:
        place = f"{unit.removesuffix('s')} {count(entry.failure.record)}"
        return f"{name} failed at {place}: {one_line(entry.failure.message)}"
    if entry.status == "failed":
        return f"{name} failed"
    if entry.status in ("partial", "interrupted", "stopped"):
        return f"{name} was interrupted after {count(entry.n_records)} {unit}"
    return ""


def event_summary(manifest: Manifest, path: Path | None = None) -> str:
    """Return one line on the events of a run with delayed labels: counts, median latency, irregular events.

    ``path`` is the folder of irregular events to refer to. Empty for other runs.
    """
    events = manifest.events
    if events is None:
        return ""
    latency = "" if events["latency"] is None else f" ({_median(events['latency'])})"
    parts = [plural(events["n_records"], "record"), f"{plural(events['n_labels'], 'label')}{latency}"]
    if events["n_versions"]:
        parts.insert(1, plural(events["n_versions"], "new version"))
    if events["n_expired"]:
        parts.append(f"{count(events['n_expired'])} expired")
    if events["n_waiting"]:
        parts.append(f"{count(events['n_waiting'])} still waiting")
    text = ", ".join(parts)
    if n := sum(events["irregular"].values()):
        where = "" if path is None else f": see {path}"
        text += f"; {plural(n, 'irregular event')}{where}"
    return text


def one_line(text: str) -> str:
    """Return a text without line breaks."""
    return " ".join(text.split())


def _median(latency: dict[str, Any]) -> str:
    about = "" if latency.get("exact") else "about "
    return f"median latency {about}{written_latency(latency)(latency['quantiles']['0.5'])}"


def _sentence(head: str, reason: str) -> str:
    text = f"{head}: {reason}" if reason else head
    return text if text.endswith((".", "!", "?")) else f"{text}."
