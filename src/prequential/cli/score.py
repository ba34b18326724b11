"""``prequential score``: evaluate predictions made elsewhere."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from prequential.cli.outcome import JSON_HELP, exit_code, show
from prequential.errors import InputError
from prequential.experiment.score import score_files


def score(
    files: Annotated[list[Path], typer.Argument(help="Predictions, .parquet or .csv; one learner a file.")],
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
    every: Annotated[int, typer.Option(help="Records between checkpoints.")] = 1000,
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
    """
    columns = None
    if score:
        wrong = [text for text in score if "=" not in text]
        if wrong:
            raise InputError(f"--score {wrong[0]}: accepted is CLASS=COLUMN, such as --score UP=p_up.")
        columns = {c: column for c, _, column in (text.partition("=") for text in score)}
    directory = output or Path("runs") / f"{files[0].stem}-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
    run = score_files(
        files,
        label=label,
        prediction=prediction,
        scores=columns,
        time=time,
        weight=weight,
        id=id,
        task=task,
        measures=measure,
        forgetting=forgetting,
        every=every,
        abstain=cast(Literal["wrong", "skip"], abstain),
        directory=directory,
        overwrite=overwrite,
        progress=False if quiet or as_json else None,
    )
    show(run, as_json=as_json, report=report)
    raise typer.Exit(exit_code(run))
