"""``prequential metrics``: the metrics, with their direction and when they are undefined."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from prequential.metrics.metric import REGISTRY


def metrics() -> None:
    """List the metrics: what they are, what is better, when undefined.

    [bold]prequential metrics[/]

    A metric with CLASS in brackets has one value per class.
    """
    table = Table(title="Metrics", title_justify="left")
    for column in ("name", "what it is", "better", "needs", "undefined"):
        table.add_column(column, overflow="fold")
    for metric in REGISTRY.values():
        name = f"{metric.name}[CLASS]" if metric.per_class else metric.name
        table.add_row(
            name.replace("[", r"\["),
            metric.summary.replace("[", r"\["),
            metric.better or "neither",
            metric.needs,
            metric.undefined,
        )
    Console().print(table)
