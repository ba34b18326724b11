"""Compare several learners over several streams, with one run per stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from prequential.arguments import checked_call
from prequential.comparisons.friedman import Better
from prequential.comparisons.ranking import ranking
from prequential.errors import InputError, ParameterError
from prequential.evaluation.run import AnyRun, Run, as_run
from prequential.metrics.forgetting import Forgetting
from prequential.runs.positive import positive_of, titled
from prequential.runs.values import Values, metric_of
from prequential.tables.rank_table import RankTable
from prequential.wording import listing


@checked_call
def compare_many(
    runs: Sequence[AnyRun] | Mapping[str, AnyRun],
    *,
    metric: str | None = None,
    forgetting: str | Forgetting | None = None,
    at: Literal["end", "mean"] = "end",
    better: Better | None = None,
    learners: Sequence[str] | None = None,
    alpha: float = 0.05,
) -> RankTable:
    """Compare several learners over several streams: ranks, Friedman's test, Nemenyi's test, Wilcoxon with Holm.

    Parameters
    ----------
    runs
        One run per stream, all with the same learners: a list, or a mapping from names of streams to runs. Each is a
        `Run` or its directory. Folds are averaged.
    metric
        Metric to rank by; by default the first one of the runs.
    forgetting
        Forgetting to rank under; by default all history.
    at
        ``"end"``: rank by the last checkpoint. ``"mean"``: rank by the mean over all checkpoints.
    better
        ``"higher"`` or ``"lower"``; needed for your own metric, if it does not declare its better direction.
    learners
        Learners to compare; by default all.
    alpha
        Significance level of each test.

    Raises
    ------
    InputError
        If runs are not complete, have different learners, metrics or forgettings, or if a result is undefined; the
        message lists the differences.
    """
    if at not in ("end", "mean"):
        raise ParameterError("at", "compare_many", "'end' or 'mean'", at)
    found = _streams(runs)
    chosen = _same_learners(found, learners)
    values = {name: Values(run.directory) for name, run in found.items()}
    first = next(iter(values.values()))
    metric = metric or first.metrics[0]
    first.choose_metrics(metric)  # raises an error if the run does not have it
    known = metric_of(first.manifest, metric)
    direction = better or (known.better if known is not None else None)
    if direction is None:
        raise InputError(f"The better direction of {metric!r} is not known: give better='higher' or better='lower'.")
    sides = dict.fromkeys(positive_of(one.manifest.positive, metric) for one in values.values())
    title = metric if None in sides else titled(metric, listing(sides))
    results = [[_result(values[name], name, learner, metric, forgetting, at) for learner in chosen] for name in found]
    _check_distinct(found, results)
    return RankTable(ranking(results, chosen, list(found), better=direction, metric=title, alpha=alpha))


def _streams(runs: Sequence[AnyRun] | Mapping[str, AnyRun]) -> dict[str, Run]:
    """Return the runs by the names of their streams; a repeated name gets a number."""
    if isinstance(runs, Mapping):
        found = {str(name): as_run(run) for name, run in runs.items()}
    else:
        if isinstance(runs, Run | str | Path):
            raise InputError("compare_many takes a list of runs, one per stream. Got a single run.")
        found = {}
        for run in map(as_run, runs):
            name, k = run.manifest.name, 2
            while name in found:
                name, k = f"{run.manifest.name} ({k})", k + 1
            found[name] = run
    if len(found) < 2:
        raise InputError(f"compare_many needs at least 2 runs, one per stream. Got {len(found)}.")
    unfinished = [f"{run.path} is {run.status}" for run in found.values() if not run.manifest.finished]
    if unfinished:
        raise InputError(f"Only complete runs can be compared: {listing(unfinished)}.")
    return found


def _check_distinct(runs: Mapping[str, Run], results: Sequence[Sequence[float]]) -> None:
    """Raise an error if a stream is given twice: it would count twice as evidence."""
    seen: dict[str, str] = {}
    for (name, run), values in zip(runs.items(), results, strict=True):
        manifest = run.manifest
        key = repr((manifest.stream, manifest.schema, manifest.n_records, list(values)))
        if key in seen:
            raise InputError(
                f"{seen[key]!r} and {name!r} are the same stream, with the same results: it would count twice. Give "
                "one run per stream; runs on one stream with several seeds are not independent streams."
            )
        seen[key] = name


def _same_learners(runs: Mapping[str, Run], learners: Sequence[str] | None) -> list[str]:
    first = next(iter(runs.values()))
    chosen = list(first.learners if learners is None else learners)
    faults = []
    for run in runs.values():
        missing = [name for name in chosen if name not in run.learners]
        more = [name for name in run.learners if name not in chosen] if learners is None else []
        failed = [name for name in chosen if name in run.failures]
        faults += [f"{run.path} has no learner {name!r}" for name in missing]
        faults += [f"{run.path} also has {name!r}" for name in more]
        faults += [f"{name!r} failed in {run.path}" for name in failed]
    if faults:
        raise InputError(
            f"The runs must have the same learners ({listing(chosen)}); choose with learners=[…] (--learners A B):\n"
            + "\n".join(f"  - {fault}" for fault in faults)
        )
    if len(chosen) < 2:
        raise InputError(f"compare_many needs at least 2 learners. Got {listing(chosen) or 'none'}.")
    return chosen


def _result(
    values: Values, stream: str, learner: str, metric: str, forgetting: str | Forgetting | None, at: str
) -> float:
    columns = values.choose_metrics(metric)
    if len(columns) > 1:
        raise InputError(f"The metric {metric!r} has one value per class. Choose one (--metric): {listing(columns)}.")
    default = "cumulative" if "cumulative" in values.forgetting else values.forgetting[0]
    (label,) = values.choose_forgetting(default if forgetting is None else forgetting)
    curve = values.curve(learner, label, columns[0])
    if not len(curve):
        raise InputError(f"{values.path}: {learner!r} has reached no checkpoint.")
    result = float(curve[-1] if at == "end" else curve.mean())
    if not np.isfinite(result):
        known = metric_of(values.manifest, metric)
        why = f" It is undefined {known.undefined}." if known is not None else ""
        raise InputError(
            f"{metric} ({label}) of {learner!r} on {stream!r} is {result}: it cannot be ranked.{why} "
            "Choose another metric= (--metric), or leave out the stream or the learner."
        )
    return result
