"""``prequential doctor``: versions, optional packages, and the conventions of all results."""

from __future__ import annotations

import importlib.util

from rich.console import Console

from prequential.conventions import CONVENTIONS
from prequential.runs.manifest import machine, versions

EXTRAS = {"pandas": "pandas", "river": "river", "sklearn": "sklearn", "capymoa": "capymoa"}


def doctor() -> None:
    """Print versions, optional packages, and the conventions of all results.

    [bold]prequential doctor[/]
    """
    console = Console(highlight=False)
    console.print("Versions", style="bold")
    for name, version in {**versions(), **{k: str(v) for k, v in machine().items()}}.items():
        console.print(f"  {name:<14} {version}")
    console.print("Extras", style="bold")
    for extra, module in EXTRAS.items():
        present = importlib.util.find_spec(module) is not None
        state = "installed" if present else f"not installed: pip install 'prequential\\[{extra}]'"
        console.print(f"  {extra:<14} {state}")
    console.print("Conventions", style="bold")
    for text in CONVENTIONS:
        console.print(f"  {text}", markup=False, emoji=False, soft_wrap=True)
