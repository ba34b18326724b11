"""What is drawn of a measure: curves, drifts, alarms and range, apart from how it is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from prequential.errors import InputError, listing
from prequential.report.rug import Rug, rug
from prequential.report.stage import is_delayed
from prequential.report.values import ForgettingChoice, MeasureChoice, Values, measure_of
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import LearnerEntry, Manifest, MeasureEntry
from prequential.types import FloatArray, IntArray

MOST_POINTS = 5_000
"""Points of a curve that are drawn; longer curves are thinned."""

_UNITS = {
    "mae": "unit of the target",
    "rmse": "unit of the target",
    "mse": "unit of the target, squared",
    "log_loss": "nats",
}
_BASELINES = ("majority", "nochange", "lasttarget", "meantarget", "dummy", "prior")


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A measure of one learner under one forgetting, over the records; a gap where it is undefined.

    With delayed labels it is one stage of the measure (``initial``, ``Ψ₂``, ``final``), over the labels.
    """

    learner: str
    forgetting: str
    n: IntArray
    value: FloatArray
    is_baseline: bool = False
    stage: str = ""

    @property
    def kind(self) -> str:
        """What its dash tells: the stage where there are any, else the forgetting."""
        return self.stage or self.forgetting


@dataclass(frozen=True, slots=True)
class KnownDrift:
    """A known change of the stream, from its first record to its last."""

    begin: float
    end: float
    real: bool
    temporary: bool = False

    @property
    def abrupt(self) -> bool:
        """Whether it is drawn as a line."""
        return self.end - self.begin <= 1

    @property
    def name(self) -> str:
        """What it is, in a legend."""
        kind = "blip" if self.temporary else f"{'abrupt' if self.abrupt else 'gradual'} drift"
        return kind if self.real else kind.replace("drift", "virtual drift").replace("blip", "virtual blip")


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """Everything in a panel: the curves of one measure.

    ``known`` is what the run says of the measure. ``learners`` are those of the run, in its order, so that all panels
    give a learner the same colour; ``y_range`` holds every defined value, with a little air. ``forgetting`` are those
    chosen, of which a measure may be drawn under some only. ``rug`` are the alarms. With delayed labels there are
    ``stages``, and ``counted`` is labels.
    """

    measure: str
    known: MeasureEntry | None
    title: str
    unit: str
    curves: tuple[Curve, ...]
    drifts: tuple[KnownDrift, ...]
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    learners: tuple[str, ...]
    forgetting: tuple[str, ...]
    rug: Rug
    stages: tuple[str, ...] = ()
    counted: str = "records"

    @property
    def drawn_forgetting(self) -> tuple[str, ...]:
        """The forgettings of its curves."""
        return tuple(dict.fromkeys(curve.forgetting for curve in self.curves))

    @property
    def drawn_kinds(self) -> tuple[str, ...]:
        """What the dashes of its curves tell apart."""
        return tuple(dict.fromkeys(curve.kind for curve in self.curves))


def curves(directory: RunDirectory, measure: str, forgetting: ForgettingChoice = None) -> Curves:
    """Read the curves of one measure from a run.

    Curves of more than 5,000 points are thinned: each bin keeps its lowest and its highest point, so that no peak or
    dip is lost. The trace itself stays whole.
    """
    found = panels(directory, measure, forgetting)
    names = listing(dict.fromkeys(panel.measure for panel in found))
    if len({panel.measure for panel in found}) > 1:
        raise InputError(f"The measure {measure!r} has one curve a class. Choose one of: {names}.")
    return whole(found)


def panels(
    directory: RunDirectory, measures: MeasureChoice = None, forgetting: ForgettingChoice = None
) -> list[Curves]:
    """Read the curves of several measures, a panel each; with delayed labels, a panel a measure and forgetting."""
    values = Values(directory)
    if values.is_empty:
        raise InputError(f"{directory.path}: the trace has no checkpoint yet, so there is nothing to draw.")
    chosen, drawn = values.choose_forgetting(forgetting), values.choose(measures, forgetting)
    if not any(drawn.values()):
        raise InputError(f"{directory.path}: no measure or no forgetting is chosen, so there is nothing to draw.")
    last = max(float(n[-1]) for n in map(values.checkpoints, values.learners) if len(n))
    alarms = rug(directory, values.manifest, last)
    if not is_delayed(values.manifest):
        return [_panel(values, measure, [measure], under, chosen, last, alarms) for measure, under in drawn.items()]
    by_measure = groupby(drawn.items(), key=lambda item: values.stages[item[0]].measure)
    groups = [(measure, dict(columns)) for measure, columns in by_measure]
    return [
        _panel(values, measure, list(columns), [f], chosen, last, alarms)
        for measure, columns in groups
        for f in chosen
        if any(f in under for under in columns.values())
    ]


def whole(found: Sequence[Curves]) -> Curves:
    """Put panels of one measure, under several forgettings, on top of each other."""
    drawn = tuple(curve for panel in found for curve in panel.curves)
    lows, highs = zip(*(panel.y_range for panel in found), strict=True)
    return replace(found[0], curves=drawn, y_range=(min(lows), max(highs)))


def _panel(
    values: Values,
    measure: str,
    columns: Sequence[str],
    forgetting: Sequence[str],
    chosen: Sequence[str],
    last: float,
    alarms: Rug,
) -> Curves:
    """Read a panel; of several columns each is a stage of the measure."""
    drawn = []
    stages = tuple(values.stages[column].title for column in columns) if values.stages else ("",)
    for name, entry in values.manifest.learners.items():
        for f in forgetting:
            for column, stage in zip(columns, stages, strict=True):
                n, value = thin(values.checkpoints(name), values.curve(name, f, column), MOST_POINTS // len(columns))
                drawn.append(Curve(name, f, n, value, is_baseline(entry), stage))
    known = measure_of(values.manifest, measure)
    direction = [] if known is None or known.better is None else [f"{known.better} is better"]
    return Curves(
        measure=measure,
        known=known,
        title=", ".join([measure, *direction, *(forgetting if len(forgetting) == 1 else ())]),
        unit=_UNITS.get(measure, ""),
        curves=tuple(drawn),
        drifts=known_drifts(values.manifest, last),
        x_range=(0.0, last),
        y_range=_range(np.concatenate([curve.value for curve in drawn])),
        learners=tuple(values.learners),
        forgetting=tuple(chosen),
        rug=alarms,
        stages=stages if values.stages else (),
        counted="labels" if values.stages else "records",
    )


def known_drifts(manifest: Manifest, last: float) -> tuple[KnownDrift, ...]:
    """Return the known drifts up to the last record."""
    return tuple(_extent(d) for d in manifest.drifts if d["at"] <= last)


def is_baseline(entry: LearnerEntry) -> bool:
    """Tell whether a learner looks at labels only: the majority class, no change, and the like."""
    name = str(entry.description.get("learner", "")).lower().replace("_", "").replace("-", "").replace(" ", "")
    return name.startswith(_BASELINES)


def thin(n: IntArray, value: FloatArray, most: int = MOST_POINTS) -> tuple[IntArray, FloatArray]:
    """Keep at most ``most`` points: the lowest and the highest of each bin, a gap in it, the first and the last.

    Examples
    --------
    >>> thin(np.arange(10), np.array([0, 0, 9, 0, 0, 0, 0, -9, 0, 1.0]), most=8)[0].tolist()
    [0, 2, 7, 9]
    """
    if len(n) <= most:
        return n, value
    edges = np.linspace(0, len(n), max(1, (most - 2) // 3) + 1).astype(np.int64)
    keep = {0, len(n) - 1}
    for begin, end in pairwise(edges):
        piece = value[begin:end]
        if np.isnan(piece).any():
            keep.add(int(begin + np.argmax(np.isnan(piece))))  # the gap stays a gap
        if not np.isnan(piece).all():
            keep |= {int(begin + np.nanargmin(piece)), int(begin + np.nanargmax(piece))}
    at = np.array(sorted(keep))
    return n[at], value[at]


def _extent(drift: dict[str, Any]) -> KnownDrift:
    half = drift["width"] / 2 if drift["width"] > 1 else 0.0
    return KnownDrift(drift["at"] - half, drift["at"] + half, drift["real"], drift.get("temporary", False))


def _range(value: FloatArray) -> tuple[float, float]:
    """Return a range that holds all values, not narrower than 0.02 so that noise does not fill a panel."""
    finite = value[np.isfinite(value)]
    if not len(finite):
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    air = max(0.05 * (high - low), 0.01)
    return low - air, high + air
