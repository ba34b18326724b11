"""``prequential generate``: make a stream and write it to a file, with its drifts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from prequential.arguments import checked_whole
from prequential.cli import options
from prequential.cli.console import show_progress
from prequential.cli.generated import print_head, write_stream
from prequential.cli.source import HELP, stream_of, with_notes
from prequential.cli.stream_options import with_stream_options
from prequential.errors import InputError
from prequential.streams.presets.catalogue import preset as make_preset
from prequential.streams.presets.catalogue import spelled


@with_stream_options
def generate(
    context: typer.Context,
    source: Annotated[
        str,
        typer.Argument(help=f"Stream: {HELP}."),
    ] = "",
    preset: Annotated[
        str | None,
        typer.Option(
            "--preset", help="Stream of a paper (see prequential list presets), instead of SOURCE.", metavar="NAME"
        ),
    ] = None,
    seed: options.Seed = 1,
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
    [bold]prequential generate --preset 'bifet2015.RBF(50,.001)' -o rbf.parquet[/]
    [bold]prequential generate plan.toml -o stream.parquet[/]   (changes in any order)
    [bold]prequential list streams[/]   (what there is)

    The seed is that of the generator, unless it has one (SEA:seed=2), and
    that of all changes.
    """
    if preset is not None:
        if source:
            raise InputError(f"--preset and {source} both name a stream: give one of them.")
        if spelled(preset.partition(":")[0]) is None:
            make_preset(preset)  # raises the error that names the closest
        source = preset
    if not source:
        raise InputError("Name a stream: a generator (see prequential list streams), a file, or a plan (.toml).")
    if output is None and head is None:
        raise InputError("Name the file to write: -o FILE (.parquet, .csv, .arff); or print records: --head 5.")
    if output is not None and head is not None:
        raise InputError("--head prints records instead of writing them: leave out -o, or --head.")
    checked_whole(seed, "seed", "generate")
    stream, notes = with_notes(lambda: stream_of(context, source, caller="generate", n=head))
    if head is not None:
        print_head(stream, checked_whole(head, "head", "generate"), as_json=as_json)
    elif output is not None:
        progress = show_progress(quiet=quiet, as_json=as_json)
        write_stream(stream, output, notes, overwrite=overwrite, as_json=as_json, progress=progress)
