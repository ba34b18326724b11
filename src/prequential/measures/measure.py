"""A measure is a function of counts, with what a reader must know of it. The registry knows them by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from prequential.errors import InputError, listing, suggestion
from prequential.measures.counts import Counts
from prequential.types import FloatArray

Needs = Literal["labels", "probabilities", "scores", "targets"]


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that says how good predictions are.

    Parameters
    ----------
    name
        Its name in plans, traces and tables.
    compute
        The function of the counts; with one more axis, over the classes, if ``per_class``.
    needs
        What the stream or learner must give: labels, probabilities, scores whose order counts (kept under a sliding
        window only), or targets of a regression stream.
    better
        Which direction is better.
    undefined
        When the value is NaN.
    per_class
        Whether there is one value a class; traces name it ``recall[UP]``.
    """

    name: str
    compute: Callable[[Counts], FloatArray]
    needs: Needs = "labels"
    better: Literal["higher", "lower"] = "higher"
    undefined: str = "before the first label"
    per_class: bool = False

    def __call__(self, counts: Counts) -> FloatArray:
        """Compute the value."""
        return self.compute(counts)

    @property
    def summary(self) -> str:
        """The first line of the function's docstring."""
        return (self.compute.__doc__ or self.name).strip().splitlines()[0]


REGISTRY: dict[str, Measure] = {}


def register(
    name: str,
    *,
    needs: Needs = "labels",
    better: Literal["higher", "lower"] = "higher",
    undefined: str = "before the first label",
    per_class: bool = False,
) -> Callable[[Callable[[Counts], FloatArray]], Callable[[Counts], FloatArray]]:
    """Enter a function of counts into the registry under ``name``."""

    def enter(compute: Callable[[Counts], FloatArray]) -> Callable[[Counts], FloatArray]:
        REGISTRY[name] = Measure(name, compute, needs, better, undefined, per_class)
        return compute

    return enter


def resolve(measures: Iterable[str | Measure], task: str) -> tuple[Measure, ...]:
    """Look measures up by name and check that they fit the stream's task, reporting all faults together."""
    found: dict[str, Measure] = {}
    faults: list[str] = []
    fitting = names(task)
    for item in measures:
        if isinstance(item, Measure):
            measure = item
        elif item in REGISTRY:
            measure = REGISTRY[item]
        else:
            faults.append(f"Unknown measure {item!r}.{suggestion(str(item), fitting)}")
            continue
        if (measure.needs == "targets") != (task == "regression"):
            faults.append(f"The measure {measure.name!r} does not fit a {task} stream.")
        found[measure.name] = measure
    if faults:
        raise InputError(" ".join(faults) + f" Measures of a {task} stream: {listing(fitting, 40)}.")
    return tuple(found.values())


def names(task: str) -> Sequence[str]:
    """Return the names of the measures that fit a task."""
    return [m.name for m in REGISTRY.values() if (m.needs == "targets") == (task == "regression")]
