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
