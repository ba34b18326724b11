"""``prequential learners``: the reference learners and their parameters."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from prequential.learners.catalogue import CATALOGUE, parameters_of


def learners() -> None:
    """List the reference learners with their parameters and defaults."""
    table = Table(title="Reference learners", title_justify="left")
    for column in ("name", "what it does", "parameters"):
        table.add_column(column, overflow="fold")
    for name, cls in CATALOGUE.items():
        summary = (cls.__doc__ or "").strip().splitlines()[0]
        defaults = ", ".join(f"{key}={value}" for key, value in parameters_of(cls).items())
        table.add_row(name, summary, defaults or "–")
    Console().print(table)
    Console().print("Other learners: --learner FILE.py:NAME or MODULE:NAME (River, scikit-learn, CapyMOA, your own).")
