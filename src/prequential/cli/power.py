"""``prequential power``: how often tests reject, to choose scheme and folds before an experiment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import pyarrow as pa
import pyarrow.csv
import typer
from rich.console import Console

from prequential.cli.card import named_learner
from prequential.cli.outcome import JSON_HELP, code_of
from prequential.errors import InputError, PrequentialError, StorageError, checked_whole
from prequential.experiment.plan import Plan
from prequential.experiment.power import power as measured
from prequential.experiment.stream_text import stream_table
from prequential.report import Power, rich_table
from prequential.report.file import write_whole
from prequential.report.number import duration
from prequential.streams.stream import Stream

STREAM, TESTED, OUTPUT = "Streams", "What is tried", "Output"


def power(
    source: Annotated[
        list[str] | None,
        typer.Argument(
            help="Streams: generators with parameters after a colon (SEA:noise=0.2), streams of the testbed (NSGT), "
            "files (.csv, .arff, .parquet; data.csv:target=class), or plans (.toml) for their streams."
        ),
    ] = None,
    n: Annotated[
        float | None, typer.Option("--n", "-n", help="Records of each stream; 1e4 will do.", rich_help_panel=STREAM)
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="The label column of files; the last one by default.", rich_help_panel=STREAM)
    ] = None,
    learner: Annotated[
        str,
        typer.Option(
            "--learner",
            "-l",
            help="A learner that draws random numbers: a reference learner (see [bold]prequential learners[/]) with "
            "its parameters, or any Python learner as FILE.py:NAME or MODULE:NAME.",
            rich_help_panel=TESTED,
        ),
    ] = "random_forest",
    folds: Annotated[
        list[int] | None, typer.Option(help="Folds; 10 by default. Repeat for more.", rich_help_panel=TESTED)
    ] = None,
    scheme: Annotated[
        list[str] | None,
        typer.Option(help="cross, split or bootstrap; all by default. Repeat for more.", rich_help_panel=TESTED),
    ] = None,
    tests: Annotated[
        list[str] | None,
        typer.Option(
            help="A replica tests records 'held_out' from it, which is the default, or 'all'. Repeat for both.",
            rich_help_panel=TESTED,
        ),
    ] = None,
    noise: Annotated[
        list[float] | None,
        typer.Option(
            help="With which probability predictions of a copy are changed; 0.05 and 0.1 by default. Repeat for more.",
            rich_help_panel=TESTED,
        ),
    ] = None,
    runs: Annotated[int, typer.Option(help="How often each combination is repeated.", rich_help_panel=TESTED)] = 50,
    alpha: Annotated[float, typer.Option(help="The level of the tests.", rich_help_panel=TESTED)] = 0.05,
    measure: Annotated[
        str, typer.Option("--measure", "-m", help="What the tests over folds compare.", rich_help_panel=TESTED)
    ] = "accuracy",
    seed: Annotated[int, typer.Option(help="From which all other seeds are made.", rich_help_panel=TESTED)] = 1,
    engine: Annotated[
        str, typer.Option(help="Where learners work: serial, threads, processes or auto. It changes no result.")
    ] = "auto",
    workers: Annotated[int | None, typer.Option(help="Threads or processes; as many as cores by default.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="A directory to which every repetition is written when it is done. If the same experiment is there, "
            "it goes on; --runs and --alpha may have changed.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=JSON_HELP, rich_help_panel=OUTPUT)] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.", rich_help_panel=OUTPUT)] = False,
) -> None:
    """Measure how often tests over folds reject, to choose scheme and folds before an experiment.

    A learner is compared with itself under another seed: to reject is an error (type I).
    It is compared with copies that are worse by a known amount: not to reject is one (type II).

    [bold]prequential power SEA Hyperplane --n 10000 --folds 10 --folds 30 -o power[/]
    [bold]prequential power data.csv --target class --learner random_forest:size=5 --scheme cross --noise 0.02[/]

    Interrupted, it shows what is done; the same command with the same -o goes on.
    """
    streams = _streams(source or [], n, target)
    label, made = named_learner(learner)
    chosen: dict[str, Any] = {"folds": folds, "schemes": scheme, "tests": tests, "noise": noise}
    try:
        found = measured(
            streams,
            {label: made},
            **{key: value for key, value in chosen.items() if value},
            runs=runs,
            alpha=alpha,
            measure=measure,
            seed=seed,
            directory=output,
            engine=engine,  # type: ignore[arg-type]  # checked there
            workers=workers,
            progress=False if quiet or as_json else None,
        )
    except (PrequentialError, KeyboardInterrupt) as error:
        done, error.run = getattr(error, "run", None), None  # type: ignore[union-attr]  # of Ctrl-C too
        if not isinstance(done, Power) or not done.repetitions:
            raise
        _show_broken_off(done, error, output, as_json=as_json)
        raise typer.Exit(code_of(error)) from error
    files = {} if output is None else _write_files(found, output)
    if as_json:
        _print_json({**found.to_dict(), **{kind: str(path) for kind, path in files.items()}})
    else:
        _show(found, files, Console(highlight=False))


def _streams(sources: list[str], n: float | None, target: str | None) -> dict[str, Stream]:
    """Return the streams by what they are called: those of generators as they were asked for."""
    if not sources:
        raise InputError(
            "Name a stream: a generator (see prequential generate --list) with --n 10000, a file, or a plan (.toml)."
        )
    length = None if n is None else checked_whole(n, "n", "power", least=1)
    found: dict[str, Stream] = {}
    n_files = 0
    for text in sources:
        if text.endswith(".toml"):
            stream = Plan.from_toml(text).stream()
            name = stream.name
        else:
            table = stream_table(text)
            if "generator" in table and length is None:
                raise InputError(f"{text} never ends. Say how many records to make: --n 10000.")
            if "path" in table:
                n_files += 1
                table = {**({} if target is None else {"target": target}), **table}
            stream = Plan({"stream": {**table, "n": length} if "generator" in table else table}).stream()
            name = stream.name if "path" in table else text
        first, k = name, 2
        while name in found:
            name, k = f"{first}-{k}", k + 1
        found[name] = stream if length is None else stream.take(length)
    if target is not None and not n_files:
        raise InputError("--target is the label column of a file, and there is none.")
    return found


def _write_files(found: Power, folder: Path) -> dict[str, Path]:
    """Write the rates and, beside them, their figure."""
    sink = pa.BufferOutputStream()
    pa.csv.write_csv(found.to_arrow(), sink)
    rates = write_whole(folder / "rates.csv", sink.getvalue().to_pybytes())
    return {"directory": folder, "table": rates, "figure": found.save_figure(folder / "figure.png")}


def _show(found: Power, files: dict[str, Path], console: Console) -> None:
    console.print(rich_table(found))
    console.print(found.legend, style="dim", markup=False)
    console.print(f"{len(found.repetitions):,} repetitions in {duration(found.seconds)}", style="dim", markup=False)
    for kind, path in files.items():
        console.print(f"{kind:>9}  {path}", soft_wrap=True, markup=False)


def _show_broken_off(found: Power, error: BaseException, folder: Path | None, *, as_json: bool) -> None:
    """Say why an experiment broke off, and show what is done."""
    console = Console(stderr=True, highlight=False)
    message = str(error) or "Interrupted."
    console.print(f"prequential: {message}", style="bold red", markup=False, soft_wrap=True)
    files = {} if folder is None or isinstance(error, StorageError) else _write_files(found, folder)
    if as_json:
        _print_json({"error": message, **found.to_dict(), **{kind: str(path) for kind, path in files.items()}})
        return
    _show(found, files, console)
    if folder is not None:
        console.print("What is done is kept: the same command goes on.", style="yellow")


def _print_json(data: dict[str, Any]) -> None:
    print(json.dumps(data, indent=2, allow_nan=False))  # noqa: T201  # the command's output
