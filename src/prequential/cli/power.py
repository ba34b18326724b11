"""``prequential power``: how often tests over folds reject, to choose scheme and folds before an experiment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pyarrow as pa
import pyarrow.csv
import typer
from rich.console import Console

from prequential.cli import options
from prequential.cli.console import print_json, print_line, print_note, print_paths, show_progress
from prequential.cli.exit_codes import code_of
from prequential.cli.option_names import message_of
from prequential.cli.source import HELP, streams_of
from prequential.cli.stream_options import with_stream_options
from prequential.errors import InputError, PrequentialError, StorageError
from prequential.number import duration
from prequential.plans.learner import named_learner
from prequential.power.experiment import power as run_experiment
from prequential.power.table import Power
from prequential.tables.terminal import rich_table
from prequential.whole_file import write_whole


def _tried(text: str, metavar: str, *names: str) -> Any:
    return typer.Option(*names, help=text, metavar=metavar, rich_help_panel=options.PROTOCOL)


@with_stream_options
def power(
    context: typer.Context,
    source: Annotated[
        list[str] | None,
        typer.Argument(help=f"Streams, each of them {HELP}."),
    ] = None,
    learner: options.OneLearner = "random_forest",
    seed: options.Seed = 1,
    folds: Annotated[
        list[int] | None, _tried("Number of folds (default: 10). Repeat for several.", "K", "--folds", "-k")
    ] = None,
    scheme: Annotated[
        list[str] | None, _tried("cross, split or bootstrap (default: all). Repeat for several.", "SCHEME")
    ] = None,
    test_on: Annotated[
        list[str] | None,
        _tried(
            "Which records a replica tests: held_out (default), those that it does not train on; trained, those that "
            "it trains on; or all. Repeat for several.",
            "TESTS",
        ),
    ] = None,
    noise: Annotated[
        list[float] | None,
        _tried(
            "Probability that a prediction of the worse copy is changed (default: 0.05 and 0.1). Repeat for several.",
            "P",
        ),
    ] = None,
    runs: Annotated[int, _tried("Number of repetitions of each combination.", "N")] = 50,
    metric: options.OneMetric = "accuracy",
    positive: options.Positive = None,
    alpha: options.Level = 0.05,
    engine: options.Engine = "auto",
    workers: options.Workers = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Directory of the finished repetitions. If it has those of the same experiment, the others are added; "
            "--runs and --alpha may differ.",
            metavar="DIR",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Measure how often tests over folds reject, to choose scheme and folds.

    A learner is compared with itself under another seed: a test that rejects
    errs (type I). It is compared with copies that are worse by a known
    amount: a test that does not reject errs (type II). The learner must be
    random. Of the engines, ray is not accepted.

    [bold]prequential power SEA Hyperplane -n 10000 --folds 10 --folds 30 -o power[/]
    [bold]prequential power data.csv -l random_forest --scheme cross --noise 0.02[/]

    After an interruption the same command with the same -o continues.
    """
    if not source:
        raise InputError("Name a stream: a generator (see prequential list streams) with --n 10000, a file, or a plan.")
    streams = streams_of(context, source, caller="power")
    label, made = named_learner(learner)
    chosen: dict[str, Any] = {"folds": folds, "schemes": scheme, "tests": test_on, "noise": noise}
    try:
        found = run_experiment(
            streams,
            {label: made},
            **{key: value for key, value in chosen.items() if value},
            runs=runs,
            alpha=alpha,
            metric=str(metric),
            positive=positive,
            seed=seed,
            directory=output,
            engine=engine,  # type: ignore[arg-type]  # checked there
            workers=workers,
            progress=show_progress(quiet=quiet, as_json=as_json),
        )
    except (PrequentialError, KeyboardInterrupt) as error:
        done, error.run = getattr(error, "run", None), None  # type: ignore[union-attr]  # of Ctrl-C too
        if not isinstance(done, Power) or not done.repetitions:
            raise
        _show_partial(done, error, output, as_json=as_json)
        raise typer.Exit(code_of(error)) from error
    files = {} if output is None else _write_files(found, output)
    if as_json:
        print_json({**found.to_dict(), **{kind: str(path) for kind, path in files.items()}})
    else:
        _show(found, files, Console(highlight=False))


def _write_files(found: Power, folder: Path) -> dict[str, Path]:
    """Write the rates and their figure."""
    sink = pa.BufferOutputStream()
    pa.csv.write_csv(found.to_arrow(), sink)
    rates = write_whole(folder / "rates.csv", sink.getvalue().to_pybytes())
    return {"directory": folder, "table": rates, "figure": found.save_figure(folder / "figure.png")}


def _show(found: Power, files: dict[str, Path], console: Console) -> None:
    console.print(rich_table(found))
    console.print(found.legend, style="dim", markup=False, emoji=False)
    print_line(f"{len(found.repetitions):,} repetitions in {duration(found.seconds)}", console, style="dim")
    print_paths(files, console, width=9)


def _show_partial(found: Power, error: BaseException, folder: Path | None, *, as_json: bool) -> None:
    """Print why an experiment ended early, and what is done."""
    message = message_of(error, power) or "Interrupted."
    print_note(f"prequential: {message}", style="bold red")
    files = {} if folder is None or isinstance(error, StorageError) else _write_files(found, folder)
    if as_json:
        print_json({"error": message, **found.to_dict(), **{kind: str(path) for kind, path in files.items()}})
        return
    console = Console(stderr=True, highlight=False)
    _show(found, files, console)
    if folder is not None:
        console.print("Finished repetitions are saved: run the same command again to continue.", style="yellow")
