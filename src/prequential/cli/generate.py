"""``prequential generate``: make a stream and write it to a file, with its drifts."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from prequential.arguments import checked_whole
from prequential.cli import options
from prequential.cli.console import print_note, show_progress
from prequential.cli.generated import print_head, write_stream
from prequential.cli.generators import explain_generator, list_generators
from prequential.cli.given import refuse
from prequential.cli.stream_changes import noise_changes, ratio_changes, stream_changes
from prequential.errors import InputError
from prequential.plans.plan import Plan
from prequential.plans.stream_text import stream_table
from prequential.streams.generators import GENERATORS
from prequential.streams.stream import Stream

_CHANGES = "Changes, applied in this order"
_OUTPUT = ("source", "output", "overwrite", "head", "as_json", "quiet")


def _change(text: str, metavar: str) -> Any:
    return typer.Option(help=text, metavar=metavar, rich_help_panel=_CHANGES)


def generate(
    context: typer.Context,
    source: Annotated[
        str,
        typer.Argument(
            help="Generator with parameters after a colon (SEA:concept=2,noise=0.05), stream of the testbed (NSGT), "
            "file to change (.csv, .arff, .parquet), or plan (.toml) for its stream."
        ),
    ] = "",
    list_all: Annotated[
        bool, typer.Option("--list", help="List the generators, with parameters and Bayes errors.", metavar="")
    ] = False,
    about: Annotated[str | None, typer.Option(help="Explain a generator.", metavar="GENERATOR")] = None,
    seed: options.Seed = 1,
    n: options.Length = None,
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
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="File to write: .parquet, .csv, .arff, .csv.gz or .arff.gz.",
            metavar="FILE",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    overwrite: options.Overwrite = False,
    head: Annotated[
        int | None,
        typer.Option(help="Print the first N records instead of writing.", metavar="N", rich_help_panel=options.OUTPUT),
    ] = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Make a stream and write it to a file, together with its drifts.

    [bold]prequential generate SEA -n 1e6 --drift-to SEA:concept=4,at=5e5 -o sea.parquet[/]
    [bold]prequential generate LED:noise=0.2 --missing 0.05 --head 5[/]   (just look)
    [bold]prequential generate data.csv --label-noise 0.1 --ratio 1:9 -o harder.csv[/]
    [bold]prequential generate plan.toml -o stream.parquet[/]   (changes in any order)
    [bold]prequential generate --list[/]

    The seed is that of the generator, unless it has one (SEA:seed=2), and
    that of all changes.
    """
    if list_all:
        list_generators(as_json=as_json)
        return
    if about is not None:
        explain_generator(about)
        return
    if not source:
        raise InputError("Name a stream: a generator (see --list), a file, or a plan (.toml).")
    if output is None and head is None:
        raise InputError("Name the file to write: -o FILE (.parquet, .csv, .arff); or print records: --head 5.")
    if output is not None and head is not None:
        raise InputError("--head prints records instead of writing them: leave out -o, or --head.")
    checked_whole(seed, "seed", "generate")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if source.endswith(".toml"):
            refuse(context, _OUTPUT, "the plan describes its stream")
            stream = Plan.from_toml(source).stream()
        else:
            table = _source_table(source, head if n is None else n, seed)
            changes = [
                *stream_changes(table, drift_to, recurring, blip),
                *ratio_changes(ratio, ratio_change, ratio_width, ratio_scale),
                *noise_changes(feature_noise, missing, label_noise, sparse_labels),
            ]
            stream = _changed(table, changes, seed)
    notes = list(dict.fromkeys(str(warning.message) for warning in caught))
    for note in notes:  # such as a drift beyond the end
        print_note(f"prequential: {note}", style="yellow")
    if head is not None:
        print_head(stream, checked_whole(head, "head", "generate"), as_json=as_json)
    elif output is not None:
        progress = show_progress(quiet=quiet, as_json=as_json)
        write_stream(stream, output, notes, overwrite=overwrite, as_json=as_json, progress=progress)


def _source_table(text: str, n: float | None, seed: int) -> dict[str, Any]:
    """Return the plan table of the source stream, before any change."""
    table = stream_table(text)
    length = None if n is None else checked_whole(n, "n", "generate")
    if "path" in table:
        return table if length is None else {**table, "take": length}
    if length is None and table.get("type") in GENERATORS:
        raise InputError(f"{table['type']} never ends. Give the number of records: --n 1e6.")
    return {"seed": seed, **table, **({} if length is None else {"n": length})}


def _changed(table: dict[str, Any], changes: list[dict[str, Any]], seed: int) -> Stream:
    """Make the stream; all changes that draw at random have the same seed."""
    seeded = [change if change["type"] == "blip" else {**change, "seed": seed} for change in changes]
    return Plan({"stream": {**table, "change": seeded} if seeded else table}).stream()
