"""A plan: all that an evaluation needs, as data. It is read from TOML, checked as a whole, and kept with the run.

::

    every = 1000
    seed = 1
    measures = ["accuracy", "kappa"]
    forgetting = ["cumulative", "sliding:1000", "fading:0.999", "adwin:0.002"]
    detectors = ["page_hinkley:delta=0.1,threshold=100,on=error,under=fading:0.997"]

    [stream]
    path = "data.csv"                 # relative to the plan; or generator = "SEA", n = 100000
    target = "class"                  # and any other option of the reader; take and skip too
    change = [{op = "label_noise", share = 0.1}]    # what is changed in it, in order: see stream_plan.py

    [protocol]
    name = "prequential"              # or "holdout", with test = "test.csv" or share = 0.1;
                                      # or "kfold", with folds = 10, scheme = "bootstrap", tests = "held_out";
                                      # or "delayed", with bins, alpha, reevaluate_every, horizon, remember;
                                      # [stream] then has delay = 100, or events = true

    [[learner]]
    name = "majority_class"           # a reference learner and its parameters
    window = 1000

    [[learner]]
    python = "my_model.py:make_model" # any learner: FILE.py:NAME or MODULE:NAME
    label = "mine"
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import tomli_w

from prequential.engines import check_engine
from prequential.errors import InputError, ParameterError, PlanError, checked_path, listing, suggestion
from prequential.experiment.evaluate import evaluate
from prequential.experiment.named import python_object
from prequential.experiment.run import Run
from prequential.experiment.saving import check_saving
from prequential.experiment.settings import (
    check_abstain,
    check_classes,
    check_events,
    check_protocol,
    check_seed,
    checked_detectors,
    checked_every,
    checked_forgetting,
    checked_measures,
)
from prequential.experiment.stream_plan import check_types, rooted, stream_of
from prequential.learners.adapters import as_learner
from prequential.learners.catalogue import in_brackets, make
from prequential.learners.contract import Learner
from prequential.protocols import Delayed, Holdout, KFold, Prequential, Protocol
from prequential.streams.readers import read
from prequential.streams.stream import Stream

T = TypeVar("T")

_SETTINGS: dict[str, tuple[type, ...]] = {
    "every": (int,),
    "seed": (int,),
    "abstain": (str,),
    "predictions": (bool,),
    "measures": (list,),
    "forgetting": (list,),
    "detectors": (list,),
    "pairs": (bool,),
    "engine": (str,),
    "workers": (int,),
    "address": (str,),
    "save_every": (int, float),
}
_PROTOCOL: dict[str, type] = {
    **dict.fromkeys(("name", "test", "scheme", "tests"), str),
    **dict.fromkeys(("pretrain", "folds", "bins", "reevaluate_every", "remember"), int),
    **dict.fromkeys(("share", "horizon"), float),
    "first_class": bool,
}
_LEARNER: dict[str, type] = {"name": str, "python": str, "label": str}
_TABLES = ("stream", "protocol", "learner")


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan as data; ``check`` makes the objects it speaks of.

    Parameters
    ----------
    data
        The tables and values of the TOML text.
    source
        The file it comes from, for messages; None if there is none.
    folder
        What relative paths in it are relative to.
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
            raise InputError(f"{path} does not exist. (The working directory is {Path.cwd()}.)")
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
        if isinstance(data.get("stream"), dict):
            data["stream"] = rooted(data["stream"], self.folder)
        if isinstance(data.get("protocol"), dict) and isinstance(data["protocol"].get("test"), str):
            data["protocol"] = {**data["protocol"], "test": str(self._path(data["protocol"]["test"]).resolve())}
        learners = []
        for entry in data.get("learner", []):
            place, colon, name = str(entry.get("python", "")).rpartition(":")
            moved = f"{self._path(place).resolve()}{colon}{name}" if place.endswith(".py") else None
            learners.append({**entry, "python": moved} if moved else entry)
        return Plan({**data, "learner": learners}, self.source, self.folder)

    def check(self) -> Checked:
        """Make stream, learners and protocol, reporting all faults together."""
        faults: list[str] = []
        settings = self._settings(faults)
        stream = _try(faults, self._where("[stream]"), self.stream)
        protocol = _try(faults, self._where("[protocol]"), self._protocol)
        learners = self._learners(faults)
        self._check_settings(faults, settings, stream, protocol)
        if faults or stream is None or protocol is None:
            raise PlanError(self.source, faults)
        return Checked(stream, learners, protocol, settings, self.rooted().to_toml())

    def run(
        self,
        *,
        directory: str | Path | None = None,
        overwrite: bool = False,
        resume: bool = False,
        progress: bool | None = None,
    ) -> Run:
        """Check the plan and carry it out, or go on with it, if it was stopped."""
        return self.check().run(directory=directory, overwrite=overwrite, resume=resume, progress=progress)

    def _settings(self, faults: list[str]) -> dict[str, Any]:
        settings: dict[str, Any] = {}
        known = (*_SETTINGS, *_TABLES)
        for key, value in self.data.items():
            if key in _TABLES:
                continue
            if key not in _SETTINGS:
                faults.append(f"unknown key {key!r}.{suggestion(key, known)} Accepted: {listing(known)}")
            elif not isinstance(value, _SETTINGS[key]) or (isinstance(value, bool) and bool not in _SETTINGS[key]):
                faults.append(f"{key} must be of type {_SETTINGS[key][0].__name__}, not {value!r}")
            else:
                settings[key] = value
        return settings

    def _where(self, table: str) -> str:
        """Return which part of the text a fault is in, if there is a text."""
        return "" if self.source is None else table

    def _check_settings(
        self, faults: list[str], settings: Mapping[str, Any], stream: Stream | None, protocol: Protocol | None
    ) -> None:
        """Check each setting by itself; what depends on the stream only if there is one."""
        checks: list[Callable[[], object]] = []
        if stream is not None:
            checks.append(lambda: check_classes(stream.schema))
        if protocol is not None:
            checks.append(lambda: check_protocol(protocol, settings.get("forgetting")))
        if stream is not None and protocol is not None:
            checks.append(lambda: check_events(stream, protocol, predictions=settings.get("predictions", False)))
        if "measures" in settings:
            task = None if stream is None else stream.schema.task
            checks.append(lambda: checked_measures(settings["measures"], task))
        checks += [
            lambda: checked_forgetting(settings.get("forgetting")),
            lambda: checked_detectors(settings.get("detectors", ()), protocol),
            lambda: checked_every(settings.get("every", 1000)),
            lambda: check_abstain(settings.get("abstain", "wrong")),
            lambda: check_seed(settings.get("seed", 1)),
            lambda: check_engine(settings.get("engine", "auto"), settings.get("workers"), settings.get("address")),
            lambda: check_saving(settings.get("save_every")),
        ]
        for check in checks:
            _try(faults, "", check)

    def stream(self) -> Stream:
        """Make the stream."""
        return stream_of(self._table("stream"), self.folder)

    def _protocol(self) -> Protocol:
        options = self._table("protocol", {"name": "prequential"})
        check_types(options, _PROTOCOL)
        name = options.pop("name", "prequential")
        kinds: dict[str, tuple[Callable[..., Protocol], tuple[str, ...]]] = {
            "prequential": (Prequential, ("pretrain",)),
            "holdout": (Holdout, ("test", "share")),
            "kfold": (_kfold, ("folds", "scheme", "tests")),
            "delayed": (Delayed, ("bins", "alpha", "reevaluate_every", "horizon", "remember", "first_class")),
        }
        if name not in kinds:
            raise InputError(f"unknown protocol {name!r}.{suggestion(str(name), kinds)} Accepted: {listing(kinds)}")
        kind, accepted = kinds[name]
        for key in options:
            if key not in accepted:
                raise InputError(
                    f"{name} has no option {key!r}.{suggestion(key, accepted)} Accepted: {listing(accepted)}"
                )
        if "test" in options:
            source = {k: v for k, v in self._table("stream").items() if k not in ("path", "take", "skip", "change")}
            options["test"] = read(self._path(options["test"]), **source)
        return kind(**options)

    def _learners(self, faults: list[str]) -> dict[str, Learner]:
        entries = self.data.get("learner", [])
        if not isinstance(entries, list) or not entries:
            faults.append("at least one [[learner]] is needed")
            return {}
        made: dict[str, Learner] = {}
        for i, entry in enumerate(entries):
            found = _try(faults, self._where(f"[[learner]] {i + 1}"), lambda entry=entry: self._learner(entry))  # type: ignore[misc]
            if found is None:
                continue
            name, k = found[0], 2
            while name in made:
                name, k = f"{found[0]}-{k}", k + 1
            made[name] = found[1]
        return made

    def _learner(self, entry: object) -> tuple[str, Learner]:
        if not isinstance(entry, dict):
            raise InputError(f"a table is needed, not {entry!r}")
        options = dict(entry)
        check_types(options, _LEARNER)
        label = options.pop("label", None)
        if "python" in options:
            where = options.pop("python")
            if options:
                raise InputError(f"a Python learner takes its parameters in Python; {listing(options)} is not accepted")
            return label or where.rpartition(":")[2], as_learner(python_object(where, self.folder))
        if "name" not in options:
            raise InputError("it needs a 'name' or 'python'")
        name = options.pop("name")
        shown = ",".join(in_brackets(key, value) for key, value in options.items())
        return label or (f"{name}:{shown}" if shown else name), make(name, options)

    def _table(self, key: str, default: dict[str, Any] | None = None) -> dict[str, Any]:
        table = self.data.get(key, default)
        if not isinstance(table, dict):
            raise InputError("the table is missing" if table is None else f"a table is needed, not {table!r}")
        return dict(table)

    def _path(self, path: str) -> Path:
        return self.folder / path


@dataclass(frozen=True, slots=True)
class Checked:
    """The objects of a plan, and its text, to be kept with the run."""

    stream: Stream
    learners: dict[str, Learner]
    protocol: Protocol
    settings: dict[str, Any]
    text: str

    def run(
        self,
        *,
        directory: str | Path | None = None,
        overwrite: bool = False,
        resume: bool = False,
        progress: bool | None = None,
    ) -> Run:
        """Carry the plan out, or go on with it, if it was stopped."""
        return evaluate(
            self.stream,
            self.learners,
            protocol=self.protocol,
            directory=directory,
            overwrite=overwrite,
            resume=resume,
            progress=progress,
            plan=self.text,
            **self.settings,
        )


def _kfold(folds: int = 10, **options: Any) -> KFold:
    """Make the protocol; a plan says ``folds`` where the class says ``k``."""
    return KFold(folds, **options)


def _try(faults: list[str], where: str, make_it: Callable[[], T]) -> T | None:
    try:
        return make_it()
    except InputError as error:
        faults.append(f"{where}: {error}" if where else str(error))
        return None
