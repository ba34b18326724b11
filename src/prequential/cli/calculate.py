"""``prequential calculate``: how many records, which window, which fading factor; each in every direction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer
from rich.console import Console

from prequential.calculators import (
    fading_alpha,
    fading_reach,
    fading_weight,
    hoeffding_epsilon,
    hoeffding_n,
    window_half_width,
)
from prequential.calculators import window_size as size_of_window
from prequential.cli import options
from prequential.cli.console import print_json, print_line
from prequential.errors import InputError
from prequential.wording import listing, suggestion

_WANTED: dict[str, dict[frozenset[str], tuple[str, Callable[..., float]]]] = {
    "hoeffding": {
        frozenset({"epsilon", "delta"}): ("n", hoeffding_n),
        frozenset({"n", "delta"}): ("epsilon", hoeffding_epsilon),
    },
    "window": {
        frozenset({"half_width"}): ("window_size", size_of_window),
        frozenset({"window_size"}): ("half_width", window_half_width),
    },
    "fading": {
        frozenset({"alpha", "epsilon"}): ("n", fading_reach),
        frozenset({"n", "epsilon"}): ("alpha", fading_alpha),
        frozenset({"alpha", "n"}): ("weight", fading_weight),
    },
}
"""The calculators: what each computes from which values."""


def _number(text: str) -> typer.models.OptionInfo:
    found: typer.models.OptionInfo = typer.Option(help=text, metavar="X")
    return found


def calculate(
    what: Annotated[str, typer.Argument(help=f"{listing(_WANTED)}.")],
    n: Annotated[float | None, _number("Number of records.")] = None,
    epsilon: Annotated[float | None, _number("Largest error; for fading the weight that is neglected.")] = None,
    delta: Annotated[float | None, _number("Probability that the error is larger.")] = None,
    value_range: Annotated[float, _number("Range R of the values.")] = 1.0,
    window_size: Annotated[float | None, _number("Number of records in a window.")] = None,
    half_width: Annotated[float | None, _number("Half the width of the 95 % interval of an error in a window.")] = None,
    alpha: Annotated[float | None, _number("Fading factor.")] = None,
    as_json: options.Json = False,
) -> None:
    """Calculate how many records an estimate needs, or how exact it is.

    [bold]prequential calculate hoeffding --epsilon 0.01 --delta 0.05[/]   (records)
    [bold]prequential calculate hoeffding --n 18445 --delta 0.05[/]   (error)
    [bold]prequential calculate window --half-width 0.01[/]   (size)
    [bold]prequential calculate window --window-size 1000[/]   (half-width)
    [bold]prequential calculate fading --alpha 0.995 --epsilon 1e-6[/]   (reach)
    [bold]prequential calculate fading --n 3000 --epsilon 1e-6[/]   (factor)
    [bold]prequential calculate fading --alpha 0.995 --n 3000[/]   (weight)
    """
    if what not in _WANTED:
        raise InputError(f"Unknown calculator {what!r}.{suggestion(what, _WANTED)} Accepted: {listing(_WANTED)}.")
    values = {
        "n": n,
        "epsilon": epsilon,
        "delta": delta,
        "window_size": window_size,
        "half_width": half_width,
        "alpha": alpha,
    }
    given = {name: value for name, value in values.items() if value is not None}
    ways = _WANTED[what]
    if frozenset(given) not in ways:
        accepted = "; ".join(" and ".join(sorted(map(_option, way))) for way in ways)
        raise InputError(f"{what} needs one of: {accepted}. Got {listing(map(_option, given)) or 'none'}.")
    name, compute = ways[frozenset(given)]
    more = {"value_range": value_range} if what == "hoeffding" else {}
    result = compute(**given, **more)
    if as_json:
        print_json({"calculator": what, **given, **more, name: result})
    else:
        print_line(f"{name} = {result:.10g}", Console())


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
