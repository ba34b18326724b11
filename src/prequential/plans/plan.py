"""A plan: a whole evaluation as data. It is read from TOML, checked as a whole, and saved with the run.

::

    every = 1000                      # by default about 200 checkpoints, from the length of the stream
    seed = 1
    seeds = 10                        # repeat with seeds 1 to 10: pq.replicate, prequential run
    vary = "both"                     # what the seeds change: "both", "stream" or "learners"
    metrics = ["accuracy", "kappa"]   # "recall[up]" is of one class
    positive = "up"                   # the positive class of average_precision and others
    forgetting = ["cumulative", "sliding:1000", "fading:0.999", "adaptive:0.002"]
    detectors = ["page_hinkley:delta=0.1,threshold=100,on=error,under=fading:0.997"]

    [stream]
    path = "data.csv"                 # relative to the plan; or type = "SEA", n = 100000; or type = "NSGT"
    target = "class"                  # and any other option of the reader, take and skip: see stream.py
    change = [{type = "label_noise", share = 0.1}]    # what to change, in this order: see change.py
    delay = {type = "uniform", low = 50, high = 150}  # how late labels come, for the protocol "delayed": see delay.py

    [protocol]
    type = "prequential"              # with pretrain, train_share and batch;
                                      # or "holdout", with test = "test.csv" or share = 0.1;
                                      # or "kfold", with k = 10, scheme = "bootstrap", tests = "held_out";
                                      # or "delayed", with bins, psi_alpha, reevaluate_every, horizon, remember,
                                      # first_class; [stream] then has a delay, or events = true

    [[learner]]
    type = "majority_class"           # a reference learner and its parameters
    window_size = 1000

    [[learner]]
    python = "my_model.py:make_model" # any learner: FILE.py:NAME or MODULE:NAME
    name = "mine"

In every table ``type`` is what it is, and ``name`` what it is called in results. Instead of a table there may be text:
``stream = "SEA:concept=2,n=10000"``, ``protocol = "kfold:10,bootstrap"``, ``learner = ["nb", "knn:n_neighbors=5"]``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias, TypedDict, TypeVar, Unpack

import tomli_w

from prequential.arguments import checked_call, checked_path
from prequential.errors import InputError, MissingFileError, ParameterError, PlanError
from prequential.evaluation.begin_run import carry_out, with_warnings
from prequential.evaluation.evaluate import finite_stream, learning
from prequential.evaluation.execution import EngineLike, Execution
from prequential.evaluation.run import Run
from prequential.evaluation.settings import Settings, UncheckedSettings
from prequential.learners.contract import Learner
from prequential.namespace import Suggesting
from prequential.plans.learner import learner_of
from prequential.plans.parameter_names import plan_key, renamed
from prequential.plans.protocol import protocol_of, protocol_table
from prequential.plans.stream import rooted, stream_of
from prequential.plans.stream_text import stream_table
from prequential.plans.value_types import wrong_types
from prequential.protocols import Protocol
from prequential.streams.as_stream import Source, register_source
from prequential.streams.stream import Stream
from prequential.testbed.toml import is_mixture
from prequential.textual import Text
from prequential.wording import listing, suggestion

T = TypeVar("T")
Faults: TypeAlias = list[str | InputError]

SETTINGS: dict[str, type] = {
    **dict.fromkeys(("every", "seed", "workers"), int),
    **dict.fromkeys(("abstain", "engine", "address"), str),
    **dict.fromkeys(("predictions", "pairs"), bool),
    **dict.fromkeys(("metrics", "forgetting", "detectors"), list),
    "save_seconds": float,
    "positive": object,
}
"""The keys outside all tables and the types of their values."""
REPLICATION: dict[str, type] = {"seeds": int, "vary": str}
"""The keys that say how ``pq.replicate`` repeats the plan, and the types of their values."""
_TABLES = ("stream", "protocol", "learner")
_EXECUTION = ("engine", "workers", "address", "save_seconds")


class RunOptions(TypedDict, total=False):
    """Where and how a run is computed and written: parameters of ``evaluate`` that no plan needs."""

    directory: str | Path | None
    overwrite: bool
    resume: bool
    accept_changes: bool
    progress: bool | None
    save_seconds: float | None
    engine: EngineLike
    workers: int | None


@checked_call
@dataclass(frozen=True, slots=True)
class Plan(Suggesting):
    """A plan as data; ``check`` makes the objects that it describes.

    Parameters
    ----------
    data
        The tables and values of the TOML text.
    source
        The file that it was read from, for messages; None if it was not read from a file.
    folder
        What relative paths in it are relative to.

    Examples
    --------
    >>> import prequential as pq
    >>> plan = pq.Plan({"stream": {"type": "SEA", "n": 1000}, "learner": [{"type": "naive_bayes"}], "every": 500})
    >>> plan.run(progress=False).status
    'complete'
    """

    data: dict[str, Any]
    source: str | None = None
    folder: Path = field(default_factory=Path)

    def __post_init__(self) -> None:
        if not isinstance(self.data, dict):
            raise ParameterError("data", "Plan", "a dictionary; Plan.from_toml(path) reads a file", self.data)

    @classmethod
    def from_toml(cls, path: str | Path) -> Plan:
        """Read a plan from a file."""
        path = checked_path(path, "path", "Plan.from_toml")
        if not path.is_file():
            raise MissingFileError(path)
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise PlanError(path, [f"not TOML: {error}"]) from error
        return cls(data, str(path), path.parent)

    def to_toml(self) -> str:
        """Return the plan as TOML text."""
        return tomli_w.dumps(self.data)

    def rooted(self) -> Plan:
        """Return the plan with absolute paths, so that it can be run from anywhere."""
        data = {**self.data}
        if isinstance(data.get("stream"), str):
            data["stream"] = self._table("stream")
        if isinstance(data.get("stream"), dict):
            data["stream"] = rooted(data["stream"], self.folder)
        if isinstance(data.get("protocol"), dict) and isinstance(data["protocol"].get("test"), str):
            data["protocol"] = {**data["protocol"], "test": str(self._path(data["protocol"]["test"]).resolve())}
        learners: list[Any] = []
        entries = data.get("learner", [])
        for entry in [entries] if isinstance(entries, str) else entries:
            if isinstance(entry, str):
                learners.append(entry)
                continue
            place, colon, name = str(entry.get("python", "")).rpartition(":")
            moved = f"{self._path(place).resolve()}{colon}{name}" if place.endswith(".py") else None
            learners.append({**entry, "python": moved} if moved else entry)
        return Plan({**data, "learner": learners}, self.source, self.folder)

    def check(self, *, default_learners: Mapping[str, Sequence[dict[str, Any]]] | None = None) -> Checked:
        """Make stream, learners and protocol, reporting all faults together.

        Parameters
        ----------
        default_learners
            By task, the tables ``[[learner]]`` to use if the plan has none.
        """
        faults: Faults = []
        settings = self._settings(faults)
        stream = _try(faults, self._where("[stream]"), self._stream)
        protocol = _try(faults, self._where("[protocol]"), self._protocol)
        plan = self
        if default_learners and not self.data.get("learner"):
            task = next(iter(default_learners)) if stream is None else stream.schema.task
            plan = Plan({**self.data, "learner": list(default_learners[task])}, self.source, self.folder)
        learners = plan._learners(faults)
        asked = UncheckedSettings(caller="evaluate", **{k: v for k, v in settings.items() if k not in _EXECUTION})
        how = Execution(caller="evaluate", **{k: v for k, v in settings.items() if k in _EXECUTION})
        faults += [*asked.faults(stream, protocol), *how.faults()]
        if faults or stream is None or protocol is None:
            raise self._error(faults)
        how = replace(how, plan=plan.rooted().to_toml())
        return Checked(stream, learners, asked.resolved(stream, protocol), how)

    def run(self, **options: Unpack[RunOptions]) -> Run:
        """Check the plan and run it.

        Parameters
        ----------
        options
            ``directory``, ``overwrite``, ``resume``, ``accept_changes``, ``progress``, ``save_seconds``, ``engine`` and
            ``workers``, as in ``evaluate``.
        """
        if "seeds" in self.data:
            raise InputError(
                f"{self.source or 'This plan'} has seeds = {self.data['seeds']!r}: pq.replicate(plan) runs it once per "
                "seed."
            )
        return self.check().run(**options)

    def with_seed(self, seed: int, *, stream: bool = True, learners: bool = True) -> Plan:
        """Return this plan with other random draws: those of the stream, of learners and protocol, or of both."""
        data = {key: value for key, value in self.rooted().data.items() if key not in REPLICATION}
        if learners:
            data["seed"] = seed
        if stream:
            data["stream"] = {**self._table("stream"), **data["stream"], "reseed": seed}
        return Plan(data, self.source, self.folder)

    def stream(self) -> Stream:
        """Make the stream alone."""
        faults: Faults = []
        stream = _try(faults, self._where("[stream]"), self._stream)
        if stream is None:
            raise self._error(faults)
        return stream

    def _error(self, faults: Faults) -> PlanError:
        """Return the error that lists the faults; in a file, parameters are named by their keys."""
        return PlanError(self.source, faults if self.source is None else [renamed(one, plan_key) for one in faults])

    def _settings(self, faults: Faults) -> dict[str, Any]:
        """Return the settings that have the right type."""
        given = {key: value for key, value in self.data.items() if key not in _TABLES}
        known = (*SETTINGS, *REPLICATION, *_TABLES)
        for key in given:
            if key not in known:
                faults.append(f"unknown key {key!r}.{suggestion(key, known)} Accepted: {listing(known)}")
        faults += wrong_types(given, {**SETTINGS, **REPLICATION})
        return {k: v for k, v in given.items() if k in SETTINGS and not any(wrong_types({k: v}, SETTINGS))}

    def _where(self, table: str) -> str:
        """Return the part of the file that a fault is in; empty if the plan was not read from a file."""
        return "" if self.source is None else table

    def _stream(self) -> Stream:
        return stream_of(self._table("stream"), self.folder)

    def _protocol(self) -> Protocol:
        stream = self.data.get("stream")
        return protocol_of(self._table("protocol", {}), stream if isinstance(stream, dict) else {}, self.folder)

    def _learners(self, faults: Faults) -> dict[str, Learner]:
        entries = self.data.get("learner", [])
        entries = [entries] if isinstance(entries, str) else entries
        if not isinstance(entries, list) or not entries:
            faults.append("at least one [[learner]] is needed")
            return {}
        learners: dict[str, Learner] = {}
        for i, entry in enumerate(entries, start=1):
            found = _try(faults, self._where(f"[[learner]] {i}"), lambda entry=entry: learner_of(entry, self.folder))  # type: ignore[misc]
            if found is None:
                continue
            name, k = found[0], 2
            if name in learners and isinstance(entry, dict) and "name" in entry:
                faults.append(f"[[learner]] {i}: another learner is named {name!r} already; names must differ")
            while name in learners:
                name, k = f"{found[0]}-{k}", k + 1
            learners[name] = found[1]
        return learners

    def _table(self, key: str, default: dict[str, Any] | None = None) -> dict[str, Any]:
        table = self.data.get(key, default)
        if isinstance(table, str):
            return stream_table(table) if key == "stream" else protocol_table(table)
        if not isinstance(table, dict):
            raise InputError("the table is missing" if table is None else f"a table is needed, not {table!r}")
        return dict(table)

    def _path(self, path: str) -> Path:
        return self.folder / path


@dataclass(frozen=True, slots=True)
class Checked:
    """The objects of a plan: what is run, and how."""

    stream: Stream
    learners: dict[str, Learner]
    settings: Settings
    execution: Execution

    def run(self, **options: Unpack[RunOptions]) -> Run:
        """Run the plan; see ``Plan.run``."""
        execution = replace(self.execution, **options)
        execution.check()
        settings = self.settings.resuming(execution.resumed_every)
        return with_warnings(carry_out(learning(finite_stream(self.stream), self.learners, settings), execution))


def _try(faults: Faults, where: str, make_it: Callable[[], T]) -> T | None:
    """Return what a function makes; if it refuses, note the fault and return None."""
    try:
        return make_it()
    except InputError as error:
        fault: InputError = error
        if where:
            fault = InputError(f"{where}: {error}")
            fault.__cause__ = error
        faults.append(fault)
        return None


def _stream_of_toml(text: Text) -> Stream:
    """Return the stream of a TOML file: that of a plan, or of a mixture."""
    if is_mixture(Path(text.name)):
        return stream_of(stream_table(text.whole))
    if text.positional or text.keywords:
        raise InputError(f"{text.whole}: a plan has all settings of its stream; change them there.")
    return Plan.from_toml(text.name).stream()


register_source(Source(lambda name: name.endswith(".toml"), _stream_of_toml, tuple))
