"""The options that were typed on the command line, as opposed to defaults."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import typer

from prequential.errors import InputError


def given(context: typer.Context) -> dict[str, Any]:
    """Return the options and arguments that were typed, by the name of their parameter."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in context.params.items()
        if (source := context.get_parameter_source(name)) is not None and source.name == "COMMANDLINE"
    }


def refuse(context: typer.Context, accepted: Collection[str], why: str) -> None:
    """Refuse options that would have no effect."""
    for name in given(context):
        if name not in accepted:
            raise InputError(f"{option_name(name)} cannot be given here: {why}.")


def check_resume(context: typer.Context, place: str = "output") -> None:
    """Refuse --resume without the directory of the run, which the option ``place`` names."""
    if context.params["resume"] and context.params[place] is None:
        raise InputError(f"--resume needs the directory of the run: {option_name(place)} DIR.")


def option_name(name: str) -> str:
    """Return the option that sets a parameter of a command.

    Examples
    --------
    >>> option_name("delay_clock")
    '--delay-clock'
    """
    return f"--{name.replace('_', '-')}"
