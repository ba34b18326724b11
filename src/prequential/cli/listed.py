"""The entries of ``prequential list``: everything that has a name, with its parameters, text and an example."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from prequential.drift.catalogue import DETECTORS
from prequential.learners.catalogue import LEARNERS
from prequential.metrics.forgetting import FORGETTINGS
from prequential.metrics.metric import REGISTRY
from prequential.protocols.protocol import PROTOCOLS
from prequential.streams.compositions.delayed import DELAYS
from prequential.streams.generators import GENERATORS
from prequential.streams.presets.catalogue import PRESETS
from prequential.testbed.published import PUBLISHED
from prequential.testbed.toml import nine
from prequential.textual import in_brackets


@dataclass(frozen=True, slots=True)
class Entry:
    """A named object: its parameters with their defaults, further facts, its documentation, and an example."""

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
    for name, cls in LEARNERS.items():
        regression = name in ("mean_target", "last_target")
        source = "examples/data.csv --target first --task regression" if regression else "SEA --n 10000"
        yield _of_class(name, cls, f"prequential run {source} --learner {name}", LEARNERS.defaults(name))


def _metrics() -> Iterator[Entry]:
    for name, metric in REGISTRY.items():
        if metric.better is None:  # a column that comes with a metric or a forgetting
            continue
        shown = f"{name}[CLASS]" if metric.per_class else name
        facts = {"better": metric.better, "needs": metric.needs, "undefined": metric.undefined}
        regression = metric.needs == "targets"
        source = "examples/data.csv --target first --task regression" if regression else "SEA --n 10000"
        window = " --forgetting sliding:1000" if metric.needs not in ("labels", "targets", "nothing") else ""
        example = f"prequential run {source} --metric {name}{window}"
        yield Entry(
            shown,
            _without_marks(metric.summary),
            {},
            _without_marks(inspect.getdoc(metric.compute) or ""),
            example,
            facts,
        )


def _detectors() -> Iterator[Entry]:
    for name, cls in DETECTORS.items():
        example = f"prequential detect SEA --n 10000 --drift-to SEA:concept=4,at=5000 --detector {name}"
        yield _of_class(name, cls, example, DETECTORS.defaults(name))


def _streams() -> Iterator[Entry]:
    for name, cls in GENERATORS.items():
        facts = {"bayes error": GENERATORS.of_class(cls).bayes_error}
        yield _of_class(name, cls, f"prequential generate {name} --head 5", GENERATORS.defaults(name), facts)
    for name, one in nine().items():
        facts = {"bayes error": PUBLISHED[name]["optimal"], "records": one.n_records, "features": one.n_features}
        text = f"{one.summary}\n\nA stream of the testbed; its Bayes error is that of the paper, table 3."
        yield Entry(name, one.summary, {"seed": 1}, text, f"prequential testbed show {name}", facts)


def _presets() -> Iterator[Entry]:
    for name, one in PRESETS.items():
        facts = {"source": one.source, "records": one.n, "guesses": "; ".join(one.guesses) or "none"}
        made = f"prequential generate '{name}' --head 5"
        yield Entry(name, one.summary, {"seed": 1}, one.text, "prequential data" if one.data else made, facts)


def _forgettings() -> Iterator[Entry]:
    parameters = {"sliding": ":1000", "fading": ":0.999", "adaptive": ":0.002", "histogram": ":10000,0.01"}
    for name, cls in FORGETTINGS.items():
        example = f"prequential run SEA --n 10000 --forgetting {name}{parameters.get(name, '')}"
        yield _of_class(name, cls, example, FORGETTINGS.defaults(name))


def _protocols() -> Iterator[Entry]:
    more = {"holdout": " --share 0.2", "kfold": " --folds 10 --scheme bootstrap", "delayed": " --delay 100"}
    for name, cls in PROTOCOLS.items():
        example = f"prequential run SEA --n 10000 --protocol {name}{more.get(name, '')} --learner naive_bayes"
        yield _of_class(name, cls, example, PROTOCOLS.defaults(name))


def _delays() -> Iterator[Entry]:
    start = "prequential run SEA --n 10000 --learner naive_bayes --protocol delayed --delay"
    fixed = "Every label comes this many records later: 100."
    yield Entry("NUMBER", fixed, {}, fixed, f"{start} 100")
    parameters = {"uniform": ":50,150", "exponential": ":100"}
    for name, cls in DELAYS.items():
        yield _of_class(name, cls, f"{start} {name}{parameters.get(name, '')}", DELAYS.defaults(name))
    column = "The column of a file that holds the delay of each record."
    example = "prequential run examples/data.csv --protocol delayed --delay first --learner naive_bayes"
    yield Entry("COLUMN", column, {}, column, example)


KINDS: dict[str, Callable[[], Iterator[Entry]]] = {
    "learners": _learners,
    "metrics": _metrics,
    "detectors": _detectors,
    "streams": _streams,
    "presets": _presets,
    "forgettings": _forgettings,
    "protocols": _protocols,
    "delays": _delays,
}
"""The kinds of objects, and the function that yields those of a kind."""


def _of_class(
    name: str, cls: type, example: str, parameters: Mapping[str, object], facts: Mapping[str, object] | None = None
) -> Entry:
    text = _without_marks(inspect.cleandoc(cls.__doc__ or ""))
    return Entry(name, text.partition("\n")[0], parameters, text, example, facts or {})


def _without_marks(text: str) -> str:
    """Return a docstring as plain text: without the marks of code."""
    return text.replace("``", "")


def _plain(value: object) -> object:
    """Return a value as JSON can have it."""
    return (
        value if value is None or isinstance(value, str | int | float | bool) else getattr(value, "label", str(value))
    )
