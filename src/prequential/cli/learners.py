"""``prequential learners``: the reference learners and their parameters."""

from __future__ import annotations

import inspect
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from prequential.learners.catalogue import LEARNERS
from prequential.textual import in_brackets


def learners(name: Annotated[str, typer.Argument(help="Learner to explain (default: list all).")] = "") -> None:
    """List the reference learners with their defaults, or explain one.

    [bold]prequential learners[/]
    [bold]prequential learners hoeffding_tree[/]

    Parameters follow the name after a colon: sgd:loss=hinge,learning_rate=0.1
    A learner that is a parameter and has parameters goes into brackets:
    online_bagging:base=(sgd:loss=hinge),n_models=25
    """
    if not name:
        _list()
    else:
        _explain(name)


def _list() -> None:
    table = Table(title="Reference learners", title_justify="left")
    for column in ("name", "what it does", "parameters"):
        table.add_column(column, overflow="fold", no_wrap=column == "name")
    for name, cls in LEARNERS.items():
        table.add_row(name, (cls.__doc__ or "").strip().splitlines()[0], _defaults(name) or "–")
    console = Console()
    console.print(table)
    console.print("More on one: prequential learners NAME.")
    console.print("Other learners: --learner FILE.py:NAME or MODULE:NAME (River, scikit-learn, CapyMOA, your own).")


def _explain(name: str) -> None:
    name = LEARNERS.name_of(LEARNERS[name])
    console = Console(highlight=False)
    console.print(f"[bold]{name}[/bold]  ({_defaults(name) or 'no parameters'})\n", soft_wrap=True)
    console.print(inspect.cleandoc(LEARNERS[name].__doc__ or ""), markup=False, soft_wrap=True)


def _defaults(name: str) -> str:
    return ", ".join(in_brackets(key, value) for key, value in LEARNERS.defaults(name).items())
