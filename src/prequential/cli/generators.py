"""What ``prequential generate`` says about the generators: ``--list`` and ``--about``."""

from __future__ import annotations

import inspect
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from prequential.cli.console import print_json
from prequential.streams.generators import GENERATORS


def list_generators(*, as_json: bool) -> None:
    """Print the generators with their parameters and Bayes errors."""
    makers: dict[str, Any] = {**GENERATORS}
    errors = {name: make().bayes_error for name, make in makers.items()}
    if as_json:
        print_json([{"name": k, "parameters": c.defaults(), "bayes_error": errors[k]} for k, c in GENERATORS.items()])
        return
    table = Table(title="Generators", title_justify="left")
    for column in ("name", "what it makes", "parameters", "Bayes error"):
        table.add_column(column, overflow="fold", no_wrap=column == "name")
    for name, cls in GENERATORS.items():
        summary = escape((cls.__doc__ or "").strip().splitlines()[0])
        error = errors[name]
        table.add_row(name, summary, _defaults(name), "not known" if error is None else f"{error:.4g}")
    console = Console()
    console.print(table)
    console.print("The Bayes error is that of the default parameters. More on one: prequential generate --about SEA.")


def explain_generator(name: str) -> None:
    """Print the documentation of a generator."""
    name = GENERATORS.name_of(GENERATORS[name])
    console = Console(highlight=False)
    console.print(f"[bold]{name}[/bold]  ({_defaults(name)})\n", soft_wrap=True)
    console.print(inspect.cleandoc(GENERATORS[name].__doc__ or ""), markup=False, soft_wrap=True)


def _defaults(name: str) -> str:
    return ", ".join(f"{key}={value}" for key, value in GENERATORS[name].defaults().items())
