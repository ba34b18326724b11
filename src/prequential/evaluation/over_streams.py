"""Compare several learners over several streams, with one run per stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from prequential.comparisons.friedman import Better
from prequential.comparisons.ranking import ranking
from prequential.errors import InputError
from prequential.metrics.forgetting import Forgetting
from prequential.metrics.metric import is_share
from prequential.runs.directory import RunDirectory
from prequential.runs.positive import positive_of, titled
from prequential.runs.values import Values, metric_of
from prequential.tables.fold_values import FoldValues, spread
from prequential.tables.rank_table import RankTable
from prequential.types import FloatArray
from prequential.wording import listing


def over_streams(
    runs: Sequence[RunDirectory] | Mapping[str, RunDirectory],
    *,
    metric: str | None = None,
    forgetting: str | Forgetting | None = None,
    at: Literal["end", "mean"] = "end",
    better: Better | None = None,
    learners: Sequence[str] | None = None,
    alpha: float = 0.05,
) -> RankTable:
    """Compare several learners over several streams; the parameters are those of ``compare``."""
    found = _streams(runs)
    chosen = _same_learners(found, learners)
    values = {name: Values(run) for name, run in found.items()}
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
    return RankTable(
        ranking(results, chosen, list(found), better=direction, metric=title, alpha=alpha),
        spreads=_spreads(found, chosen, metric, forgetting) if at == "end" else None,
        share=is_share(metric),
    )


def _spreads(
    runs: Mapping[str, RunDirectory], learners: Sequence[str], metric: str, forgetting: str | Forgetting | None
) -> FloatArray:
    """Return the standard deviations over folds, one row per run; NaN for a run without folds."""
    found = np.full((len(runs), len(learners)), np.nan)
    for i, run in enumerate(runs.values()):
        folds, values = FoldValues(run), Values(run)
        if not folds.n_folds:
            continue
        label = _label(values, forgetting)
        (column,) = values.choose_metrics(metric)
        for k, learner in enumerate(learners):
            each = folds.at(learner, int(values.checkpoints(learner)[-1])).get((label, column))
            found[i, k] = np.nan if each is None else spread(each)
    return found


def _label(values: Values, forgetting: str | Forgetting | None) -> str:
    default = "cumulative" if "cumulative" in values.forgetting else values.forgetting[0]
    (label,) = values.choose_forgetting(default if forgetting is None else forgetting)
    return label


def _streams(runs: Sequence[RunDirectory] | Mapping[str, RunDirectory]) -> dict[str, RunDirectory]:
    """Return the runs by the names of their streams; a repeated name gets a number."""
    if isinstance(runs, Mapping):
        found = dict(runs)
    else:
        found = {}
        for run in runs:
            name, k = run.manifest.name, 2
            while name in found:
                name, k = f"{run.manifest.name} ({k})", k + 1
            found[name] = run
    if len(found) < 2:
        raise InputError(f"compare needs at least 2 runs, one per stream. Got {len(found)}.")
    unfinished = [f"{run.path} is {run.manifest.status}" for run in found.values() if not run.manifest.finished]
    if unfinished:
        raise InputError(f"Only complete runs can be compared: {listing(unfinished)}.")
    return found


def _check_distinct(runs: Mapping[str, RunDirectory], results: Sequence[Sequence[float]]) -> None:
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


def _same_learners(runs: Mapping[str, RunDirectory], learners: Sequence[str] | None) -> list[str]:
    first = next(iter(runs.values()))
    chosen = list(first.manifest.learners if learners is None else learners)
    faults = []
    for run in runs.values():
        missing = [name for name in chosen if name not in run.manifest.learners]
        more = [name for name in run.manifest.learners if name not in chosen] if learners is None else []
        failed = [name for name in chosen if name not in missing and run.manifest.learners[name].failure is not None]
        faults += [f"{run.path} has no learner {name!r}" for name in missing]
        faults += [f"{run.path} also has {name!r}" for name in more]
        faults += [f"{name!r} failed in {run.path}" for name in failed]
    if faults:
        raise InputError(
            f"The runs must have the same learners ({listing(chosen)}); choose with learners=[…] (--learners A B):\n"
            + "\n".join(f"  - {fault}" for fault in faults)
        )
    if len(chosen) < 2:
        raise InputError(f"compare needs at least 2 learners. Got {listing(chosen) or 'none'}.")
    return chosen


def _result(
    values: Values, stream: str, learner: str, metric: str, forgetting: str | Forgetting | None, at: str
) -> float:
    columns = values.choose_metrics(metric)
    if len(columns) > 1:
        raise InputError(f"The metric {metric!r} has one value per class. Choose one (--metric): {listing(columns)}.")
    label = _label(values, forgetting)
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
