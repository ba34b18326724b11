"""``prequential detect --sweep NAME=A,B,…``: detectors with several values of their parameters, compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from prequential.cli.console import print_json, print_paths
from prequential.drift import Detector, as_detector, sweep
from prequential.errors import InputError
from prequential.sweeps.trade_off import TradeOff
from prequential.tables.terminal import rich_table
from prequential.textual.call import plain_value
from prequential.textual.grammar import list_items
from prequential.wording import listing, suggestion


def swept(detectors: Sequence[str | Detector], options: Sequence[str], *, chosen: bool) -> list[Detector]:
    """Return the detectors with all combinations of the values.

    Detectors that the user chose need every parameter; of the default ones those are taken that have them.

    Examples
    --------
    >>> [one.label for one in swept(["ddm"], ["level=2,3"], chosen=True)]
    ['ddm:level=2,on=error', 'ddm:level=3,on=error']
    """
    values = _values(options)
    found: list[Detector] = []
    known: dict[str, None] = {}
    for one in map(as_detector, detectors):
        own = one.get_params()
        if chosen or all(name in own for name in values):
            found += sweep(one, **values)
        known |= dict.fromkeys(own)
    if not found:
        unknown = next((name for name in values if name not in known), next(iter(values)))
        raise InputError(
            f"--sweep: none of the detectors {', '.join(map(str, detectors))} has the parameter {unknown!r}."
            f"{suggestion(unknown, known)} Their parameters: {listing(known, 40)}."
            if unknown not in known
            else f"--sweep: no default detector has all of {', '.join(values)}. Name one with --detector."
        )
    return found


def show_trade_off(found: TradeOff, paths: dict[str, Path], figure: Path | None, *, as_json: bool) -> None:
    """Write the figure if it has a path, and print the table or JSON."""
    if figure is not None:
        paths["figure"] = found.save_figure(figure)
    if as_json:
        table = found.detections
        data: dict[str, Any] = {
            "stream": table.name,
            "n_runs": table.n_seeds,
            "tolerance": None if math.isinf(table.tolerance) else table.tolerance,
            **{kind: str(path) for kind, path in paths.items()},
            "settings": found.to_dicts(),
        }
        print_json(data)
    else:
        console = Console()
        console.print(rich_table(found))
        print_paths(paths, console)


def _values(options: Sequence[str]) -> dict[str, list[object]]:
    """Read ``NAME=A,B,…``; a value with commas stands in brackets."""
    found: dict[str, list[object]] = {}
    for text in options:
        name, sign, values = text.partition("=")
        name, read = name.strip(), [plain_value(item) for item in list_items(f"[{values}]")]
        if not sign or not name or not read:
            raise InputError(f"--sweep {text}: accepted is NAME=A,B,…, such as threshold=25,50,100.")
        if name in found:
            raise InputError(f"--sweep {name} is given twice: write all values after one.")
        found[name] = read
    return found
