"""``prequential testbed card``: the card of a learner."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from prequential.cli import options
from prequential.cli.console import print_json, print_paths, show_progress, timestamped
from prequential.errors import InputError
from prequential.evaluation.begin_run import LearnerFailedWarning
from prequential.plans.learner import named_learner
from prequential.tables.terminal import rich_table
from prequential.testbed.cards.card import Card
from prequential.testbed.cards.experiment import card
from prequential.testbed.cards.sheets import legend


def card_of(
    learner: Annotated[
        str,
        typer.Argument(
            help="FILE.py with one learner in it, FILE.py:NAME or MODULE:NAME, or a reference learner with its "
            "parameters (hoeffding_tree:grace_period=100)."
        ),
    ],
    name: Annotated[str | None, typer.Option(help="Name of the learner on the card.", metavar="NAME")] = None,
    seeds: Annotated[int, typer.Option(help="Number of seeds per stream. Tests need at least 6.", metavar="N")] = 10,
    stream: Annotated[
        list[str] | None,
        typer.Option(
            "--stream", "-s", help="Stream of the testbed (default: all). Repeat for several.", metavar="STREAM"
        ),
    ] = None,
    references: Annotated[
        bool,
        typer.Option(
            "--references/--no-references", help="Whether to run the learners of the paper for comparison.", metavar=""
        ),
    ] = True,
    baseline: Annotated[
        Path | None,
        typer.Option(
            help="An earlier card.json to compare with. References that it has are not run again.", metavar="FILE"
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(help="Number of runs at the same time.", metavar="N", rich_help_panel=options.ENGINE),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Directory of the card (default: cards/NAME-TIME).",
            metavar="DIR",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    overwrite: options.Overwrite = False,
    report: options.Report = True,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Characterise a learner on the nine streams of the testbed.

    [bold]prequential testbed card my_model.py[/]
    [bold]prequential testbed card my_model.py --baseline cards/last/card.json[/]
    [bold]prequential testbed card hoeffding_tree:delta=0.01 --seeds 3 --no-references[/]

    The card is a directory with card.json (all numbers of every seed),
    card.html and card.pdf. With --baseline it shows what a change of the
    learner has changed.
    """
    label, made = named_learner(learner)
    label = name or label
    directory = output or timestamped("cards", re.sub(r"[^A-Za-z0-9_.-]+", "-", label))
    if (directory / "card.json").exists() and not overwrite:
        raise InputError(f"{directory} already has a card. Choose another directory, or add --overwrite.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LearnerFailedWarning)  # the card shows it
        found = card(
            made,
            name=label,
            streams=stream or None,
            seeds=seeds,
            references=references,
            baseline=baseline,
            jobs=jobs,
            progress=show_progress(quiet=quiet, as_json=as_json),
        )
    files = {"card": found.save(directory / "card.json")}
    if report:
        files |= {"report": found.report(directory / "card.html"), "figure": found.save_figure(directory / "card.pdf")}
    if as_json:
        print_json({**found.to_dict(), **{kind: str(path) for kind, path in files.items()}})
    else:
        _show(found, files)
    raise typer.Exit(3 if found.failures else 0)


def _show(found: Card, files: dict[str, Path]) -> None:
    console = Console(highlight=False)
    tables = [found.properties(), found.table(), found.regrets()]
    for table in [*tables, found.changes()] if found.baseline is not None else tables:
        console.print(rich_table(table))
        console.print()
    for text, style in ((legend(found.results), "dim"), (found.conclusion, "bold")):
        if text:
            console.print(text, style=style, markup=False, emoji=False)
    print_paths(files, console)
