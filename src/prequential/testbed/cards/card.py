"""The learner's card: the results of a learner on the testbed, as tables, a page and a figure."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prequential.errors import InputError
from prequential.figures.pictured import Pictured
from prequential.number import finite_or_none
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Sheet
from prequential.sheets.text_table import TextTable
from prequential.testbed.cards.card_file import card_text, read_card
from prequential.testbed.cards.change import changes
from prequential.testbed.cards.property import PROPERTIES, Measured
from prequential.testbed.cards.results import Results, compared
from prequential.testbed.cards.sheets import (
    against_sheet,
    changes_sheet,
    conclusion,
    errors_sheet,
    legend,
    properties_sheet,
    regrets_sheet,
)
from prequential.testbed.cards.significance import not_worse_than_the_best
from prequential.whole_file import checked_suffix, write_whole

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from prequential.figures.matplotlib_style import PaperFigure


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Card(Printable, Pictured):
    """A learner on the streams of the testbed, compared with the reference learners of the paper and the optimum.

    It prints as tables, also in a notebook.

    Parameters
    ----------
    results
        All numbers.
    baseline
        Those of an earlier card to compare with.

    Examples
    --------
    >>> import prequential as pq
    >>> made = pq.testbed.card("majority_class", streams="NSCX", seeds=1, references=False, progress=False)
    >>> isinstance(made, pq.testbed.Card)
    True
    """

    results: Results
    baseline: Results | None = None

    @classmethod
    def load(cls, path: str | Path) -> Card:
        """Load a saved card."""
        return cls(read_card(path))

    def save(self, path: str | Path) -> Path:
        """Write the card as JSON, with the errors of every seed, to load it again or to use it as a baseline.

        The comparison with a baseline is not saved: it can be computed again from the two files.
        """
        checked_suffix(path, {".json": "a card"})
        return write_whole(path, card_text(self.results).encode("utf-8"))

    def compare(self, baseline: Card | str | Path) -> Card:
        """Return this card with another one as its baseline, for example an earlier version of the same learner.

        Raises
        ------
        InputError
            If the two have no stream and seed in common.
        """
        last = baseline.results if isinstance(baseline, Card) else read_card(baseline)
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
        """On which streams the learner is among the best, and what has changed since the last card."""
        return " ".join(filter(None, (conclusion(self.results), self._since(), self._failed())))

    def table(self) -> TextTable:
        """Return the average errors of all learners by stream, as in table 3 of the paper."""
        return TextTable(errors_sheet(self.results), starred=bool(self.results.references))

    def properties(self) -> TextTable:
        """Return the numbers of the eight properties for all learners."""
        return TextTable(properties_sheet(self.results), starred=bool(self.results.references))

    def regrets(self) -> TextTable:
        """Return the error and regret of the learner and the optimum, with standard deviations over the seeds."""
        return TextTable(regrets_sheet(self.results))

    def against(self) -> TextTable:
        """Return the difference to each reference learner, with Wilcoxon's test over the seeds."""
        if not self.results.references:
            raise InputError(
                "This card has no reference learners to compare with: it was created with references=False."
            )
        return TextTable(against_sheet(self.results))

    def changes(self) -> TextTable:
        """Return the changes since the baseline, with Wilcoxon's test over the seeds."""
        if self.baseline is None:
            raise InputError("This card has no baseline. Compare it with another one: card.compare('last.json').")
        return TextTable(changes_sheet(self.results, self.baseline))

    def plot(self) -> go.Figure:
        """Return an interactive figure: the error over the last 500 records, one panel per stream."""
        from prequential.testbed.cards.interactive_figure import draw_card

        return draw_card(self.results)

    def figure(self) -> PaperFigure:
        """Return the same figure for print."""
        from prequential.testbed.cards.printed_figure import print_card

        return print_card(self.results)

    def report(self, path: str | Path) -> Path:
        """Write the card as one self-contained HTML page."""
        from prequential.testbed.cards.card_page import write_card

        return write_card(self, path)

    def sheet(self) -> Sheet:
        """Return the average errors of all learners by stream."""
        return errors_sheet(self.results)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per stream and learner: mean error, standard deviation, regret."""
        return [
            {
                "stream": stream,
                "learner": learner,
                "error": finite_or_none(error.mean),
                "sd": finite_or_none(error.sd),
                "regret": finite_or_none(self.results.regret(learner, stream).mean),
            }
            for stream in self.results.streams
            for learner in self.results.learners
            for error in [self.results.errors(learner, stream)]
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return all means, deviations and tests as JSON data; undefined numbers are None, with a reason."""
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
                    "change": finite_or_none(one.difference.mean),
                    "p_value": finite_or_none(one.difference.p_value),
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
                name: {
                    "difference": finite_or_none(one.mean),
                    "p_value": finite_or_none(one.p_value),
                    "reason": one.reason,
                }
                for name, one in against.items()
            },
        }

    def _since(self) -> str:
        if self.baseline is None:
            return ""
        found = changes(self.results, self.baseline)
        better, worse = (sum(one.verdict == what for one in found) for what in ("better", "worse"))
        if not better and not worse:
            return f"Since the last card none of {len(found)} numbers has changed significantly."
        return (
            f"Since the last card {better} of {len(found)} numbers are significantly better and {worse} worse (each "
            f"test alone has an error rate of 5 %, so about {0.05 * len(found):.0f} are expected by chance)."
        )

    def _failed(self) -> str:
        failed = [f"{name} ({why})" for name, why in self.failures.items()]
        return f"It failed on {', '.join(failed)}." if failed else ""

    def _tables(self) -> list[TextTable]:
        found = [self.properties(), self.table(), self.regrets()]
        return [self.changes(), *found] if self.baseline is not None else found

    def __str__(self) -> str:
        return "\n\n".join(filter(None, [*map(str, self._tables()), legend(self.results), self.conclusion]))

    def _repr_html_(self) -> str:
        tables = "".join(table._repr_html_() for table in self._tables())
        return f"{tables}<p>{escape(legend(self.results))}</p><p>{escape(self.conclusion)}</p>"


def _data(measured: Measured) -> dict[str, Any]:
    found: dict[str, Any] = {"mean": finite_or_none(measured.mean), "sd": finite_or_none(measured.sd)}
    if measured.why:
        found["undefined"] = measured.why
    if measured.bounded:
        found["lower_bound"] = True
    return found
