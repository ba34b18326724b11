"""The SOURCE of a command: one way to name a stream, for every command that takes one.

A SOURCE is a file with options of its reader (``data.csv:target=class``), a generator with parameters
(``SEA:concept=2``), a stream of the testbed (``NSGT:seed=2``), a data set (``electricity``), a mixture or a plan
(``.toml``), or the directory of a run, which stands for the stream of its plan. ``stream_options.py`` has the options
that say more about it.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from prequential.arguments import checked_whole
from prequential.cli.console import print_note
from prequential.cli.given import given, option_name
from prequential.cli.resuming import is_run
from prequential.cli.stream_changes import noise_changes, ratio_changes, stream_changes
from prequential.cli.stream_options import CHANGING, READING
from prequential.errors import InputError
from prequential.plans.plan import Plan
from prequential.plans.stream import TYPES
from prequential.plans.stream_text import stream_table
from prequential.streams.data_sets.data_set import known
from prequential.streams.generators import GENERATORS
from prequential.streams.stream import Stream
from prequential.testbed.toml import is_mixture

HELP = (
    "a file with options of its reader (data.csv:target=class), a generator with parameters (SEA:concept=2), a stream "
    "of the testbed (NSGT:seed=2), a data set (electricity), a mixture or a plan (.toml), or the directory of a run "
    "for its stream"
)
"""What a SOURCE is, for the texts of arguments."""
PLAN_KEYS = {"class_label": "classes", "missing_value": "missing"}
"""Options of a stream whose key in a plan has another name."""
_OF_ANY_STREAM = ("n", "skip", "take")


def planned(text: str) -> Plan | None:
    """Return the plan that a SOURCE names, as a file or as the directory of a run; None if it names a stream."""
    path = Path(text)
    if is_run(path):
        if not (path / "plan.toml").is_file():
            raise InputError(f"{path} is a run without a plan.toml, so it does not say what its stream was.")
        path = path / "plan.toml"
    return Plan.from_toml(path) if path.suffix == ".toml" and not is_mixture(path) else None


def table_of(
    context: typer.Context, text: str, *, caller: str, n: float | None = None, among_files: bool = False
) -> dict[str, Any]:
    """Return the table ``[stream]`` of a plan for a SOURCE that names no plan, and the options of its stream.

    Parameters
    ----------
    context
        The call of the command.
    text
        The SOURCE.
    caller
        The command, for messages.
    n
        The number of records to use if the options name none.
    among_files
        Whether other SOURCEs of the call are files, so that options of a reader have a meaning.
    """
    typed = given(context)
    named = {key: _as_list(key, value) for key, value in stream_table(text).items()}
    reading = {PLAN_KEYS.get(key, key): value for key, value in typed.items() if key in READING}
    length = reading.pop("n", n)
    if length is not None:
        length = checked_whole(length, "n", caller, least=0 if caller == "generate" else 1)
    if not _is_read(named):
        reading = {key: value for key, value in reading.items() if key in _OF_ANY_STREAM}
        if not among_files:
            _check_reading(typed, text)
        if named.get("type") in GENERATORS and length is None and not {"n", "take"} & named.keys():
            if "take" not in reading:
                raise InputError(f"{text} never ends. Give the number of records: --n 10000.")
            length = reading["take"] + reading.get("skip", 0)
        named = {"seed": context.params["seed"], **named}
    elif length is not None:
        if "take" in reading:
            raise InputError("--n and --take are the same for a file: give one of them.")
        reading["take"] = length
        length = None
    table = {**reading, **named, **({} if length is None else {"n": length})}
    changes = _changes(table, typed, context.params["seed"])
    return {**table, "change": changes} if changes else table


def stream_of(
    context: typer.Context, text: str, *, caller: str, n: float | None = None, among_files: bool = False
) -> Stream:
    """Return the stream that a SOURCE names, with the options of the command; see ``table_of``."""
    plan = planned(text)
    if plan is None:
        return Plan({"stream": table_of(context, text, caller=caller, n=n, among_files=among_files)}).stream()
    for name in given(context):
        if name in (*READING, *CHANGING) and name not in _OF_ANY_STREAM:
            raise InputError(f"{option_name(name)} cannot be given here: the plan describes its stream.")
    return _cut(plan.stream(), context, n, caller)


def streams_of(context: typer.Context, sources: Sequence[str], *, caller: str) -> dict[str, Stream]:
    """Return the streams that several SOURCEs name, each by a name of its own."""
    made = {text: stream_is_made(text) for text in sources}
    streams: dict[str, Stream] = {}
    for text in sources:
        stream = stream_of(context, text, caller=caller, among_files=not all(made.values()))
        first = text if made[text] else stream.name
        name, k = first, 2
        while name in streams:
            name, k = f"{first}-{k}", k + 1
        streams[name] = stream
    return streams


def stream_is_made(text: str) -> bool:
    """Whether a SOURCE names a stream that is made, and not a file, a plan or a run."""
    return planned(text) is None and not _is_read(stream_table(text)) and not is_mixture(Path(text))


def short_name(text: str) -> str:
    """Return a name for files of results, derived from a SOURCE.

    Examples
    --------
    >>> short_name("data/elec.csv:target=class"), short_name("SEA:concept=2")
    ('elec', 'SEA')
    """
    return Path(text).stem if Path(text).exists() else Path(text.partition(":")[0]).stem


def with_notes(make: Any) -> tuple[Any, list[str]]:
    """Return what a function makes, and its warnings, which are also printed."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = make()
    notes = list(dict.fromkeys(str(warning.message) for warning in caught))
    for note in notes:  # such as a drift beyond the end
        print_note(f"prequential: {note}", style="yellow")
    return made, notes


def _as_list(key: str, value: Any) -> Any:
    """Return ``ignore=day`` and ``ignore=(day,hour)`` of a text as lists; other values unchanged."""
    if TYPES.get(key) is not list or not isinstance(value, str):
        return value
    return [one.strip() for one in value.strip("()").split(",")]


def _is_read(table: dict[str, Any]) -> bool:
    """Whether the stream of a table is read from a file, and not made."""
    return table.get("type") in known() or ("path" in table and not table["path"].endswith(".toml"))


def _check_reading(typed: dict[str, Any], text: str) -> None:
    """Refuse options of a reader for a stream that is not read."""
    for name in typed:
        if name in READING and name not in _OF_ANY_STREAM:
            raise InputError(f"{option_name(name)} says how to read a file, but {text} is not a file.")


def _changes(table: dict[str, Any], typed: dict[str, Any], seed: int) -> list[dict[str, Any]]:
    """Return the changes of a stream; all that draw at random have the same seed."""
    given_of = typed.get
    changes = [
        *stream_changes(table, given_of("drift_to"), given_of("recurring"), given_of("blip")),
        *ratio_changes(given_of("ratio"), given_of("ratio_change"), given_of("ratio_width"), given_of("ratio_scale")),
        *noise_changes(
            given_of("feature_noise"), given_of("missing"), given_of("label_noise"), given_of("sparse_labels")
        ),
    ]
    return [change if change["type"] == "blip" else {**change, "seed": seed} for change in changes]


def _cut(stream: Stream, context: typer.Context, n: float | None, caller: str) -> Stream:
    """Return the part of a planned stream that the options ask for."""
    typed = given(context)
    stream = stream.skip(typed["skip"]) if typed.get("skip") else stream
    stream = stream.take(typed["take"]) if "take" in typed else stream
    length = typed.get("n", n)
    return stream if length is None else stream.take(checked_whole(length, "n", caller, least=1))
