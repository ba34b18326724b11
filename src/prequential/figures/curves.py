"""Metrics over the records of a stream: the data to draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np

from prequential.errors import InputError
from prequential.runs.alarm_marks import AlarmStrip, alarm_strip
from prequential.runs.directory import RunDirectory
from prequential.runs.holdout_tests import size_of_test
from prequential.runs.intervals import interval_band
from prequential.runs.known_drift import KnownDrift, known_drifts
from prequential.runs.manifest import LearnerEntry, MetricEntry
from prequential.runs.positive import positive_of, titled
from prequential.runs.stage import is_delayed
from prequential.runs.values import ForgettingChoice, LearnerChoice, MetricChoice, Values, metric_of
from prequential.types import FloatArray, IntArray

MOST_PANELS = 12
"""The largest number of panels of a figure; others are drawn by name."""
MOST_CURVES = 6
"""The largest number of curves in a printed panel; of more, each forgetting has a panel of its own."""
MOST_INTERVALS = 2
"""The largest number of learners with intervals around their curves."""
MOST_POINTS = 5_000
"""The largest number of points of a curve; longer curves are thinned."""

_UNITS = {
    "mae": "unit of the target",
    "rmse": "unit of the target",
    "mse": "unit of the target, squared",
    "log_loss": "nats",
}
_BASELINES = ("majority", "nochange", "lasttarget", "meantarget", "dummy", "prior")


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A metric of one learner under one forgetting over the records; NaN where it is undefined.

    With delayed labels it is one stage of the metric (``initial``, ``Ψ₂``, ``final``) over the labels.
    """

    learner: str
    forgetting: str
    n: IntArray
    value: FloatArray
    is_baseline: bool = False
    stage: str = ""
    low: FloatArray | None = None
    high: FloatArray | None = None
    """The edges of the band around it, if it has one."""

    @property
    def kind(self) -> str:
        """What its dash stands for: the stage with delayed labels, else the forgetting."""
        return self.stage or self.forgetting

    @property
    def lines(self) -> list[FloatArray]:
        """The curve and the edges of its band."""
        return [line for line in (self.value, self.low, self.high) if line is not None]


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """The curves of one metric, with known drifts and alarms.

    ``name`` is the metric, with its positive class if the value depends on it.
    ``entry`` describes the metric. ``learners`` are all those of the run, in its order, so that a learner has the same
    colour in every panel. ``y_range`` holds every defined value, with a margin. ``forgetting`` are all those selected;
    a metric may be drawn under some of them only. With delayed labels there are ``stages``, and ``counted`` is
    ``labels``. ``dates`` has the time of some records, in seconds since 1970, if the stream has dates.
    """

    metric: str
    name: str
    entry: MetricEntry | None
    title: str
    unit: str
    curves: tuple[Curve, ...]
    drifts: tuple[KnownDrift, ...]
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    learners: tuple[str, ...]
    forgetting: tuple[str, ...]
    alarms: AlarmStrip
    stages: tuple[str, ...] = ()
    counted: str = "records"
    dates: tuple[IntArray, FloatArray] | None = None

    @property
    def baselines(self) -> frozenset[str]:
        """The learners that look at labels only."""
        return frozenset(curve.learner for curve in self.curves if curve.is_baseline)

    @property
    def drawn_forgetting(self) -> tuple[str, ...]:
        """The forgettings of its curves."""
        return tuple(dict.fromkeys(curve.forgetting for curve in self.curves))

    @property
    def drawn_kinds(self) -> tuple[str, ...]:
        """The stages or forgettings that the dashes of its curves stand for."""
        return tuple(dict.fromkeys(curve.kind for curve in self.curves))


def panels(
    directory: RunDirectory,
    metrics: MetricChoice = None,
    forgetting: ForgettingChoice = None,
    learners: LearnerChoice = None,
) -> list[Panel]:
    """Read one panel per metric; with delayed labels, one per metric and forgetting.

    Curves of more than 5,000 points are thinned; see `thin`.
    """
    values = Values(directory)
    names = values.choose_learners(learners)
    last = max((float(n[-1]) for n in map(values.checkpoints, names) if len(n)), default=0.0)
    return panels_of(values, metrics, forgetting, learners, alarm_strip(directory, values.manifest, last))


def panels_of(
    values: Values,
    metrics: MetricChoice = None,
    forgetting: ForgettingChoice = None,
    learners: LearnerChoice = None,
    alarms: AlarmStrip | None = None,
) -> list[Panel]:
    """Return the panels of values, which may be those of several runs."""
    if values.is_empty:
        raise InputError(f"{values.path}: the trace has no checkpoint yet, so there is nothing to draw.")
    chosen, drawn = values.choose_forgetting(forgetting), values.choose(metrics, forgetting)
    names = values.choose_learners(learners)
    if not names or not any(drawn.values()):
        raise InputError(f"{values.path}: no metric, forgetting or learner is selected, so there is nothing to draw.")
    last = max((float(n[-1]) for n in map(values.checkpoints, names) if len(n)), default=0.0)
    alarms = alarms or AlarmStrip()
    if not is_delayed(values.manifest):
        return [
            _panel(values, metric, [metric], under, (names, chosen), last, alarms) for metric, under in drawn.items()
        ]
    by_metric = groupby(drawn.items(), key=lambda item: values.stages[item[0]].metric)
    groups = [(metric, dict(columns)) for metric, columns in by_metric]
    return [
        _panel(values, metric, list(columns), [f], (names, chosen), last, alarms)
        for metric, columns in groups
        for f in chosen
        if any(f in under for under in columns.values())
    ]


def overlaid(found: Sequence[Panel]) -> Panel:
    """Combine panels of one metric under several forgettings into one."""
    drawn = tuple(curve for panel in found for curve in panel.curves)
    lows, highs = zip(*(panel.y_range for panel in found), strict=True)
    return replace(found[0], curves=drawn, y_range=(min(lows), max(highs)))


def _panel(
    values: Values,
    metric: str,
    columns: Sequence[str],
    forgetting: Sequence[str],
    chosen: tuple[Sequence[str], Sequence[str]],
    last: float,
    alarms: AlarmStrip,
) -> Panel:
    """Read a panel of the chosen learners and forgettings; several columns are the stages of the metric."""
    learners, forgettings = chosen
    drawn = []
    stages = tuple(values.stages[column].title for column in columns) if values.stages else ("",)
    for name in learners:
        learner = values.manifest.learners[name]
        for f in forgetting:
            for column, stage in zip(columns, stages, strict=True):
                all_n = values.checkpoints(name)
                n, value = thin(all_n, values.curve(name, f, column), MOST_POINTS // len(columns))
                band = values.band(name, f, column)
                if band is None and len(learners) <= MOST_INTERVALS:
                    band = interval_band(values, name, f, column)
                low, high = (None, None) if band is None else (edge[np.searchsorted(all_n, n)] for edge in band)
                drawn.append(Curve(name, f, n, value, is_baseline(learner), stage, low, high))
    entry = metric_of(values.manifest, metric)
    shown_as = titled(metric, positive_of(values.manifest.positive, metric))
    direction = [] if entry is None or entry.better is None else [f"{entry.better} is better"]
    size = size_of_test(values.manifest, max((int(curve.n[-1]) for curve in drawn if len(curve.n)), default=0))
    tests = [] if size is None else [f"last test on {size:,} records"]
    return Panel(
        metric=metric,
        name=shown_as,
        entry=entry,
        title=", ".join([shown_as, *direction, *(forgetting if len(forgetting) == 1 else ()), *tests]),
        unit=_UNITS.get(metric, ""),
        curves=tuple(drawn),
        drifts=known_drifts(values.manifest, last),
        x_range=(0.0, last),
        y_range=_range(np.concatenate([line for curve in drawn for line in curve.lines])),
        learners=tuple(learners),
        forgetting=tuple(forgettings),
        alarms=alarms,
        stages=stages if values.stages else (),
        counted="labels" if values.stages else "records",
        dates=values.dates(),
    )


def limited(drawn: Sequence[Panel], most: int = MOST_PANELS) -> tuple[list[Panel], str]:
    """Return the first panels, and a remark with how to draw the others; empty if these are all."""
    if len(drawn) <= most:
        return list(drawn), ""
    left = list(dict.fromkeys(panel.metric for panel in drawn[most:]))
    n_metrics = len({panel.metric for panel in drawn})
    return list(drawn[:most]), (
        f"{most} of {len(drawn)} panels ({n_metrics} metrics). The others are drawn by name: metrics=[{left[0]!r}, …]."
    )


def by_forgetting(panel: Panel) -> list[Panel]:
    """Return one panel per forgetting, all over the same range."""
    return [
        replace(
            panel,
            curves=tuple(curve for curve in panel.curves if curve.forgetting == name),
            title=f"{panel.name}, {name}",
        )
        for name in panel.drawn_forgetting
    ]


def is_crowded(drawn: Sequence[Panel]) -> bool:
    """Return whether curves under several forgettings are too many for one panel."""
    return any(not p.stages and len(p.drawn_forgetting) > 1 and len(p.curves) > MOST_CURVES for p in drawn)


def is_baseline(entry: LearnerEntry) -> bool:
    """Return whether a learner looks at labels only, such as the majority class or no change."""
    name = str(entry.description.get("learner", "")).lower().replace("_", "").replace("-", "").replace(" ", "")
    return name.startswith(_BASELINES)


def thin(n: IntArray, value: FloatArray, most: int = MOST_POINTS) -> tuple[IntArray, FloatArray]:
    """Keep at most ``most`` points: the first, the last, and of each bin the lowest, the highest and one NaN.

    So no peak, dip or gap is lost.

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


def _range(value: FloatArray) -> tuple[float, float]:
    """Return a range that holds all values, not narrower than 0.02 so that noise does not fill a panel."""
    finite = value[np.isfinite(value)]
    if not len(finite):
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    margin = max(0.05 * (high - low), 0.01)
    return low - margin, high + margin
