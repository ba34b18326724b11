"""``prequential score``: evaluate predictions made elsewhere."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from prequential.cli.outcome import JSON_HELP, exit_code, show
from prequential.errors import InputError
from prequential.experiment.run import Run
from prequential.experiment.score import score_files
from prequential.experiment.score_delayed import score_delayed

LATE = "Labels that came late (--delayed)"
OF_DELAYED = {"model", "disorder", "bins", "alpha", "horizon", "remember"}
NOT_OF_DELAYED = {"weight", "task"}


def score(
    context: typer.Context,
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Predictions, .parquet or .csv; one learner a file. With --delayed: the log of predictions, and the "
            "log of labels."
        ),
    ],
    delayed: Annotated[
        bool,
        typer.Option(
            "--delayed",
            help="Labels came later, in a log of their own, tied to predictions by id.",
            rich_help_panel=LATE,
        ),
    ] = False,
    model: Annotated[
        str | None,
        typer.Option(help="The column with the name of the model; 'model' if there is one.", rich_help_panel=LATE),
    ] = None,
    disorder: Annotated[
        float,
        typer.Option(
            help="By how much events of a log may be out of order and still be put in order, in the unit of time.",
            rich_help_panel=LATE,
        ),
    ] = 0.0,
    bins: Annotated[int, typer.Option(help="Parts of the time that a record waits.", rich_help_panel=LATE)] = 100,
    alpha: Annotated[
        list[float] | None,
        typer.Option(
            help="How much more the initial prediction weighs than the last before the label; 2. Repeat for more.",
            rich_help_panel=LATE,
        ),
    ] = None,
    horizon: Annotated[
        float | None,
        typer.Option(help="The longest a record may wait; then it is given up, and reported.", rich_help_panel=LATE),
    ] = None,
    remember: Annotated[
        int,
        typer.Option(
            help="How many past ids are known again, so that a second label is told from one of an unknown record.",
            rich_help_panel=LATE,
        ),
    ] = 100_000,
    label: Annotated[str, typer.Option(help="The column with the labels.")] = "label",
    prediction: Annotated[
        str | None, typer.Option(help="The column with the predictions; 'prediction' if there is one.")
    ] = None,
    score: Annotated[
        list[str] | None,
        typer.Option(
            help="CLASS=COLUMN: the scores of a class; by default columns named score_CLASS. Repeat for more."
        ),
    ] = None,
    time: Annotated[str | None, typer.Option(help="The column with the time; 'time' if there is one.")] = None,
    weight: Annotated[str | None, typer.Option(help="The column with weights; 'weight' if there is one.")] = None,
    id: Annotated[str | None, typer.Option("--id", help="The column with identifiers; 'id' if there is one.")] = None,
    task: Annotated[str, typer.Option(help="classification, regression, or auto.")] = "auto",
    measure: Annotated[
        list[str] | None, typer.Option("--measure", "-m", help="See [bold]prequential measures[/]. Repeat for more.")
    ] = None,
    forgetting: Annotated[
        list[str] | None,
        typer.Option(
            "--forgetting",
            "-f",
            help="cumulative, sliding:1000, sliding:60s, fading:0.999, histogram:1e7:0.01. Repeat for more.",
        ),
    ] = None,
    every: Annotated[int, typer.Option(help="Records between checkpoints; with --delayed, labels.")] = 1000,
    abstain: Annotated[str, typer.Option(help="A missing prediction is 'wrong', or left out: 'skip'.")] = "wrong",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Directory of the run; runs/NAME-TIME by default.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an old run there.")] = False,
    report: Annotated[bool, typer.Option("--report/--no-report", help="Write report.html and figure.png.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help=JSON_HELP)] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Evaluate predictions made elsewhere, by any program in any language.

    A file has a row a record, in the order of the stream: a [bold]label[/], a [bold]prediction[/] and/or one
    [bold]score_CLASS[/] a class, and if you like [bold]time[/], [bold]weight[/], [bold]id[/].

    [bold]prequential score predictions.parquet[/]

    Where labels come later: a log of predictions ([bold]id[/], [bold]time[/], [bold]prediction[/] or
    [bold]score_CLASS[/], and [bold]model[/] if there are several), as often a record as it was predicted, and a log of
    labels ([bold]id[/], [bold]time[/], [bold]label[/]), each in the order of time.

    [bold]prequential score --delayed predictions.parquet labels.parquet[/]
    """
    for name in NOT_OF_DELAYED if delayed else OF_DELAYED:
        given = context.get_parameter_source(name)
        if given is not None and given.name == "COMMANDLINE":
            raise InputError(f"--{name} cannot be given {'with' if delayed else 'without'} --delayed.")
    columns = None
    if score:
        wrong = [text for text in score if "=" not in text]
        if wrong:
            raise InputError(f"--score {wrong[0]}: accepted is CLASS=COLUMN, such as --score UP=p_up.")
        columns = {c: column for c, _, column in (text.partition("=") for text in score)}
    directory = output or Path("runs") / f"{files[0].stem}-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
    shared: dict[str, Any] = {
        "label": label,
        "prediction": prediction,
        "scores": columns,
        "measures": measure,
        "forgetting": forgetting,
        "every": every,
        "abstain": abstain,
        "directory": directory,
        "overwrite": overwrite,
        "progress": False if quiet or as_json else None,
    }
    run: Run
    if delayed:
        if len(files) != 2:
            raise InputError(
                f"--delayed takes two logs, of predictions and of labels; {len(files)} were given. Several models go "
                "into one log, with a column 'model'."
            )
        run = score_delayed(
            *files,
            id=id or "id",
            time=time or "time",
            model=model,
            disorder=disorder,
            bins=bins,
            alpha=alpha or 2.0,
            horizon=horizon,
            remember=remember,
            **shared,
        )
    else:
        run = score_files(files, time=time, weight=weight, id=id, task=task, **shared)
    show(run, as_json=as_json, report=report)
    raise typer.Exit(exit_code(run))
