"""The options that say what a stream is, declared once for every command that takes a stream.

``with_stream_options`` adds them to a command: how a file is read, how long the stream is, and how it is changed. The
command does not get their values; ``source.py`` reads them from the context.
"""
# the two functions declare options and have no body

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Annotated, Any, get_type_hints

import typer

from prequential.cli import options

CHANGES = "Changes of the stream, applied in this order"


def _change(text: str, metavar: str) -> Any:
    return typer.Option(help=text, metavar=metavar, rich_help_panel=CHANGES)


def _reading(
    n: options.Length = None,
    target: options.Target = None,
    task: options.Task = None,
    time: options.Time = None,
    weight: options.Weight = None,
    id: options.Id = None,
    ignore: options.Ignore = None,
    nominal: options.Nominal = None,
    numeric: options.Numeric = None,
    class_label: options.ClassLabel = None,
    missing_value: options.MissingValue = None,
    separator: options.Separator = None,
    decimal: options.Decimal = None,
    header: options.Header = None,
    skip: options.Skip = 0,
    take: options.Take = None,
) -> None:
    """Declare how the records are read."""


def _changing(
    drift_to: Annotated[
        list[str] | None,
        _change(
            "Drift to another stream: SEA:concept=4,at=50000,width=1000. Parameters of the same generator that are "
            "not given stay as they were, except the seed, which increases by one. Repeat for several drifts.",
            "STREAM",
        ),
    ] = None,
    recurring: Annotated[
        list[str] | None,
        _change(
            "Stream that takes turns with the first one: SEA:concept=3,every=10000,width=100. Repeat for several; "
            "give 'every' and 'width' once.",
            "STREAM",
        ),
    ] = None,
    blip: Annotated[
        list[str] | None,
        _change(
            "Insert some records of another stream: SEA:concept=3,at=20000,width=200. Repeat for several.", "STREAM"
        ),
    ] = None,
    ratio: Annotated[str | None, _change("Class ratio, in the order of the classes: 1:100.", "RATIO")] = None,
    ratio_change: Annotated[
        list[str] | None, _change("Ratio from a record on: 50000=1:100. Repeat for several.", "N=RATIO")
    ] = None,
    ratio_width: Annotated[int | None, _change("Number of records that a change of the ratio takes.", "N")] = None,
    ratio_scale: Annotated[
        str | None,
        _change("What moves linearly in a change of the ratio: shares, ratio (the r of 1:r) or logarithmic.", "SCALE"),
    ] = None,
    feature_noise: Annotated[
        float | None, _change("Add Gaussian noise with this standard deviation to numeric features.", "DEVIATION")
    ] = None,
    missing: Annotated[float | None, _change("Share of feature values to remove.", "SHARE")] = None,
    label_noise: Annotated[float | None, _change("Share of labels to replace by wrong ones.", "SHARE")] = None,
    sparse_labels: Annotated[float | None, _change("Share of labels to keep; the others are removed.", "SHARE")] = None,
) -> None:
    """Declare the options that change a stream."""


READING = tuple(inspect.signature(_reading).parameters)
"""The options that say how records are read, by the names of their parameters."""
CHANGING = tuple(inspect.signature(_changing).parameters)
"""The options that change a stream, by the names of their parameters."""


def with_stream_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a stream to a command, after its options without a panel."""

    @functools.wraps(command)
    def without_them(*args: object, **given: object) -> None:
        command(*args, **{name: value for name, value in given.items() if name not in (*READING, *CHANGING)})

    own = list(_parameters(command))
    first = next((k for k, one in enumerate(own) if _panel(one) is not None), len(own))
    shared = [*_parameters(_reading), *_parameters(_changing)]
    every = [*own[:first], *shared, *own[first:]]
    without_them.__signature__ = inspect.Signature(every)  # type: ignore[attr-defined]  # what Typer reads
    without_them.__annotations__ = {one.name: one.annotation for one in every}
    del without_them.__wrapped__  # its options are not those of the command
    return without_them


def _parameters(function: Callable[..., None]) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(function, include_extras=True)
    for name, one in inspect.signature(function).parameters.items():
        yield one.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)


def _panel(parameter: inspect.Parameter) -> str | None:
    """Return the panel that an option is listed in."""
    found = getattr(parameter.annotation, "__metadata__", ())
    return next((one.rich_help_panel for one in found if isinstance(one, typer.models.OptionInfo)), None)
