"""A metric, a function of counts with its description, and the registry of metrics by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from prequential.arguments import checked_call
from prequential.errors import InputError, ParameterError
from prequential.metrics.counts import Counts
from prequential.metrics.synonyms import metric_suggestion
from prequential.namespace import Suggesting
from prequential.textual import call, parsed, with_colons
from prequential.textual.call import Raw
from prequential.types import FloatArray
from prequential.wording import listing

Needs = Literal["labels", "probabilities", "scores", "targets", "losses", "nothing"]
Better = Literal["higher", "lower", None]
Sided = Literal["never", "with many classes", "always"]


@checked_call
@dataclass(frozen=True, slots=True)
class Metric(Suggesting):
    """A metric of how good predictions are.

    Parameters
    ----------
    name
        Its name in plans, traces and tables.
    compute
        The function of the counts; with one more axis, over the classes, if ``per_class``.
    needs
        What it is computed from: labels, probabilities, the order of scores, targets
        of a regression stream, losses of your own (``pq.loss``), or nothing.
    better
        Which direction is better, ``"higher"`` or ``"lower"``; None if neither is.
    undefined
        When the value is NaN, as a clause: "before the first label".
    per_class
        Whether there is one value per class; traces name it ``recall[UP]``.
    sided
        Whether the value depends on which class is positive; ``"with many classes"`` if both of two classes give the
        same value.
    only
        The one class to report, as text, if there is one value per class; None for all.
    loss, bound
        The function of a loss of your own, and its largest possible value: see ``pq.loss``. Of ours, calibration has
        one, whose ``width`` is the number of sums that it keeps.

    Examples
    --------
    >>> import prequential as pq
    >>> accuracy = pq.as_metric("accuracy")
    >>> error = pq.Metric("my_error", lambda counts: 1 - accuracy(counts), better="lower")
    >>> run = pq.evaluate(pq.streams.SEA(seed=1).take(2000), "naive_bayes", metrics=error, forgetting="cumulative")
    >>> round(run.table().to_dicts()[0]["value"], 2)
    0.13
    """

    name: str
    compute: Callable[[Counts], FloatArray]
    needs: Needs = "labels"
    better: Better = "higher"
    undefined: str = "before the first label"
    per_class: bool = False
    sided: Sided = "never"
    only: str | None = None
    loss: Callable[..., Any] | None = None
    bound: float | None = None

    def __post_init__(self) -> None:
        if not callable(self.compute):
            raise ParameterError("compute", "Metric", "a function of counts", self.compute)
        if self.needs not in get_args(Needs):
            raise ParameterError("needs", "Metric", f"one of {listing(get_args(Needs))}", self.needs)
        if self.better not in get_args(Better):
            raise ParameterError("better", "Metric", "'higher', 'lower' or None", self.better)
        if (self.needs == "losses") != (self.loss is not None) and self.needs != "probabilities":
            raise ParameterError("needs", "Metric", "'losses' for the metric of pq.loss, and only for it", self.needs)
        if self.sided not in get_args(Sided):
            raise ParameterError("sided", "Metric", f"one of {listing(get_args(Sided))}", self.sided)
        if self.only is not None and not self.per_class:
            raise ParameterError("only", "Metric", "None if there is one value for all classes", self.only)

    def __call__(self, counts: Counts) -> FloatArray:
        """Compute the value."""
        return self.compute(counts)

    @property
    def n_sums(self) -> int:
        """How many sums a grid keeps for it beside those of all metrics."""
        return 0 if self.loss is None else int(getattr(self.loss, "width", 1))

    @property
    def column(self) -> str:
        """The name of its column in a trace: ``accuracy``, or ``recall[UP]`` if one class is reported."""
        return self.name if self.only is None else f"{self.name}[{self.only}]"

    @property
    def summary(self) -> str:
        """The first line of the function's docstring, or else the name."""
        lines = (self.compute.__doc__ or "").strip().splitlines()
        return lines[0] if lines else self.name


REGISTRY: dict[str, Metric] = {}
FAMILIES: dict[str, Callable[..., Metric]] = {}
"""The functions that make the metrics that have parameters, ``ece:20``, by name."""


def register(
    name: str,
    *,
    needs: Needs = "labels",
    better: Better = "higher",
    undefined: str = "before the first label",
    per_class: bool = False,
    sided: Sided = "never",
) -> Callable[[Callable[[Counts], FloatArray]], Callable[[Counts], FloatArray]]:
    """Add the function of counts that follows to the registry."""

    def add(compute: Callable[[Counts], FloatArray]) -> Callable[[Counts], FloatArray]:
        REGISTRY[name] = Metric(name, compute, needs, better, undefined, per_class, sided)
        return compute

    return add


def register_family(name: str, make: Callable[..., Metric]) -> None:
    """Let a metric of the registry have parameters, in text after a colon; ``make`` returns it with some."""
    FAMILIES[name] = make


def _named(text: str) -> Metric | None:
    """Return the metric of a name, with its parameters if it has some; None if there is no such metric."""
    name = text.partition(":")[0].strip()
    if ":" not in text or name not in FAMILIES:
        return REGISTRY.get(text)
    parts = with_colons(parsed(text, "metric"))
    made = call(
        FAMILIES[name], [Raw(one) for one in parts.positional], {key: Raw(one) for key, one in parts.keywords.items()}
    )
    assert isinstance(made, Metric)
    return made


def canonical(name: str) -> str:
    """Return the name under which a metric with parameters is in traces; any other text unchanged.

    Examples
    --------
    >>> canonical("normalised_accuracy:high=0.9,low=0.5"), canonical("accuracy")
    ('normalised_accuracy:0.5:0.9', 'accuracy')
    """
    found = _named(name) if ":" in name else None
    return name if found is None else found.column


def resolve(metrics: Iterable[str | Metric], task: str | None) -> tuple[Metric, ...]:
    """Look up metrics by name and check that they fit the task, if it is known; all faults are reported together.

    ``precision[UP]`` is a metric of one class.
    """
    found: dict[str, Metric] = {}
    faults: list[str] = []
    fitting = names(task)
    for item in metrics:
        if not isinstance(item, str | Metric):
            kind = type(item).__name__
            hint = metric_suggestion(kind, fitting)
            given = repr(item) if type(item).__module__ == "builtins" else f"An object of type {kind}"
            faults.append(f"{given} is not a metric: metrics are named by text.{hint}")
            continue
        base, label = (item.name, None) if isinstance(item, Metric) else split_class(item)
        metric = item if isinstance(item, Metric) else _named(base)
        if metric is None:
            faults.append(f"Unknown metric {item!r}.{metric_suggestion(base, fitting)}")
        elif not fits(metric, task):
            faults.append(f"The metric {metric.name!r} does not fit a {task} stream.")
        elif label is not None and not metric.per_class:
            faults.append(_not_per_class(metric, str(item), label))
        else:
            metric = metric if label is None else replace(metric, only=label)
            found[metric.column] = metric
    if faults:
        of_stream = "" if task is None else f" of a {task} stream"
        raise InputError(" ".join(faults) + f" Metrics{of_stream}: {listing(fitting, 40)}.")
    return tuple(found.values())


@checked_call
def as_metric(value: str | Metric, task: str | None = None) -> Metric:
    """Return a metric by its name, ``"accuracy"`` or ``"recall[UP]"``; a metric is returned unchanged.

    Parameters
    ----------
    value
        The name, or the metric.
    task
        ``"classification"`` or ``"regression"``, which it must fit; None for any.

    Examples
    --------
    >>> as_metric("kappa").better, as_metric("recall[UP]").column
    ('higher', 'recall[UP]')
    """
    if not isinstance(value, str | Metric):
        raise ParameterError("value", "as_metric", "the name of a metric, or a metric", value)
    (found,) = resolve([value], task)
    return found


def split_class(name: str) -> tuple[str, str | None]:
    """Return the metric and the class of a name such as ``recall[UP]``; None without a class.

    Examples
    --------
    >>> split_class("recall[a[0]]"), split_class("accuracy")
    (('recall', 'a[0]'), ('accuracy', None))
    """
    base, bracket, rest = name.partition("[")
    return (base, rest[:-1]) if bracket and rest.endswith("]") else (name, None)


def _not_per_class(metric: Metric, given: str, label: str) -> str:
    hint = f" For a positive class, use {metric.name!r} with positive={label!r} (--positive {label})."
    return f"{given!r} is not a metric: {metric.name!r} has no value per class." + (
        hint if metric.sided != "never" else f" Per class: {listing(m.name for m in REGISTRY.values() if m.per_class)}."
    )


@checked_call
def names(task: str | None = None) -> tuple[str, ...]:
    """Return the names of the metrics that fit a task; of all metrics if the task is not known.

    Other columns of a trace are not metrics, such as the width of an adaptive window or the error bound of AUC: they
    come with the metric or forgetting that they belong to.

    Examples
    --------
    >>> names("regression")[:3]
    ('mae', 'mse', 'rmse')
    """
    return tuple(m.name for m in REGISTRY.values() if m.better is not None and fits(m, task))


def fits(metric: Metric, task: str | None) -> bool:
    """Return whether a metric fits a task; True if the task is not known."""
    return (
        task is None or metric.needs in ("nothing", "losses") or (metric.needs == "targets") == (task == "regression")
    )


def is_share(column: str) -> bool:
    """Return whether values of a column may be written in per cent; the unit of your own metrics is not known.

    Examples
    --------
    >>> is_share("recall[UP]"), is_share("log_loss"), is_share("mae")
    (True, False, False)
    """
    known = REGISTRY.get(column.partition("[")[0].partition(":")[0])
    return known is not None and known.needs in ("labels", "scores")


def of_scores(metric: Metric) -> bool:
    """Return whether a metric is computed from scores and not from predicted classes."""
    return metric.needs in ("scores", "probabilities")
