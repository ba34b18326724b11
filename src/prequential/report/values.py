"""The trace of a run as arrays, and the choice of measures and forgettings from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np

from prequential.errors import InputError, listing, suggestion
from prequential.measures.forgetting import Forgetting, parse_forgetting
from prequential.measures.measure import REGISTRY, Measure
from prequential.report.stage import Stage, is_delayed
from prequential.runs.directory import RunDirectory
from prequential.runs.manifest import Manifest, MeasureEntry
from prequential.types import FloatArray, IntArray

MeasureChoice: TypeAlias = str | Measure | Iterable[str | Measure] | None
ForgettingChoice: TypeAlias = str | Forgetting | Iterable[str | Forgetting] | None

_OF_WINDOWS = ("width", "alarms")
"""What ``evaluate`` adds to the measures of a run with ADWIN."""


def measure_of(manifest: Manifest, column: str) -> MeasureEntry | None:
    """Return what is known of a column's measure (``recall`` for ``recall[UP]``).

    The manifest says it; of an older one, which does not, the registry may. With delayed labels, what is said of a
    measure and of its stages serves for both.
    """
    name = column.partition("[")[0]
    names = [name, Stage.of(name).measure, f"{name}_initial"] if is_delayed(manifest) else [name]
    for one in names:
        if one in manifest.known_measures:
            return manifest.known_measures[one]
        if one in REGISTRY:
            return MeasureEntry.of(REGISTRY[one])
    return None


class Values:
    """The values of a run, by learner, forgetting and measure; folds are averaged.

    Where a fold is undefined, so is the average: an undefined value is never hidden.
    """

    def __init__(self, directory: RunDirectory) -> None:
        self.path = directory.path
        self.manifest = directory.manifest
        trace = directory.trace().combine_chunks()
        self.is_empty = trace.num_rows == 0
        codes = {}
        self._code: dict[str, dict[str, int]] = {}
        for column in ("learner", "forgetting", "measure"):
            encoded = trace.column(column).combine_chunks()
            names = [] if self.is_empty else encoded.dictionary.to_pylist()
            codes[column] = np.zeros(0, np.int64) if self.is_empty else np.asarray(encoded.indices, np.int64)
            self._code[column] = {name: i for i, name in enumerate(names)}
        self._n_forgetting, self._n_measures = len(self._code["forgetting"]), len(self._code["measure"])
        key = (codes["learner"] * self._n_forgetting + codes["forgetting"]) * self._n_measures + codes["measure"]
        order = np.argsort(key, kind="stable")
        self._key = key[order]
        self._n: IntArray = trace.column("n").to_numpy()[order]
        self._value: FloatArray = trace.column("value").to_numpy()[order]
        self._checkpoints: dict[str, IntArray] = {}
        self.learners = list(self.manifest.learners)
        self.forgetting = self.manifest.forgetting or list(self._code["forgetting"])
        self.stages: dict[str, Stage] = {}
        """What each column judges, where labels come late; empty elsewhere."""
        self.measures = self._in_order_of_the_plan()

    def _in_order_of_the_plan(self) -> list[str]:
        """Return the columns of each measure asked for, one a class where the measure has one."""
        traced = list(self._code["measure"])
        found = []
        for asked in self.manifest.measures:
            found += [name for name in traced if name.partition("[")[0] == asked] or [asked]
        found += [name for name in traced if name not in found]
        if is_delayed(self.manifest):
            self.stages = {name: Stage.of(name) for name in found}
            bases = list(dict.fromkeys(stage.measure for stage in self.stages.values()))
            found.sort(key=lambda name: bases.index(self.stages[name].measure))  # the stages of a measure together
        return found

    def checkpoints(self, learner: str) -> IntArray:
        """Return the n of every checkpoint of a learner."""
        if learner not in self._checkpoints:
            at = self._code["learner"].get(learner, -1)
            width = self._n_forgetting * self._n_measures
            begin, end = np.searchsorted(self._key, [at * width, (at + 1) * width])
            self._checkpoints[learner] = np.unique(self._n[begin:end])
        return self._checkpoints[learner]

    def curve(self, learner: str, forgetting: str, measure: str) -> FloatArray:
        """Return the values at the learner's checkpoints, NaN where the trace has none."""
        n = self.checkpoints(learner)
        out = np.full(len(n), np.nan)
        at = [self._code["learner"].get(learner), self._code["forgetting"].get(forgetting)]
        at.append(self._code["measure"].get(measure))
        if any(code is None for code in at):
            return out
        key = (at[0] * self._n_forgetting + at[1]) * self._n_measures + at[2]  # type: ignore[operator]
        begin, end = np.searchsorted(self._key, [key, key + 1])
        places = np.searchsorted(n, self._n[begin:end])
        n_folds = np.bincount(places, minlength=len(n))
        total = np.bincount(places, weights=self._value[begin:end], minlength=len(n))
        np.divide(total, n_folds, out=out, where=n_folds > 0)
        return out

    def choose_measures(self, asked: MeasureChoice) -> list[str]:
        """Return the columns of the measures asked for, all of them by default.

        With delayed labels ``accuracy`` is all its stages, and ``accuracy_initial`` one of them.
        """
        if asked is None:
            return self.measures
        wanted = [asked] if isinstance(asked, str) or not isinstance(asked, Iterable) else list(asked)
        names = [item.name if isinstance(item, Measure) else str(item) for item in wanted]
        found = {n: [m for m in self.measures if n in self._called(m)] for n in names}
        bases = dict.fromkeys(stage.measure for stage in self.stages.values())
        self._refuse("measure", [n for n in names if not found[n]], [*bases, *self.measures])
        return list(dict.fromkeys(m for n in names for m in found[n]))

    def _called(self, column: str) -> set[str]:
        """Return the names by which a column may be asked for."""
        names = [column, self.stages[column].measure] if column in self.stages else [column]
        return {*names, *(name.partition("[")[0] for name in names)}

    def choose_forgetting(self, asked: ForgettingChoice) -> list[str]:
        """Return the textual forms of the forgettings asked for, all of them by default."""
        if asked is None:
            return self.forgetting
        wanted = [asked] if isinstance(asked, str) or not isinstance(asked, Iterable) else list(asked)
        labels = [_label(item, self.forgetting) for item in wanted]
        self._refuse("forgetting", [label for label in labels if label not in self.forgetting], self.forgetting)
        return list(dict.fromkeys(labels))

    def choose(self, measures: MeasureChoice, forgetting: ForgettingChoice) -> dict[str, list[str]]:
        """Return the measures asked for, each with the forgettings that it is shown under.

        In a run with ADWIN the width of a window and its alarms are shown of ADWIN alone: other windows are as wide as
        was asked, and have no alarms. Where that leaves nothing of a measure asked for by name, it is shown as asked.
        """
        chosen = self.choose_forgetting(forgetting)
        found = {}
        for measure in self.choose_measures(measures):
            telling = [f for f in chosen if self._tells(measure, f)]
            if telling or measures is not None:
                found[measure] = telling or chosen
        return found

    def _tells(self, measure: str, forgetting: str) -> bool:
        adaptive = [f for f in self.forgetting if f.startswith("adwin:")]
        name = self.stages[measure].measure if measure in self.stages else measure
        return name not in _OF_WINDOWS or not adaptive or forgetting in adaptive

    def _refuse(self, what: str, unknown: list[str], known: list[str]) -> None:
        if unknown:
            raise InputError(
                f"{self.path}: the run has no {what} {listing(map(repr, unknown))}.{suggestion(unknown[0], known)} "
                f"It has: {listing(known, 40)}."
            )


def _label(item: str | Forgetting, known: list[str]) -> str:
    """Return the textual form of a forgetting; text such as ``sliding:1e3`` is brought to it."""
    if not isinstance(item, str):
        return str(getattr(item, "label", item))
    if item in known:
        return item
    try:
        return parse_forgetting(item).label
    except InputError:
        return item
