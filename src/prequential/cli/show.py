"""``prequential show``: the results of a run, finished or not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from prequential.cli import options
from prequential.cli.console import print_json, print_line, print_paths
from prequential.cli.outcome import data_of, show_details
from prequential.cli.replicated import compared_seeds
from prequential.cli.replicated import data_of as data_of_seeds
from prequential.errors import InputError
from prequential.evaluation.run import Run, load
from prequential.replication.design import ReplicationDirectory
from prequential.replication.replication import Replication
from prequential.tables.result_table import ResultTable
from prequential.tables.terminal import rich_table


def show(
    run: Annotated[Path, typer.Argument(help="Directory of a run, finished or still running.")],
    metric: options.MetricsOfRun = None,
    forgetting: options.ForgettingsToShow = None,
    intervals: Annotated[
        bool,
        typer.Option("--intervals", help="Show the intervals around the estimates.", metavar=""),
    ] = False,
    report: Annotated[
        bool, typer.Option("--report", help="Write the HTML report.", metavar="", rich_help_panel=options.OUTPUT)
    ] = False,
    plot: Annotated[
        bool, typer.Option("--plot", help="Write the figure.", metavar="", rich_help_panel=options.OUTPUT)
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="File for the report (.html) or the figure (.png, .svg, .pdf); default: report.html and figure.png in "
            "the run.",
            metavar="FILE",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    at: Annotated[
        str,
        typer.Option(
            help="Which checkpoint: 'end', 'mean' (the mean over all checkpoints), or a number of records.",
            metavar="WHEN",
        ),
    ] = "end",
    as_json: options.Json = False,
) -> None:
    """Show the table of a run, finished or still running.

    [bold]prequential show runs/first[/]
    [bold]prequential show runs/first --at mean[/]   (also of a run with --seeds)
    [bold]prequential show runs/first -m accuracy -f sliding:1000[/]
    [bold]prequential show runs/first --plot -o accuracy.pdf[/]
    [bold]prequential show runs/first --report[/]

    [bold]prequential show runs/first --intervals[/]

    Nothing is written without --report or --plot.
    """
    if output is not None and report == plot:
        raise InputError("-o names one file: give either --report or --plot.")
    when: Any = int(at) if at.isdigit() else at
    found: Run | Replication = Replication(run) if ReplicationDirectory.is_one(run) else load(run)
    table = found.table(metrics=metric, forgetting=forgetting, at=when)
    files: dict[str, Path] = {}
    if report:
        files["report"] = found.save_report(output or run / "report.html")
    if plot:
        files["figure"] = found.save_figure(output or run / "figure.png", metric, forgetting=forgetting)
    if isinstance(found, Replication):
        _show_seeds(found, table, files, at, as_json=as_json)
        return
    if as_json:
        more = {"intervals": found.intervals(metric, forgetting=forgetting).last()} if intervals else {}
        print_json({**data_of(found, files), "table": table.to_dicts(), **more})
        return
    console = Console()
    console.print(rich_table(table))
    if intervals:
        console.print(rich_table(found.intervals(metric, forgetting=forgetting)))
    show_details(found, files, console)
    if found.status == "running":
        print_line(f"It is running: {found.manifest.n_records:,} records so far.", console, style="yellow")


def _show_seeds(found: Replication, table: ResultTable, files: dict[str, Path], at: str, *, as_json: bool) -> None:
    """Print the results over seeds."""
    if as_json:
        print_json({**data_of_seeds(found, files, at), "table": table.to_dicts()})
        return
    console = Console()
    console.print(rich_table(table))
    tests = compared_seeds(found, at)
    for line in () if tests is None else tests.conclusion.splitlines():
        print_line(line, console)
    print_paths({"runs": found.path, **files}, console)
