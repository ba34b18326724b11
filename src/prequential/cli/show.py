"""``prequential show``: the results of a run, finished or not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from prequential.cli import options
from prequential.cli.console import print_json, print_line
from prequential.cli.outcome import data_of, show_details
from prequential.errors import InputError
from prequential.evaluation.run import load
from prequential.tables.terminal import rich_table


def show(
    run: Annotated[Path, typer.Argument(help="Directory of a run, finished or still running.")],
    metric: options.MetricsOfRun = None,
    forgetting: options.ForgettingsToShow = None,
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
    as_json: options.Json = False,
) -> None:
    """Show the table of a run, finished or still running.

    [bold]prequential show runs/first[/]
    [bold]prequential show runs/first -m accuracy -f sliding:1000[/]
    [bold]prequential show runs/first --plot -o accuracy.pdf[/]
    [bold]prequential show runs/first --report[/]

    Nothing is written without --report or --plot.
    """
    if output is not None and report == plot:
        raise InputError("-o names one file: give either --report or --plot.")
    found = load(run)
    table = found.table(metrics=metric, forgetting=forgetting)
    files: dict[str, Path] = {}
    if report:
        files["report"] = found.save_report(output or run / "report.html")
    if plot:
        files["figure"] = found.save_figure(output or run / "figure.png", metric, forgetting=forgetting)
    if as_json:
        print_json({**data_of(found, files), "table": table.to_dicts()})
        return
    console = Console()
    console.print(rich_table(table))
    show_details(found, files, console)
    if found.status == "running":
        print_line(f"It is running: {found.manifest.n_records:,} records so far.", console, style="yellow")
