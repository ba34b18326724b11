"""``prequential testbed run``: the card of a learner."""

from __future__ import annotations

import json
import re
import warnings
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from prequential.cli.outcome import JSON_HELP
from prequential.cli.run import entry
from prequential.errors import InputError
from prequential.experiment.card import card
from prequential.experiment.evaluate import LearnerFailedWarning
from prequential.experiment.named import only_learner, python_object
from prequential.report import rich_table
from prequential.report.card import Card
from prequential.report.card_sheets import legend

OUTPUT = "Output"


def run(
    learner: Annotated[
        str,
        typer.Argument(
            help="FILE.py with one learner in it, FILE.py:NAME or MODULE:NAME, or a reference learner with its "
            "parameters (hoeffding_tree:grace=100)."
        ),
    ],
    name: Annotated[str | None, typer.Option(help="What it is called on the card.")] = None,
    seeds: Annotated[int, typer.Option(help="Seeds of each stream. Tests need at least 6.")] = 10,
    stream: Annotated[
        list[str] | None, typer.Option("--stream", "-s", help="A stream of the testbed; all by default. Repeat.")
    ] = None,
    references: Annotated[
        bool, typer.Option("--references/--no-references", help="Whether the paper's learners stand beside it.")
    ] = True,
    baseline: Annotated[
        Path | None,
        typer.Option(
            help="The card.json of the last time, to compare with. What it has of the references is not computed again."
        ),
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Runs at a time.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Directory of the card; cards/NAME-TIME by default.", rich_help_panel=OUTPUT
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an old card there.", rich_help_panel=OUTPUT)
    ] = False,
    report: Annotated[
        bool, typer.Option("--report/--no-report", help="Write card.html and card.pdf.", rich_help_panel=OUTPUT)
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help=JSON_HELP, rich_help_panel=OUTPUT)] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.", rich_help_panel=OUTPUT)] = False,
) -> None:
    """Characterise a learner on the nine streams of the testbed, beside the learners of the paper.

    [bold]prequential testbed run my_model.py[/]
    [bold]prequential testbed run my_model.py --baseline cards/last/card.json[/]   (what has my change done?)
    [bold]prequential testbed run hoeffding_tree:grace=100 --seeds 3 --no-references[/]

    The card is a directory with card.json (all numbers of every seed), card.html and card.pdf.
    """
    label, found = named_learner(learner)
    label = name or label
    directory = (
        output or Path("cards") / f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', label)}-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
    )
    if (directory / "card.json").exists() and not overwrite:
        raise InputError(f"{directory} has a card already. Choose another directory, or say --overwrite.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LearnerFailedWarning)  # the card says it
        made = card(
            found,
            name=label,
            streams=stream or None,
            seeds=seeds,
            references=references,
            baseline=baseline,
            jobs=jobs,
            progress=False if quiet or as_json else None,
        )
    files = {"card": made.save(directory / "card.json")}
    if report:
        files |= {"report": made.report(directory / "card.html"), "figure": made.save_figure(directory / "card.pdf")}
    if as_json:
        data = {**made.to_dict(), **{kind: str(path) for kind, path in files.items()}}
        print(json.dumps(data, indent=2, allow_nan=False))  # noqa: T201  # the command's output
    else:
        _show(made, files)
    raise typer.Exit(3 if made.failures else 0)


def _show(made: Card, files: dict[str, Path]) -> None:
    console = Console(highlight=False)
    tables = [made.properties(), made.table(), made.regrets()]
    for table in [*tables, made.changes()] if made.baseline is not None else tables:
        console.print(rich_table(table))
        console.print()
    for text, style in ((legend(made.results), "dim"), (made.conclusion, "bold")):
        if text:
            console.print(text, style=style, markup=False)
    for kind, path in files.items():
        console.print(f"{kind:>7}  {path}", soft_wrap=True, markup=False)


def named_learner(text: str) -> tuple[str, object]:
    """Return the learner that is named, and what to call it."""
    if text.endswith(".py"):
        return only_learner(text, Path())
    named = entry(text)
    if "python" not in named:
        return str(named.get("label", text)), text.partition("=")[2] if "label" in named else text
    where = str(named["python"])
    return str(named.get("label", where.rpartition(":")[2])), python_object(where, Path())
