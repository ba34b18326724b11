"""``prequential detect``: run drift detectors on a stream or a series, and score them where the drifts are known."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from prequential import drift
from prequential.cli.run import entry
from prequential.errors import DataError, InputError
from prequential.experiment.plan import Plan
from prequential.experiment.progress import Meter
from prequential.experiment.settings import named_detector
from prequential.learners.contract import Learner
from prequential.report import DetectionTable, detection_table, rich_table
from prequential.report.file import FIGURES, checked_suffix
from prequential.streams.drift import Drift
from prequential.streams.readers import read
from prequential.streams.stream import Stream

STREAM, OUTPUT = "Stream", "Output"
DEFAULT_DETECTORS = {"learner": ("page_hinkley", "adwin", "ddm", "eddm"), "series": ("page_hinkley", "adwin")}


def detect(
    source: Annotated[Path, typer.Argument(help="A stream (.csv, .arff, .parquet), or a plan (.toml) for its stream.")],
    detector: Annotated[
        list[str] | None,
        typer.Option(
            "--detector",
            "-d",
            help="page_hinkley, ratio, adwin, ddm or eddm, with parameters after a colon "
            "(page_hinkley:delta=0.1,threshold=100,on=kappa,under=sliding:1000). Repeat for more.",
        ),
    ] = None,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            "--learner",
            "-l",
            help="The learner to watch, as in [bold]prequential run[/]; naive_bayes by default. Repeat for more.",
        ),
    ] = None,
    series: Annotated[
        str | None, typer.Option(help="A column of numbers to watch instead of a learner: losses, say.")
    ] = None,
    drifts: Annotated[
        str | None,
        typer.Option(
            help="Where the drifts are: record indices, AT or AT:WIDTH, with commas between them; or a file with a "
            "line for each, 'at' or 'at,width'. A generated stream knows its own."
        ),
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(help="Records after a drift in which an alarm still detects it; up to the next by default."),
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="The label column; the last one by default.", rich_help_panel=STREAM)
    ] = None,
    task: Annotated[
        str | None, typer.Option(help="classification or regression, if it must be said.", rich_help_panel=STREAM)
    ] = None,
    time: Annotated[str | None, typer.Option(help="The column with the time.", rich_help_panel=STREAM)] = None,
    weight: Annotated[str | None, typer.Option(help="The column with weights.", rich_help_panel=STREAM)] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(help="A column to leave out. Repeat for more.", rich_help_panel=STREAM)
    ] = None,
    nominal: Annotated[
        list[str] | None, typer.Option(help="A feature whose numbers are names.", rich_help_panel=STREAM)
    ] = None,
    separator: Annotated[
        str | None, typer.Option(help="Between two fields of a CSV file; found by itself.", rich_help_panel=STREAM)
    ] = None,
    header: Annotated[
        bool | None,
        typer.Option("--header/--no-header", help="Whether a CSV file starts with names.", rich_help_panel=STREAM),
    ] = None,
    skip: Annotated[int, typer.Option(help="Records to pass over at the start.", rich_help_panel=STREAM)] = 0,
    take: Annotated[int | None, typer.Option(help="Records to read.", rich_help_panel=STREAM)] = None,
    seed: Annotated[int, typer.Option(help="For whatever is drawn at random.")] = 1,
    abstain: Annotated[str, typer.Option(help="A missing prediction is 'wrong', or left out: 'skip'.")] = "wrong",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The figure (.png, .svg, .pdf); detections/NAME-TIME.png by default.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    figure: Annotated[
        bool, typer.Option("--figure/--no-figure", help="Draw the alarms over the records.", rich_help_panel=OUTPUT)
    ] = True,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the result as JSON, for machines.", rich_help_panel=OUTPUT)
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.", rich_help_panel=OUTPUT)] = False,
) -> None:
    """Run drift detectors beside learners on a stream, or over a series of numbers.

    [bold]prequential detect data.csv --target class --learner naive_bayes -d adwin --drifts 5000,10000[/]
    [bold]prequential detect losses.csv --series loss -d page_hinkley:delta=0.1,threshold=100[/]

    Where the drifts are known, the alarms are scored: detected, missed, false, repeated, how late. A dummy that gives
    as many alarms without looking is scored beside each detector.
    """
    if series is not None and learner:
        raise InputError("--series and --learner cannot go together: watch a column, or a learner.")
    if series is not None and target is not None:
        raise InputError("--series and --target cannot go together: the series is the target.")
    if abstain not in ("wrong", "skip"):
        raise InputError(f"--abstain {abstain}: accepted are wrong and skip.")
    if tolerance is not None and not tolerance >= 0:
        raise InputError(f"--tolerance {tolerance:g}: accepted is a number of records of at least 0.")
    if output is not None:
        checked_suffix(output, FIGURES)
    wanted: list[str] | None = detector
    options = {"time": time, "weight": weight, "ignore": ignore, "separator": separator, "header": header}
    options = {key: value for key, value in options.items() if value is not None}
    learners: Mapping[str, Learner] | None = None
    if series is not None:
        stream = _series(source, series, options)
        stream = stream.skip(skip) if skip else stream
        stream = stream if take is None else stream.take(take)
    else:
        given = {"target": target, "task": task, "nominal": nominal, "skip": skip or None, "take": take}
        named = {**options, **{key: value for key, value in given.items() if value is not None}}
        stream, learners, planned = _planned(source, named, learner)
        wanted = wanted or planned
    detectors = [named_detector(text) for text in wanted or DEFAULT_DETECTORS["series" if series else "learner"]]
    limit = math.inf if tolerance is None else tolerance
    with Meter(stream.name, stream.n_records, show=False if quiet or as_json else None) as meter:
        found = drift.detect(
            stream, learners, detectors, seed=seed, skip_abstained=abstain == "skip", on_chunk=meter.advance
        )
    if not found[0].n_records:
        raise InputError(f"{source}: the stream has no records.")
    known = tuple(_drifts(drifts)) if drifts is not None else stream.drifts_before(found[0].n_records) or None
    watched = f" · {found[0].learner}" if len({one.learner for one in found} - {None}) == 1 else ""
    table = detection_table(stream.name + watched, found, known, tolerance=limit)
    table.scores()  # finds what is wrong with the drifts before anything is written
    path = None
    if figure:
        path = output or Path("detections") / f"{source.stem}-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.png"
        from prequential.report.timeline import save_timeline

        save_timeline(table, path)
    if as_json:
        print(json.dumps(_data(table, path), indent=2, allow_nan=False))  # noqa: T201  # the command's output
        return
    console = Console()
    console.print(rich_table(table))
    if path is not None:
        console.print(f"{'figure':>7}  {path}", soft_wrap=True, highlight=False)


def _series(source: Path, column: str, options: dict[str, Any]) -> Stream:
    """Read one column as the targets of a stream without features."""
    stream = read(source, target=column, task="regression", **options)
    others = [feature.name for feature in stream.schema.features]
    return read(
        source, target=column, task="regression", **{**options, "ignore": [*options.get("ignore", ()), *others]}
    )


def _planned(
    source: Path, options: dict[str, Any], learner: list[str] | None
) -> tuple[Stream, Mapping[str, Learner], list[str]]:
    """Make stream and learners as ``prequential run`` does; a plan has learners and detectors of its own."""
    if source.suffix == ".toml":
        if options:
            raise InputError(f"--{next(iter(options))} cannot be given here: a plan says what its stream is.")
        plan = Plan.from_toml(source)
        if learner:
            plan = Plan({**plan.data, "learner": [entry(text) for text in learner]}, plan.source, plan.folder)
    else:
        entries = [entry(text) for text in learner or ["naive_bayes"]]
        plan = Plan({"stream": {"path": str(source), **options}, "learner": entries})
    checked = plan.check()
    return checked.stream, checked.learners, checked.settings.get("detectors", [])


def _drifts(text: str) -> list[Drift]:
    """Read drifts: AT or AT:WIDTH with commas between them, or a file of lines."""
    path = Path(text)
    if not path.is_file():
        if not text.strip() or any(c.isalpha() or c in "/\\" for c in text):
            raise InputError(
                f"--drifts {text}: neither a file nor record indices. Accepted: AT or AT:WIDTH, such as 5000,10000:500."
            )
        return [_drift(item.split(":"), f"--drifts {text}") for item in text.split(",")]
    found = []
    with path.open(newline="", encoding="utf-8-sig") as file:
        for line, row in enumerate(csv.reader(file), start=1):
            cells = [cell.strip() for cell in row if cell.strip()]
            if not cells or cells[0].startswith("#") or (line == 1 and cells[0].lower() == "at"):
                continue
            found.append(_drift(cells, path, line))
    return found


def _drift(cells: list[str], source: str | Path, line: int | None = None) -> Drift:
    try:
        numbers = [int(cell) for cell in cells]
        if not 1 <= len(numbers) <= 2 or numbers[0] < 0 or (len(numbers) == 2 and numbers[1] < 1):
            raise ValueError
    except ValueError:
        raise DataError(
            "not a drift",
            source=source,
            row=line,
            value=" ".join(cells),
            accepted="the record index of its middle, from 0, and if you like its width in records",
        ) from None
    return Drift(numbers[0], numbers[1] if len(numbers) > 1 else 1)


def _data(table: DetectionTable, path: Path | None) -> dict[str, Any]:
    return {
        "stream": table.name,
        "n_records": table.detections[0].n_records,
        "drifts": None
        if table.drifts is None
        else [{"at": d.at, "width": d.width, "temporary": d.temporary} for d in table.drifts],
        "tolerance": None if math.isinf(table.tolerance) else table.tolerance,
        "figure": None if path is None else str(path),
        "detections": [
            {
                "learner": one.learner,
                "detector": one.detector,
                "alarms": [alarm.record for alarm in one.alarms],
                "score": None if score is None else score.to_dict(),
            }
            for one, score in zip(table.detections, table.scores(), strict=True)
        ],
    }
