"""Counts of the predictions in every bin of the waiting time, under every forgetting."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from prequential import _native
from prequential.drift import Alarm
from prequential.errors import InputError
from prequential.metrics.binned import Binned
from prequential.metrics.counts import Counts
from prequential.metrics.forgetting import Cumulative, Fading, Sliding
from prequential.metrics.grid import Checkpoints
from prequential.protocols.late_verdicts import LateVerdicts
from prequential.protocols.setting import Setting
from prequential.streams.chunk import Chunk
from prequential.types import FloatArray, IntArray

_MOST_NUMBERS = 1 << 20
"""Largest number of values in the matrices of one native call."""


class BinnedGrids:
    """The counts of one grid per bin, at a small part of the cost.

    Labels, baselines and weights are the same in every bin, so one grid counts them, and the confusion matrices of all
    bins are counted together. With weights, skipped abstentions, ADWIN windows or exponential histograms this is not
    possible, and each bin has a grid. Both ways give the same results to the last bit.

    Parameters
    ----------
    binned
        The bins.
    setting
        What all learners of the run share.
    """

    def __init__(self, binned: Binned, setting: Setting) -> None:
        self.binned = binned
        self._setting = replace(setting, probabilities=False, ranks=(), verdicts=False)
        self._every, self._keeps_verdicts = setting.every, setting.verdicts
        self._grids = [self._setting.grid()]
        self._matrices: _native.BinnedMatrices | None = None
        scored = replace(setting, verdicts=False)
        self._ends = [scored.grid(), scored.grid()] if setting.probabilities or setting.ranks else []
        """The grids of the initial and of the final prediction, with their scores."""
        self._watches = setting.watches()
        self._alarms: list[tuple[str, Alarm]] = []
        self._late: list[LateVerdicts] = []

    @property
    def n_seen(self) -> int:
        """Number of labels counted so far."""
        return self._grids[0].n_seen

    def update(
        self, chunk: Chunk, rows: IntArray, predictions: Any, scores: FloatArray | None = None
    ) -> list[Checkpoints]:
        """Count the labels in some rows of a chunk.

        ``predictions`` has one row per label and one column per bin. If metrics of scores are reported, ``scores`` has
        those of the initial and of the final prediction, with the axes (label, prediction, class).
        """
        if not len(rows):
            return []
        labels = Chunk(
            chunk.schema,
            self.n_seen,
            np.empty((len(rows), 0)),
            chunk.y[rows],
            None if chunk.time is None else chunk.time[rows],
            None if chunk.weight is None else chunk.weight[rows],
        )
        if not self.n_seen:
            self._choose(weighted=labels.weight is not None)
        self._watch(labels, predictions, scores)
        for grid in (*self._grids, *self._ends):
            grid.grow(chunk.schema.n_classes)
        if self._matrices is None:
            return self._with_ends(self._one_by_one(labels, predictions), labels, predictions, scores)
        if labels.weight is not None:
            raise InputError(
                "Some records have a weight and earlier ones have none. Accepted: a weight for every record or none."
            )
        self._matrices.grow(chunk.schema.n_classes)
        return self._with_ends(self._together(labels, predictions, self._matrices), labels, predictions, scores)

    def last(self) -> list[Checkpoints]:
        """Return the current counts, unless the last checkpoint has them."""
        if self.n_seen and self.n_seen % self._every == 0:
            return []
        if not self.n_seen:
            self._choose(weighted=False)
        ends = [grid.checkpoint() for grid in self._ends]
        if self._matrices is None:
            return [_scored(_stacked([grid.checkpoint() for grid in self._grids]), ends)]
        return [_scored(_spread(self._grids[0].checkpoint(), self._matrices.snapshot()), ends)]

    def state(self) -> dict[str, Any]:
        """Return the whole state, for a save point."""
        matrices = None if self._matrices is None else self._matrices.to_bytes()
        ends = {"ends": [grid.to_bytes() for grid in self._ends]} if self._ends else {}
        watches = {"watches": [watch.to_bytes() for watch in self._watches]} if self._watches else {}
        return {"grids": [grid.to_bytes() for grid in self._grids], "matrices": matrices, **ends, **watches}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore from ``state()``."""
        if state["matrices"] is not None:
            self._choose(weighted=False)
            assert self._matrices is not None
            self._matrices.load_bytes(state["matrices"])
        elif len(state["grids"]) > 1:
            self._grids = [self._setting.grid() for _ in state["grids"]]
        for grid, saved in zip((*self._grids, *self._ends), (*state["grids"], *state.get("ends", ())), strict=True):
            grid.load_bytes(saved)
        for watch, saved in zip(self._watches, state.get("watches", ()), strict=True):
            watch.load_bytes(saved)

    def drain_alarms(self) -> list[tuple[str, Alarm]]:
        """Return and remove the alarms since the last call, each with the label of its detector."""
        alarms, self._alarms = self._alarms, []
        return alarms

    def judge(self, event: IntArray, label: IntArray, predictions: Any) -> None:
        """Keep whether the initial and the final predictions were right, if learners are compared.

        ``event`` has the number of each label's event in the run.
        """
        if self._keeps_verdicts and len(event):
            skip = self._setting.skip_abstained
            self._late.append(LateVerdicts.of(event, label, predictions, skip_abstained=skip))

    def drain_late(self) -> LateVerdicts | None:
        """Return and remove the verdicts since the last call; None if learners are not compared."""
        late, self._late = self._late, []
        return LateVerdicts.join(late) if self._keeps_verdicts else None

    def _watch(self, labels: Chunk, predictions: Any, scores: FloatArray | None) -> None:
        """Pass the initial predictions to the detectors; an alarm has the number of its label."""
        for watch in self._watches:
            first = predictions[:, 0].astype(np.int64)
            alarms = watch.step(labels, None if scores is None else np.ascontiguousarray(scores[:, 0]), first)
            self._alarms += [(watch.detector.label, alarm) for alarm in alarms]

    def _choose(self, *, weighted: bool) -> None:
        """Choose between matrices and one grid per bin, before the first label."""
        setting, n_bins = self._setting, self.binned.bins + 2
        plain = all(type(one) in (Cumulative, Sliding, Fading) for one in setting.forgetting)
        if weighted or setting.skip_abstained or not plain:
            self._grids = [setting.grid() for _ in range(n_bins)]
            self._matrices = None
            return
        matrices: Any = _native.BinnedMatrices(
            setting.schema.n_classes, n_bins
        )  # forgettings join it as they join a grid
        for one in setting.forgetting:
            one.join(matrices)
        self._matrices = matrices

    def _with_ends(
        self, passed: list[Checkpoints], labels: Chunk, predictions: Any, scores: FloatArray | None
    ) -> list[Checkpoints]:
        """Count the scores of the initial and the final prediction, and add what is computed from them."""
        if not self._ends:
            return passed
        assert scores is not None
        ends = []
        for k, grid in enumerate(self._ends):
            prediction = predictions[:, -k].astype(np.int64)  # the first column, then the last one
            own = np.ascontiguousarray(scores[:, k])
            ends.append(grid.update(labels, own, prediction, every=self._every))
        if not passed:
            return passed
        return [_scored(Checkpoints.join(passed), [Checkpoints.join(one) for one in ends])]

    def _together(self, labels: Chunk, predictions: Any, matrices: _native.BinnedMatrices) -> list[Checkpoints]:
        width = max(1, len(self._setting.forgetting) * (matrices.n_classes + 1) ** 2 * predictions.shape[1])
        step = self._every * max(1, _MOST_NUMBERS // width)
        passed: list[Checkpoints] = []
        for at in range(0, len(labels), step):
            part, rows = labels[at : at + step], predictions[at : at + step]
            first = self._grids[0].update(part, None, rows[:, 0].astype(np.int64), every=self._every)
            counted = matrices.update(rows, part.y, part.time, self._every)
            if first:
                passed.append(_spread(Checkpoints.join(first), counted))
        return passed

    def _one_by_one(self, labels: Chunk, predictions: Any) -> list[Checkpoints]:
        by_bin = predictions.T.astype(np.int64, order="C")
        passed = [
            grid.update(labels, None, column, every=self._every)
            for grid, column in zip(self._grids, by_bin, strict=True)
        ]
        return [] if not passed[0] else [_stacked([Checkpoints.join(parts) for parts in passed])]


def _spread(first: Checkpoints, matrices: FloatArray) -> Checkpoints:
    """Give each bin its matrices, with the axes (checkpoint, forgetting, label, prediction, bin), and copy the rest."""
    n_bins = matrices.shape[-1]

    def spread(values: FloatArray) -> FloatArray:
        return np.repeat(values[:, None], n_bins, axis=1)

    rest = {name: spread(getattr(first.counts, name)) for name in Counts.__dataclass_fields__ if name != "matrix"}
    return replace(first, counts=Counts(matrix=np.ascontiguousarray(np.moveaxis(matrices, -1, 1)), **rest))


def _scored(bins: Checkpoints, ends: list[Checkpoints]) -> Checkpoints:
    """Add to the first and the last bin what their grids computed from scores; it is NaN in the bins between them."""
    if not ends:
        return bins
    n_bins = bins.counts.weight.shape[1]
    found = {}
    for name in ("losses", "ranks"):
        first, last = (getattr(end.counts, name) for end in ends)
        values = np.full((first.shape[0], n_bins, *first.shape[1:]), np.nan)
        values[:, 0], values[:, -1] = first, last
        found[name] = values
    return replace(bins, counts=replace(bins.counts, **found))


def _stacked(bins: list[Checkpoints]) -> Checkpoints:
    """Join the checkpoints of all bins; the counts get the axes (checkpoint, bin, forgetting)."""

    def stack(name: str) -> FloatArray:
        return np.stack([getattr(one.counts, name) for one in bins], axis=1)

    counts = Counts(*(stack(name) for name in Counts.__dataclass_fields__))
    return replace(bins[0], counts=counts)
