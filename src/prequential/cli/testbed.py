"""``prequential testbed``: streams whose optimum is known."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from prequential.cli import card
from prequential.cli.outcome import reported
from prequential.errors import InputError
from prequential.report import rich_table
from prequential.streams.testbed.published import PUBLISHED
from prequential.testbed import mixture, names, optimal_errors

app = typer.Typer(
    help="Streams whose optimum is known: the nine of the testbed, and your own.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)
NAMES_HELP = "Streams of the testbed (see [bold]prequential testbed list[/]), or .toml files of your own."


def list_streams(
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON, for machines.")] = False,
) -> None:
    """List the nine streams: what each tests, its classes, records and optimal error as published."""
    models = [mixture(name) for name in names()]
    if as_json:
        _print_json(
            [
                {
                    "stream": one.name,
                    "summary": one.summary,
                    "classes": [c.name for c in one.classes],
                    "n_gaussians": len(one.gaussians),
                    "n_features": one.n_features,
                    "n_records": one.n_records,
                    "optimal_error": PUBLISHED[one.name]["optimal"],
                }
                for one in models
            ]
        )
        return
    table = Table(title="The testbed", title_justify="left")
    for column in ("stream", "what it tests", "features", "Gaussians", "records", "optimal error"):
        number = column not in ("stream", "what it tests")
        table.add_column(column, justify="right" if number else "left", no_wrap=column == "stream", overflow="fold")
    for one in models:
        counts = (str(one.n_features), str(len(one.gaussians)), f"{one.n_records:,}")
        table.add_row(one.name, one.summary, *counts, f"{PUBLISHED[one.name]['optimal']:.4f}")
    console = Console()
    console.print(table)
    console.print("Look at one: prequential testbed show NAME. Optimal errors as printed by Cervantes et al., table 3.")


def show(
    stream: Annotated[list[str] | None, typer.Argument(help=NAMES_HELP)] = None,
    errors: Annotated[
        bool, typer.Option("--errors", help="Print the optimal errors, beside those of the paper; of all by default.")
    ] = False,
    seeds: Annotated[int, typer.Option(help="With --errors: seeds on which the optimum is measured.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, for machines.")] = False,
) -> None:
    """Show streams of the testbed, or their optimal errors."""
    models = [mixture(name) for name in stream or ()]
    if errors:
        table = optimal_errors(models or None, n_seeds=seeds)
        if as_json:
            _print_json({"n_seeds": table.n_seeds, "errors": table.to_dicts()})
        else:
            Console().print(rich_table(table))
        return
    raise InputError("Which stream?")


def _print_json(data: object) -> None:
    print(json.dumps(data, indent=2, allow_nan=False))  # noqa: T201  # the command's output


app.command("list")(reported(list_streams))
app.command("show")(reported(show))
app.command("run")(reported(card.run))
