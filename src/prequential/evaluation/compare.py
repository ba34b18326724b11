"""Compare learners: two record by record, or several over several streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, overload

from prequential.arguments import checked_call
from prequential.comparisons.friedman import Better
from prequential.comparisons.loss_series import Bound
from prequential.errors import InputError, ParameterError
from prequential.evaluation.comparison import check_learners, comparison_in, forgetting_labels, only_two
from prequential.evaluation.loss_comparison import compared_losses, loss_name
from prequential.evaluation.over_streams import over_streams
from prequential.evaluation.paired_predictions import pairs_of_predictions
from prequential.metrics.forgetting import Forgetting
from prequential.metrics.metric import Metric
from prequential.runs.directory import RunDirectory
from prequential.runs.late_pairs import stage_of
from prequential.runs.stage import is_delayed
from prequential.tables.comparison import Comparison, comparison_of_losses, comparison_of_pairs
from prequential.tables.rank_table import RankTable
from prequential.wording import listing


class HasDirectory(Protocol):
    """A run."""

    @property
    def directory(self) -> RunDirectory:
        """Its directory."""


OneRun: TypeAlias = HasDirectory | str | Path
"""A run, or its directory."""
Runs: TypeAlias = list[HasDirectory] | list[str] | list[Path] | tuple[OneRun, ...] | Mapping[str, OneRun]
"""One run per stream."""
Forgettings: TypeAlias = str | Forgetting | Sequence[str | Forgetting]


@overload
def compare(
    run: OneRun,
    a: OneRun | None = None,
    b: str | None = None,
    *,
    learners: Sequence[str] | None = None,
    loss: str | Metric | None = None,
    bound: Bound = None,
    forgetting: Forgettings | None = None,
    stage: str | None = None,
    alpha: float = 0.05,
) -> Comparison: ...
@overload
def compare(
    run: Runs | Sequence[HasDirectory],
    *,
    learners: Sequence[str] | None = None,
    metric: str | None = None,
    forgetting: Forgettings | None = None,
    at: Literal["end", "mean"] | None = None,
    better: Better | None = None,
    alpha: float = 0.05,
) -> RankTable: ...
@checked_call
def compare(
    run: OneRun | Runs | Sequence[HasDirectory],
    a: OneRun | None = None,
    b: str | None = None,
    *,
    learners: Sequence[str] | None = None,
    metric: str | None = None,
    loss: str | Metric | None = None,
    bound: Bound = None,
    forgetting: Forgettings | None = None,
    at: Literal["end", "mean"] | None = None,
    better: Better | None = None,
    stage: str | None = None,
    alpha: float = 0.05,
) -> Comparison | RankTable:
    """Compare two learners record by record, or several learners over several streams.

    - ``compare(run, "a", "b")`` compares two learners of one run; ``compare(run)`` those of a run that has two.
    - ``compare(run_a, run_b)`` compares two runs on the same stream, from their saved predictions. If a run has more
      than one learner, name one of each: ``learners=("a", "b")``.
    - ``compare([run, run, …])`` compares the learners of runs on several streams, one run per stream.

    Two learners are compared by Q, McNemar's test, the difference of errors and a confidence sequence; by another loss,
    and for regression, by Q, the difference of mean losses and, if the loss is bounded, a confidence sequence. Several
    over streams are compared by ranks, Friedman's test, Nemenyi's test, and Wilcoxon's with Holm's correction.

    Parameters
    ----------
    run
        A `Run` or its directory. For several streams a list of them, all with the same learners, or a mapping from
        names of streams to runs; folds are averaged.
    a, b
        The names of two learners of the run, or for ``a`` a second run.
    learners
        The learners to compare, instead of ``a`` and ``b``; over streams by default all.
    metric
        Over streams: the metric to rank by; by default the first one of the runs.
    loss
        Two learners: the loss to compare by: ``"error"`` (default), ``"log_loss"`` or ``"brier"``; for regression
        ``"mse"`` (default) or ``"mae"``; or a loss of your own. Its mean must be in the trace, or the run must have
        been made with ``predictions=True``.
    bound
        The largest possible loss, which a confidence sequence needs: 1 for the error, 2 for the Brier score, that of
        your own loss. ``"learned"``, with saved predictions: twice the largest loss up to the first checkpoint; the
        sequence begins after that checkpoint, and ends where a loss is larger.
    forgetting
        Two learners: forgettings to compare under; by default those of the run. Over streams: the forgetting to rank
        under; by default all history.
    at
        Over streams: ``"end"`` ranks by the last checkpoint (the default), ``"mean"`` by the mean over all checkpoints.
    better
        Over streams: ``"higher"`` or ``"lower"``; needed for your own metric, if it does not declare its better
        direction.
    stage
        Two learners of a run with late labels: whether to compare their ``"initial"`` (default) or their ``"final"``
        predictions. Pairs are counted when labels arrive.
    alpha
        Significance level of each test, and error rate of the confidence sequence.

    Raises
    ------
    InputError
        If the runs cannot be compared; the message lists the differences.

    Examples
    --------
    >>> import prequential as pq
    >>> run = pq.evaluate(pq.streams.SEA(seed=1).take(5000), ["naive_bayes", "no_change"])
    >>> print(pq.compare(run, "naive_bayes", "no_change").conclusion.partition(":")[0])
    After 5,000 records the confidence sequence excludes 0
    """
    if isinstance(run, Mapping) or (isinstance(run, Sequence) and not isinstance(run, str)):
        if stage is not None:
            raise InputError(
                "compare: a stage compares two learners of one run; over streams, the metric has it, such as "
                "metric='accuracy_final' (--metric accuracy_final)."
            )
        if loss is not None or bound is not None:
            raise InputError("compare: a loss compares two learners on one stream; over streams, name a metric.")
        return _over_streams(run, a, b, learners, metric, forgetting, at, better, alpha)
    given = {"metric": metric, "at": at, "better": better}
    if named := [name for name, value in given.items() if value is not None]:
        raise InputError(
            f"compare: {listing(named)} may only be given with a list of runs, one per stream. Two learners are "
            "compared by a loss, record by record: loss=… (--loss)."
        )
    one = as_directory(run)
    if learners is not None:
        learners = [learners] if isinstance(learners, str) else list(learners)
        if len(learners) != 2 or b is not None:
            raise InputError(f"compare: learners= names two learners, instead of a and b. Got {listing(learners)}.")
    if a is None or (isinstance(a, str) and (b is not None or a in one.manifest.learners)):
        pair = (a, b) if a is not None else learners
        if pair is not None and (None in pair or (a is not None and learners is not None)):
            raise InputError(
                f"{a!r} needs a second learner to compare with: name two learners (--learners A B), or another run."
            )
        names = None if pair is None else (str(pair[0]), str(pair[1]))
        return _in_one_run(one, names, loss, bound, forgetting, stage, alpha)
    if b is not None:
        raise InputError('compare: name the learners of two runs with learners=("a", "b").')
    if stage is not None:
        raise InputError("compare: a stage (--stage) compares two learners of one run with late labels.")
    return _two_runs(one, as_directory(a), learners, loss, bound, forgetting, alpha)


def as_directory(run: OneRun) -> RunDirectory:
    """Return the directory of a run, given as such or as its path."""
    if isinstance(run, str | Path):
        return RunDirectory.open(run)
    directory = getattr(run, "directory", None)
    if not isinstance(directory, RunDirectory):
        raise InputError(f"Expected a run or its directory. Got a {type(run).__name__}.")
    return directory


def _over_streams(
    runs: Runs | Sequence[HasDirectory],
    a: OneRun | None,
    b: str | None,
    learners: Sequence[str] | None,
    metric: str | None,
    forgetting: Forgettings | None,
    at: Literal["end", "mean"] | None,
    better: Better | None,
    alpha: float,
) -> RankTable:
    if a is not None or b is not None:
        raise InputError("compare: with a list of runs, choose learners with learners=[…] (--learners A B).")
    if at not in (None, "end", "mean"):
        raise ParameterError("at", "compare", "'end' or 'mean'", at)
    if forgetting is not None and not isinstance(forgetting, str | Forgetting):
        labels = forgetting_labels(forgetting) or []
        if len(labels) != 1:
            raise InputError(f"compare: learners are ranked under one forgetting. Got {listing(labels) or 'none'}.")
        (forgetting,) = labels
    found: list[RunDirectory] | dict[str, RunDirectory]
    if isinstance(runs, Mapping):
        found = {str(name): as_directory(one) for name, one in runs.items()}
    else:
        found = [as_directory(one) for one in runs]
    return over_streams(
        found, learners=learners, metric=metric, forgetting=forgetting, at=at or "end", better=better, alpha=alpha
    )


def _in_one_run(
    run: RunDirectory,
    names: tuple[str, str] | None,
    loss: str | Metric | None,
    bound: Bound,
    forgetting: Forgettings | None,
    stage: str | None,
    alpha: float,
) -> Comparison:
    by = loss_name(loss, run.manifest)
    if by is None:
        _refuse_bound(bound)
        return comparison_in(run, names, forgetting=forgetting, stage=stage, alpha=alpha)
    if is_delayed(run.manifest):
        raise InputError(
            f"compare: with late labels two learners are compared by the error of their initial or final predictions; "
            f"leave out loss={by!r} (--loss)."
        )
    if stage is not None:
        stage_of(stage, run.manifest)
    a, b = only_two(run) if names is None else names
    check_learners(run, a, b)
    labels = forgetting_labels(forgetting)
    trace = compared_losses(run, a, run, b, by, called=(a, b), forgetting=labels, bound=bound, alpha=alpha)
    return comparison_of_losses(trace, run.manifest)


def _refuse_bound(bound: Bound) -> None:
    if bound not in (None, 1):
        raise ParameterError("bound", "compare", "left out for the error, which is 0 or 1", bound)


def _two_runs(
    one: RunDirectory,
    other: RunDirectory,
    learners: Sequence[str] | None,
    loss: str | Metric | None,
    bound: Bound,
    forgetting: Forgettings | None,
    alpha: float,
) -> Comparison:
    first, second = (_only(one), _only(other)) if learners is None else (str(learners[0]), str(learners[1]))
    check_learners(one, first)
    check_learners(other, second)
    a, b = (first, second) if first != second else (f"{first} ({one.path.name})", f"{second} ({other.path.name})")
    if a == b:
        a, b = f"{first} (first)", f"{second} (second)"
    by = loss_name(loss, one.manifest)
    if by is not None:
        labels = forgetting_labels(forgetting)
        trace = compared_losses(
            one, first, other, second, by, called=(a, b), forgetting=labels, bound=bound, alpha=alpha
        )
        return comparison_of_losses(trace, one.manifest)
    _refuse_bound(bound)
    pairs = pairs_of_predictions(one, first, other, second, forgetting_labels(forgetting), called=(a, b))
    return comparison_of_pairs(pairs, a, b, manifest=one.manifest, alpha=alpha)


def _only(run: RunDirectory) -> str:
    names = list(run.manifest.learners)
    if len(names) != 1:
        raise InputError(
            f"{run.path} has {len(names)} learners ({listing(names)}): name one learner of each run, "
            "learners=('a', 'b') (--learners A B)."
        )
    return names[0]
