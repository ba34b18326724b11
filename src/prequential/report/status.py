"""How a run and its learners fared, in words."""

from __future__ import annotations

from prequential.errors import listing
from prequential.report.number import count
from prequential.report.stage import counted
from prequential.runs.manifest import Manifest


def warning(manifest: Manifest) -> str:
    """Return what a reader must know before any number of this run; nothing if the run is complete.

    Runs that failed, were interrupted or go on still are never shown as if they were complete.
    """
    if manifest.status == "complete":
        return ""
    so_far = f"{count(manifest.n_records)} {counted(manifest)}"
    if manifest.n_expected is not None:
        so_far = f"{count(manifest.n_records)} of {count(manifest.n_expected)} {counted(manifest)}"
    reason = one_line(manifest.reason)
    if manifest.status == "running":
        return _sentence(f"Running: {so_far} so far", reason)
    if manifest.status == "partial":
        return _sentence(f"Partial: the run was interrupted after {so_far}", reason)
    failed = [one_line(name) for name, entry in manifest.learners.items() if entry.status == "failed"]
    names = f" ({listing(failed)})" if failed else ""
    return _sentence(f"Failed: {len(failed)} of {len(manifest.learners)} learners{names}", reason)


def shortfall(name: str, manifest: Manifest) -> str:
    """Return why a learner has not seen the whole stream; nothing if it has."""
    entry, unit = manifest.learners[name], counted(manifest)
    name = one_line(name)
    if entry.failure is not None:
        place = f"{unit.removesuffix('s')} {count(entry.failure.record)}"
        return f"{name} failed at {place}: {one_line(entry.failure.message)}"
    if entry.status == "failed":
        return f"{name} failed"
    if entry.status == "partial":
        return f"{name} was interrupted after {count(entry.n_records)} {unit}"
    return ""


def one_line(text: str) -> str:
    """Return a text without line breaks."""
    return " ".join(text.split())


def _sentence(head: str, reason: str) -> str:
    text = f"{head}: {reason}" if reason else head
    return text if text.endswith((".", "!", "?")) else f"{text}."
