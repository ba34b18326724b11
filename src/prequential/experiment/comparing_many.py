"""Comparing several learners over several streams, a run each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from prequential.comparisons.friedman import Better
from prequential.comparisons.ranking import ranking
from prequential.errors import InputError, ParameterError, listing
from prequential.experiment.run import AnyRun, Run, as_run
from prequential.measures.forgetting import Forgetting
from prequential.report.rank_table import RankTable
from prequential.report.values import Values, measure_of


def compare_many(
    runs: Sequence[AnyRun] | Mapping[str, AnyRun],
    *,
    measure: str | None = None,
    forgetting: str | Forgetting | None = None,
    at: Literal["end", "mean"] = "end",
    better: Better | None = None,
    learners: Sequence[str] | None = None,
    alpha: float = 0.05,
) -> RankTable:
    """Compare several learners over several streams: ranks, Friedman, Nemenyi, Wilcoxon corrected by Holm.

    Parameters
    ----------
    runs
        One run a stream, with the same learners; or a mapping from names of streams to runs. Folds are averaged.
    measure
        What to rank by; the first of the runs by default.
    forgetting
        Under which forgetting; all history by default.
    at
        The last checkpoint (``"end"``), or the ``"mean"`` over all checkpoints.
    better
        Whether higher or lower is better, for a measure of your own.
    learners
        Which to compare; all by default.
    alpha
        The error rate of each test.

    Raises
    ------
    InputError
        For runs that are not complete or have different learners, measures or forgettings, with what differs; and where
        a result is undefined.
    """
    if at not in ("end", "mean"):
        raise ParameterError("at", "compare_many", "'end' or 'mean'", at)
    found = _streams(runs)
    chosen = _same_learners(found, learners)
    values = {name: Values(run.directory) for name, run in found.items()}
    first = next(iter(values.values()))
    measure = measure or first.measures[0]
    first.choose_measures(measure)  # refuses one that the run does not have
    known = measure_of(first.manifest, measure)
    direction = better or (known.better if known is not None else None)
    if direction is None:
        raise InputError(f"Which direction of {measure!r} is better is not known: say better='higher' or 'lower'.")
    results = [[_result(values[name], name, learner, measure, forgetting, at) for learner in chosen] for name in found]
    _refuse_copies(found, results)
    return RankTable(ranking(results, chosen, list(found), better=direction, measure=measure, alpha=alpha))


def _streams(runs: Sequence[AnyRun] | Mapping[str, AnyRun]) -> dict[str, Run]:
    """Return the runs by the names of their streams; of two that share one, each is numbered."""
    if isinstance(runs, Mapping):
        found = {str(name): as_run(run) for name, run in runs.items()}
    else:
        if isinstance(runs, Run | str | Path):
            raise InputError("compare_many compares over several runs, a stream each: give a list of them.")
        found = {}
        for run in map(as_run, runs):
            name, k = run.manifest.name, 2
            while name in found:
                name, k = f"{run.manifest.name} ({k})", k + 1
            found[name] = run
    if len(found) < 2:
        raise InputError(f"compare_many needs at least 2 runs, a stream each. Got {len(found)}.")
    unfinished = [f"{run.path} is {run.status}" for run in found.values() if run.status in ("running", "partial")]
    if unfinished:
        raise InputError(f"Only complete runs are compared: {listing(unfinished)}.")
    return found


def _refuse_copies(runs: Mapping[str, Run], results: Sequence[Sequence[float]]) -> None:
    """Refuse one stream given twice, which would count as evidence twice."""
    seen: dict[str, str] = {}
    for (name, run), values in zip(runs.items(), results, strict=True):
        manifest = run.manifest
        key = repr((manifest.stream, manifest.schema, manifest.n_records, list(values)))
        if key in seen:
            raise InputError(
                f"{seen[key]!r} and {name!r} are the same stream, with the same results: it would count twice. Each "
                "run must be of a stream of its own; runs of one stream with several seeds are not independent streams."
            )
        seen[key] = name


def _same_learners(runs: Mapping[str, Run], wanted: Sequence[str] | None) -> list[str]:
    first = next(iter(runs.values()))
    chosen = list(first.learners if wanted is None else wanted)
    faults = []
    for run in runs.values():
        lacking = [name for name in chosen if name not in run.learners]
        more = [name for name in run.learners if name not in chosen] if wanted is None else []
        failed = [name for name in chosen if name in run.failures]
        faults += [f"{run.path} has no learner {name!r}" for name in lacking]
        faults += [f"{run.path} has {name!r} besides" for name in more]
        faults += [f"{name!r} failed in {run.path}" for name in failed]
    if faults:
        raise InputError(
            f"The runs must have the same learners ({listing(chosen)}), but:\n" + "\n".join(f"  - {f}" for f in faults)
        )
    if len(chosen) < 2:
        raise InputError(f"compare_many needs at least 2 learners. Got {listing(chosen) or 'none'}.")
    return chosen


def _result(
    values: Values, stream: str, learner: str, measure: str, forgetting: str | Forgetting | None, at: str
) -> float:
    columns = values.choose_measures(measure)
    if len(columns) > 1:
        raise InputError(f"The measure {measure!r} has one value a class. Choose one of: {listing(columns)}.")
    default = "cumulative" if "cumulative" in values.forgetting else values.forgetting[0]
    (label,) = values.choose_forgetting(default if forgetting is None else forgetting)
    curve = values.curve(learner, label, columns[0])
    if not len(curve):
        raise InputError(f"{values.path}: {learner!r} has reached no checkpoint.")
    result = float(curve[-1] if at == "end" else curve.mean())
    if not np.isfinite(result):
        known = measure_of(values.manifest, measure)
        why = f" It is undefined {known.undefined}." if known is not None else ""
        raise InputError(
            f"{measure} ({label}) of {learner!r} on {stream!r} is {result}: it cannot be ranked.{why} "
            "Choose another measure, or leave the stream or the learner out."
        )
    return result
