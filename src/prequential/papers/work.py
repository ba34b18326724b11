"""The work of one item: where its runs are, on which scale, and how they are carried out.

The module of a paper says only what is run; runs that are finished already are not repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import prequential as pq
from prequential.papers.value import Value


@dataclass(frozen=True, slots=True)
class Work:
    """The argument of the function that makes an item.

    Parameters
    ----------
    directory
        The directory of the item, for its pictures.
    runs
        The directory of the runs, which the items of a paper share.
    scale
        1 for the lengths and numbers of runs of the paper; 0.1 for a tenth of them.
    engine, workers
        Where runs are computed.
    progress
        Whether to show progress; None: if standard error is a terminal.
    """

    directory: Path
    runs: Path
    scale: float = 1.0
    engine: str = "auto"
    workers: int | None = None
    progress: bool | None = None

    def seeds(self, n: int) -> int:
        """Return the number of seeds on this scale, at least 2."""
        return max(2, round(n * self.scale))

    def length(self, n: int, least: int = 1000) -> int:
        """Return a number of records on this scale, at least ``least`` or all of them."""
        return min(n, max(least, round(n * self.scale)))

    def replicate(self, name: str, experiment: Callable[..., object], seeds: int) -> pq.Replication:
        """Repeat an experiment with several seeds: ``experiment(seed, **options)`` makes a run."""
        return pq.replicate(experiment, seeds=self.seeds(seeds), **self._options(name))

    def run(self, name: str, experiment: Callable[..., pq.Run]) -> pq.Run:
        """Carry out one experiment: ``experiment(**options)`` makes a run. One that is finished is loaded."""
        return experiment(**self._options(name))

    def file(self, name: str) -> Path:
        """Return the path of a picture."""
        self.directory.mkdir(parents=True, exist_ok=True)
        return self.directory / name

    def _options(self, name: str) -> dict[str, Any]:
        directory = self.runs / name
        return {
            "directory": directory,
            "resume": directory.exists(),
            "engine": self.engine,
            "workers": self.workers,
            "progress": self.progress,
        }


def last(run: pq.Run, metric: str, forgetting: str = "cumulative") -> dict[str, float]:
    """Return the results of a run at its end, by learner."""
    rows = run.table(metrics=metric, forgetting=forgetting).to_dicts()
    return {row["learner"]: float("nan") if row["value"] is None else row["value"] for row in rows}


def over_seeds(
    found: pq.Replication, metric: str, forgetting: str = "cumulative", factor: float = 1.0
) -> dict[str, Value]:
    """Return the mean and standard deviation over seeds of the results at the end, by learner.

    Parameters
    ----------
    found
        The runs.
    metric, forgetting
        Which result.
    factor
        What every result is multiplied by, 100 for per cent.
    """
    each = [last(run, metric, forgetting) for run in found.runs.values()]
    return {learner: Value.of([factor * one[learner] for one in each]) for learner in each[0]}
