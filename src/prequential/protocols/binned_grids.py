"""Counts of the predictions in every bin of the waiting time, under every forgetting."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from prequential import _native
from prequential.errors import InputError
from prequential.metrics.binned import Binned
from prequential.metrics.counts import Counts
from prequential.metrics.forgetting import Cumulative, Fading, Sliding
from prequential.metrics.grid import Checkpoints
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
        self._setting = setting
        self._every = setting.every
        self._grids = [setting.grid()]
        self._matrices: _native.BinnedMatrices | None = None

    @property
    def n_seen(self) -> int:
        """Number of labels counted so far."""
        return self._grids[0].n_seen

    def update(self, chunk: Chunk, rows: IntArray, predictions: Any) -> list[Checkpoints]:
        """Count the labels in some rows of a chunk; ``predictions`` has one row per label and one column per bin."""
        if not len(rows):
            return []
        labels = Chunk(
            chunk.schema,
            chunk.start,
            np.empty((len(rows), 0)),
            chunk.y[rows],
            None if chunk.time is None else chunk.time[rows],
            None if chunk.weight is None else chunk.weight[rows],
        )
        if not self.n_seen:
            self._choose(weighted=labels.weight is not None)
        for grid in self._grids:
            grid.grow(chunk.schema.n_classes)
        if self._matrices is None:
            return self._one_by_one(labels, predictions)
        if labels.weight is not None:
            raise InputError(
                "Some records have a weight and earlier ones have none. Accepted: a weight for every record or none."
            )
        self._matrices.grow(chunk.schema.n_classes)
        return self._together(labels, predictions, self._matrices)

    def last(self) -> list[Checkpoints]:
        """Return the current counts, unless the last checkpoint has them."""
        if self.n_seen and self.n_seen % self._every == 0:
            return []
        if not self.n_seen:
            self._choose(weighted=False)
        if self._matrices is None:
            return [_stacked([grid.checkpoint() for grid in self._grids])]
        return [_spread(self._grids[0].checkpoint(), self._matrices.snapshot())]

    def state(self) -> dict[str, Any]:
        """Return the whole state, for a save point."""
        matrices = None if self._matrices is None else self._matrices.to_bytes()
        return {"grids": [grid.to_bytes() for grid in self._grids], "matrices": matrices}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore from ``state()``."""
        if state["matrices"] is not None:
            self._choose(weighted=False)
            assert self._matrices is not None
            self._matrices.load_bytes(state["matrices"])
        elif len(state["grids"]) > 1:
            self._grids = [self._setting.grid() for _ in state["grids"]]
        for grid, saved in zip(self._grids, state["grids"], strict=True):
            grid.load_bytes(saved)

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


def _stacked(bins: list[Checkpoints]) -> Checkpoints:
    """Join the checkpoints of all bins; the counts get the axes (checkpoint, bin, forgetting)."""

    def stack(name: str) -> FloatArray:
        return np.stack([getattr(one.counts, name) for one in bins], axis=1)

    counts = Counts(*(stack(name) for name in Counts.__dataclass_fields__))
    return replace(bins[0], counts=counts)
