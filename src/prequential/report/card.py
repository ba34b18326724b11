"""The learner's card: what the nine streams of the testbed say of a learner, in tables, a page and a figure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prequential.cards import file
from prequential.cards.change import changes
from prequential.cards.property import PROPERTIES, Measured
from prequential.cards.results import Results, compared
from prequential.cards.significance import not_worse_than_the_best
from prequential.errors import InputError
from prequential.report.card_sheets import (
    against_sheet,
    changes_sheet,
    conclusion,
    errors_sheet,
    legend,
    properties_sheet,
    regrets_sheet,
)
from prequential.report.file import checked_suffix, write_whole
from prequential.report.text_table import TextTable

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from prequential.report.paper_figure import PaperFigure


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A learner on the streams of the testbed, beside the reference learners of the paper and the optimum.

    Prints as tables, and shows itself in a notebook.

    Parameters
    ----------
    results
        All numbers: see `prequential.cards.Results`.
    baseline
        Those of the last card, if there is one to compare with.
    """

    results: Results
    baseline: Results | None = None

    @classmethod
    def load(cls, path: str | Path) -> Card:
        """Read a card that was saved."""
        return cls(file.read(path))

    def save(self, path: str | Path) -> Path:
        """Write the card as JSON, with the errors of every seed: to be loaded again, or to be a baseline.

        The comparison with a baseline is not saved: it can be made again from the two files.
        """
        checked_suffix(path, {".json": "a card"})
        return write_whole(path, file.written(self.results).encode("utf-8"))

    def compare(self, baseline: Card | str | Path) -> Card:
        """Return this card with another one as its baseline: of the same learner before it was changed, say.

        Raises
        ------
        InputError
            If the two have no stream and seed in common.
        """
        last = baseline.results if isinstance(baseline, Card) else file.read(baseline)
        streams, seeds = self.results.same_records(last)
        if not streams or not seeds:
            raise InputError(
                f"The card of {last.learner!r} has no stream and seed in common with that of {self.results.learner!r}: "
                f"it has {', '.join(last.streams)} with the seeds {', '.join(map(str, last.seeds))}."
            )
        return Card(self.results, last)

    @property
    def failures(self) -> dict[str, str]:
        """The streams on which the learner failed, with record and message."""
        errors = self.results.learners[self.results.learner].errors
        return {name: found.why_undefined for name, found in errors.items() if found.why_undefined}

    @property
    def conclusion(self) -> str:
        """Where the learner is among the best, and what has changed since the last card, in sentences."""
        return " ".join(filter(None, (conclusion(self.results), self._since(), self._failed())))

    def table(self) -> TextTable:
        """Return the average errors of all learners by stream: the paper's table 3."""
        return TextTable(errors_sheet(self.results), starred=bool(self.results.references))

    def properties(self) -> TextTable:
        """Return the numbers of the eight properties, of all learners."""
        return TextTable(properties_sheet(self.results), starred=bool(self.results.references))

    def regrets(self) -> TextTable:
        """Return error, optimum and regret of the learner, with standard deviations over the seeds."""
        return TextTable(regrets_sheet(self.results))

    def against(self) -> TextTable:
        """Return how the learner differs from each reference learner, with Wilcoxon's test over the seeds."""
        if not self.results.references:
            raise InputError("This card has no other learner: it was made with references=False.")
        return TextTable(against_sheet(self.results))

    def changes(self) -> TextTable:
        """Return what has changed since the baseline, with Wilcoxon's test over the seeds."""
        if self.baseline is None:
            raise InputError("This card has no baseline: compare it with one, card.compare('last.json').")
        return TextTable(changes_sheet(self.results, self.baseline))

    def plot(self) -> go.Figure:
        """Return an interactive figure: the error over the last 500 records, a panel a stream."""
        from prequential.report.card_curves import draw_card

        return draw_card(self.results)

    def draw(self) -> PaperFigure:
        """Return the same for print."""
        from prequential.report.card_figure import print_card

        return print_card(self.results)

    def save_figure(self, path: str | Path) -> Path:
        """Write the curves for print, a panel a stream: ``.png``, ``.svg`` or ``.pdf``."""
        from prequential.report.printed import write_figure

        return write_figure(self.draw(), path)

    def report(self, path: str | Path) -> Path:
        """Write the card as one HTML page that needs no network."""
        from prequential.report.card_page import write_card

        return write_card(self, path)

    def to_dict(self) -> dict[str, Any]:
        """Return all means, deviations and tests as JSON-able data; what is undefined is None, with a reason."""
        r = self.results
        return {
            "learner": r.learner,
            "seeds": list(r.seeds),
            "conclusion": self.conclusion,
            "streams": [self._stream(name) for name in r.streams],
            "properties": [
                {
                    "property": one.name,
                    "reading": reading.key,
                    "unit": reading.unit,
                    "better": reading.better,
                    "learners": {name: _data(r.reading(reading, name)) for name in r.learners},
                }
                for one in PROPERTIES
                for reading in one.readings
            ],
            "changes": None
            if self.baseline is None
            else [
                {
                    "number": one.key,
                    "last": _data(one.last),
                    "now": _data(one.now),
                    "change": _defined(one.difference.mean),
                    "p_value": _defined(one.difference.p_value),
                    "verdict": one.verdict or None,
                    "reason": one.difference.reason,
                }
                for one in changes(r, self.baseline)
            ],
            "failures": self.failures,
        }

    def _stream(self, stream: str) -> dict[str, Any]:
        r = self.results
        errors = {name: r.errors(name, stream) for name in r.learners}
        best, _ = not_worse_than_the_best({name: one.values for name, one in errors.items()})
        against = {name: compared(errors[r.learner], errors[name]) for name in r.references}
        return {
            "stream": stream,
            "optimum": _data(Measured(r.streams[stream].optimum.error())),
            "errors": {name: _data(one) for name, one in errors.items()},
            "regrets": {name: _data(r.regret(name, stream)) for name in r.learners},
            "not_worse_than_the_best": [name for name in r.learners if name in best],
            "against": {
                name: {"difference": _defined(one.mean), "p_value": _defined(one.p_value), "reason": one.reason}
                for name, one in against.items()
            },
        }

    def _since(self) -> str:
        if self.baseline is None:
            return ""
        found = changes(self.results, self.baseline)
        better, worse = (sum(one.verdict == what for one in found) for what in ("better", "worse"))
        if not better and not worse:
            return f"Since the last card no change of {len(found)} numbers is shown."
        return (
            f"Since the last card {better} of {len(found)} numbers are shown to be better and {worse} worse (each test "
            f"alone has an error rate of 5 %, so about {0.05 * len(found):.0f} would be by chance)."
        )

    def _failed(self) -> str:
        failed = [f"{name} ({why})" for name, why in self.failures.items()]
        return f"It failed on {', '.join(failed)}." if failed else ""

    def _tables(self) -> list[TextTable]:
        found = [self.properties(), self.table(), self.regrets()]
        return [self.changes(), *found] if self.baseline is not None else found

    def __str__(self) -> str:
        texts = [str(table) for table in self._tables()]
        return "\n\n".join(filter(None, [*texts, legend(self.results), self.conclusion]))

    def __repr__(self) -> str:
        r = self.results
        return f"<Card of {r.learner!r}: {len(r.streams)} streams, {len(r.seeds)} seeds>"

    def _repr_html_(self) -> str:
        tables = "".join(table._repr_html_() for table in self._tables())
        return f"{tables}<p>{escape(legend(self.results))}</p><p>{escape(self.conclusion)}</p>"


def _data(measured: Measured) -> dict[str, Any]:
    found: dict[str, Any] = {"mean": _defined(measured.mean), "sd": _defined(measured.sd)}
    if measured.why:
        found["undefined"] = measured.why
    if measured.bounded:
        found["lower_bound"] = True
    return found


def _defined(value: float) -> float | None:
    return value if math.isfinite(value) else None
