"""The HTML page of a card, in one self-contained file."""

from __future__ import annotations

import math
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import scipy

from prequential.number import count, duration, moment
from prequential.report.document import document
from prequential.report.markup import code, details, facts, plot, section, written
from prequential.runs.status import one_line
from prequential.sheets.footnotes import Footnotes
from prequential.sheets.html_table import html
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.testbed.cards.interactive_figure import draw_card
from prequential.testbed.cards.property import PROPERTIES, Measured, Property, Reading
from prequential.testbed.cards.results import Results
from prequential.testbed.cards.sheets import (
    against_sheet,
    best_readings,
    bound_note,
    changes_sheet,
    errors_sheet,
    legend,
    regrets_sheet,
    shown,
    titled,
    with_name,
)
from prequential.whole_file import checked_suffix, write_whole

if TYPE_CHECKING:
    from prequential.testbed.cards.card import Card

_WARMEST = 34
"""Strength of the colour of the best and the worst number of a row, in percent."""


def write_card(card: Card, path: str | Path) -> Path:
    """Write the page: properties, changes since the last card, errors, curves, and definitions."""
    checked_suffix(path, {".html": "a page", ".htm": "a page"})
    return write_whole(path, _page(card).encode("utf-8"))


def _page(card: Card) -> str:
    results = card.results
    content = [
        _header(results),
        _failed(card),
        f'<p class="lead">{escape(card.conclusion)}</p>' if card.conclusion and not card.failures else "",
        section("properties", "Eight properties", _properties(results), _key(results)),
        "" if card.baseline is None else _since(results, card.baseline),
        section("curves", "Error over time", _curves(results)),
        section("errors", "Errors", html(errors_sheet(results)), html(regrets_sheet(results))),
        section("against", "Against each learner", html(against_sheet(results))) if results.references else "",
        section("meanings", "What the numbers mean", _meanings()),
        _failures(results),
        section("setting", "How it was run", _setting(results)),
    ]
    version = results.versions.get("prequential", "")
    return document(
        f"Card of {results.learner}",
        content,
        f"Written by prequential {version} from the card of {moment(results.started)}.",
        style=Path(__file__).with_name("card.css").read_text(encoding="utf-8"),
    )


def _header(results: Results) -> str:
    about = [
        f"{count(len(results.streams))} stream{'s' * (len(results.streams) > 1)} of the testbed",
        f"{count(len(results.seeds))} seed{'s' * (len(results.seeds) > 1)}",
        f"compared with {count(len(results.references))} learners" if results.references else "",
        moment(results.started),
    ]
    return f"<header>\n<h1>{escape(results.learner)}</h1>\n<p>{escape(' · '.join(filter(None, about)))}</p>\n</header>"


def _failed(card: Card) -> str:
    return f'<p class="banner failed" role="alert">{escape(card.conclusion)}</p>' if card.failures else ""


def _properties(results: Results) -> str:
    """Return the numbers of the properties, one row each; the colour of a cell shows the rank of the learner."""
    notes = Footnotes()
    names = list(results.learners)
    heads = [_head(name, name == results.learner) for name in names]
    rows = [row for one in PROPERTIES for row in _rows(one, results, notes)]
    footnotes = "".join(f"<li>{escape(text)}</li>" for text in notes.texts)
    return (
        f'<div class="scroll"><table class="properties"><thead><tr><th></th>{"".join(heads)}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>" + (f'<ol class="notes">{footnotes}</ol>' if footnotes else "")
    )


def _head(name: str, own: bool) -> str:
    return f'<th scope="col" class="number{" own" * own}">{escape(one_line(name))}</th>'


def _rows(one: Property, results: Results, notes: Footnotes) -> list[str]:
    width = len(results.learners)
    question = f" <span>{escape(one.question)}</span>"
    rows = [f'<tr class="group"><th scope="rowgroup" colspan="{width + 1}">{escape(one.name)}.{question}</th></tr>']
    for reading in one.readings:
        found = {name: results.reading(reading, name) for name in results.learners}
        best = best_readings(found, reading) if width > 1 else frozenset()
        places = _places(found, reading)
        cells = []
        for name, measured in found.items():
            marks = notes.number(with_name(name, measured.why), bound_note(measured))
            own = name == results.learner
            cells.append(_cell(shown(measured.mean, reading), name in best, marks, places.get(name), len(places), own))
        rows.append(f'<tr><th scope="row">{escape(titled(reading))}</th>{"".join(cells)}</tr>')
    return rows


def _places(found: dict[str, Measured], reading: Reading) -> dict[str, float]:
    """Return the rank of each learner by a number, from 1; equal numbers share a rank."""
    sign = 1.0 if reading.better == "lower" else -1.0
    defined = {name: sign * one.mean for name, one in found.items() if not math.isnan(one.mean)}
    if not defined:
        return {}
    return dict(zip(defined, map(float, scipy.stats.rankdata(list(defined.values()))), strict=True))


def _cell(text: str, best: bool, marks: tuple[int, ...], place: float | None, n: int, own: bool) -> str:
    heat, tone = 0.0, "good"
    if place is not None and n > 1:
        good = 1 - 2 * (place - 1) / (n - 1)  # 1 for the best, -1 for the worst
        heat, tone = abs(good) * _WARMEST, "good" if good >= 0 else "bad"
    look = f"--tone: var(--{tone}); --heat: {heat:.0f}%"
    value = f"<strong>{escape(text)}</strong>" if best else escape(text)
    raised = f"<sup>{','.join(map(str, marks))}</sup>" if marks else ""
    mark = f' <span class="place">{place:.3g}/{n}</span>' if own and place is not None and n > 1 else ""
    return f'<td class="number{" own" * own}" style="{look}">{value}{raised}{mark}</td>'


def _key(results: Results) -> str:
    if not results.references:
        return ""
    text = (
        "Lower is better, except for the gains. The colour of a cell shows its rank in the row, from green (best) to "
        "red (worst). Bold: the best, and all that are not significantly worse by Wilcoxon's test over the seeds "
        "(p ≤ 0.05 for each test alone)."
    )
    return f'<p class="key">{escape(text)}</p>' + "".join(
        f'<p class="key">{escape(line)}</p>' for line in legend(results).splitlines()
    )


def _since(results: Results, last: Results) -> str:
    return section("changes", "Since the last card", html(changes_sheet(results, last)))


def _curves(results: Results) -> str:
    caption = (
        "AE_preq^500, the error of the last 500 records, mean of the seeds. The wide line is the learner, the dashed "
        "one the optimum; a vertical line is an abrupt drift, a shaded span a gradual one. Drifts over the whole "
        "stream are not marked. A panel shows the learner and the better half of the others: drag an axis to see more. "
        "A click on a name hides it in all panels, a double click shows it alone."
    )
    data = draw_card(results).to_json()
    return plot(
        "Nine panels, one per stream" if len(results.streams) == 9 else "One panel per stream",
        data,
        label="error of the last 500 records, by stream",
        caption=caption,
    )


def _meanings() -> str:
    lead = (
        "E(S; a, b) is the average error on stream S from record a up to b, by default over all records; R is the "
        "regret, E minus that of the optimum on the same records. A number is computed for each seed, and the mean is "
        "shown; only a recovery is computed from the curve averaged over the seeds."
    )
    items = []
    for reading in (reading for one in PROPERTIES for reading in one.readings):
        text = f"{reading.formula}. From {reading.range}; {reading.better} is better."
        items.append(f'<dt>{escape(titled(reading))}</dt><dd class="formula">{escape(text)}</dd>')
    return f'<p class="key">{escape(lead)}</p><dl class="meanings">{"".join(items)}</dl>'


def _failures(results: Results) -> str:
    """Return every failure of the learner with its traceback."""
    parts = []
    for stream, found in results.learners[results.learner].errors.items():
        for seed, failure in zip(results.seeds, found.failures, strict=True):
            if failure is not None:
                title = f"{stream}, seed {seed}, record {count(failure.record)}: {failure.message}"
                parts.append(details(title, code(failure.traceback or failure.message)))
    return section("failures", "Failures", *parts)


def _setting(results: Results) -> str:
    headings = (Heading("learner", number=False), Heading("class", number=False), Heading("parameters", number=False))
    rows = []
    for name, one in results.learners.items():
        parameters = {key: value for key, value in one.description.items() if key != "learner"}
        rows.append((Cell(one_line(name)), Cell(str(one.description.get("learner", ""))), Cell(written(parameters))))
    settings = {
        "protocol": "prequential: each record tests, then trains",
        "streams": list(results.streams),
        "seeds": ", ".join(map(str, results.seeds)),
        "started": moment(results.started),
        "took": duration(results.seconds),
    }
    return (
        facts(settings)
        + html(Sheet("Learners and their parameters.", headings, tuple(rows)))
        + "<h3>Versions</h3>"
        + facts(results.versions)
    )
