"""Checks of the arguments of a power experiment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from prequential.arguments import checked_list, checked_whole, is_number
from prequential.comparisons.sample import least_pairs
from prequential.errors import InputError, ParameterError
from prequential.evaluation.evaluate import finite_stream
from prequential.evaluation.execution import default_chunk
from prequential.evaluation.significance import ALPHA
from prequential.metrics.metric import resolve
from prequential.metrics.positive import checked_positive, named_positive, of_classes, positive_class, sided_metrics
from prequential.protocols.kfold import KFold
from prequential.runs.positive import titled
from prequential.streams.as_stream import StreamLike, is_one_source
from prequential.streams.chunk import Chunk
from prequential.streams.digest import digest
from prequential.streams.stream import Stream
from prequential.types import Label
from prequential.wording import listing, suggestion

MOST_RUNS = 100_000
SomeStreams: TypeAlias = StreamLike | Sequence[StreamLike] | Mapping[str, StreamLike]


def checked_streams(given: Any, target: str | None) -> dict[str, Stream]:
    """Return streams by name, from one source, a list, or a mapping; a name that occurs again gets a number."""
    found: dict[str, Stream] = {}
    if isinstance(given, Mapping):
        found = {str(name): _checked(one, target) for name, one in given.items()}
    else:
        for one in [given] if is_one_source(given) else given:
            stream = _checked(one, target)
            name, k = stream.name, 2
            while name in found:
                name, k = f"{stream.name}-{k}", k + 1
            found[name] = stream
    if not found:
        raise ParameterError("streams", "power", "at least one stream", given)
    return found


def _checked(given: StreamLike, target: str | None) -> Stream:
    stream = finite_stream(given, target)
    if not stream.restartable:
        raise InputError(f"{stream.name} can be read only once, but every run needs its records.")
    if stream.events:
        raise InputError(f"{stream.name} is a stream of events with late labels, but folds need labelled records.")
    if stream.schema.classes is None:
        raise InputError(f"{stream.name} is a regression stream, but noise on predictions needs classes.")
    return stream


def identity(stream: Stream) -> dict[str, object]:
    """Return the number of records and their digest: an experiment must not continue with other records."""
    n_records = 0

    def counted() -> Iterator[Chunk]:
        nonlocal n_records
        for chunk in stream.chunks(default_chunk(stream.schema)):
            n_records += len(chunk)
            yield chunk

    records = digest(counted())
    if not n_records:
        raise InputError(f"{stream.name} has no records.")
    return {"n_records": n_records, "records": records}


def checked_metric(
    metric: object, positive: Label | None, streams: Mapping[str, Stream]
) -> tuple[str, Label | None, str]:
    """Return a metric that tests over folds can compare, the positive class, and both as the table names them.

    With a positive class, a metric with one value per class is that of this class.
    """
    if not isinstance(metric, str):
        raise ParameterError("metric", "power", "the name of a metric", metric)
    metric, positive = named_positive(metric, positive, "power")
    names: dict[str, str] = {}
    found = resolve([metric], "classification")  # type: ignore[list-item]  # a name
    for stream, one in streams.items():
        given = checked_positive(positive, one.schema, "power")
        found = of_classes(found, one.schema, given)
        sided = found[0].name in sided_metrics(found, one.schema, given)
        names[stream] = titled(found[0].column, str(positive_class(one.schema, given)) if sided else None)
    (only,) = found
    if only.better is None or (only.per_class and only.only is None):
        raise ParameterError(
            "metric",
            "power",
            "a metric with a single value and a known direction (higher or lower is better), such as accuracy or "
            "recall[UP]",
            metric,
        )
    if len(set(names.values())) == 1:
        return only.column, positive, next(iter(names.values()))
    return only.column, positive, listing(f"{name} ({stream})" for stream, name in names.items())


def checked_words(given: str | Sequence[str], name: str, accepted: Sequence[str]) -> tuple[str, ...]:
    """Return distinct words, all of which must be accepted ones."""
    words = (given,) if isinstance(given, str) else checked_list(given, name, "power", f"any of {listing(accepted)}")
    for word in words:
        if word not in accepted:
            raise InputError(
                f"power: unknown value {word!r} of {name}.{suggestion(word, accepted)} Accepted: {listing(accepted)}."
            )
    if not words:
        raise ParameterError(name, "power", f"at least one of {listing(accepted)}", given)
    return tuple(dict.fromkeys(words))


def checked_folds(given: int | Sequence[int], alpha: float) -> tuple[int, ...]:
    """Return distinct numbers of folds, with each of which the tests can reject."""
    numbers = (given,) if is_number(given) else checked_list(given, "folds", "power", "whole numbers")  # type: ignore[arg-type]  # checked there
    need = least_pairs(min(alpha, ALPHA))
    for k in numbers:
        if not is_number(k) or KFold(k, "bootstrap").k < need:
            raise ParameterError(
                "folds", "power", f"at least {need}: with fewer, no test over folds can reject at α = {alpha:g}", k
            )
    if not numbers:
        raise ParameterError("folds", "power", "at least one number of folds", given)
    return tuple(dict.fromkeys(map(int, numbers)))


def checked_noise(given: float | Sequence[float]) -> tuple[float, ...]:
    """Return distinct probabilities."""
    levels = (given,) if is_number(given) else checked_list(given, "noise", "power", "probabilities")  # type: ignore[arg-type]  # checked there
    for p in levels:
        if not is_number(p) or not 0 < p <= 1:
            raise ParameterError("noise", "power", "numbers above 0 and up to 1", p)
    return tuple(dict.fromkeys(map(float, levels)))


def checked_runs(given: int) -> int:
    """Return the number of repetitions."""
    runs = checked_whole(given, "runs", "power", least=1)
    if runs > MOST_RUNS:
        raise ParameterError("runs", "power", f"at most {MOST_RUNS:,}", given)
    return runs
