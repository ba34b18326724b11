"""A metric by bin of the waiting time, over the labels: the data to draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from prequential.errors import InputError
from prequential.figures.curves import is_baseline
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import MetricEntry
from prequential.runs.stage import Stage, is_delayed
from prequential.runs.values import ForgettingChoice, MetricChoice, Values, metric_of
from prequential.types import FloatArray, IntArray
from prequential.wording import listing

MOST_COLUMNS = 300
"""The largest number of checkpoints drawn; of more, evenly spaced ones and the last."""
_AXES = ("learner", "forgetting", "metric")


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """A metric of one learner by bin and checkpoint: ``value[bin, checkpoint]``, NaN where it is undefined."""

    learner: str
    n: IntArray
    value: FloatArray

    @property
    def last(self) -> FloatArray:
        """The values of the last checkpoint, one per bin."""
        return self.value[:, -1]


@dataclass(frozen=True, slots=True, eq=False)
class BinPanel:
    """One metric under one forgetting, one surface per learner.

    Bin 0 is the prediction at arrival, bins 1 to B are equal parts of the time until the label, bin B + 1 is the last
    prediction. ``n_checkpoints`` is the number of checkpoints, of which ``n_drawn`` are drawn. ``learners`` are all
    those of the run, and ``baselines`` those that look at labels only, so that colours are those of the curves.
    """

    metric: str
    forgetting: str
    entry: MetricEntry | None
    surfaces: tuple[Surface, ...]
    learners: tuple[str, ...]
    baselines: frozenset[str]
    n_checkpoints: int

    @property
    def n_bins(self) -> int:
        """B + 2: with the first and the last prediction."""
        return len(self.surfaces[0].value)

    @property
    def n_drawn(self) -> int:
        """The number of checkpoints drawn."""
        return max(len(one.n) for one in self.surfaces)

    @property
    def n_labels(self) -> int:
        """The number of labels at the last checkpoint."""
        return max(int(one.n[-1]) for one in self.surfaces)

    @property
    def lower_is_better(self) -> bool:
        """Whether low values are good."""
        return self.entry is not None and self.entry.better == "lower"

    @property
    def ticks(self) -> dict[int, str]:
        """The positions and labels of the ticks of an axis of bins.

        Examples
        --------
        >>> one = Surface("tree", np.array([1000]), np.zeros((102, 1)))
        >>> BinPanel("accuracy", "cumulative", None, (one,), ("tree",), frozenset(), 1).ticks
        {0: 'initial', 25: '25', 50: '50', 75: '75', 101: 'final'}
        """
        last = self.n_bins - 1
        between = sorted({round(quarter * (last - 1) / 4) for quarter in (1, 2, 3)} - {0, last})
        return {0: "initial", **{b: str(b) for b in between}, last: "final"}

    @property
    def bin_range(self) -> tuple[float, float]:
        """The range of an axis of bins."""
        margin = 0.01 * self.n_bins
        return -margin, self.n_bins - 1 + margin

    @property
    def value_range(self) -> tuple[float, float]:
        """The values that the colours span: the middle 96 %, so that the first few labels do not dominate."""
        values = np.concatenate([one.value.ravel() for one in self.surfaces])
        found = values[np.isfinite(values)]
        if not len(found):
            return 0.0, 1.0
        low, high = np.quantile(found, [0.02, 0.98]).tolist()
        return (low, high) if high - low >= 0.02 else ((low + high) / 2 - 0.01, (low + high) / 2 + 0.01)


def bin_panel(
    directory: RunDirectory,
    metric: str | None = None,
    forgetting: str | None = None,
    learner: str | Sequence[str] | None = None,
) -> BinPanel:
    """Read the bins of one metric under one forgetting; by default the first of each, for all learners."""
    found = bin_panels(directory, metric, forgetting or directory.manifest.forgetting[:1], learner)
    names = list(dict.fromkeys(one.metric for one in found))
    if metric is not None and len(names) > 1:
        raise InputError(f"The metric {metric!r} has bins for each class. Choose one of: {listing(names)}.")
    under = list(dict.fromkeys(one.forgetting for one in found))
    if len(under) > 1:
        raise InputError(f"Bins are drawn under one forgetting. Choose one of: {listing(under)}.")
    return found[0]


def bin_panels(
    directory: RunDirectory,
    metrics: MetricChoice = None,
    forgetting: ForgettingChoice = None,
    learner: str | Sequence[str] | None = None,
    *,
    most: int = MOST_COLUMNS,
) -> list[BinPanel]:
    """Read the bins of several metrics under several forgettings, in one pass over the files.

    At most about ``most`` checkpoints are kept.
    """
    manifest = directory.manifest
    if not is_delayed(manifest):
        raise InputError(
            f"{directory.path}: bins divide the time that records wait for their labels (protocol=pq.Delayed()); "
            "in this run no record waits."
        )
    values = Values(directory)
    if values.is_empty:
        raise InputError(f"{directory.path}: the trace has no checkpoint yet, so there is nothing to draw.")
    shown = values.choose_learners(learner)
    wanted = {
        "learner": shown,
        "forgetting": values.choose_forgetting(forgetting),
        "metric": list(dict.fromkeys(Stage.of(name).metric for name in values.choose_metrics(metrics))),
    }
    checkpoints = {name: values.checkpoints(name) for name in shown}
    drawn = _drawn_checkpoints(list(checkpoints.values()), most)
    cube = _read(directory, wanted, drawn)
    baselines = frozenset(name for name, entry in manifest.learners.items() if is_baseline(entry))
    found = []
    for m, metric in enumerate(wanted["metric"]):
        for f, under in enumerate(wanted["forgetting"]):
            surfaces = []
            for i, name in enumerate(shown):
                reached = np.isin(drawn, checkpoints[name])
                if reached.any():
                    surfaces.append(Surface(name, drawn[reached], cube[i, f, m][:, reached]))
            n = max(map(len, checkpoints.values()))
            entry = metric_of(manifest, metric)
            found.append(BinPanel(metric, under, entry, tuple(surfaces), tuple(values.learners), baselines, n))
    return found


def _drawn_checkpoints(checkpoints: Sequence[IntArray], most: int) -> IntArray:
    """Return the checkpoints to draw: evenly spaced, and the last of each learner."""
    every = np.unique(np.concatenate(checkpoints))
    if len(every) <= most:
        return every
    evenly = every[np.linspace(0, len(every) - 1, most).round().astype(np.int64)]
    return np.union1d(evenly, [n[-1] for n in checkpoints if len(n)]).astype(np.int64)


def _read(directory: RunDirectory, wanted: dict[str, list[str]], drawn: IntArray) -> FloatArray:
    """Return values with the axes (learner, forgetting, metric, bin, checkpoint); folds are averaged."""
    places: list[IntArray] = []
    found: list[FloatArray] = []
    for part in directory.bins_parts():
        n = part.column("n").to_numpy()
        at = np.minimum(np.searchsorted(drawn, n), len(drawn) - 1)
        codes = [_codes(part.column(axis), wanted[axis]) for axis in _AXES]
        take = (drawn[at] == n) & np.all([code >= 0 for code in codes], axis=0)
        places.append(np.stack([*codes, part.column("bin").to_numpy().astype(np.int64), at])[:, take])
        found.append(part.column("value").to_numpy()[take])
    place = np.concatenate(places, axis=1) if places else np.zeros((5, 0), np.int64)
    n_bins = int(place[3].max()) + 1 if place.size else 1
    shape = (*(len(wanted[axis]) for axis in _AXES), n_bins, len(drawn))
    flat = np.ravel_multi_index(tuple(place), shape)
    n_folds = np.bincount(flat, minlength=int(np.prod(shape)))
    total = np.bincount(flat, weights=np.concatenate(found) if found else None, minlength=int(np.prod(shape)))
    out = np.full(len(total), np.nan)
    np.divide(total, n_folds, out=out, where=n_folds > 0)
    return out.reshape(shape)


def _codes(column: pa.ChunkedArray, names: Sequence[str]) -> IntArray:
    """Return the index in ``names`` of each value of a column; -1 if it is not there."""
    column = column.unify_dictionaries().combine_chunks()
    place = {name: i for i, name in enumerate(names)}
    of = np.array([place.get(name, -1) for name in column.dictionary.to_pylist()] or [-1], dtype=np.int64)
    found: IntArray = of[np.asarray(column.indices, np.int64)]
    return found
