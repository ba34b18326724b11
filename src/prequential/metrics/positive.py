"""The positive class: which class the metrics with a side are of, and metrics of one class."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from prequential.errors import InputError, ParameterError
from prequential.metrics.metric import REGISTRY, Metric
from prequential.streams.schema import Schema
from prequential.types import Label
from prequential.wording import listing, suggestion


def checked_positive(positive: Label | None, schema: Schema, caller: str) -> Label | None:
    """Return the given positive class as the schema spells it; refuse one that is not a class.

    Of an open schema, the class may appear later.
    """
    if positive is None:
        return None
    if schema.classes is None:
        raise ParameterError("positive", caller, "left out for regression, which has no classes", positive)
    code = schema.code_of(positive)
    if code is not None:
        return schema.classes[code]
    if schema.open:
        return positive
    raise ParameterError("positive", caller, f"one of the classes ({listing(schema.classes, 40)})", positive)


def named_positive(metrics: object, positive: Label | None, caller: str) -> tuple[object, Label | None]:
    """Return metrics and positive class, if names such as ``average_precision of ok``, as tables print, have the class.

    Examples
    --------
    >>> named_positive(["accuracy", "average_precision of ok"], None, "evaluate")
    (['accuracy', 'average_precision'], 'ok')
    """
    given = list(metrics) if isinstance(metrics, list | tuple) else [metrics]
    for i, item in enumerate(given):
        base, of, label = item.partition(" of ") if isinstance(item, str) else ("", "", "")
        if not of or base not in REGISTRY or REGISTRY[base].sided == "never":
            continue
        if positive is not None and str(positive) != label:
            raise InputError(
                f"{caller}: {item!r} has another positive class than {str(positive)!r}; a run has only one."
            )
        given[i], positive = base, label
    return (given if isinstance(metrics, list | tuple) else given[0]), positive


def of_classes(metrics: Iterable[Metric], schema: Schema, positive: Label | None) -> tuple[Metric, ...]:
    """Return the metrics for the classes of a schema.

    With a positive class, metrics with one value per class report it alone, unless they name another class
    (``recall[UP]``). A class that does not exist is refused; of an open schema, it may appear later.
    """
    found: dict[str, Metric] = {}
    for metric in metrics:
        one = str(positive) if metric.only is None and metric.per_class and positive is not None else metric.only
        metric = metric if one is None else replace(metric, only=_spelt(one, metric, schema))
        found[metric.column] = metric
    return tuple(metric for metric in found.values() if metric.only is None or metric.name not in found)


def positive_class(schema: Schema, given: Label | None) -> Label | None:
    """Return the class that is positive: the given one, or else the second of two; with more classes, none is."""
    if given is not None or schema.classes is None or len(schema.classes) != 2:
        return given
    return schema.classes[1]


def sided_metrics(metrics: Iterable[Metric], schema: Schema, given: Label | None) -> list[str]:
    """Return the names of the metrics whose value depends on which class is positive."""
    if positive_class(schema, given) is None:
        return []
    sides = ("always",) if schema.n_classes == 2 else ("always", "with many classes")
    return [one.name for one in metrics if one.sided in sides]


def _spelt(label: str, metric: Metric, schema: Schema) -> str:
    """Return a class as the schema spells it."""
    code = schema.code_of(label)
    if code is not None and schema.classes is not None:
        return str(schema.classes[code])
    if schema.open:
        return label
    names = [str(one) for one in schema.classes or ()]
    raise InputError(
        f"{metric.name}[{label}]: {label!r} is not a class.{suggestion(label, names)} Classes: {listing(names, 40)}."
    )
