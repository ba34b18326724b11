"""The section of the report on learners that failed."""

from __future__ import annotations

from html import escape

from prequential.number import count
from prequential.report.markup import code, details, section
from prequential.runs.manifest import Manifest
from prequential.runs.stage import counted


def failures(manifest: Manifest) -> str:
    """Return each failure with its record, message and traceback; empty if there are none."""
    parts = []
    for name, entry in manifest.learners.items():
        if entry.failure is None:
            continue
        parts.append(f"<h3>{escape(name)}</h3>")
        place = f"{counted(manifest).removesuffix('s')} {count(entry.failure.record)}"
        parts.append(f"<p>Failed at {place}: {escape(entry.failure.message)}</p>")
        parts.append(details("Traceback", code(entry.failure.traceback)) if entry.failure.traceback else "")
    return section("failures", "Failures", *parts)
