"""``prequential generate``: make a stream and write it to a file, with its drifts."""

from __future__ import annotations

import inspect
import json
import time
import warnings
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from prequential.cli.run import refuse
from prequential.errors import InputError, checked_whole, listing, suggestion
from prequential.experiment.plan import Plan
from prequential.experiment.progress import Meter
from prequential.experiment.stream_text import change_table, stream_table
from prequential.streams.chunk import Chunk
from prequential.streams.drift import Drift
from prequential.streams.generators import GENERATORS
from prequential.streams.stream import Stream
from prequential.streams.writers import Written, write

CHANGES, OUTPUT = "Changes, made in this order", "Output"
OF_OUTPUT = {"source", "output", "overwrite", "head", "as_json", "quiet"}


def generate(
    context: typer.Context,
    source: Annotated[
        str,
        typer.Argument(
            help="A generator with parameters after a colon (SEA:concept=2,noise=0.05), a stream of the testbed "
            "(NSGT), a file (.csv, .arff, .parquet) to be made anew, or a plan (.toml) for its stream."
        ),
    ] = "",
    n: Annotated[float | None, typer.Option("--n", "-n", help="How many records; 1e6 will do.")] = None,
    seed: Annotated[int, typer.Option(help="Of the generator, if it has none of its own, and of all changes.")] = 1,
    drift_to: Annotated[
        list[str] | None,
        typer.Option(
            help="Another stream, and where: SEA:concept=4,at=50000,width=1000. What is not said of the same generator "
            "is as before, but its seed is one more, as it is between streams of the testbed. Repeat for more, each "
            "about the whole stream.",
            rich_help_panel=CHANGES,
        ),
    ] = None,
    recurring: Annotated[
        list[str] | None,
        typer.Option(
            help="A stream that takes turns with the first: SEA:concept=3,every=10000,width=100. Repeat for more, "
            "'every' and 'width' once.",
            rich_help_panel=CHANGES,
        ),
    ] = None,
    blip: Annotated[
        list[str] | None,
        typer.Option(
            help="Some records of another stream: SEA:concept=3,at=20000,width=200. Repeat for more.",
            rich_help_panel=CHANGES,
        ),
    ] = None,
    ratio: Annotated[
        str | None, typer.Option(help="Class ratio, in the order of the classes: 1:100.", rich_help_panel=CHANGES)
    ] = None,
    ratio_change: Annotated[
        list[str] | None,
        typer.Option(help="The ratio from a record on: 50000=1:100. Repeat for more.", rich_help_panel=CHANGES),
    ] = None,
    ratio_width: Annotated[
        int | None, typer.Option(help="Records that a change of the ratio takes.", rich_help_panel=CHANGES)
    ] = None,
    feature_noise: Annotated[
        float | None,
        typer.Option(help="Standard deviation of noise on numeric features.", rich_help_panel=CHANGES),
    ] = None,
    missing: Annotated[
        float | None, typer.Option(help="Share of values that are missing.", rich_help_panel=CHANGES)
    ] = None,
    label_noise: Annotated[
        float | None, typer.Option(help="Share of labels that are wrong.", rich_help_panel=CHANGES)
    ] = None,
    sparse_labels: Annotated[
        float | None, typer.Option(help="Share of labels that are known.", rich_help_panel=CHANGES)
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="The file: .parquet, .csv, .arff, text also with .gz.", rich_help_panel=OUTPUT
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a file that is there.", rich_help_panel=OUTPUT)
    ] = False,
    head: Annotated[
        int | None, typer.Option(help="Print so many first records instead of writing.", rich_help_panel=OUTPUT)
    ] = None,
    list_all: Annotated[
        bool, typer.Option("--list", help="List the generators, with parameters and Bayes errors.")
    ] = False,
    about: Annotated[str | None, typer.Option(help="Tell all about a generator.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the result as JSON, for machines.", rich_help_panel=OUTPUT)
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.", rich_help_panel=OUTPUT)] = False,
) -> None:
    """Make a stream and write it to a file, from which it is read with its drifts.

    [bold]prequential generate SEA --n 1e6 --drift-to SEA:concept=4,at=5e5,width=1e4 -o sea.parquet[/]
    [bold]prequential generate LED:noise=0.2 --n 1000 --missing 0.05 --head 5[/]
    [bold]prequential generate data.csv --label-noise 0.1 --ratio 1:9 -o harder.csv[/]
    [bold]prequential generate plan.toml -o stream.parquet[/]   (the plan's stream; it may make changes in any order)
    """
    if list_all:
        _list(as_json)
        return
    if about is not None:
        _about(about)
        return
    if not source:
        raise InputError("Name a stream: a generator (see --list), a file, or a plan (.toml).")
    if output is None and head is None:
        raise InputError("Say where the stream is to go: -o FILE (.parquet, .csv, .arff), or --head 5 to look at it.")
    if output is not None and head is not None:
        raise InputError("--head prints records instead of writing them: leave out -o, or --head.")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if source.endswith(".toml"):
            refuse(context, "a plan says what its stream is", OF_OUTPUT)
            plan = Plan.from_toml(source)
            try:
                stream = plan.stream()
            except InputError as error:
                raise InputError(f"{source}: [stream]: {error}") from error
        else:
            noise = {
                "feature_noise": ("deviation", feature_noise),
                "missing": ("share", missing),
                "label_noise": ("share", label_noise),
                "sparse_labels": ("share", sparse_labels),
            }
            table = _source(source, head if n is None else n, seed)
            changes = [
                *_streams(table, drift_to, recurring, blip),
                *_ratio(ratio, ratio_change, ratio_width),
                *({"op": op, key: share} for op, (key, share) in noise.items() if share is not None),
            ]
            drawn = [change if change["op"] == "blip" else {**change, "seed": seed} for change in changes]
            stream = Plan({"stream": {**table, "change": drawn} if drawn else table}).stream()
    remarks = list(dict.fromkeys(str(warning.message) for warning in caught))
    for remark in remarks:  # of a drift beyond the end, say
        Console(stderr=True).print(f"prequential: {remark}", style="yellow", markup=False, highlight=False)
    if head is not None:
        _head(stream, checked_whole(head, "head", "generate"), as_json)
    elif output is not None:
        _write(stream, output, remarks, overwrite=overwrite, as_json=as_json, quiet=quiet)


def _source(text: str, n: float | None, seed: int) -> dict[str, Any]:
    """Return the table of the stream that all changes are made to."""
    table = stream_table(text)
    length = None if n is None else checked_whole(n, "n", "generate")
    if "path" in table:
        return table if length is None else {**table, "take": length}
    if length is None and "generator" in table:
        raise InputError(f"{table['generator']} never ends. Say how many records to make: --n 1e6.")
    return {"seed": seed, **table, **({} if length is None else {"n": length})}


def _streams(
    table: dict[str, Any], drift_to: list[str] | None, recurring: list[str] | None, blip: list[str] | None
) -> Iterator[dict[str, Any]]:
    """Give the changes that need other streams."""
    first = {key: value for key, value in table.items() if key not in ("n", "take")}
    before = first
    for text in drift_to or ():
        change = change_table("drift_to", text, before)
        before = change["to"]
        yield change
    if recurring:
        turns = [change_table("recurring", text, first) for text in recurring]
        if "every" not in {key for turn in turns for key in turn}:
            raise InputError(f"--recurring {recurring[0]}: say how often they take turns: …,every=10000.")
        yield {**{key: value for turn in turns for key, value in turn.items()}, "to": [turn["to"] for turn in turns]}
    for text in blip or ():
        yield change_table("blip", text, before)


def _ratio(ratio: str | None, changes: list[str] | None, width: int | None) -> Iterator[dict[str, Any]]:
    if ratio is None:
        if changes or width is not None:
            raise InputError("--ratio-change and --ratio-width are about a ratio: say --ratio 1:1 for where it begins.")
        return
    later = {}
    for text in changes or ():
        at, sign, value = text.partition("=")
        if not sign or not at.strip().isdigit():
            raise InputError(f"--ratio-change {text}: accepted is RECORD=RATIO, such as 50000=1:100.")
        later[at.strip()] = value.strip()
    told = {"changes": later or None, "width": width}
    yield {"op": "class_ratio", "ratio": ratio, **{key: value for key, value in told.items() if value is not None}}


def _write(stream: Stream, path: Path, remarks: list[str], *, overwrite: bool, as_json: bool, quiet: bool) -> None:
    began = time.perf_counter()
    with Meter(stream.name, stream.n_records, show=False if quiet or as_json else None) as meter:
        written = write(stream, path, overwrite=overwrite, progress=meter.advance)
    seconds = time.perf_counter() - began
    if as_json:
        print(json.dumps(_data(stream, written, remarks, seconds), indent=2, allow_nan=False))  # noqa: T201  # the output
        return
    console = Console(highlight=False)
    for name, text in _lines(stream, written, seconds):
        console.print(f"{name:>11}  {text}", soft_wrap=True, markup=False)


def _lines(stream: Stream, written: Written, seconds: float) -> Iterator[tuple[str, str]]:
    """Say what was made, a line a thing."""
    schema = written.schema
    n_nominal = sum(feature.nominal for feature in schema.features)
    yield "records", f"{written.n_records:,}"
    yield "features", f"{schema.n_features - n_nominal:,} numeric, {n_nominal:,} nominal"
    labelled = written.n_records - written.n_unlabelled
    if schema.classes is None:
        yield "target", f"{schema.target}, numbers"
    elif labelled:
        pairs = zip(schema.classes, written.class_counts, strict=True)
        yield "classes", listing(f"{label} {count / labelled:.4f}" for label, count in pairs)
    if written.n_unlabelled:
        yield "unlabelled", f"{written.n_unlabelled:,}"
    yield "drifts", listing(map(_drift, written.drifts)) or "none is known"
    yield "Bayes error", "not known" if stream.bayes_error is None else f"{stream.bayes_error:.4f}"
    yield "file", f"{written.path} ({written.size_bytes:,} bytes, {written.n_records / seconds:,.0f} records/s)"
    if written.sidecar is not None:
        yield "sidecar", f"{written.sidecar} (classes in order, drifts: keep it beside the file)"


def _drift(drift: Drift) -> str:
    kind = " blip" if drift.temporary else "" if drift.real else " virtual"
    width = "" if drift.width == 1 else f" (width {drift.width:,})"
    return f"at {drift.at:,}{width}{kind}"


def _data(stream: Stream, written: Written, remarks: list[str], seconds: float) -> dict[str, Any]:
    classes = written.schema.classes
    return {
        "path": str(written.path),
        "sidecar": None if written.sidecar is None else str(written.sidecar),
        "size_bytes": written.size_bytes,
        "n_records": written.n_records,
        "n_unlabelled": written.n_unlabelled,
        "classes": None
        if classes is None
        else [
            {"class": _cell(label), "n_records": count}
            for label, count in zip(classes, written.class_counts, strict=True)
        ],
        "drifts": [asdict(drift) for drift in written.drifts],
        "bayes_error": stream.bayes_error,
        "seconds": seconds,
        "warnings": remarks,
        "stream": json.loads(json.dumps(stream.describe(), default=str)),
    }


def _head(stream: Stream, n: int, as_json: bool) -> None:
    """Print the first records with their labels and values, not with codes."""
    rows = [row for chunk in stream.take(n).chunks() for row in _rows(chunk)]
    if as_json:
        print(json.dumps(rows, indent=2, allow_nan=False))  # noqa: T201  # the command's output
        return
    table = Table(title=f"The first {len(rows):,} records of {stream.name}", title_justify="left")
    for name in rows[0] if rows else ():
        table.add_column(escape(name), overflow="fold")
    for row in rows:
        cells = ["?" if v is None else f"{v:.6g}" if isinstance(v, float) else str(v) for v in row.values()]
        table.add_row(*map(escape, cells))
    Console().print(table)


def _rows(chunk: Chunk) -> Iterator[dict[str, Any]]:
    labels = np.where(chunk.labelled, chunk.y, np.nan)
    named = [*((f.name, f.values, x) for f, x in zip(chunk.schema.features, chunk.X.T, strict=True))]
    named.append((chunk.schema.target, chunk.schema.classes, labels))
    for i in range(len(chunk)):
        row = {name: None if np.isnan(x[i]) else float(x[i]) for name, _, x in named}
        for name, values, _ in named:
            if values is not None and row[name] is not None:
                row[name] = _cell(values[int(row[name] or 0)])
        yield row


def _cell(value: object) -> Any:
    return value if isinstance(value, str | int | float | bool) else str(value)


def _list(as_json: bool) -> None:
    makers: dict[str, Any] = {**GENERATORS}
    errors = {name: make().bayes_error for name, make in makers.items()}
    if as_json:
        data = [{"name": k, "parameters": c.defaults(), "bayes_error": errors[k]} for k, c in GENERATORS.items()]
        print(json.dumps(data, indent=2))  # noqa: T201  # the command's output
        return
    table = Table(title="Generators", title_justify="left")
    for column in ("name", "what it makes", "parameters", "Bayes error"):
        table.add_column(column, overflow="fold", no_wrap=column == "name")
    for name, cls in GENERATORS.items():
        told = escape((cls.__doc__ or "").strip().splitlines()[0])
        error = errors[name]
        table.add_row(name, told, _defaults(name), "not known" if error is None else f"{error:.4g}")
    console = Console()
    console.print(table)
    console.print("The Bayes error is that of the default parameters. All about one: prequential generate --about SEA.")


def _about(name: str) -> None:
    if name not in GENERATORS:
        raise InputError(f"Unknown generator {name!r}.{suggestion(name, GENERATORS)} Accepted: {listing(GENERATORS)}.")
    console = Console(highlight=False)
    console.print(f"[bold]{name}[/bold]  ({_defaults(name)})\n", soft_wrap=True)
    console.print(inspect.cleandoc(GENERATORS[name].__doc__ or ""), markup=False, soft_wrap=True)


def _defaults(name: str) -> str:
    return ", ".join(f"{key}={value}" for key, value in GENERATORS[name].defaults().items())
