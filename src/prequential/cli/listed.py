"""What ``prequential list`` lists: each kind of thing that has a name, with parameters, text and an example."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from prequential.drift.textual import DETECTORS
from prequential.learners.catalogue import CATALOGUE, in_brackets, parameters_of
from prequential.metrics import REGISTRY
from prequential.metrics.forgetting import AdaptiveWindow, Cumulative, ExponentialHistogram, Fading, Sliding
from prequential.protocols import Delayed, Holdout, KFold, Prequential
from prequential.streams.compositions.delayed import ExponentialDelay, UniformDelay
from prequential.streams.generators import GENERATORS
from prequential.testbed.published import PUBLISHED
from prequential.testbed.toml import nine


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing with a name: its parameters with their defaults, more facts, its documentation, and an example."""

    name: str
    summary: str
    parameters: Mapping[str, object]
    text: str
    example: str
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def defaults(self) -> str:
        """The parameters with their defaults, as in the textual form."""
        return ", ".join(in_brackets(key, value) for key, value in self.parameters.items())

    def to_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "name": self.name,
            "summary": self.summary,
            "parameters": {key: _plain(value) for key, value in self.parameters.items()},
            **{key.replace(" ", "_"): _plain(value) for key, value in self.facts.items()},
            "text": self.text,
            "example": self.example,
        }


def _learners() -> Iterator[Entry]:
    for name, cls in CATALOGUE.items():
        regression = name in ("mean_target", "last_target")
        source = "examples/data.csv --target first --task regression" if regression else "SEA --n 10000"
        yield _of_class(name, cls, f"prequential run {source} --learner {name}", parameters_of(cls))


def _metrics() -> Iterator[Entry]:
    for name, metric in REGISTRY.items():
        shown = f"{name}[CLASS]" if metric.per_class else name
        facts = {"better": metric.better or "neither", "needs": metric.needs, "undefined": metric.undefined}
        regression = metric.needs == "targets"
        source = "examples/data.csv --target first --task regression" if regression else "SEA --n 10000"
        window = " --forgetting sliding:1000" if metric.needs not in ("labels", "targets", "nothing") else ""
        example = f"prequential run {source} --metric {name}{window}"
        yield Entry(shown, metric.summary, {}, inspect.getdoc(metric.compute) or "", example, facts)


def _detectors() -> Iterator[Entry]:
    for name, cls in DETECTORS.items():
        example = f"prequential detect SEA --n 10000 --drift-to SEA:concept=4,at=5000 --detector {name}"
        yield _of_class(name, cls, example, _defaults_of(cls))


def _streams() -> Iterator[Entry]:
    makers: dict[str, Any] = {**GENERATORS}
    for name, cls in GENERATORS.items():
        facts = {"bayes error": makers[name]().bayes_error}
        yield _of_class(name, cls, f"prequential generate {name} --head 5", cls.defaults(), facts)
    for name, one in nine().items():
        facts = {"bayes error": PUBLISHED[name]["optimal"], "records": one.n_records, "features": one.n_features}
        text = f"{one.summary}\n\nA stream of the testbed; its Bayes error is that of the paper, table 3."
        yield Entry(name, one.summary, {"seed": 1}, text, f"prequential testbed show {name}", facts)


def _forgettings() -> Iterator[Entry]:
    forms: dict[str, type] = {
        "cumulative": Cumulative,
        "sliding:1000": Sliding,
        "fading:0.999": Fading,
        "adaptive:0.002": AdaptiveWindow,
        "histogram:10000:0.01": ExponentialHistogram,
    }
    for text, cls in forms.items():
        example = f"prequential run SEA --n 10000 --forgetting {text}"
        yield _of_class(text.partition(":")[0], cls, example, _defaults_of(cls))


def _protocols() -> Iterator[Entry]:
    more = {"holdout": " --share 0.2", "kfold": " --folds 10 --scheme bootstrap", "delayed": " --delay 100"}
    kinds = {"prequential": Prequential, "holdout": Holdout, "kfold": KFold, "delayed": Delayed}
    for name, cls in kinds.items():
        example = f"prequential run SEA --n 10000 --protocol {name}{more.get(name, '')} --learner naive_bayes"
        yield _of_class(name, cls, example, _defaults_of(cls))


def _delays() -> Iterator[Entry]:
    start = "prequential run SEA --n 10000 --learner naive_bayes --protocol delayed --delay"
    fixed = "Every label comes this many records later: 100."
    yield Entry("NUMBER", fixed, {}, fixed, f"{start} 100")
    yield _of_class("uniform", UniformDelay, f"{start} uniform:50:150", _defaults_of(UniformDelay))
    yield _of_class("exponential", ExponentialDelay, f"{start} exponential:100", _defaults_of(ExponentialDelay))
    column = "The column of a file that holds the delay of each record."
    example = "prequential run examples/data.csv --protocol delayed --delay first --learner naive_bayes"
    yield Entry("COLUMN", column, {}, column, example)


KINDS: dict[str, Callable[[], Iterator[Entry]]] = {
    "learners": _learners,
    "metrics": _metrics,
    "detectors": _detectors,
    "streams": _streams,
    "forgettings": _forgettings,
    "protocols": _protocols,
    "delays": _delays,
}
"""The kinds of things, and what yields those of a kind."""


def _of_class(
    name: str, cls: type, example: str, parameters: Mapping[str, object], facts: Mapping[str, object] | None = None
) -> Entry:
    text = inspect.cleandoc(cls.__doc__ or "")
    return Entry(name, text.partition("\n")[0], parameters, text, example, facts or {})


def _defaults_of(cls: type) -> dict[str, object]:
    """Return the parameters of a dataclass with their defaults; one without a default is required."""
    found: dict[str, object] = {}
    for one in fields(cls):
        if one.init:
            default = one.default_factory() if one.default_factory is not MISSING else one.default
            found[one.name] = "required" if default is MISSING else default
    return found


def _plain(value: object) -> object:
    """Return a value as JSON can have it."""
    return (
        value if value is None or isinstance(value, str | int | float | bool) else getattr(value, "label", str(value))
    )
