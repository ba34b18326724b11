"""The trace of a run as arrays, and the selection of metrics and forgettings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from prequential.errors import InputError, ParameterError
from prequential.metrics.forgetting import Forgetting, as_forgetting
from prequential.metrics.metric import REGISTRY, Metric, canonical
from prequential.number import FIRST_DATE, LAST_DATE
from prequential.runs.directory import RunDirectory
from prequential.runs.holdout_tests import COMPLETE, PARTIAL, remark
from prequential.runs.manifest import Manifest, MetricEntry
from prequential.runs.stage import Stage, is_delayed
from prequential.types import FloatArray, IntArray
from prequential.wording import listing, suggestion

MetricChoice: TypeAlias = str | Metric | Iterable[str | Metric] | None
LearnerChoice: TypeAlias = str | Iterable[str] | None
ForgettingChoice: TypeAlias = str | Forgetting | Iterable[str | Forgetting] | None

_WINDOW_COLUMNS = ("width", "alarms")
"""Columns that ``evaluate`` adds in a run with ADWIN."""


def metric_of(manifest: Manifest, column: str) -> MetricEntry | None:
    """Return the manifest's entry for the metric of a column (``recall`` for ``recall[UP]``, unless it has its own).

    Older manifests have no entries; then the registry is used. With delayed labels a metric and its stages share one
    entry.
    """
    name = column.partition("[")[0]
    names = [column, name, Stage.of(name).metric, f"{name}_initial"] if is_delayed(manifest) else [column, name]
    for one in names:
        if one in manifest.known_metrics:
            return manifest.known_metrics[one]
        if one in REGISTRY:
            return MetricEntry.of(REGISTRY[one])
    return None


class Values:
    """The values of a run by learner, forgetting and metric; with several folds their mean, from the summary.

    Where one fold is undefined, so is the mean: an undefined value is never hidden.
    """

    def __init__(self, directory: RunDirectory) -> None:
        self.path = directory.path
        self.manifest = directory.manifest
        has_folds = self.manifest.protocol.get("protocol") == "kfold"
        trace = (directory.summary() if has_folds else directory.trace()).combine_chunks()
        self._last: dict[str, int] = {}
        if self.manifest.protocol.get("protocol") == "holdout" and trace.num_rows:
            trace = self._complete_tests(trace)
        self.is_empty = trace.num_rows == 0
        codes = {}
        self._code: dict[str, dict[str, int]] = {}
        for column in ("learner", "forgetting", "metric"):
            encoded = trace.column(column).combine_chunks()
            names = [] if self.is_empty else encoded.dictionary.to_pylist()
            codes[column] = np.zeros(0, np.int64) if self.is_empty else np.asarray(encoded.indices, np.int64)
            self._code[column] = {name: i for i, name in enumerate(names)}
        self._n_forgetting, self._n_metrics = len(self._code["forgetting"]), len(self._code["metric"])
        key = (codes["learner"] * self._n_forgetting + codes["forgetting"]) * self._n_metrics + codes["metric"]
        order = np.argsort(key, kind="stable")
        self._key = key[order]
        self._n: IntArray = trace.column("n").to_numpy()[order]
        self._time: FloatArray = trace.column("time").to_numpy()[order].astype(np.float64)
        self._value: FloatArray = trace.column("mean" if has_folds else "value").to_numpy()[order]
        self._checkpoints: dict[str, IntArray] = {}
        self.learners = list(self.manifest.learners)
        self.forgetting = self.manifest.forgetting or list(self._code["forgetting"])
        self.stages: dict[str, Stage] = {}
        """The stage of each column, with delayed labels; empty otherwise."""
        self.metrics = self._ordered_columns()

    def _complete_tests(self, trace: pa.Table) -> pa.Table:
        """Leave out a learner's partial holdout test, unless it is its only one."""
        learner, forgetting = (np.asarray(trace[name].cast(pa.string())) for name in ("learner", "forgetting"))
        partial, n = forgetting == PARTIAL, trace["n"].to_numpy()
        self._last = {str(name): int(n[learner == name].max()) for name in np.unique(learner)}
        keep = ~partial | ~np.isin(learner, learner[~partial])
        shown = pa.array(np.full(len(partial), COMPLETE)).dictionary_encode()
        at = trace.schema.get_field_index("forgetting")
        return trace.set_column(at, "forgetting", shown).filter(pa.array(keep)).combine_chunks()

    def remark(self, n: int) -> str:
        """Return a sentence on the holdout test at checkpoint ``n``; empty under other protocols."""
        return remark(self.manifest, n, max(self._last.values(), default=n))

    def _ordered_columns(self) -> list[str]:
        """Return the columns in the order of the requested metrics, those of the classes of one metric together."""
        traced = list(self._code["metric"])
        found = []
        for metric in self.manifest.metrics:
            found += [name for name in traced if metric in (name, name.partition("[")[0])] or [metric]
        found += [name for name in traced if name not in found]
        if is_delayed(self.manifest):
            self.stages = {name: Stage.of(name) for name in found}
            bases = list(dict.fromkeys(stage.metric for stage in self.stages.values()))
            found.sort(key=lambda name: bases.index(self.stages[name].metric))  # the stages of a metric together
        return found

    def checkpoints(self, learner: str) -> IntArray:
        """Return the n of every checkpoint of a learner."""
        if learner not in self._checkpoints:
            at = self._code["learner"].get(learner, -1)
            width = self._n_forgetting * self._n_metrics
            begin, end = np.searchsorted(self._key, [at * width, (at + 1) * width])
            self._checkpoints[learner] = np.unique(self._n[begin:end])
        return self._checkpoints[learner]

    def dates(self) -> tuple[IntArray, FloatArray] | None:
        """Return n and the time, in seconds since 1970, of some checkpoints; None if times are no dates."""
        order = np.argsort(self._n, kind="stable")
        n, first = np.unique(self._n[order], return_index=True)
        time = self._time[order][first]
        known = np.isfinite(time)
        if not known.any() or time[known].min() < FIRST_DATE or time[known].max() > LAST_DATE:
            return None
        return n[known], np.maximum.accumulate(time[known])

    def curve(self, learner: str, forgetting: str, metric: str) -> FloatArray:
        """Return the values at the learner's checkpoints, NaN where the trace has none."""
        n = self.checkpoints(learner)
        out = np.full(len(n), np.nan)
        at = [self._code["learner"].get(learner), self._code["forgetting"].get(forgetting)]
        at.append(self._code["metric"].get(metric))
        if any(code is None for code in at):
            return out
        key = (at[0] * self._n_forgetting + at[1]) * self._n_metrics + at[2]  # type: ignore[operator]
        begin, end = np.searchsorted(self._key, [key, key + 1])
        places = np.searchsorted(n, self._n[begin:end])
        n_folds = np.bincount(places, minlength=len(n))
        total = np.bincount(places, weights=self._value[begin:end], minlength=len(n))
        np.divide(total, n_folds, out=out, where=n_folds > 0)
        return out

    def band(self, learner: str, forgetting: str, metric: str) -> tuple[FloatArray, FloatArray] | None:  # noqa: ARG002
        """Return the lower and upper edge of the band around a curve; None if there is none.

        Several runs with different seeds have one: the mean ± one standard deviation.
        """
        return None

    def choose_learners(self, requested: LearnerChoice) -> list[str]:
        """Return the names of the requested learners, in the order of the run; all by default."""
        if requested is None:
            return self.learners
        if not isinstance(requested, str | Iterable):
            raise ParameterError("learners", "a table or figure", "names of learners", requested)
        names = [requested] if isinstance(requested, str) else list(requested)
        self._refuse("learner", [name for name in names if name not in self.learners], self.learners)
        return [name for name in self.learners if name in names]

    def choose_metrics(self, requested: MetricChoice) -> list[str]:
        """Return the columns of the requested metrics; all by default.

        With delayed labels ``accuracy`` selects all its stages, and ``accuracy_initial`` one of them.
        """
        if requested is None:
            return self.metrics
        wanted = [requested] if isinstance(requested, str) or not isinstance(requested, Iterable) else list(requested)
        names = [item.name if isinstance(item, Metric) else str(item) for item in wanted]
        names = [name if name in self.metrics else canonical(name) for name in names]
        found = {n: [m for m in self.metrics if n in self._selectors(m)] for n in names}
        bases = dict.fromkeys(stage.metric for stage in self.stages.values())
        self._refuse("metric", [n for n in names if not found[n]], [*bases, *self.metrics])
        return list(dict.fromkeys(m for n in names for m in found[n]))

    def _selectors(self, column: str) -> set[str]:
        """Return the names that select a column."""
        names = [column, self.stages[column].metric] if column in self.stages else [column]
        return {*names, *(name.partition("[")[0] for name in names)}

    def choose_forgetting(self, requested: ForgettingChoice) -> list[str]:
        """Return the textual forms of the requested forgettings; all by default."""
        if requested is None:
            return self.forgetting
        wanted = [requested] if isinstance(requested, str) or not isinstance(requested, Iterable) else list(requested)
        labels = [_label(item, self.forgetting) for item in wanted]
        self._refuse("forgetting", [label for label in labels if label not in self.forgetting], self.forgetting)
        return list(dict.fromkeys(labels))

    def choose(self, metrics: MetricChoice, forgetting: ForgettingChoice) -> dict[str, list[str]]:
        """Return the requested columns, each with the forgettings to show it under.

        In a run with ADWIN ``width`` and ``alarms`` are shown for ADWIN only: other windows have a fixed width and no
        alarms. If they are requested by name without ADWIN, they are shown as requested.
        """
        chosen = self.choose_forgetting(forgetting)
        found = {}
        for metric in self.choose_metrics(metrics):
            shown = [f for f in chosen if self._is_shown(metric, f)]
            if shown or metrics is not None:
                found[metric] = shown or chosen
        return found

    def _is_shown(self, metric: str, forgetting: str) -> bool:
        adaptive = [f for f in self.forgetting if f.startswith("adaptive:")]
        name = self.stages[metric].metric if metric in self.stages else metric
        return name not in _WINDOW_COLUMNS or not adaptive or forgetting in adaptive

    def _refuse(self, what: str, unknown: list[str], known: list[str]) -> None:
        if unknown:
            raise InputError(
                f"{self.path}: the run has no {what} {listing(map(repr, unknown))}.{suggestion(unknown[0], known)} "
                f"It has: {listing(known, 40)}."
            )


def _label(item: str | Forgetting, known: list[str]) -> str:
    """Return the textual form of a forgetting; text such as ``sliding:1e3`` is normalised."""
    if not isinstance(item, str):
        return str(getattr(item, "label", item))
    if item in known:
        return item
    try:
        return as_forgetting(item).label
    except InputError:
        return item
