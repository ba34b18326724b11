"""The plan of ``prequential run``, made from its arguments and options."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import typer

from prequential.cli.console import timestamped
from prequential.cli.demonstration import DEFAULT_LEARNERS, DEMONSTRATION
from prequential.cli.given import given, option_name, refuse
from prequential.cli.resuming import is_run, plan_of_run
from prequential.errors import InputError, MissingFileError
from prequential.plans.delay import delay_value
from prequential.plans.learner import learner_table
from prequential.plans.plan import SETTINGS, Checked, Plan
from prequential.plans.protocol import PROTOCOL_KEYS
from prequential.plans.stream import DELAY_KEYS, FILE_KEYS
from prequential.streams.generators import GENERATORS

PLAN_KEYS = {
    "metric": "metrics",
    "detector": "detectors",
    "missing_value": "missing",
    "class_label": "classes",
    "folds": "k",
}
"""Options whose key in a plan has another name."""
_OUTPUT = ("source", "output", "overwrite", "resume", "accept_changes", "report", "as_json", "quiet")
_ENGINE = ("engine", "workers", "address", "save_seconds")


def checked_plan(context: typer.Context) -> Checked:
    """Return the checked plan of a call of ``prequential run``."""
    source = _path(context, "source")
    if source is None:
        return _demonstration(context).check()
    if _resumed_run(context) is not None:
        return _resumed_plan(context, source).check()
    if source.suffix == ".toml":
        refuse(context, _OUTPUT, "the plan has all settings; change them there")
        return Plan.from_toml(source).check()
    return _stream_plan(context, source).check(default_learners=DEFAULT_LEARNERS)


def run_directory(context: typer.Context) -> Path:
    """Return the directory of the run."""
    source, output = _path(context, "source"), _path(context, "output") or _resumed_run(context)
    if context.params["resume"] and output is None:
        if source is not None and not source.exists():
            raise MissingFileError(source)
        raise InputError("--resume needs the directory of the run: prequential run DIRECTORY --resume, or --output.")
    return output or timestamped("runs", "SEA" if source is None else source.stem)


def stream_keys(context: typer.Context) -> dict[str, Any]:
    """Return the typed options that say how to read a file, by their keys in a plan."""
    typed = given(context)
    return {key: typed[option] for option, key in _options_of(context, FILE_KEYS).items() if option in typed}


def _resumed_run(context: typer.Context) -> Path | None:
    """Return the source if it is the directory of a run to resume, and not of Parquet files."""
    source = _path(context, "source")
    if source is None or not source.is_dir():
        return None
    return source if is_run(source) or (context.params["resume"] and context.params["output"] is None) else None


def _resumed_plan(context: typer.Context, directory: Path) -> Plan:
    """Return the plan of an interrupted run; only the engine may be another one."""
    refuse(context, {*_OUTPUT, *_ENGINE} - {"output"}, "the run has its own plan")
    plan = plan_of_run(directory, resume=context.params["resume"])
    typed = {name: value for name, value in given(context).items() if name in _ENGINE}
    kept = dict(plan.data)
    if typed.get("engine", "ray") != "ray":
        kept.pop("address", None)
    return Plan({**kept, **typed}, None if typed else plan.source, plan.folder)


def _demonstration(context: typer.Context) -> Plan:
    accepted = {"learner", *_options_of(context, SETTINGS), *_OUTPUT}
    refuse(context, accepted, "the demonstration has its own stream and protocol")
    learners = [learner_table(text) for text in context.params["learner"] or ()]
    return Plan({**DEMONSTRATION, **_settings(context), "learner": learners or DEMONSTRATION["learner"]})


def _stream_plan(context: typer.Context, source: Path) -> Plan:
    """Return the plan of a stream that is read from a file."""
    params, typed = context.params, given(context)
    if not source.exists() and source.name in GENERATORS:
        raise InputError(
            f"{source} is a generator. Write its records to a file (prequential generate {source} --n 100000 -o "
            f'{source}.parquet), or name it in a plan: [stream] type = "{source}", n = 100000.'
        )
    _check_combinations(typed, params["protocol"])
    stream = stream_keys(context)
    if "delay" in typed:
        options = {key.removeprefix("delay_"): typed.get(key) for key in DELAY_KEYS if key != "delay"}
        stream["delay"] = delay_value(typed["delay"], **{**options, "seed": typed.get("delay_seed", params["seed"])})
    options_of = {key: option for option, key in PLAN_KEYS.items()}
    keys = {key: options_of.get(key, key) for key in PROTOCOL_KEYS.get(params["protocol"], ())}
    protocol = {key: str(typed[o]) if key == "test" else typed[o] for key, o in keys.items() if o in typed}
    if params["protocol"] == "kfold":
        protocol.setdefault("k", 10)
    return Plan(
        {
            **_settings(context),
            "stream": {"path": str(source), **stream},
            "protocol": {"type": params["protocol"], **protocol},
            "learner": [learner_table(text) for text in params["learner"] or ()],
        }
    )


def _check_combinations(typed: dict[str, Any], protocol: str) -> None:
    """Refuse options that need another one."""
    for name in typed:
        if name in DELAY_KEYS and "delay" not in typed:
            raise InputError(f"{option_name(name)} may only be given with --delay.")
        owner = next((one for one, keys in PROTOCOL_KEYS.items() if PLAN_KEYS.get(name, name) in keys), protocol)
        if owner != protocol and protocol in PROTOCOL_KEYS:
            raise InputError(f"{option_name(name)} may only be given with --protocol {owner}.")


def _settings(context: typer.Context) -> dict[str, Any]:
    """Return the values of the options that are settings of a plan."""
    values = {key: context.params[option] for option, key in _options_of(context, SETTINGS).items()}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items() if _is_set(value)}


def _options_of(context: typer.Context, keys: Collection[str]) -> dict[str, str]:
    """Return the options that set keys of a plan, with those keys."""
    named = {option: PLAN_KEYS.get(option, option) for option in context.params}
    return {option: key for option, key in named.items() if key in keys}


def _path(context: typer.Context, name: str) -> Path | None:
    """Return a path; some versions of Typer keep it as text."""
    value = context.params[name]
    return None if value is None else Path(value)


def _is_set(value: object) -> bool:
    """Whether an option has a value; without one, a list is empty or None."""
    return value is not None and value not in ((), [])
