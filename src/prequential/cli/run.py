"""``prequential run``: evaluate learners on a stream."""
# ruff: noqa: ARG001  # most options reach the plan through the context

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated

import typer

from prequential.cli import options
from prequential.cli.console import print_note, show_progress
from prequential.cli.outcome import exit_code, show
from prequential.cli.plan_from_options import asked_plan, checked_plan, run_directory
from prequential.cli.replicated import Seeds, Vary, repeated, with_default_learners
from prequential.cli.replicated import exit_code as exit_code_of_seeds
from prequential.cli.replicated import show as show_replication
from prequential.cli.resuming import warn_about_pickles
from prequential.cli.source import HELP, planned
from prequential.cli.stream_options import with_stream_options
from prequential.errors import InputError
from prequential.evaluation.begin_run import LearnerFailedWarning
from prequential.evaluation.execution import SAVE_SECONDS
from prequential.replication.design import ReplicationDirectory
from prequential.streams.stream import Stream
from prequential.wording import listing

Source = Annotated[
    str | None,
    typer.Argument(help=f"Stream: {HELP}; a plan is run as it is, and a run is continued with --resume."),
]


@with_stream_options
def run(
    context: typer.Context,
    source: Source = None,
    learner: options.Learners = None,
    seed: options.Seed = 1,
    seeds: Seeds = None,
    vary: Vary = None,
    protocol: options.Protocol = "prequential",
    pretrain: options.Pretrain = 0,
    train_share: options.TrainShare = 1.0,
    batch: options.Batch = 1,
    test_data: options.TestData = None,
    share: options.Share = None,
    folds: options.Folds = None,
    scheme: options.Scheme = None,
    test_on: options.TestOn = None,
    metric: options.Metrics = None,
    forgetting: options.Forgettings = None,
    detector: options.Detectors = None,
    every: options.Every = None,
    abstain: options.Abstain = "wrong",
    positive: options.Positive = None,
    pairs: options.Pairs = None,
    delay: options.Delay = None,
    delay_clock: options.DelayClock = None,
    delay_first: options.DelayFirst = None,
    delay_rest: options.DelayRest = None,
    delay_seed: options.DelaySeed = None,
    events: options.Events = False,
    bins: options.Bins = None,
    psi_alpha: options.PsiAlpha = None,
    reevaluate_every: options.ReevaluateEvery = None,
    horizon: options.Horizon = None,
    remember: options.Remember = None,
    first_class: options.FirstClass = False,
    engine: options.Engine = "auto",
    workers: options.Workers = None,
    address: options.Address = None,
    output: options.RunDirectory = None,
    overwrite: options.Overwrite = False,
    resume: options.Resume = False,
    accept_changes: options.AcceptChanges = False,
    save_seconds: options.SaveSeconds = SAVE_SECONDS,
    predictions: options.Predictions = False,
    report: options.Report = True,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Evaluate learners on a stream.

    [bold]prequential run data.csv --target class -l naive_bayes -l no_change[/]
    [bold]prequential run SEA --n 1e5 --drift-to SEA:concept=4,at=5e4 -l naive_bayes[/]
    [bold]prequential run data.csv --protocol delayed --delay 100[/]   (late labels)
    [bold]prequential run SEA --n 1e5 --seeds 10[/]   (means over ten seeds)
    [bold]prequential run plan.toml[/]   (a plan has all settings in a file)
    [bold]prequential run runs/NAME --resume[/]   (continue an interrupted run)

    Without --learner: majority_class, no_change, naive_bayes and sgd;
    for regression mean_target and last_target.

    A run is a directory with the trace (Parquet), a manifest, the plan,
    an HTML report and a figure.
    """
    directory = run_directory(context)
    if seeds is not None or (source and _is_repeated(context)):
        _run_with_seeds(context, directory, seeds, as_json=as_json, quiet=quiet, report=report)
    if vary is not None:
        raise InputError("--vary may only be given with --seeds.")
    checked = checked_plan(context)
    if not (quiet or as_json):
        _print_schema(checked.stream)
    if resume and not (quiet or as_json):
        warn_about_pickles(directory, [name for name, one in checked.learners.items() if not one.native])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LearnerFailedWarning)  # the table shows it
        result = checked.run(
            directory=directory,
            overwrite=overwrite,
            resume=resume,
            accept_changes=accept_changes,
            progress=show_progress(quiet=quiet, as_json=as_json),
        )
    show(result, as_json=as_json, report=report)
    raise typer.Exit(exit_code(result))


def _is_repeated(context: typer.Context) -> bool:
    """Whether the source is a plan with seeds, or the directory of a replication."""
    source = context.params["source"]
    if ReplicationDirectory.is_one(source):
        return True
    plan = planned(source)
    return plan is not None and "seeds" in plan.data


def _run_with_seeds(
    context: typer.Context, directory: Path, seeds: int | None, *, as_json: bool, quiet: bool, report: bool
) -> None:
    """Run once per seed, print the results over seeds, and end the command."""
    plan = with_default_learners(asked_plan(context))
    progress = show_progress(quiet=quiet, as_json=as_json)
    found = repeated(plan, seeds, directory, context.params, progress=progress)
    show_replication(found, as_json=as_json, report=report)
    raise typer.Exit(exit_code_of_seeds(found))


def _print_schema(stream: Stream) -> None:
    """Print how the columns are read: a wrong guess is better seen before the run than after it."""
    schema = stream.schema
    n_nominal = sum(feature.nominal for feature in schema.features)
    labels = "numbers"
    if schema.classes is not None:
        word = "class" if schema.n_classes == 1 else "classes"
        labels = f"{schema.n_classes:,} {word} ({listing(schema.classes, 5)})"
    print_note(
        f"{stream.name}: {schema.n_features - n_nominal:,} numeric and {n_nominal:,} nominal features, "
        f"target {schema.target!r} with {labels}"
    )
