"""Colours, dashes and markers: one colour a learner, one dash a forgetting, one shape a detector, in every panel.

The colours are those of Okabe and Ito (2008), without yellow and black, then three of like lightness: told apart by
readers who see colours differently, and legible on white and on dark. Print adds a marker a learner, for greyscale.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from prequential.report.curves import Curves

_COLOURS = (
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
"""In print and on the screen."""
DRIFT, BLIP, BAND = "#8C6D9E", "#8C8C8C", "#56B4E9"


@dataclass(frozen=True, slots=True)
class Ink:
    """How the curves of a learner are drawn."""

    colour: str
    marker: str
    width: float


def inks(panel: Curves) -> Mapping[str, Ink]:
    """Give every learner of a run its colour and marker; baselines are grey and thin."""
    return learner_inks(panel.learners, {curve.learner for curve in panel.curves if curve.is_baseline})


def learner_inks(learners: Sequence[str], baselines: Collection[str]) -> Mapping[str, Ink]:
    """Give every one of these learners, all those of a run, its colour and marker."""
    found: dict[str, Ink] = {}
    n_grey = 0
    for name in learners:
        i, n_grey = len(found) - n_grey, n_grey + (name in baselines)
        if name in baselines:
            found[name] = Ink(_GREYS[(n_grey - 1) % len(_GREYS)], "+x|"[(n_grey - 1) % 3], 1.2)
        else:
            found[name] = Ink(_COLOURS[i % len(_COLOURS)], _MARKERS[i % len(_MARKERS)], 1.8)
    return found


def card_inks(own: str, others: Sequence[str]) -> Mapping[str, Ink]:
    """Give the learner of a card a wide line, and those beside it thin ones."""
    found = {own: Ink(_COLOURS[0], _MARKERS[0], 3.0)}
    for i, name in enumerate(others, start=1):
        found[name] = Ink(_COLOURS[i % len(_COLOURS)], _MARKERS[i % len(_MARKERS)], 1.3)
    return found


def class_colours(n: int) -> tuple[str, ...]:
    """Give every class a colour, where records are drawn."""
    return tuple(_COLOURS[i % len(_COLOURS)] for i in range(n))


def alarm_markers(detectors: Sequence[str]) -> Mapping[str, tuple[str, str]]:
    """Give every detector of a run the shape of its marks, in print and on the screen."""
    return {label: _ALARM_MARKERS[i % len(_ALARM_MARKERS)] for i, label in enumerate(detectors)}


def dashes(panel: Curves) -> Mapping[str, str]:
    """Give every forgetting of a panel its dash; with delayed labels, every stage: first solid, Ψ dashed, last dotted.

    A stage alone has the dash that it has among others.
    """
    return stage_dashes(panel.stages) if panel.stages else forgetting_dashes(panel.forgetting)


def stage_dashes(stages: Sequence[str]) -> Mapping[str, str]:
    """Give every stage its dash."""
    between = iter(("dash", "dashdot", "longdash", "longdashdot") * len(stages))
    return {name: {"initial": "solid", "final": "dot"}.get(name) or next(between) for name in stages}


def forgetting_dashes(forgetting: Sequence[str]) -> Mapping[str, str]:
    """Give every forgetting its dash; cumulative curves are smooth, and leave the solid line to the others."""
    ordered = sorted(forgetting, key=lambda name: name == "cumulative")
    found = {name: _DASHES[i % len(_DASHES)] for i, name in enumerate(ordered)}
    return {name: found[name] for name in forgetting}


def forgetting_colours(forgetting: Sequence[str]) -> Mapping[str, str]:
    """Give every forgetting a colour where learners have none; all history has the one that suits its band."""
    others = iter((*_COLOURS[2:5], *_COLOURS[6:8]) * len(forgetting))
    return {name: _COLOURS[0] if name == "cumulative" else next(others) for name in forgetting}


def printed_dash(dash: str) -> tuple[float, Sequence[float]] | Literal["-"]:
    """Return Matplotlib's form of a dash."""
    return "-" if dash == "solid" else _PRINTED_DASHES[dash]
