"""The sections of the report on the settings of the run and on the conventions."""

from __future__ import annotations

from html import escape

from prequential.conventions import CONVENTIONS
from prequential.number import count, duration, moment
from prequential.report.markup import code, details, facts, section, written
from prequential.runs.manifest import Manifest
from prequential.runs.stage import counted, is_delayed
from prequential.runs.status import one_line
from prequential.sheets.html_table import html
from prequential.sheets.sheet import Cell, Heading, Sheet


def setting(manifest: Manifest, plan: str) -> str:
    """Return the settings, the learners' parameters, versions, machine and plan."""
    settings = {
        "protocol": _protocol(manifest.protocol),
        "metrics": manifest.metrics,
        "forgetting": manifest.forgetting,
        "positive class": _positive(manifest),
        "detectors": manifest.detectors,
        "checkpoint every": f"{count(manifest.every)} {'labels' if is_delayed(manifest) else 'records'}",
        "abstentions": manifest.abstain,
        "seed": str(manifest.seed),
        counted(manifest): manifest.n_records,
        "started": moment(manifest.started),
        "resumed with changes": manifest.accepted_changes,
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
        facts(settings),
        html(Sheet("Learners and their parameters.", headings, tuple(rows))),
        "<h3>Versions</h3>" + facts(manifest.versions) if manifest.versions else "",
        "<h3>Machine</h3>" + facts(manifest.machine) if manifest.machine else "",
        details("The plan, to run it again", code(plan)) if plan else "",
    )


def conventions() -> str:
    """Return the conventions of all results."""
    items = "".join(f"<li>{escape(text)}</li>" for text in CONVENTIONS)
    return section("conventions", "Conventions", f"<ul>{items}</ul>")


def _positive(manifest: Manifest) -> str:
    """Return the positive class, and why it is; empty if there is none."""
    positive = manifest.positive
    if positive is None:
        return ""
    return positive.label if positive.given else f"{positive.label} (the second of two classes; none was given)"


def _parameters(description: dict[str, object]) -> str:
    return written({name: value for name, value in description.items() if name != "learner"})


def _protocol(description: dict[str, object]) -> str:
    """Write a protocol: its name, then its parameters."""
    name, *_ = map(written, description.values()) if description else ("",)
    rest = written(dict(list(description.items())[1:]))
    return f"{name}, {rest}" if rest else name
