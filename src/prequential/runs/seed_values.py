"""The values of several runs of one experiment with different seeds: means and standard deviations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Literal

import numpy as np

from prequential.errors import InputError
from prequential.runs.directory import RunDirectory
from prequential.runs.failure import Failure
from prequential.runs.manifest import LearnerEntry, Manifest, Resources, Status
from prequential.runs.values import Values
from prequential.types import FloatArray, IntArray
from prequential.wording import listing


class SeedValues(Values):
    """The means over seeds by learner, forgetting and metric; ``spread`` has the standard deviations.

    Where one seed is undefined, so is the mean. The checkpoints are those that all seeds have.

    Parameters
    ----------
    runs
        The runs by seed, at least one.
    path
        Their directory, for messages.
    n_expected
        The number of seeds when all runs are done.
    """

    over: Literal["seeds"] = "seeds"

    def __init__(self, runs: Mapping[int, RunDirectory], path: Path, n_expected: int) -> None:
        self.each = {seed: Values(run) for seed, run in runs.items()}
        self.path = path
        self.n = len(self.each)
        parts = list(self.each.values())
        first = parts[0]
        for seed, one in self.each.items():
            if one.learners != first.learners or one.forgetting != first.forgetting:
                raise InputError(
                    f"{path}: the runs of seeds {next(iter(runs))} and {seed} differ in more than the seed."
                )
        self.learners, self.forgetting = first.learners, first.forgetting
        self.metrics = list(dict.fromkeys(name for one in parts for name in one.metrics))
        self.stages = {name: stage for one in parts for name, stage in one.stages.items()}
        self.is_empty = any(one.is_empty for one in parts)
        self.manifest = _merged({seed: one.manifest for seed, one in self.each.items()}, n_expected)

    def remark(self, n: int) -> str:
        """Return a sentence on the holdout test at checkpoint ``n``; empty under other protocols."""
        return next(iter(self.each.values())).remark(n)

    def checkpoints(self, learner: str) -> IntArray:
        """Return the n of every checkpoint that the learner has with all seeds."""
        found: IntArray = reduce(np.intersect1d, (one.checkpoints(learner) for one in self.each.values()))
        return found

    def dates(self) -> tuple[IntArray, FloatArray] | None:
        """Return the dates of the first run."""
        return next(iter(self.each.values())).dates()

    def curve(self, learner: str, forgetting: str, metric: str) -> FloatArray:
        """Return the mean at the learner's checkpoints."""
        mean: FloatArray = self.by_seed(learner, forgetting, metric).sum(axis=0) / self.n
        return mean

    def by_seed(self, learner: str, forgetting: str, metric: str) -> FloatArray:
        """Return the values at the learner's checkpoints, one row per seed."""
        n = self.checkpoints(learner)
        return np.stack(
            [
                one.curve(learner, forgetting, metric)[np.searchsorted(one.checkpoints(learner), n)]
                for one in self.each.values()
            ]
        )

    def results(self, learner: str, forgetting: str, metric: str, *, mean: bool, n: float = np.inf) -> FloatArray:
        """Return the result of each seed: at the last checkpoint up to ``n`` records, or the mean over those."""
        at = int(np.searchsorted(self.checkpoints(learner), n, side="right"))
        each = self.by_seed(learner, forgetting, metric)[:, :at]
        if not at:
            return np.full(self.n, np.nan)
        return each.mean(axis=1) if mean else each[:, -1]

    def spread(self, learner: str, forgetting: str, metric: str, n: int, *, mean: bool) -> float:
        """Return the standard deviation (n − 1) over the seeds; NaN for one seed, or where one is undefined."""
        if self.n < 2:
            return float("nan")
        return float(np.std(self.results(learner, forgetting, metric, mean=mean, n=n), ddof=1))

    def band(self, learner: str, forgetting: str, metric: str) -> tuple[FloatArray, FloatArray] | None:
        """Return the mean minus and plus one standard deviation at the checkpoints."""
        if self.n < 2:
            return None
        each = self.by_seed(learner, forgetting, metric)
        mean, deviation = each.sum(axis=0) / self.n, np.std(each, axis=0, ddof=1)
        return mean - deviation, mean + deviation


def _merged(manifests: Mapping[int, Manifest], n_expected: int) -> Manifest:
    """Return one manifest for all runs: what they share, with counts summed and resources averaged."""
    found = list(manifests.values())
    first = found[0]
    learners = {name: _entry({seed: one.learners[name] for seed, one in manifests.items()}) for name in first.learners}
    status: Status = "complete"
    reason = ""
    if failed := [f"seed {seed}: {one.reason}" for seed, one in manifests.items() if one.status == "failed"]:
        status, reason = "failed", listing(failed)
    if len(found) < n_expected:
        status, reason = "partial", f"{len(found)} of {n_expected} seeds are done"
    same_drifts = all(one.drifts == first.drifts for one in found)
    return replace(
        first,
        learners=learners,
        drifts=first.drifts if same_drifts else [],
        status=status,
        reason=reason,
        n_records=min(one.n_records for one in found),
        n_expected=None,
    )


def _entry(entries: Mapping[int, LearnerEntry]) -> LearnerEntry:
    found = list(entries.values())
    failed = next(((seed, one) for seed, one in entries.items() if one.failure is not None), None)
    failure = None
    if failed is not None:
        seed, one = failed
        assert one.failure is not None
        failure = Failure(one.failure.record, f"with seed {seed}: {one.failure.message}", one.failure.traceback)
    return replace(
        found[0],
        status="failed" if any(one.status == "failed" for one in found) else "complete",
        failure=failure,
        n_records=min(one.n_records for one in found),
        n_unlabelled=sum(one.n_unlabelled for one in found),
        n_unpredicted=sum(one.n_unpredicted for one in found),
        n_abstained=sum(one.n_abstained for one in found),
        n_nonfinite=sum(one.n_nonfinite for one in found),
        resources=_mean_resources([one.resources for one in found]),
        folds={},
    )


def _mean_resources(used: Sequence[Resources]) -> Resources:
    def mean(name: str) -> float:
        return sum(float(getattr(one, name)) for one in used) / len(used)

    return Resources(
        predict_seconds=mean("predict_seconds"),
        learn_seconds=mean("learn_seconds"),
        score_seconds=mean("score_seconds"),
        records_per_second=mean("records_per_second"),
        memory_bytes=round(mean("memory_bytes")),
        ram_hours=mean("ram_hours"),
    )
