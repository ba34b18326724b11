"""``prequential score``: evaluate predictions made by another program."""
# ruff: noqa: ARG001  # the options of --delayed are read from the context

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from prequential.cli import options
from prequential.cli.console import show_progress, timestamped
from prequential.cli.given import check_resume, given, option_name
from prequential.cli.outcome import exit_code, show
from prequential.errors import InputError
from prequential.evaluation.execution import SAVE_SECONDS
from prequential.evaluation.run import Run
from prequential.scoring.score import score as score_predictions
from prequential.scoring.score_delayed import score_delayed
from prequential.streams.readers.parts import plain_stem

_WITH_DELAYED = ("model", "disorder", "bins", "psi_alpha", "horizon", "remember")
_WITHOUT_DELAYED = ("weight", "task")


def score(
    context: typer.Context,
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Predictions (CSV, JSON Lines or Parquet), one file per learner; a directory or a quoted pattern "
            "('logs/*.csv') is one learner in several files. With --delayed: the log of predictions and the log of "
            "labels, each a file, a directory or a pattern."
        ),
    ],
    label: Annotated[
        str, typer.Option(help="Column with the labels.", metavar="COLUMN", rich_help_panel=options.STREAM)
    ] = "label",
    prediction: Annotated[
        str | None,
        typer.Option(
            help="Column with the predictions (default: prediction, if there is one).",
            metavar="COLUMN",
            rich_help_panel=options.STREAM,
        ),
    ] = None,
    score: Annotated[
        list[str] | None,
        typer.Option(
            help="Column with the scores of a class (default: columns named score_CLASS). Repeat for several.",
            metavar="CLASS=COLUMN",
            rich_help_panel=options.STREAM,
        ),
    ] = None,
    time: options.Time = None,
    weight: options.Weight = None,
    id: options.Id = None,
    task: options.Task = None,
    metric: options.Metrics = None,
    forgetting: options.Forgettings = None,
    every: options.Every = None,
    abstain: options.Abstain = "wrong",
    positive: options.Positive = None,
    detector: options.Detectors = None,
    delayed: Annotated[
        bool,
        typer.Option(
            "--delayed",
            help="The labels are in a separate log, matched with the predictions by id.",
            metavar="",
            rich_help_panel=options.LATE,
        ),
    ] = False,
    model: Annotated[
        str | None,
        typer.Option(
            help="Column with the name of the model (default: model, if there is one).",
            metavar="COLUMN",
            rich_help_panel=options.LATE,
        ),
    ] = None,
    disorder: Annotated[
        float,
        typer.Option(
            help="Sort events of a log that are out of order by at most this time.",
            metavar="TIME",
            rich_help_panel=options.LATE,
        ),
    ] = 0.0,
    bins: options.Bins = None,
    psi_alpha: options.PsiAlpha = None,
    horizon: options.Horizon = None,
    remember: options.Remember = None,
    engine: options.Engine = "auto",
    workers: options.Workers = None,
    output: options.RunDirectory = None,
    overwrite: options.Overwrite = False,
    resume: options.Resume = False,
    accept_changes: options.AcceptChanges = False,
    save_seconds: options.SaveSeconds = SAVE_SECONDS,
    report: options.Report = True,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Evaluate predictions made by another program, in any language.

    A file has one row per record, in the order of the stream: a [bold]label[/], a
    [bold]prediction[/] and/or one [bold]score_CLASS[/] per class, and optionally [bold]time[/],
    [bold]weight[/] and [bold]id[/]. Other column names are given by options.

    [bold]prequential score predictions.parquet[/]
    [bold]prequential score a.csv b.csv --label y --score up=p_up -m accuracy -m auc[/]

    If labels come later: a log of predictions ([bold]id[/], [bold]time[/], [bold]prediction[/] or
    [bold]score_CLASS[/], and [bold]model[/] if there are several), with one row or more per
    record, and a log of labels ([bold]id[/], [bold]time[/], [bold]label[/]), each in order of time.

    [bold]prequential score --delayed predictions.parquet labels.parquet[/]

    An interrupted run continues with the same command and -o DIR --resume.
    """
    typed = given(context)
    check_resume(context)
    for name in _WITHOUT_DELAYED if delayed else _WITH_DELAYED:
        if name in typed:
            raise InputError(f"{option_name(name)} cannot be given {'with' if delayed else 'without'} --delayed.")
    shared: dict[str, Any] = {
        "label": label,
        "prediction": prediction,
        "scores": _score_columns(score),
        "metrics": metric,
        "forgetting": forgetting,
        "every": every,
        "abstain": abstain,
        "positive": positive,
        "detectors": detector or (),
        "directory": output or timestamped("runs", plain_stem(files[0])),
        "overwrite": overwrite,
        "resume": resume,
        "accept_changes": accept_changes,
        "save_seconds": save_seconds,
        "engine": engine,
        "workers": workers,
        "progress": show_progress(quiet=quiet, as_json=as_json),
    }
    run: Run
    how: dict[str, Any]
    if delayed:
        if len(files) != 2:
            raise InputError(
                f"--delayed takes two logs, of predictions and of labels; {len(files)} were given. Several models go "
                "into one log, with a column 'model'; several files of one log are a directory or a pattern in quotes, "
                "'logs/labels-*.csv'."
            )
        how = {name: typed[name] for name in _WITH_DELAYED if name in typed}
        predictions, labels = files
        run = score_delayed(predictions, labels, id=id or "id", time=time or "time", **how, **shared)
    else:
        how = {"time": time, "weight": weight, "id": id, "task": task or "auto"}
        run = score_predictions(files, **how, **shared)
    show(run, as_json=as_json, report=report)
    raise typer.Exit(exit_code(run))


def _score_columns(texts: list[str] | None) -> dict[str, str] | None:
    """Return the columns with the scores of classes, by class."""
    for text in texts or ():
        if "=" not in text:
            raise InputError(f"--score {text}: this names no column. Accepted: CLASS=COLUMN, such as --score UP=p_up.")
    return {c: column for c, _, column in (text.partition("=") for text in texts)} if texts else None
