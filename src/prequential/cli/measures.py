"""``prequential measures``: the measures, with their direction and when they are undefined."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from prequential.measures import REGISTRY


def measures() -> None:
    """List the measures: what they are, what is better, when undefined.

    [bold]prequential measures[/]

    A measure with CLASS in brackets has one value per class.
    """
    table = Table(title="Measures", title_justify="left")
    for column in ("name", "what it is", "better", "needs", "undefined"):
        table.add_column(column, overflow="fold")
    for measure in REGISTRY.values():
        name = f"{measure.name}[CLASS]" if measure.per_class else measure.name
        table.add_row(
            name.replace("[", r"\["),
            measure.summary.replace("[", r"\["),
            measure.better or "neither",
            measure.needs,
            measure.undefined,
        )
    Console().print(table)
