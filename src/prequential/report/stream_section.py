"""The section of the report on the stream: its source, schema and known drifts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from prequential.report.markup import details, facts, section, written
from prequential.runs.manifest import Manifest
from prequential.sheets.html_table import html
from prequential.sheets.sheet import Cell, Heading, Sheet

MANY = 20
"""The largest number of classes listed openly; if there are more, the list is collapsed."""


def stream(manifest: Manifest) -> str:
    """Return the source of the records, the schema and the known drifts."""
    schema = manifest.schema
    classes = schema.get("classes") or []
    shown = {name.replace("_", " "): value for name, value in manifest.stream.items() if name != "n_records"}
    shown |= {
        "records": manifest.stream.get("n_records"),
        "task": schema.get("task"),
        "target": schema.get("target"),
        "classes": classes if len(classes) <= MANY else f"{len(classes):,}",
        "features": schema.get("n_features"),
    }
    parts = [facts(shown)]
    if len(classes) > MANY:
        parts.append(details(f"All {len(classes):,} classes", f"<p>{escape(', '.join(classes))}</p>"))
    if features := schema.get("features"):
        parts.append(details(f"Features ({len(features):,})", _features(features)))
    if manifest.drifts:
        parts.append(_drifts(manifest.drifts))
    return section("stream", "Stream", *parts)


def _features(features: Sequence[Mapping[str, object]]) -> str:
    headings = (Heading("feature", number=False), Heading("type", number=False), Heading("values"))
    rows = [
        (Cell(str(f["name"])), Cell(str(f["type"])), Cell(written(f["n_values"]) if f["type"] == "nominal" else ""))
        for f in features
    ]
    return html(Sheet("Features in the order of the stream.", headings, tuple(rows)))


def _drifts(drifts: Sequence[Mapping[str, object]]) -> str:
    headings = (Heading("known drift", number=False), Heading("at record"), Heading("width"))
    rows = [(Cell(_kind(drift)), Cell(written(drift["at"])), Cell(written(drift["width"]))) for drift in drifts]
    caption = "Known changes of the stream. A width of 1 is an abrupt drift; a blip is temporary."
    return html(Sheet(caption, headings, tuple(rows)))


def _kind(drift: Mapping[str, object]) -> str:
    kind = "real" if drift["real"] else "virtual: only the distribution of the records changes"
    return f"blip, {kind}" if drift.get("temporary") else kind
