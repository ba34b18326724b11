"""Colours, dashes and markers: one colour per learner, one dash per forgetting, one shape per detector, in every panel.

The colours are those of Okabe and Ito (2008) without yellow and black, then three of similar lightness: colour-blind
readers can distinguish them, on white and on dark. In print each learner also has a marker, for greyscale.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from prequential.figures.curves import Panel
from prequential.runs.alarm_marks import AlarmStrip
from prequential.runs.alarms import detector_names

COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#7F6FC5",
    "#A6761D",
    "#C44E6C",
)
_GREYS = ("#8C8C8C", "#A8A8A8", "#747474")
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_PRINTED_DASHES: dict[str, tuple[float, Sequence[float]]] = {
    "dash": (0, (5, 2)),
    "dot": (0, (1, 1.5)),
    "dashdot": (0, (5, 2, 1, 2)),
    "longdash": (0, (9, 2)),
    "longdashdot": (0, (9, 2, 1, 2)),
}
_MARKERS = "osD^vPX<>ph*"
_ALARM_MARKERS = (
    ("v", "triangle-down"),
    ("D", "diamond"),
    ("s", "square"),
    ("P", "cross"),
    ("^", "triangle-up"),
    ("o", "circle"),
    ("X", "x"),
    ("*", "star"),
)
"""Matplotlib's marker and Plotly's symbol."""
DRIFT, BLIP, BAND = "#8C6D9E", "#8C8C8C", "#56B4E9"


@dataclass(frozen=True, slots=True)
class Ink:
    """Colour, marker and line width of a learner's curves."""

    colour: str
    marker: str
    width: float


@dataclass(frozen=True, slots=True)
class AlarmLook:
    """How the alarms with one verdict are drawn: colour, Matplotlib's marker, Plotly's symbol, label."""

    colour: str
    marker: str
    symbol: str
    label: str


VERDICTS = {
    "detected": AlarmLook("#009E73", "o", "circle", "detects a drift"),
    "repeat": AlarmLook("#E69F00", "|", "line-ns", "repeats an alarm"),
    "false": AlarmLook("#D55E00", "x", "x", "false alarm"),
    "alarm": AlarmLook("#0072B2", "|", "line-ns", "alarm"),
}


def inks(panel: Panel) -> Mapping[str, Ink]:
    """Return colour and marker of every learner of a run; baselines are grey and thin."""
    return learner_inks(panel.learners, panel.baselines)


def learner_inks(learners: Sequence[str], baselines: Collection[str]) -> Mapping[str, Ink]:
    """Return the colour and marker of each learner; ``learners`` lists all learners of the run."""
    found: dict[str, Ink] = {}
    n_grey = 0
    for name in learners:
        i, n_grey = len(found) - n_grey, n_grey + (name in baselines)
        if name in baselines:
            found[name] = Ink(_GREYS[(n_grey - 1) % len(_GREYS)], "+x|"[(n_grey - 1) % 3], 1.2)
        else:
            found[name] = Ink(COLOURS[i % len(COLOURS)], _MARKERS[i % len(_MARKERS)], 1.8)
    return found


def card_inks(own: str, others: Sequence[str]) -> Mapping[str, Ink]:
    """Return a wide line for the learner of a card, and thin ones for the others."""
    found = {own: Ink(COLOURS[0], _MARKERS[0], 3.0)}
    for i, name in enumerate(others, start=1):
        found[name] = Ink(COLOURS[i % len(COLOURS)], _MARKERS[i % len(_MARKERS)], 1.3)
    return found


def class_colours(n: int) -> tuple[str, ...]:
    """Return the colours of ``n`` classes, for figures that show records."""
    return tuple(COLOURS[i % len(COLOURS)] for i in range(n))


def alarm_markers(detectors: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    """Return Matplotlib's marker and Plotly's symbol of every detector of a run."""
    return {label: _ALARM_MARKERS[i % len(_ALARM_MARKERS)] for i, label in enumerate(detectors)}


def legend_markers(alarms: AlarmStrip) -> Mapping[str, tuple[str, str, str]]:
    """Return name, marker and symbol of the detectors that a legend explains: those with marks."""
    names, marked = detector_names(alarms.detectors), {row.detector for row in alarms.rows}
    markers = alarm_markers(alarms.detectors).items()
    return {label: (f"alarm of {names[label]}", *both) for label, both in markers if label in marked}


def dashes(panel: Panel) -> Mapping[str, str]:
    """Return the dash of every forgetting of a panel; with delayed labels, of every stage.

    A stage has the same dash whether it is drawn alone or with others.
    """
    return stage_dashes(panel.stages) if panel.stages else forgetting_dashes(panel.forgetting)


def legend_dashes(drawn: Sequence[Panel]) -> Mapping[str, str]:
    """Return the dashes that a legend explains: those drawn, if there are several."""
    used = {name for panel in drawn for name in panel.drawn_kinds}
    return {name: dash for name, dash in dashes(drawn[0]).items() if len(used) > 1 and name in used}


def stage_dashes(stages: Sequence[str]) -> Mapping[str, str]:
    """Return the dash of every stage: initial solid, Ψ dashed, final dotted."""
    between = iter(("dash", "dashdot", "longdash", "longdashdot") * len(stages))
    return {name: {"initial": "solid", "final": "dot"}.get(name) or next(between) for name in stages}


def forgetting_dashes(forgetting: Sequence[str]) -> Mapping[str, str]:
    """Return the dash of every forgetting; cumulative curves are smooth and leave the solid line to the others."""
    ordered = sorted(forgetting, key=lambda name: name == "cumulative")
    found = {name: _DASHES[i % len(_DASHES)] for i, name in enumerate(ordered)}
    return {name: found[name] for name in forgetting}


def forgetting_colours(forgetting: Sequence[str]) -> Mapping[str, str]:
    """Return a colour per forgetting, for figures without learners; cumulative has the colour of its band."""
    others = iter((*COLOURS[2:5], *COLOURS[6:8]) * len(forgetting))
    return {name: COLOURS[0] if name == "cumulative" else next(others) for name in forgetting}


def printed_dash(dash: str) -> tuple[float, Sequence[float]] | Literal["-"]:
    """Return Matplotlib's form of a dash."""
    return "-" if dash == "solid" else _PRINTED_DASHES[dash]
