"""``prequential testbed``: streams whose optimum is known."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from prequential.cli import card
from prequential.cli.outcome import reported
from prequential.errors import InputError, listing
from prequential.report import rich_table
from prequential.report.file import FIGURES, checked_suffix
from prequential.streams.testbed import MixtureStream
from prequential.streams.testbed.published import PUBLISHED
from prequential.testbed import mixture, names, optimal_errors, written

app = typer.Typer(
    help="Streams whose optimum is known: the nine of the testbed, and your own.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)
NAMES_HELP = "Streams of the testbed (see [bold]prequential testbed list[/]), or .toml files of your own."


def list_streams(
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON, for machines.")] = False,
) -> None:
    """List the nine streams: what each tests, its features, and its optimal error as published."""
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
    for column in ("stream", "what it tests", "features", "optimal error"):
        number = column in ("features", "optimal error")
        table.add_column(column, justify="right" if number else "left", no_wrap=column == "stream", overflow="fold")
    for one in models:
        table.add_row(one.name, one.summary, str(one.n_features), f"{PUBLISHED[one.name]['optimal']:.4f}")
    console = Console()
    console.print(table)
    console.print("Look at one: prequential testbed show NAME. Optimal errors as printed by Cervantes et al., table 3.")


def show(
    stream: Annotated[list[str] | None, typer.Argument(help=NAMES_HELP)] = None,
    errors: Annotated[
        bool, typer.Option("--errors", help="Print the optimal errors, beside those of the paper; of all by default.")
    ] = False,
    seeds: Annotated[int, typer.Option(help="With --errors: seeds on which the optimum is measured.")] = 10,
    model: Annotated[bool, typer.Option("--toml", help="Print the models as TOML, to start your own from.")] = False,
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for pictures.")] = Path("testbed"),
    picture: Annotated[str, typer.Option("--figure", help="The kind of the figure: png, svg or pdf.")] = "png",
    seed: Annotated[int, typer.Option(help="Which records are drawn.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON, for machines.")] = False,
) -> None:
    """Draw streams of the testbed: a figure, and a moving picture as one HTML file; or print their optimal errors.

    Ellipses are the Gaussians at some moments, the more intense the more likely; lines are the ways of their centres.
    """
    if not stream and not errors:
        raise InputError(f"Which stream? Name one or more ({listing(names())}), .toml files, or ask for --errors.")
    models = [mixture(name) for name in stream or ()]
    if errors:
        table = optimal_errors(models or None, n_seeds=seeds, progress=False if as_json else None)
        if as_json:
            _print_json({"n_seeds": table.n_seeds, "errors": table.to_dicts()})
        else:
            Console().print(rich_table(table))
    elif model:
        if len(models) > 1:
            raise InputError("--toml prints one model: name one stream.")
        print(written(models[0]), end="")  # noqa: T201  # the command's output
    else:
        _draw([MixtureStream(one, seed=seed) for one in models], output, picture, as_json=as_json)


def _draw(streams: list[MixtureStream], output: Path, picture: str, *, as_json: bool) -> None:
    from prequential.report.mixture_animation import write_animation  # these import Plotly and Matplotlib
    from prequential.report.mixture_figure import print_mixture
    from prequential.report.mixture_view import MixtureView
    from prequential.report.printed import write_figure

    checked_suffix(f"figure.{picture}", FIGURES)
    views = [MixtureView(one) for one in streams]  # refuses what cannot be seen before anything is written
    told = []
    console = Console()
    for view in views:
        place = output / re.sub(r"[^\w.-]+", "-", view.stream.name)
        figure = write_figure(print_mixture(view), place.with_name(f"{place.name}.{picture.lower()}"))
        page = write_animation(view, place.with_name(f"{place.name}.html"))
        told.append({**_facts(view.stream), "figure": str(figure), "animation": str(page)})
        if not as_json:
            console.print(view.title, style="bold", markup=False, highlight=False, soft_wrap=True)
            for kind, path in (("figure", figure), ("animation", page)):
                console.print(f"{kind:>10}  {path}", soft_wrap=True, highlight=False, markup=False)
    if as_json:
        _print_json({"streams": told})


def _facts(stream: MixtureStream) -> dict[str, object]:
    return {
        "stream": stream.name,
        "summary": stream.mixture.summary,
        "n_records": stream.n_records,
        "n_features": stream.mixture.n_features,
        "seed": stream.seed,
        "drifts": [{"at": d.at, "width": d.width, "real": d.real} for d in stream.drifts],
    }


def _print_json(data: object) -> None:
    print(json.dumps(data, indent=2, allow_nan=False))  # noqa: T201  # the command's output


app.command("list")(reported(list_streams))
app.command("show")(reported(show))
app.command("run")(reported(card.run))
