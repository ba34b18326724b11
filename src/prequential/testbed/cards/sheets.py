"""The tables of a card: errors, properties, and comparisons with the other learners and with the last card."""

from __future__ import annotations

import math
from collections.abc import Mapping

from prequential.number import UNDEFINED, chance, count, fixed
from prequential.runs.status import one_line
from prequential.sheets.footnotes import Footnotes
from prequential.sheets.sheet import Cell, Heading, Sheet
from prequential.testbed.cards.change import Change, changes
from prequential.testbed.cards.property import PROPERTIES, Measured, Reading
from prequential.testbed.cards.results import Results, compared
from prequential.testbed.cards.significance import ALPHA, Difference, not_worse_than_the_best

SIGNS = {"better": "+", "worse": "-", "": "\u2007"}
"""The mark after a difference; a space as wide as a digit if it is not significant."""


def errors_sheet(results: Results) -> Sheet:
    """Return AE_preq of every learner on every stream, with bold numbers as in table 3 of the paper."""
    notes = Footnotes()
    rows = []
    for stream, entry in results.streams.items():
        found = {name: results.errors(name, stream) for name in results.learners}
        best, reason = not_worse_than_the_best({name: one.values for name, one in found.items()})
        cells = [Cell(stream), Cell(fixed(float(entry.optimum.error().mean())))]
        for name, one in found.items():
            marks = notes.number(with_name(name, one.why))
            alone = name in best and bool(reason) and len(found) > 1
            cells.append(Cell(fixed(one.mean), name in best and len(found) > 1, marks + notes.number(reason * alone)))
        rows.append(tuple(cells))
    several = "" if len(results.learners) < 2 else "; bold (*): the best, and all that are not significantly worse"
    return Sheet(
        caption=f"average error, mean of {_seeds(results)}{several}",
        headings=(Heading("stream", number=False), *map(Heading, ("optimum", *map(one_line, results.learners)))),
        rows=tuple(rows),
        notes=notes.texts,
    )


def regrets_sheet(results: Results) -> Sheet:
    """Return the learner's errors and regrets, with standard deviations over the seeds."""
    notes = Footnotes()
    rows = []
    for stream, entry in results.streams.items():
        error, regret = results.errors(results.learner, stream), results.regret(results.learner, stream)
        least = Measured(entry.optimum.error())
        numbers = (error.mean, error.sd, least.mean, least.sd, regret.mean, regret.sd)
        rows.append(
            (Cell(stream, notes=notes.number(error.why), bad=bool(error.why)), *(Cell(fixed(x)) for x in numbers))
        )
    heads = ("error", "sd", "optimum", "sd", "regret", "sd")
    return Sheet(
        caption=f"{one_line(results.learner)}, mean and standard deviation over {_seeds(results)}",
        headings=(Heading("stream", number=False), *map(Heading, heads)),
        rows=tuple(rows),
        notes=notes.texts,
    )


def properties_sheet(results: Results) -> Sheet:
    """Return the numbers of the eight properties for every learner, in bold as for errors."""
    notes = Footnotes()
    rows = []
    for i, one in enumerate(PROPERTIES, start=1):
        rows.append((Cell(f"{i} {one.name}"), *(Cell("") for _ in results.learners)))
        for reading in one.readings:
            found = {name: results.reading(reading, name) for name in results.learners}
            best = best_readings(found, reading)
            cells = [Cell(f"· {titled(reading)}")]
            for name, measured in found.items():
                marks = notes.number(with_name(name, measured.why), bound_note(measured))
                cells.append(Cell(shown(measured.mean, reading), name in best and len(found) > 1, marks))
            rows.append(tuple(cells))
    return Sheet(
        caption=f"the eight properties, mean of {_seeds(results)}; lower is better, except for the gains",
        headings=(Heading("property", number=False), *map(Heading, map(one_line, results.learners))),
        rows=tuple(rows),
        notes=notes.texts,
    )


def against_sheet(results: Results) -> Sheet:
    """Return the learner's error minus that of each other one, by stream, with the verdict of Wilcoxon's test."""
    notes = Footnotes()
    rows = []
    for stream in results.streams:
        own = results.errors(results.learner, stream)
        cells = [Cell(stream)]
        for name in results.references:
            found = compared(own, results.errors(name, stream))
            cells.append(_verdict(found, fixed(found.mean), found.verdict("lower"), notes))
        rows.append(tuple(cells))
    return Sheet(
        caption=f"error of {one_line(results.learner)} minus that of each other learner; + it is better, - it is worse "
        f"(Wilcoxon over {_seeds(results)}, p ≤ {ALPHA:g} each)",
        headings=(Heading("stream", number=False), *map(Heading, map(one_line, results.references))),
        rows=tuple(rows),
        notes=notes.texts,
    )


def changes_sheet(results: Results, last: Results) -> Sheet:
    """Return the changes since the last card: errors by stream, then the numbers of the properties."""
    streams, seeds = results.same_records(last)
    notes = Footnotes()
    what = f"{one_line(results.learner)} against {one_line(last.learner)}"
    omitted = [name for name in results.streams if name in last.streams and name not in streams]
    warning = f"Omitted, because their records have changed since: {', '.join(omitted)}." if omitted else ""
    return Sheet(
        caption=f"since the last card: {what}, the same {count(len(seeds))} seeds; + better, - worse at p ≤ {ALPHA:g}",
        headings=(Heading("number", number=False), *map(Heading, ("last", "now", "change", "p"))),
        rows=tuple(_change(one, notes) for one in changes(results, last)),
        warning=warning,
        notes=notes.texts,
    )


def best_readings(found: Mapping[str, Measured], reading: Reading) -> frozenset[str]:
    """Return the best learners by a number and those not significantly worse; without a test, only the best."""
    sign = 1.0 if reading.better == "lower" else -1.0
    defined = {name: sign * one.mean for name, one in found.items() if not math.isnan(one.mean)}
    if any(one.of_all is not None for one in found.values()):
        return frozenset(name for name, mean in defined.items() if mean == min(defined.values()))
    return not_worse_than_the_best({name: sign * found[name].values for name in defined})[0]


def shown(value: float, reading: Reading | None) -> str:
    """Format a number of a property; a number of records without decimals."""
    if reading is None or reading.unit == "fraction":
        return fixed(value)
    return UNDEFINED if math.isnan(value) else count(round(value))


def bound_note(measured: Measured) -> str:
    """Return the footnote of a lower bound; empty for any other number."""
    return "at least: it did not come back within the stream" if measured.bounded else ""


def conclusion(results: Results) -> str:
    """Return a sentence that says on which streams the learner is among the best."""
    if not results.references:
        return ""
    name, among, tested = one_line(results.learner), [], True
    for stream in results.streams:
        best, reason = not_worse_than_the_best({one: results.errors(one, stream).values for one in results.learners})
        tested &= not reason
        among += [stream] * (results.learner in best)
    what = "is the best, or not significantly worse than the best" if tested else "has the lowest error"
    n = len(results.streams)
    if among:
        return f"On {len(among)} of {n} streams ({', '.join(among)}) {name} {what}."
    other = "another learner is significantly better than" if tested else "another learner has a lower error than"
    return f"On each of {n} streams {other} {name}."


def _change(change: Change, notes: Footnotes) -> tuple[Cell, ...]:
    reading, found = change.reading, change.difference
    return (
        Cell(change.key.replace("error", "error on") if reading is None else titled(reading)),
        Cell(shown(change.last.mean, reading), notes=notes.number(bound_note(change.last))),
        Cell(shown(change.now.mean, reading), notes=notes.number(bound_note(change.now))),
        _verdict(found, shown(found.mean, reading), change.verdict, notes),
        Cell(chance(found.p_value)),
    )


def _verdict(found: Difference, text: str, verdict: str, notes: Footnotes) -> Cell:
    marks = notes.number(found.reason) if math.isnan(found.p_value) else ()
    return Cell(f"{text} {SIGNS[verdict]}", verdict == "better", marks, verdict == "worse")


def titled(reading: Reading) -> str:
    """Return the title of a number, with its unit unless it is a fraction."""
    return f"{reading.title}, records" if reading.unit == "records" else reading.title


def _seeds(results: Results) -> str:
    return "1 seed" if len(results.seeds) == 1 else f"{count(len(results.seeds))} seeds"


def with_name(name: str, why: str) -> str:
    """Return a reason with the name of its learner, unless the reason concerns the whole card."""
    return f"{one_line(name)}, {why}" if why and not why.startswith("the card") else why


def legend(results: Results) -> str:
    """Return the long names of the learners, and which results were taken from another card."""
    lines = ["; ".join(f"{name}: {one.title}" for name, one in results.learners.items() if one.title)]
    reused = [one_line(name) for name, one in results.learners.items() if one.reused]
    if reused:
        lines.append(f"Taken from another card with the same version, parameters and records: {', '.join(reused)}.")
    return "\n".join(filter(None, lines))
