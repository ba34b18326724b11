"""``prequential testbed``: streams whose optimal error is known."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from prequential.arguments import checked_whole
from prequential.cli import card, options
from prequential.cli.console import print_entries, print_json, print_line, print_paths
from prequential.cli.exit_codes import EPILOG, reported
from prequential.errors import InputError
from prequential.tables.terminal import rich_table
from prequential.testbed import mixture, names, optimal_errors
from prequential.testbed.mixture_stream import MixtureStream
from prequential.testbed.published import PUBLISHED
from prequential.whole_file import FIGURES, checked_suffix
from prequential.wording import listing

app = typer.Typer(
    help="Streams whose optimal error is known: the nine of the testbed, and your own.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)


def list_streams(as_json: options.Json = False) -> None:
    """List the nine streams: what each tests, its features, its optimal error.

    The optimal errors are those of the paper.

    [bold]prequential testbed list[/]
    """
    models = [mixture(name) for name in names()]
    if as_json:
        print_json(
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
    facts = {
        one.name: f"features: {one.n_features}; optimal error: {PUBLISHED[one.name]['optimal']:.4f}" for one in models
    }
    console = Console()
    print_entries("The testbed", ((one.name, (one.summary, facts[one.name])) for one in models), console)
    console.print("Draw one: prequential testbed show NAME. The optimal errors are those of Cervantes et al., table 3.")


def show(
    stream: Annotated[
        list[str] | None,
        typer.Argument(help="Streams of the testbed (see [bold]prequential testbed list[/]), or your own .toml files."),
    ] = None,
    errors: Annotated[
        bool,
        typer.Option(
            "--errors",
            help="Print the optimal errors next to those of the paper (default: of all streams).",
            metavar="",
        ),
    ] = False,
    seeds: Annotated[
        int, typer.Option(help="With --errors: number of seeds on which the optimum is measured.", metavar="N")
    ] = 10,
    model: Annotated[
        bool, typer.Option("--toml", help="Print the model as TOML, to start your own from.", metavar="")
    ] = False,
    seed: options.Seed = 1,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="Directory of the pictures.", metavar="DIR", rich_help_panel=options.OUTPUT
        ),
    ] = Path("testbed"),
    picture: Annotated[
        str,
        typer.Option(
            "--format", help="Format of the figure: png, svg or pdf.", metavar="FORMAT", rich_help_panel=options.OUTPUT
        ),
    ] = "png",
    as_json: options.Json = False,
) -> None:
    """Draw streams of the testbed, or print their optimal errors.

    [bold]prequential testbed show NSCX[/]   (a figure and an HTML animation)
    [bold]prequential testbed show --errors[/]
    [bold]prequential testbed show NSGT --toml > mine.toml[/]

    Ellipses are the Gaussians at some moments, more intense if more likely;
    lines are the paths of their centres.
    """
    if not stream and not errors:
        raise InputError(f"Name one or more streams ({listing(names())}) or .toml files, or add --errors.")
    checked_whole(seed, "seed", "testbed show")
    models = [mixture(name) for name in stream or ()]
    if errors:
        table = optimal_errors(models or None, n_seeds=seeds, progress=False if as_json else None)
        if as_json:
            print_json({"n_seeds": table.n_seeds, "errors": table.to_dicts()})
        else:
            Console().print(rich_table(table))
    elif model:
        if len(models) > 1:
            raise InputError("--toml prints one model: name one stream.")
        print(models[0].to_toml(), end="")  # noqa: T201  # the command's output
    else:
        _draw([MixtureStream(one, seed=seed) for one in models], output, picture, as_json=as_json)


def _draw(streams: list[MixtureStream], output: Path, picture: str, *, as_json: bool) -> None:
    from prequential.figures.matplotlib_style import write_figure
    from prequential.testbed.mixture_animation import write_animation  # these import Plotly and Matplotlib
    from prequential.testbed.mixture_figure import print_mixture
    from prequential.testbed.mixture_view import MixtureView

    checked_suffix(f"figure.{picture}", FIGURES)
    views = [MixtureView(one) for one in streams]  # refuses what cannot be drawn before anything is written
    facts = []
    console = Console()
    for view in views:
        place = output / re.sub(r"[^\w.-]+", "-", view.stream.name)
        figure = write_figure(print_mixture(view), place.with_name(f"{place.name}.{picture.lower()}"))
        page = write_animation(view, place.with_name(f"{place.name}.html"))
        facts.append({**_facts(view.stream), "figure": str(figure), "animation": str(page)})
        if not as_json:
            print_line(view.title, console, style="bold")
            print_paths({"figure": figure, "animation": page}, console, width=10)
    if as_json:
        print_json({"streams": facts})


def _facts(stream: MixtureStream) -> dict[str, object]:
    return {
        "stream": stream.name,
        "summary": stream.mixture.summary,
        "n_records": stream.n_records,
        "n_features": stream.mixture.n_features,
        "seed": stream.seed,
        "drifts": [{"at": d.at, "width": d.width, "real": d.real} for d in stream.drifts],
    }


for _name, _command in (("list", list_streams), ("show", show), ("card", card.card_of)):
    app.command(_name, epilog=EPILOG, no_args_is_help=_name != "list")(reported(_command))
