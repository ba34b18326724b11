"""The result of a power experiment: rejection rates as a table, a figure and files."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from prequential.comparisons.interval import checked_alpha
from prequential.figures.pictured import Pictured
from prequential.number import UNDEFINED, count, finite_or_none
from prequential.power.design import Case, Design
from prequential.power.journal import Journal
from prequential.power.rate import CONFIDENCE, Rate, rates
from prequential.power.repetition import Repetition
from prequential.runs.status import one_line
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import WIDEST, Cell, Heading, Sheet
from prequential.sheets.text_table import TextTable

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from prequential.figures.matplotlib_style import PaperFigure

_NAMED = ("stream", "scheme", "tests", "folds")
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("stream", "scheme", "tests")),
        ("folds", pa.int64()),
        *((name, pa.string()) for name in ("test", "kind")),
        ("noise", pa.float64()),
        *((name, pa.int64()) for name in ("n_runs", "n_undefined", "n_rejected")),
        *((name, pa.float64()) for name in ("rejection_rate", "low", "high", "error_rate", "difference")),
    ]
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Power(Printable, Pictured):
    """How often each test rejects the hypothesis that a learner and its copies are equally good.

    It prints as a table, also in a notebook: one row per stream, protocol and test, one column per copy. A copy that
    differs only in its seed is as good as the learner: to reject is a type I error, and should happen in a share α of
    the runs. A copy with noisy predictions is worse: not to reject is a type II error, and the share of rejections is
    the power of the test.

    Parameters
    ----------
    design
        The settings.
    repetitions
        The finished repetitions, with all p-values.

    Examples
    --------
    >>> import prequential as pq
    >>> stream, learner = pq.streams.SEA().take(500), "majority_class"
    >>> found = pq.power(stream, learner, schemes="cross", noise=0.2, runs=2, progress=False)
    >>> isinstance(found, pq.Power), len(found.to_dicts()) > 0
    (True, True)
    """

    design: Design
    repetitions: tuple[Repetition, ...]

    @classmethod
    def load(cls, path: str | Path) -> Power:
        """Load an experiment from its directory, finished or not."""
        journal = Journal(path)
        return cls(journal.design, journal.repetitions())

    def save(self, path: str | Path) -> Path:
        """Write the settings and the p-values of every repetition to a directory.

        If the directory has the same experiment, only missing repetitions are added.
        """
        journal = Journal(path)
        journal.begin(self.design)
        known = {(one.case, one.run) for one in journal.repetitions()}
        journal.append(one for one in self.repetitions if (one.case, one.run) not in known)
        return journal.path

    @property
    def complete(self) -> bool:
        """Whether all runs are done."""
        return len(self.repetitions) >= self.design.n_units

    @property
    def seconds(self) -> float:
        """The total duration of all repetitions."""
        return math.fsum(one.seconds for one in self.repetitions)

    def at(self, alpha: float) -> Power:
        """Return the same p-values at another significance level."""
        return replace(self, design=replace(self.design, alpha=checked_alpha(alpha, "at")))

    def pooled(self) -> Power:
        """Return the rates over all streams together, as in table 2 of the paper.

        The streams of one run share the draws of folds and learners, so the intervals are slightly too narrow.
        """
        streams = self.design.streams
        if len(streams) < 2:
            return self
        name = f"{count(len(streams))} streams"
        together = [replace(one, case=replace(one.case, stream=name)) for one in self.repetitions]
        design = replace(self.design, streams={name: {}}, runs=self.design.runs * len(streams))
        return Power(design, tuple(together))

    def rates(self) -> tuple[Rate, ...]:
        """Return how often each test rejects, in the order of the table."""
        order = {case: i for i, case in enumerate(self.design.cases)}
        return rates(sorted(self.repetitions, key=lambda one: (order[one.case], one.run)), self.design.alpha)

    def table(self) -> TextTable:
        """Return the rates with their intervals, one row per stream, protocol and test."""
        return TextTable(self.sheet(), data=tuple(self.to_dicts()))

    def plot(self) -> go.Figure:
        """Return the rates over the number of folds as an interactive figure, with a line at α."""
        from prequential.power.interactive_figure import power_figure

        return self._shown(power_figure(self), self.figure)

    def figure(self) -> PaperFigure:
        """Draw the rates over the number of folds for print, with a line at α."""
        from prequential.power.figure import draw_power

        return draw_power(self)

    def to_arrow(self) -> pa.Table:
        """Return the rates as a tidy table: one row per stream, protocol, test and copy.

        ``kind`` is the possible error, ``type I`` or ``type II``, and ``error_rate`` its rate; ``low`` and ``high`` are
        the 95 % confidence interval of ``rejection_rate``. The test has a p-value in ``n_runs`` runs and none in
        ``n_undefined``. ``difference`` is the mean of the learner's metric minus the copy's.
        """
        return pa.Table.from_pylist(self.to_dicts(), schema=_SCHEMA)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return one dictionary per stream, protocol, test and copy; undefined numbers are None."""
        return [
            {
                **{name: getattr(one.case, name) for name in _NAMED},
                "test": one.test,
                "kind": one.kind,
                "noise": one.noise,
                "n_runs": one.n_runs,
                "n_undefined": one.n_undefined,
                "n_rejected": one.n_rejected,
                "rejection_rate": finite_or_none(one.rejection_rate),
                "low": one.interval.low,
                "high": one.interval.high,
                "error_rate": finite_or_none(one.error_rate),
                "difference": finite_or_none(one.difference),
            }
            for one in self.rates()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return everything except the single p-values as JSON data."""
        return {
            "complete": self.complete,
            "n_repetitions": len(self.repetitions),
            "seconds": round(self.seconds, 3),
            "design": self.design.to_dict(),
            "rates": self.to_dicts(),
        }

    def sheet(self) -> Sheet:
        """Return the table as text, with footnotes."""
        found = self.rates()
        notes: dict[str, int] = {}
        varied = [name for name in _NAMED if len({getattr(case, name) for case in self.design.cases}) > 1]
        copies = (None, *self.design.noise)
        rows: dict[tuple[Case, str], dict[float | None, Cell]] = {}
        for one in found:
            rows.setdefault((one.case, one.test), {})[one.noise] = self._cell(one, notes)
        table = [
            (Cell(_named(case, varied, test)), *(cells.get(noise, Cell(UNDEFINED)) for noise in copies))
            for (case, test), cells in rows.items()
        ]
        first = Heading(", ".join([*varied, "test"]), number=False)
        return Sheet(
            caption=self._caption(varied),
            headings=(first, *(Heading(_titled(noise)) for noise in copies)),
            rows=tuple(table),
            warning=self._warning(),
            notes=tuple(notes),
        )

    @property
    def legend(self) -> str:
        """The explanation below the table."""
        return (
            "Same learner: the copy has another seed, and to reject is a type I error. "
            "Noise p: predictions of the copy are changed with probability p, and not to reject is a type II error. "
            f"In brackets: {CONFIDENCE:.0%} intervals."
        )

    def paragraphs(self) -> tuple[str, ...]:
        """Return the explanation of the columns."""
        return (fill(self.legend, WIDEST),)

    def _caption(self, varied: list[str]) -> str:
        design = self.design
        fixed = design.cases[0]
        texts: Mapping[str, str] = {
            "stream": one_line(fixed.stream),
            "scheme": fixed.scheme,
            "tests": f"tests {fixed.tests.replace('_', ' ')}",
            "folds": f"{fixed.folds} folds",
        }
        same = [text for name, text in texts.items() if name not in varied]
        done = {sum(one.case == case for one in self.repetitions) for case in design.cases}
        n_runs = count(design.runs) if done == {design.runs} else f"up to {count(max(done))}"
        what = f"Share of {n_runs} runs in which a test rejects at α = {design.alpha:g}"
        return " · ".join([what, f"{one_line(design.learner)}, {one_line(design.metric_name or design.metric)}", *same])

    def _warning(self) -> str:
        if self.complete:
            return ""
        return f"Partial: {count(len(self.repetitions))} of {count(self.design.n_units)} repetitions are done."

    def _cell(self, one: Rate, notes: dict[str, int]) -> Cell:
        texts = []
        if one.n_undefined:
            texts.append(f"{one.test} is undefined in some or all runs: {one.reason}")
        if one.noise is None and one.n_identical == one.n_runs + one.n_undefined:
            texts.append(
                "the two copies are equal in every fold of every run: if the learner uses no random numbers, no test "
                "can find a difference"
            )
        above = one.noise is None and one.n_runs > 0 and one.interval.low > self.design.alpha
        if above:
            texts.append(f"more often than α = {self.design.alpha:g} allows: the whole interval lies above it")
        marks = tuple(notes.setdefault(text, len(notes) + 1) for text in texts)
        return Cell(_shown(one), notes=marks, bad=above)


def _named(case: Case, varied: list[str], test: str) -> str:
    """Return the name of a row: the settings that vary, and the test."""
    texts = {**{name: one_line(str(getattr(case, name))) for name in _NAMED}, "folds": f"{case.folds} folds"}
    texts["tests"] = texts["tests"].replace("_", " ")
    return ", ".join([*(texts[name] for name in varied), test])


def _titled(noise: float | None) -> str:
    return "same learner" if noise is None else f"noise {noise:g}"


def _shown(one: Rate) -> str:
    if not one.n_runs:
        return UNDEFINED
    return f"{one.rejection_rate:.2f} [{one.interval.low:.2f}, {one.interval.high:.2f}]"
