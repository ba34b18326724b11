"""``prequential detect``: run drift detectors on a stream or a series, and score them if the drifts are known."""
# the options of the stream are read from the context

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import typer
from rich.console import Console

from prequential.cli import options
from prequential.cli.console import print_json, print_paths, show_progress, timestamped
from prequential.cli.drift_list import drift_list
from prequential.cli.given import check_resume, given, option_name, refuse
from prequential.cli.replicated import Seeds, Vary, exit_code, repeated
from prequential.cli.source import HELP, planned, short_name, table_of
from prequential.cli.stream_options import CHANGING, with_stream_options
from prequential.cli.sweeping import show_trade_off, swept
from prequential.drift import Detector
from prequential.errors import InputError, ParameterError
from prequential.evaluation.detect import ONLY_LAST
from prequential.evaluation.detect import detect as run_detectors
from prequential.evaluation.execution import SAVE_SECONDS, EngineName
from prequential.learners.contract import Learner
from prequential.plans.learner import learner_table
from prequential.plans.plan import Checked, Plan
from prequential.streams.readers import read
from prequential.streams.stream import Stream
from prequential.sweeps.trade_off import TradeOff
from prequential.tables.detection_table import DetectionTable, detection_table
from prequential.tables.seed_detections import seed_detections
from prequential.tables.terminal import rich_table
from prequential.types import Label
from prequential.whole_file import FIGURES, checked_suffix

_WITH_PLAN = (
    *("source", "learner", "detector", "sweep", "drifts", "tolerance", "seed", "abstain", "positive"),
    *("output", "figure", "as_json", "quiet", "engine", "workers"),
    *("directory", "overwrite", "resume", "accept_changes", "save_seconds"),
)
"""Options that may be given with a plan, which has its own stream."""
_DEFAULT_DETECTORS = {"learner": ("page_hinkley", "adwin", "ddm", "eddm"), "series": ("page_hinkley", "adwin")}


@with_stream_options
def detect(
    context: typer.Context,
    source: Annotated[str, typer.Argument(help=f"Stream: {HELP}; a plan also has learners and detectors.")],
    learner: options.Learners = None,
    series: Annotated[
        str | None,
        typer.Option(help="Watch this column of numbers, such as losses, instead of a learner.", metavar="COLUMN"),
    ] = None,
    drifts: Annotated[
        str | None,
        typer.Option(
            help="Known drifts: record indices AT or AT:WIDTH with commas between them, or a file with one line "
            "'at' or 'at,width' per drift (default: those that the stream knows).",
            metavar="DRIFTS",
        ),
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(
            help="Number of records after a drift in which an alarm detects it (default: a fifth of the mean distance "
            "between drifts; inf: up to the next drift).",
            metavar="N",
        ),
    ] = None,
    seed: options.Seed = 1,
    seeds: Seeds = None,
    vary: Vary = None,
    detector: options.Detectors = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            help="Try several values of a parameter of the detectors, and compare delay with false alarms: "
            "threshold=25,50,100. Repeat it for all combinations.",
            metavar="NAME=A,B",
        ),
    ] = None,
    abstain: options.Abstain = "wrong",
    positive: options.Positive = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Figure (.png, .svg, .pdf; default: detections/NAME-TIME.png).",
            metavar="FILE",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    figure: Annotated[
        bool,
        typer.Option(
            "--figure/--no-figure",
            help="Whether to draw the alarms over the records.",
            metavar="",
            rich_help_panel=options.OUTPUT,
        ),
    ] = True,
    engine: options.Engine = "auto",
    workers: options.Workers = None,
    directory: Annotated[
        Path | None,
        typer.Option(
            help="Directory in which the run is kept, so that it can be resumed (default: a temporary one).",
            metavar="DIR",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    overwrite: options.Overwrite = False,
    resume: options.Resume = False,
    accept_changes: options.AcceptChanges = False,
    save_seconds: options.SaveSeconds = SAVE_SECONDS,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Run drift detectors on learners, or on a series of numbers.

    [bold]prequential detect data.csv -l naive_bayes -d adwin --drifts 5000,10000[/]
    [bold]prequential detect SEA --n 4e4 --drift-to SEA:concept=4,at=2e4 --seeds 10[/]
    [bold]prequential detect losses.csv --series loss -d page_hinkley:threshold=100[/]
    [bold]prequential detect data.csv --drifts 5000 -d ph --sweep threshold=25,50,100[/]

    By default the learner is naive_bayes and the detectors are page_hinkley,
    adwin, ddm and eddm; on a series page_hinkley and adwin.

    If the drifts are known, the alarms are scored: detected, missed, false,
    repeated, how late. Next to each detector stands a dummy with the same
    number of alarms, evenly spaced.

    With --sweep each value of a parameter is tried, also with --seeds: the
    table and the figure show delay against false alarms, and which settings
    no other one beats.

    With --seeds the delays are means over seeds, printed as papers do: mean ±
    standard deviation (missed drifts; false alarms). The figure, one row per
    detector and seed, is drawn if -o names its file.

    An interrupted run continues with the same command and --directory DIR
    --resume.
    """
    check_resume(context, "directory")
    if series is not None and learner:
        raise InputError("--series and --learner cannot be given together: watch a column, or a learner.")
    if series is not None and "target" in given(context):
        raise InputError("--series and --target cannot be given together: the series is the target.")
    if tolerance is not None and not tolerance >= 0:
        raise ParameterError("tolerance", "detect", "a number of records of at least 0", tolerance)
    if output is not None:
        checked_suffix(output, FIGURES)
    if seeds is not None or vary is not None:
        _with_seeds(context, source, learner, detector, output)
        return
    learners: Mapping[str, Learner] | None = None
    of_class: Label | None = positive
    detectors: Sequence[str | Detector] | None = detector
    if series is not None:
        stream = _series(context, source, series)
    else:
        plan = planned(source)
        if plan is not None:
            refuse(context, _WITH_PLAN, "the plan describes its stream")
        checked = _checked(context, source, plan, learner)
        stream, learners = checked.stream, checked.learners
        detectors = detectors or checked.settings.detectors
        if plan is not None:
            typed = given(context)
            seed = seed if "seed" in typed else checked.settings.seed
            abstain = abstain if "abstain" in typed else checked.settings.abstain
            of_class = positive if "positive" in typed else checked.settings.positive
            engine = engine if "engine" in typed else checked.execution.engine_name
            workers = workers if "workers" in typed else checked.execution.workers
    detectors = detectors or list(_DEFAULT_DETECTORS["series" if series else "learner"])
    if sweep:
        detectors = swept(detectors, sweep, chosen=bool(detector))
    found = run_detectors(
        stream,
        learners,
        detectors,
        seed=seed,
        abstain=cast(Literal["wrong", "skip"], abstain),
        positive=of_class,
        directory=directory,
        overwrite=overwrite,
        resume=resume,
        accept_changes=accept_changes,
        save_seconds=save_seconds,
        engine=cast(EngineName, engine),
        workers=workers,
        progress=show_progress(quiet=quiet, as_json=as_json),
    )
    known = tuple(drift_list(drifts)) if drifts is not None else stream.drifts_before(found[0].n_records) or None
    watched = f" · {found[0].learner}" if len({one.learner for one in found} - {None}) == 1 else ""
    table = detection_table(stream.name + watched, found, known, tolerance=tolerance)
    table.scores()  # finds faults of the drifts before anything is written
    if sweep:
        path = (output or timestamped("detections", short_name(source), ".png")) if figure else None
        one_run = seed_detections({seed: replace(table, name=stream.name)}, tolerance)
        show_trade_off(TradeOff(one_run), {}, path, as_json=as_json)
        if learners is not None and {one.learner for one in found} != set(learners):
            raise typer.Exit(3)  # a warning has named the learners that failed
        return
    path = None
    if figure:
        path = output or timestamped("detections", short_name(source), ".png")
        from prequential.figures.timeline_matplotlib import save_timeline

        save_timeline(table.timeline(), path)
    if as_json:
        print_json(_data(table, path))
    else:
        console = Console()
        console.print(rich_table(table))
        print_paths({} if path is None else {"figure": path}, console)
    if learners is not None and {one.learner for one in found} != set(learners):
        raise typer.Exit(3)  # a warning has named the learners that failed


def _with_seeds(
    context: typer.Context, source: str, learner: list[str] | None, detector: list[str] | None, output: Path | None
) -> None:
    """Run the detectors once per seed, and print the delays: mean ± standard deviation (missed; false)."""
    params, typed = context.params, given(context)
    if params["series"] is not None:
        raise InputError("--seeds and --series cannot be given together: a series of numbers has no seed.")
    if params["seeds"] is None:
        raise InputError("--vary may only be given with --seeds.")
    plan = planned(source)
    if plan is not None:
        refuse(context, (*_WITH_PLAN, "seeds", "vary"), "the plan describes its stream")
    else:
        plan = Plan({"stream": table_of(context, source, caller="detect")})
    learners = [learner_table(text) for text in learner or ()] or plan.data.get("learner") or [{"type": "naive_bayes"}]
    detectors = list(detector or plan.data.get("detectors") or _DEFAULT_DETECTORS["learner"])
    if params["sweep"]:
        detectors = [one.label for one in swept(detectors, params["sweep"], chosen=bool(detector))]
    names = ("abstain", "positive", "engine", "workers", "seed")
    settings = {name: params[name] for name in names if name in typed}
    regression = plan.stream().schema.classes is None
    found = repeated(
        Plan(
            {
                **{key: value for key, value in plan.data.items() if key not in ("protocol", "metrics", "forgetting")},
                **settings,
                "learner": learners,
                "detectors": detectors,
                "metrics": ["mae" if regression else "error"],
                "forgetting": ["cumulative"],
                "every": ONLY_LAST,
                "pairs": False,
            },
            plan.source,
            plan.folder,
        ),
        params["seeds"],
        params["directory"],
        params,
        progress=show_progress(quiet=params["quiet"], as_json=params["as_json"]),
    )
    known = None if params["drifts"] is None else drift_list(params["drifts"])
    table = found.detections(drifts=known, tolerance=params["tolerance"])
    paths = {} if params["directory"] is None else {"runs": found.path}
    if params["sweep"]:
        path = (output or timestamped("detections", short_name(source), ".png")) if params["figure"] else None
        show_trade_off(TradeOff(table), paths, path, as_json=params["as_json"])
        raise typer.Exit(exit_code(found))
    if output is not None:
        from prequential.figures.timeline_matplotlib import save_timeline

        save_timeline(found.timeline(drifts=known, tolerance=params["tolerance"]), output)
        paths["figure"] = output
    if params["as_json"]:
        print_json(
            {
                "stream": table.name,
                "seeds": list(found.seeds),
                "tolerance": None if math.isinf(table.tolerance) else table.tolerance,
                **{kind: str(path) for kind, path in paths.items()},
                "detections": table.to_dicts(),
            }
        )
    else:
        console = Console()
        console.print(rich_table(table))
        print_paths(paths, console)
    raise typer.Exit(exit_code(found))


def _series(context: typer.Context, source: str, column: str) -> Stream:
    """Read one column as the targets of a stream without features."""
    typed = given(context)
    for name in CHANGING:
        if name in typed:
            raise InputError(f"{option_name(name)} and --series cannot be given together: a series is not changed.")
    table = {} if planned(source) is not None else table_of(context, source, caller="detect")
    if "path" not in table or table["path"].endswith(".toml"):
        raise InputError(f"--series names a column of a file, but {source} is not a file.")
    path = table.pop("path")
    skip, take = table.pop("skip", 0), table.pop("take", None)
    table = {**table, "target": column, "task": "regression"}
    features = [feature.name for feature in read(path, **table).schema.features]
    stream = read(path, **{**table, "ignore": [*table.get("ignore", ()), *features]})
    stream = stream.skip(skip) if skip else stream
    return stream if take is None else stream.take(take)


def _checked(context: typer.Context, source: str, plan: Plan | None, learners: list[str] | None) -> Checked:
    """Make stream and learners as ``prequential run`` does; a plan has its own learners, detectors and seed."""
    tables = [learner_table(text) for text in learners or ()]
    if plan is None:
        stream = table_of(context, source, caller="detect")
        plan = Plan({"stream": stream, "learner": tables or [{"type": "naive_bayes"}]})
    elif tables:
        plan = Plan({**plan.data, "learner": tables}, plan.source, plan.folder)
    return plan.check()


def _data(table: DetectionTable, path: Path | None) -> dict[str, Any]:
    """Return the detections for JSON."""
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
