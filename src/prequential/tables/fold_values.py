"""The values of each fold at a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prequential.runs.directory import RunDirectory
from prequential.types import FloatArray


class FoldValues:
    """The values of the folds of a run, by learner and checkpoint.

    Parameters
    ----------
    directory
        The run.
    """

    def __init__(self, directory: RunDirectory) -> None:
        protocol = directory.manifest.protocol
        self.n_folds = int(protocol["k"]) if protocol.get("protocol") == "kfold" else 0
        """The number of folds; 0 if the run has none."""
        self._trace = directory.trace() if self.n_folds else None
        self._found: dict[tuple[str, int], Mapping[tuple[str, str], FloatArray]] = {}

    @property
    def n(self) -> int:
        """The number of folds; 0 if the run has none."""
        return self.n_folds

    @property
    def over(self) -> str:
        """What is repeated."""
        return "folds"

    def spread(self, learner: str, forgetting: str, metric: str, n: int, *, mean: bool) -> float:
        """Return the standard deviation of the folds after ``n`` records, or of their means over the checkpoints."""
        if mean:
            return spread(self.means(learner, forgetting, metric, n))
        each = self.at(learner, n).get((forgetting, metric))
        return float("nan") if each is None else spread(each)

    def means(self, learner: str, forgetting: str, metric: str, n: int) -> FloatArray:
        """Return the mean of each fold over its checkpoints up to ``n`` records; NaN where one is undefined."""
        assert self._trace is not None
        here = self._trace.filter(pc.less_equal(self._trace["n"], n))
        for column, wanted in (("learner", learner), ("forgetting", forgetting), ("metric", metric)):
            here = here.filter(pc.equal(here[column].cast(pa.string()), wanted))
        n_checkpoints = len(pc.unique(self._trace.filter(pc.less_equal(self._trace["n"], n))["n"]))
        fold, value = here["fold"].to_numpy() - 1, here["value"].to_numpy()
        total = np.bincount(fold, value, minlength=self.n_folds)
        n_values = np.bincount(fold, minlength=self.n_folds)
        return np.where(n_values == n_checkpoints, total / np.maximum(1, n_values), np.nan)

    def at(self, learner: str, n: int) -> Mapping[tuple[str, str], FloatArray]:
        """Return the values of all folds after ``n`` records, by forgetting and metric.

        NaN where the trace has none: for a class that had not appeared in a fold.
        """
        if (learner, n) not in self._found:
            self._found[learner, n] = self._read(learner, n)
        return self._found[learner, n]

    def _read(self, learner: str, n: int) -> Mapping[tuple[str, str], FloatArray]:
        if self._trace is None:
            return {}
        here = self._trace.filter(pc.equal(self._trace["n"], n))
        here = here.filter(pc.equal(here["learner"].cast(pa.string()), learner))
        found: dict[tuple[str, str], FloatArray] = {}
        columns = (here[name].to_pylist() for name in ("forgetting", "metric", "fold", "value"))
        for forgetting, metric, fold, value in zip(*columns, strict=True):
            found.setdefault((forgetting, metric), np.full(self.n_folds, np.nan))[fold - 1] = value
        return found


def spread(values: FloatArray) -> float:
    """Return the standard deviation of the folds (n − 1); NaN if one of them is undefined.

    It shows how much replicas differ. It is not the error of their mean: folds share most of their training records.

    Examples
    --------
    >>> spread(np.array([0.5, 1.0, 1.5])), spread(np.array([0.5, np.nan]))
    (0.5, nan)
    """
    return float(np.std(values, ddof=1)) if not np.isnan(values).any() else float("nan")
