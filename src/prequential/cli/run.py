"""``prequential run``: evaluate learners on a stream.

It is long because every option is a parameter of the command, with its help.
"""

from __future__ import annotations

import warnings
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from prequential.cli.outcome import JSON_HELP, exit_code, show
from prequential.cli.resuming import is_stream, plan_of, warn_of_pickles
from prequential.errors import InputError, listing
from prequential.experiment.evaluate import LearnerFailedWarning
from prequential.experiment.plan import Plan
from prequential.experiment.saving import SAVE_EVERY
from prequential.learners.catalogue import CATALOGUE, parsed
from prequential.streams.generators import GENERATORS
from prequential.streams.stream import Stream

DEFAULT_LEARNERS = {
    "classification": ("majority_class", "no_change", "naive_bayes", "sgd"),
    "regression": ("mean_target", "last_target"),
}
DEMONSTRATION: dict[str, Any] = {
    "every": 1000,
    "seed": 1,
    "measures": ["accuracy", "kappa", "kappa_m", "kappa_per"],
    "forgetting": ["cumulative", "sliding:1000", "fading:0.999"],
    "stream": {
        "generator": "SEA",
        "n": 200_000,
        "concept": 1,
        "noise": 0.1,
        "seed": 1,
        "drift": [
            {"at": 50_000, "concept": 4, "seed": 2},
            {"at": 100_000, "width": 10_000, "concept": 3, "seed": 3},
            {"at": 150_000, "concept": 2, "seed": 4},
        ],
    },
    "protocol": {"name": "prequential"},
    "learner": [{"name": name} for name in DEFAULT_LEARNERS["classification"]],
}
"""What is run when nothing is named: SEA with two abrupt drifts and a gradual one."""

OF_OUTPUT = {"output", "overwrite", "resume", "predictions", "report", "as_json", "quiet"}
OF_ENGINE = {"engine", "workers", "address", "save_every"}
STREAM, PROTOCOL, OUTPUT = "Stream", "Protocol and measures", "Output"
LATE = "Labels that come late (--protocol delayed)"


def run(
    context: typer.Context,
    source: Annotated[
        Path | None,
        typer.Argument(
            help="A stream (.csv, .arff, .parquet), a plan (.toml), or, with --resume, the directory of a run. Without "
            "it: a demonstration."
        ),
    ] = None,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            "--learner",
            "-l",
            help="A reference learner (see [bold]prequential learners[/]), with parameters after a colon "
            "(majority_class:window=1000), or any Python learner as FILE.py:NAME or MODULE:NAME; LABEL= before it is "
            "what it is called in tables (slow=majority_class:window=1000). Repeat for more.",
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="The label column; the last one by default.", rich_help_panel=STREAM)
    ] = None,
    task: Annotated[
        str | None, typer.Option(help="classification or regression, if it must be said.", rich_help_panel=STREAM)
    ] = None,
    time: Annotated[str | None, typer.Option(help="The column with the time.", rich_help_panel=STREAM)] = None,
    weight: Annotated[str | None, typer.Option(help="The column with weights.", rich_help_panel=STREAM)] = None,
    id: Annotated[str | None, typer.Option("--id", help="The column with identifiers.", rich_help_panel=STREAM)] = None,
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
    protocol: Annotated[
        str, typer.Option(help="prequential, holdout, kfold, or delayed.", rich_help_panel=PROTOCOL)
    ] = "prequential",
    pretrain: Annotated[int, typer.Option(help="Prequential: records that only train.", rich_help_panel=PROTOCOL)] = 0,
    test: Annotated[Path | None, typer.Option(help="Holdout: a file to test on.", rich_help_panel=PROTOCOL)] = None,
    share: Annotated[
        float | None, typer.Option(help="Holdout: the share of records set aside.", rich_help_panel=PROTOCOL)
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option(
            help="Kfold: replicas of each learner; 10 by default. Tests over folds need at least 6.",
            rich_help_panel=PROTOCOL,
        ),
    ] = None,
    scheme: Annotated[
        str | None,
        typer.Option(
            help="Kfold: who trains on a record. bootstrap (the default): each replica, as often as it draws from "
            "Poisson(1); those that draw 0 test. cross: all but one, which tests. split: one; all others test.",
            rich_help_panel=PROTOCOL,
        ),
    ] = None,
    tests: Annotated[
        str | None,
        typer.Option(
            help="Kfold: held_out (the default): a replica tests only records that it does not train on. all: it tests "
            "every record, before it trains on it if it does (the prequential version, as in MOA).",
            rich_help_panel=PROTOCOL,
        ),
    ] = None,
    delay: Annotated[
        str | None,
        typer.Option(
            help="How late labels come: 100, uniform:50:150, exponential:100, or a COLUMN that holds it. Labels "
            "that are due after the last record still come. With --protocol delayed.",
            rich_help_panel=LATE,
        ),
    ] = None,
    delay_clock: Annotated[
        str | None,
        typer.Option(help="What the delay counts: records, or the time of the stream.", rich_help_panel=LATE),
    ] = None,
    events: Annotated[
        bool,
        typer.Option(
            "--events",
            help="The file has two rows a record, tied by --id: it arrives without its label, which comes later.",
            rich_help_panel=LATE,
        ),
    ] = False,
    bins: Annotated[
        int | None, typer.Option(help="Parts of the time that a record waits; 100.", rich_help_panel=LATE)
    ] = None,
    alpha: Annotated[
        list[float] | None,
        typer.Option(
            help="How much more the initial prediction weighs than the last before the label; 2. Repeat for more.",
            rich_help_panel=LATE,
        ),
    ] = None,
    reevaluate_every: Annotated[
        int | None,
        typer.Option(help="Labels learned between two predictions of a waiting record; 1.", rich_help_panel=LATE),
    ] = None,
    horizon: Annotated[
        float | None,
        typer.Option(help="The longest a record may wait; then it is given up, and reported.", rich_help_panel=LATE),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure", "-m", help="See [bold]prequential measures[/]. Repeat for more.", rich_help_panel=PROTOCOL
        ),
    ] = None,
    forgetting: Annotated[
        list[str] | None,
        typer.Option(
            "--forgetting",
            "-f",
            help="cumulative, sliding:1000, sliding:60s, fading:0.999, adwin, histogram:1e7:0.01. Repeat for more.",
            rich_help_panel=PROTOCOL,
        ),
    ] = None,
    detector: Annotated[
        list[str] | None,
        typer.Option(
            "--detector",
            "-d",
            help="A drift detector beside each learner: page_hinkley, ratio, adwin, ddm, eddm, with parameters after a "
            "colon (page_hinkley:delta=0.1,on=error). Repeat for more.",
            rich_help_panel=PROTOCOL,
        ),
    ] = None,
    every: Annotated[int, typer.Option(help="Records between checkpoints.", rich_help_panel=PROTOCOL)] = 1000,
    seed: Annotated[int, typer.Option(help="For whatever is drawn at random.", rich_help_panel=PROTOCOL)] = 1,
    abstain: Annotated[
        str, typer.Option(help="A missing prediction is 'wrong', or left out: 'skip'.", rich_help_panel=PROTOCOL)
    ] = "wrong",
    engine: Annotated[
        str,
        typer.Option(
            help="Where learners work: serial, threads, processes, ray or auto. It changes no result.",
            rich_help_panel=PROTOCOL,
        ),
    ] = "auto",
    workers: Annotated[
        int | None,
        typer.Option(help="Threads, processes or actors; as many as cores by default.", rich_help_panel=PROTOCOL),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            help="Ray: the cluster, as HOST:PORT; without it one is started on this machine.", rich_help_panel=PROTOCOL
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Directory of the run; runs/NAME-TIME by default.", rich_help_panel=OUTPUT),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an old run there.", rich_help_panel=OUTPUT)
    ] = False,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on with a run that was killed or interrupted, from its last save point, to the same result.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    save_every: Annotated[
        float,
        typer.Option(
            help="Seconds between save points, from which --resume goes on. Learners written in Python are pickled "
            "there: resume only runs of your own.",
            rich_help_panel=OUTPUT,
        ),
    ] = SAVE_EVERY,
    predictions: Annotated[
        bool, typer.Option("--predictions", help="Save every prediction and score.", rich_help_panel=OUTPUT)
    ] = False,
    report: Annotated[
        bool, typer.Option("--report/--no-report", help="Write report.html and figure.png.", rich_help_panel=OUTPUT)
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help=JSON_HELP, rich_help_panel=OUTPUT)] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress, no remarks.", rich_help_panel=OUTPUT)
    ] = False,
) -> None:
    """Evaluate learners on a stream.

    [bold]prequential run data.csv --target class --learner naive_bayes --learner no_change[/]
    [bold]prequential run data.csv --protocol delayed --delay 100 --learner naive_bayes[/]   (labels come late)
    [bold]prequential run plan.toml[/]
    [bold]prequential run runs/NAME --resume[/]   (go on with a run that was stopped)
    [bold]prequential run[/]   (a demonstration: SEA with drifts, four learners)

    The run is a directory with the trace (Parquet), a manifest, an HTML report and a figure.
    """
    engine_given = {name: context.params[name] for name in sorted(OF_ENGINE) if _on_command_line(context, name)}
    if source is not None and source.is_dir() and (not is_stream(source) or (resume and output is None)):
        refuse(context, "the run has its own plan", {"source", *OF_ENGINE, *OF_OUTPUT} - {"predictions", "output"})
        plan, output = plan_of(source, resume=resume), source
        left_out = {"address"} if engine_given.get("engine", "ray") != "ray" else set()
        kept = {name: value for name, value in plan.data.items() if name not in left_out}
        plan = Plan({**kept, **engine_given}, plan.source, plan.folder)
    elif source is not None and source.suffix == ".toml":
        refuse(context, "a plan says it all: put it there", {"source", *OF_OUTPUT} - {"predictions"})
        plan = Plan.from_toml(source)
    elif source is None:
        chosen = {
            "measures": measure,
            "forgetting": forgetting,
            "detectors": detector,
            "every": every,
            "seed": seed,
            "abstain": abstain,
            "engine": engine,
            "workers": workers,
            "address": address,
            "save_every": save_every,
        }
        refuse(
            context,
            "the demonstration has its own stream and protocol",
            {"learner", "measure", "detector", *chosen, *OF_OUTPUT},
        )
        entries = [entry(text) for text in learner] if learner else DEMONSTRATION["learner"]
        plan = Plan({**DEMONSTRATION, **_given(chosen), "predictions": predictions, "learner": entries})
    else:
        stream = {
            "path": str(source),
            "target": target,
            "task": task,
            "time": time,
            "weight": weight,
            "id": id,
            "ignore": ignore,
            "nominal": nominal,
            "separator": separator,
            "header": header,
            "skip": skip or None,
            "take": take,
            "delay": delay,
            "delay_clock": delay_clock,
            "delay_seed": None if delay is None else seed,
            "events": events or None,
        }
        how = {
            "name": protocol,
            "pretrain": pretrain or None,
            "test": None if test is None else str(test),
            "share": share,
            "folds": folds,
            "scheme": scheme,
            "tests": tests,
            "bins": bins,
            "alpha": alpha or None,
            "reevaluate_every": reevaluate_every,
            "horizon": horizon,
        }
        data: dict[str, Any] = {
            "every": every,
            "seed": seed,
            "abstain": abstain,
            "engine": engine,
            "workers": workers,
            "address": address,
            "save_every": save_every,
            "predictions": predictions,
            "measures": measure,
            "forgetting": forgetting,
            "detectors": detector,
            "stream": _given(stream),
            "protocol": _given(how),
        }
        data = _given(data)
        data["learner"] = [entry(text) for text in learner or _default_learners(data)]
        plan = Plan(data)
    if resume and source is not None and not source.exists():
        raise InputError(f"{source} does not exist. (The working directory is {Path.cwd()}.)")
    if source is not None and not source.exists() and source.name in GENERATORS:
        raise InputError(
            f"{source} is a generator. Write its records to a file (prequential generate {source} --n 100000 -o "
            f'{source}.parquet), or name it in a plan: [stream] generator = "{source}", n = 100000.'
        )
    if resume and output is None:
        raise InputError("--resume needs the directory of the run: prequential run DIRECTORY --resume, or --output.")
    name = "SEA" if source is None else source.stem
    directory = output or Path("runs") / f"{name}-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
    checked = plan.check()
    if source is not None and not (quiet or as_json):
        _remark(checked.stream)
    if resume and not (quiet or as_json):
        warn_of_pickles(directory, [name for name, one in checked.learners.items() if not one.native])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LearnerFailedWarning)  # the table says it
        result = checked.run(
            directory=directory,
            overwrite=overwrite,
            resume=resume,
            progress=False if quiet or as_json else None,
        )
    show(result, as_json=as_json, report=report)
    raise typer.Exit(exit_code(result))


def _remark(stream: Stream) -> None:
    """Say what the records were taken for: a wrong guess is better seen before the run than after it."""
    schema = stream.schema
    n_nominal = sum(feature.nominal for feature in schema.features)
    labels = "numbers"
    if schema.classes is not None:
        named = "class" if schema.n_classes == 1 else "classes"
        labels = f"{schema.n_classes:,} {named} ({listing(schema.classes, 5)})"
    Console(stderr=True).print(
        f"{stream.name}: {schema.n_features - n_nominal:,} numeric and {n_nominal:,} nominal features, "
        f"target {schema.target!r} with {labels}",
        style="dim",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


def _on_command_line(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def refuse(context: typer.Context, why: str, accepted: set[str]) -> None:
    """Refuse options that would be passed over."""
    for name in context.params:
        if name not in accepted and _on_command_line(context, name):
            raise InputError(f"--{name.replace('_', '-')} cannot be given here: {why}.")


def _default_learners(data: dict[str, Any]) -> tuple[str, ...]:
    try:
        return DEFAULT_LEARNERS[Plan(data).stream().schema.task]
    except InputError:  # the plan says it again, with all its other faults
        return DEFAULT_LEARNERS["classification"]


def entry(text: str) -> dict[str, Any]:
    """Turn ``name:key=value`` or ``FILE.py:NAME``, with ``LABEL=`` before it or not, into an entry of a plan."""
    label, sign, named = text.partition("=")
    if sign and ":" not in label and "(" not in label:
        return {"label": label.strip(), **entry(named)}
    name, colon, rest = text.partition(":")
    if name not in CATALOGUE and ("." in name or (colon and "=" not in rest)):
        return {"python": text}
    name, parameters = parsed(text)
    return {"name": name, **parameters}


def _given(options: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if value is not None}
