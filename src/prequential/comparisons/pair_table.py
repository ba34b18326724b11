"""The table of two learners compared at every checkpoint and under every forgetting, whatever is compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from prequential.sheets.tidy_table import Tidy
from prequential.types import FloatArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PairTable(Tidy):
    """Two learners compared: one row per fold, checkpoint and forgetting.

    Parameters
    ----------
    a, b
        Names of the two learners.
    alpha
        The error rate of the confidence sequence; intervals for one look have the confidence 1 − α.
    table
        The columns fold, n, time, forgetting, the numbers, and ``reason``: why a value is undefined or infinite.
    """

    NUMBERS: ClassVar[tuple[str, ...]] = ()
    """The columns of numbers."""

    a: str
    b: str
    alpha: float
    table: pa.Table

    @property
    def caption(self) -> str:
        """What the table is."""
        return f"A = {self.a}, B = {self.b}, α = {self.alpha:g}"

    def to_arrow(self) -> pa.Table:
        """Return the table."""
        return self.table

    @property
    def forgetting(self) -> list[str]:
        """The forgettings, in the order of the table."""
        labels: list[str] = pc.unique(self.table["forgetting"].cast(pa.string())).to_pylist()
        return labels

    @property
    def folds(self) -> list[int]:
        """The numbers of the folds; only 0 if the protocol has no folds."""
        folds: list[int] = np.unique(self.table["fold"].to_numpy()).tolist()
        return folds

    def series(self, forgetting: str, fold: int = 0) -> Mapping[str, FloatArray]:
        """Return the columns of one forgetting and fold, in the order of the checkpoints."""
        chosen = self.table.filter(
            pc.and_(
                pc.equal(self.table["forgetting"].cast(pa.string()), forgetting), pc.equal(self.table["fold"], fold)
            )
        )
        return {name: chosen[name].to_numpy() for name in ("n", *self.NUMBERS)}

    def last(self) -> list[dict[str, Any]]:
        """Return the last checkpoint of every fold and forgetting."""
        label, fold = texts(self.table["forgetting"]), self.table["fold"].to_numpy()
        ends = [np.flatnonzero((fold == k) & (label == f)) for k in self.folds for f in self.forgetting]
        rows: list[dict[str, Any]] = self.table.take([int(end[-1]) for end in ends if len(end)]).to_pylist()
        return rows


def texts(names: pa.ChunkedArray) -> npt.NDArray[np.str_]:
    """Return a column of names as text."""
    found: npt.NDArray[np.str_] = np.asarray(names.cast(pa.string()).to_pylist(), dtype=np.str_)
    return found
