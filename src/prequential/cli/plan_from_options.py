"""The plan of ``prequential run``, made from its arguments and options."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import typer

from prequential.cli.console import timestamped
from prequential.cli.default_learners import DEFAULT_LEARNERS
from prequential.cli.given import given, option_name, refuse
from prequential.cli.resuming import is_run, plan_of_run
from prequential.cli.source import PLAN_KEYS as STREAM_KEYS
from prequential.cli.source import planned, short_name, table_of
from prequential.errors import InputError, MissingFileError
from prequential.plans.delay import delay_value
from prequential.plans.learner import learner_table
from prequential.plans.plan import SETTINGS, Checked, Plan
from prequential.plans.protocol import PROTOCOL_KEYS
from prequential.plans.stream import DELAY_KEYS
from prequential.replication.design import ReplicationDirectory

PLAN_KEYS = {
    "metric": "metrics",
    "detector": "detectors",
    "test_data": "test",
    "test_on": "tests",
    "folds": "k",
    **STREAM_KEYS,
}
"""Options whose key in a plan has another name."""
_OPTIONS = {key: option for option, key in PLAN_KEYS.items()}
_OUTPUT = (
    *("source", "output", "overwrite", "resume", "accept_changes", "report", "as_json", "quiet"),
    *("seeds", "vary"),
)
_ENGINE = ("engine", "workers", "address", "save_seconds")


def checked_plan(context: typer.Context) -> Checked:
    """Return the checked plan of a call of ``prequential run``."""
    return asked_plan(context).check(default_learners=DEFAULT_LEARNERS if _is_stream(context) else None)


def _is_stream(context: typer.Context) -> bool:
    """Whether the source names a stream, and not a plan or a run to resume."""
    return _resumed_run(context) is None and planned(context.params["source"]) is None


def asked_plan(context: typer.Context) -> Plan:
    """Return the plan of a call of ``prequential run``; that of a stream may have no learners."""
    source: str | None = context.params["source"]
    if source is None:
        raise InputError(
            "Name a stream: a file (data.csv), a generator (SEA --n 1e5), a stream of the testbed (NSGT), or a plan "
            "(.toml). prequential demo shows an example."
        )
    resumed = _resumed_run(context)
    if resumed is not None:
        return _resumed_plan(context, resumed)
    plan = planned(source)
    if plan is not None:
        refuse(context, _OUTPUT, "the plan has all settings; change them there")
        return plan
    return _stream_plan(context, source)


def run_directory(context: typer.Context) -> Path:
    """Return the directory of the run."""
    source, output = context.params["source"] or "", _path(context, "output") or _resumed_run(context)
    if context.params["resume"] and output is None:
        if Path(source).suffix and not Path(source).exists():
            raise MissingFileError(Path(source))
        named = f"{source!r} is not the directory of a run: there is no such directory. " if source else ""
        raise InputError(
            f"{named}--resume needs the directory of the run: prequential run DIRECTORY --resume, or --output."
        )
    return output or timestamped("runs", short_name(source))


def _resumed_run(context: typer.Context) -> Path | None:
    """Return the source if it is the directory of a run to resume, and not of Parquet files."""
    source = Path(context.params["source"] or "")
    if not context.params["source"] or not source.is_dir():
        return None
    if is_run(source) or ReplicationDirectory.is_one(source):
        return source
    return source if (context.params["resume"] and context.params["output"] is None) else None


def _resumed_plan(context: typer.Context, directory: Path) -> Plan:
    """Return the plan of an interrupted run; only the engine may be another one."""
    refuse(context, {*_OUTPUT, *_ENGINE} - {"output"}, "the run has its own plan")
    plan = plan_of_run(directory, resume=context.params["resume"])
    typed = {name: value for name, value in given(context).items() if name in _ENGINE}
    kept = dict(plan.data)
    if typed.get("engine", "ray") != "ray":
        kept.pop("address", None)
    return Plan({**kept, **typed}, None if typed else plan.source, plan.folder)


def _stream_plan(context: typer.Context, source: str) -> Plan:
    """Return the plan of a stream that is not described by a plan."""
    params, typed = context.params, given(context)
    _check_combinations(typed, params["protocol"])
    late: dict[str, Any] = {"events": True} if typed.get("events") else {}
    if "delay" in typed:
        options = {key.removeprefix("delay_"): typed.get(key) for key in DELAY_KEYS if key != "delay"}
        late["delay"] = delay_value(typed["delay"], **{**options, "seed": typed.get("delay_seed", params["seed"])})
    keys = PROTOCOL_KEYS.get(params["protocol"], ())
    chosen = {key: typed[_OPTIONS.get(key, key)] for key in keys if _OPTIONS.get(key, key) in typed}
    protocol = {key: str(value) if isinstance(value, Path) else value for key, value in chosen.items()}
    if params["protocol"] == "kfold":
        protocol.setdefault("k", 10)
    return Plan(
        {
            **_settings(context),
            "stream": {**table_of(context, source, caller="run"), **late},
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
    if protocol == "holdout" and ("test_data" in typed) == ("share" in typed):
        raise InputError("--protocol holdout needs either --test-data FILE, or --share with a share such as 0.1.")
    if protocol == "kfold" and "scheme" not in typed:
        raise InputError(
            "--protocol kfold needs --scheme: bootstrap (recommended: every replica trains with a weight drawn from "
            "Poisson(1), and tests if it drew 0), cross (all train except one, which tests) or split (one trains, all "
            "others test)."
        )


def _settings(context: typer.Context) -> dict[str, Any]:
    """Return the values of the options that are settings of a plan."""
    values = {key: context.params[option] for option, key in _options_of(context, SETTINGS).items()}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items() if _is_set(value)}


def _options_of(context: typer.Context, keys: Collection[str]) -> dict[str, str]:
    """Return the options that set some of these keys of a plan, each with its key."""
    named = {option: PLAN_KEYS.get(option, option) for option in context.params}
    return {option: key for option, key in named.items() if key in keys}


def _path(context: typer.Context, name: str) -> Path | None:
    """Return a path; some versions of Typer keep it as text."""
    value = context.params[name]
    return None if value is None else Path(value)


def _is_set(value: object) -> bool:
    """Whether an option has a value; without one, a list is empty or None."""
    return value is not None and value not in ((), [])
