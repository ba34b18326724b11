"""The sections of the report, each from what the manifest says."""

from __future__ import annotations

from html import escape

from prequential.conventions import CONVENTIONS
from prequential.report.markup import code, details, facts, section, written
from prequential.report.number import count, duration, moment, rate, size
from prequential.report.sheet import Cell, Heading, Sheet
from prequential.report.stage import counted, is_delayed
from prequential.report.status import one_line
from prequential.report.typeset import html
from prequential.runs.manifest import LearnerEntry, Manifest

MANY = 20
"""Classes that are listed; more are folded away."""


def resources(manifest: Manifest) -> str:
    """Return what each learner used, and the records it could not count."""
    heads = ("predicting", "learning", "scoring", "records/s", "memory", "RAM-Hours", "abstained", "unlabelled")
    sheet = Sheet(
        caption="Time by the wall clock, memory of the model at the end. A RAM-Hour is a gigabyte held for an hour.",
        headings=(Heading("learner", number=False), *map(Heading, heads)),
        rows=tuple((Cell(one_line(name)), *map(Cell, _used(entry))) for name, entry in manifest.learners.items()),
    )
    how = "left out" if manifest.abstain == "skip" else "counted as wrong"
    return section("resources", "Resources", html(sheet), f"<p>Abstentions are {how} in this run.</p>")


def _used(entry: LearnerEntry) -> tuple[str, ...]:
    used = entry.resources
    times = tuple(map(duration, (used.predict_seconds, used.learn_seconds, used.score_seconds)))
    costs = (rate(used.records_per_second), size(used.memory_bytes), f"{used.ram_hours:.3g}")
    return (*times, *costs, count(entry.n_abstained), count(entry.n_unlabelled))


def failures(manifest: Manifest) -> str:
    """Return each failure with its record, message and traceback."""
    parts = []
    for name, entry in manifest.learners.items():
        if entry.failure is None:
            continue
        parts.append(f"<h3>{escape(name)}</h3>")
        place = f"{counted(manifest).removesuffix('s')} {count(entry.failure.record)}"
        parts.append(f"<p>Failed at {place}: {escape(entry.failure.message)}</p>")
        parts.append(details("Traceback", code(entry.failure.traceback)) if entry.failure.traceback else "")
    return section("failures", "Failures", *parts)


def stream(manifest: Manifest) -> str:
    """Return where the records came from, the schema and the known drifts."""
    schema = manifest.schema
    classes = schema.get("classes") or []
    told = {name.replace("_", " "): value for name, value in manifest.stream.items() if name != "n_records"}
    told |= {
        "records": manifest.stream.get("n_records"),
        "task": schema.get("task"),
        "target": schema.get("target"),
        "classes": classes if len(classes) <= MANY else f"{len(classes):,}",
        "features": schema.get("n_features"),
    }
    parts = [facts(told)]
    if len(classes) > MANY:
        parts.append(details(f"All {len(classes):,} classes", f"<p>{escape(', '.join(classes))}</p>"))
    if features := schema.get("features"):
        parts.append(details(f"Features ({len(features):,})", _features(features)))
    if manifest.drifts:
        parts.append(_drifts(manifest.drifts))
    return section("stream", "Stream", *parts)


def _features(features: list[dict[str, object]]) -> str:
    headings = (Heading("feature", number=False), Heading("type", number=False), Heading("values"))
    rows = [
        (Cell(str(f["name"])), Cell(str(f["type"])), Cell(written(f["n_values"]) if f["type"] == "nominal" else ""))
        for f in features
    ]
    return html(Sheet("Features in the order of the stream.", headings, tuple(rows)))


def _drifts(drifts: list[dict[str, object]]) -> str:
    headings = (Heading("known drift", number=False), Heading("at record"), Heading("width"))
    rows = [
        (
            Cell(_kind(d)),
            Cell(written(d["at"])),
            Cell(written(d["width"])),
        )
        for d in drifts
    ]
    return html(
        Sheet(
            "Changes that are known to be in the stream; a width of 1 is abrupt, a blip passes.", headings, tuple(rows)
        )
    )


def _kind(drift: dict[str, object]) -> str:
    kind = "real" if drift["real"] else "virtual: only the distribution of the records changes"
    return f"blip, {kind}" if drift.get("temporary") else kind


def setting(manifest: Manifest, plan: str) -> str:
    """Return what was asked, with which versions, on which machine."""
    asked = {
        "protocol": _named(manifest.protocol),
        "measures": manifest.measures,
        "forgetting": manifest.forgetting,
        "detectors": manifest.detectors,
        "checkpoint every": f"{count(manifest.every)} {'labels' if is_delayed(manifest) else 'records'}",
        "abstentions": manifest.abstain,
        "seed": str(manifest.seed),
        counted(manifest): manifest.n_records,
        "started": moment(manifest.started),
        "took": duration(manifest.seconds),
    }
    headings = (Heading("learner", number=False), Heading("class", number=False), Heading("parameters", number=False))
    rows = [
        (Cell(one_line(name)), Cell(str(entry.description.get("learner", ""))), Cell(_parameters(entry.description)))
        for name, entry in manifest.learners.items()
    ]
    return section(
        "setting",
        "How it was run",
        facts(asked),
        html(Sheet("Learners and their parameters.", headings, tuple(rows))),
        "<h3>Versions</h3>" + facts(manifest.versions) if manifest.versions else "",
        "<h3>Machine</h3>" + facts(manifest.machine) if manifest.machine else "",
        details("The plan, to run it again", code(plan)) if plan else "",
    )


def _parameters(description: dict[str, object]) -> str:
    return written({name: value for name, value in description.items() if name != "learner"})


def _named(description: dict[str, object]) -> str:
    """Write a protocol: its name first, then its parameters."""
    name, *_ = map(written, description.values()) if description else ("",)
    rest = written(dict(list(description.items())[1:]))
    return f"{name}, {rest}" if rest else name


def conventions() -> str:
    """Return the conventions in force."""
    items = "".join(f"<li>{escape(text)}</li>" for text in CONVENTIONS)
    return section("conventions", "Conventions", f"<ul>{items}</ul>")
