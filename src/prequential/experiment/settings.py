"""What is asked of an evaluation, checked: each setting by itself, so that a plan can report all faults together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from prequential.drift import Detector, as_detector
from prequential.errors import InputError, ParameterError, is_whole, listing
from prequential.experiment.named import python_object
from prequential.measures import DEFAULT_MEASURES
from prequential.measures.auc import ranks_of
from prequential.measures.binned import Binned
from prequential.measures.forgetting import Adwin, Cumulative, Forgetting, Sliding, as_forgetting
from prequential.measures.measure import Measure, resolve
from prequential.protocols import Delayed, Holdout, KFold, Protocol, Setting
from prequential.runs.manifest import MeasureEntry
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream

MOST_CLASSES = 4096


def checked_setting(
    schema: Schema,
    measures: str | Measure | Sequence[str | Measure] | None,
    forgetting: str | Forgetting | Sequence[Forgetting | str] | None,
    every: int,
    abstain: str,
) -> tuple[tuple[Measure, ...], tuple[Forgetting, ...], Setting]:
    """Check what is to be measured, and fill in the defaults."""
    check_classes(schema)
    every = checked_every(every)
    check_abstain(abstain)
    kept = checked_forgetting(forgetting)
    wanted = checked_measures(DEFAULT_MEASURES[schema.task] if measures is None else measures, schema.task)
    if any(isinstance(one, Adwin) for one in kept):
        wanted = resolve((*wanted, "width", "alarms"), schema.task)
    probabilities = any(m.needs == "probabilities" for m in wanted)
    return wanted, kept, Setting(schema, kept, probabilities, abstain == "skip", every, ranks=ranks_of(wanted))


def check_classes(schema: Schema) -> None:
    """Refuse more classes than a confusion matrix can hold."""
    if schema.n_classes > MOST_CLASSES:
        raise InputError(
            f"{schema.target!r} has {schema.n_classes:,} classes; a confusion matrix holds at most {MOST_CLASSES:,}. "
            "If they are numbers, say task='regression'."
        )


def checked_every(every: int) -> int:
    """Return the number of records between checkpoints, if it is one."""
    if not is_whole(every, 1):
        raise ParameterError("every", "evaluate", "a whole number of at least 1", every)
    return int(every)


def check_abstain(abstain: str) -> None:
    """Refuse any other word for what is done with abstentions."""
    if abstain not in ("wrong", "skip"):
        raise ParameterError("abstain", "evaluate", "'wrong' or 'skip'", abstain)


def check_seed(seed: int) -> None:
    """Refuse what is no seed."""
    if not is_whole(seed):
        raise ParameterError("seed", "evaluate", "a whole number of at least 0", seed)


def checked_forgetting(forgetting: str | Forgetting | Sequence[Forgetting | str] | None) -> tuple[Forgetting, ...]:
    """Return the forgettings, each once; all history and the last 1000 records by default."""
    chosen: Sequence[Forgetting | str] = [Cumulative(), Sliding(1000)] if forgetting is None else several(forgetting)
    kept = {f.label: f for f in (as_forgetting(one) for one in chosen)}
    if not kept:
        raise ParameterError("forgetting", "evaluate", "at least one forgetting", forgetting)
    return tuple(kept.values())


def checked_measures(measures: str | Measure | Sequence[str | Measure], task: str | None) -> tuple[Measure, ...]:
    """Return the measures, if they fit the task; whether they do is not asked where the task is not known."""
    wanted = resolve(several(measures), task)
    if not wanted:
        raise ParameterError("measures", "evaluate", "at least one measure", measures)
    return wanted


def check_protocol(protocol: Protocol, forgetting: object) -> None:
    """Refuse a protocol that is none, or to which a forgetting means nothing."""
    if not isinstance(protocol, Protocol):
        raise ParameterError("protocol", "evaluate", "a protocol, such as pq.Prequential() or pq.Holdout(…)", protocol)
    if isinstance(protocol, Holdout) and forgetting is not None:
        raise InputError("Holdout tests stand alone: there is no forgetting to choose.")


def check_events(stream: Stream, protocol: Protocol, *, predictions: bool = False) -> None:
    """Refuse events where records are needed, and what events cannot give."""
    if stream.events and not isinstance(protocol, Delayed):
        raise InputError(
            f"{stream.name} is a stream of events, where labels come late: evaluate it with protocol=pq.Delayed() "
            "(--protocol delayed)."
        )
    if predictions and isinstance(protocol, Delayed):
        raise InputError(
            "Delayed makes many predictions of each record: they are not saved; run.bins() has their measures."
        )
    if predictions and isinstance(protocol, KFold):
        raise InputError(
            f"KFold has {protocol.k} replicas of each learner, of which several may predict a record: predictions are "
            "not saved. Save those of protocol=pq.Prequential()."
        )


def checked_for(protocol: Protocol, wanted: Sequence[Measure]) -> tuple[Measure, ...]:
    """Return the measures that a protocol can give; refuse those it was asked for and cannot."""
    if not isinstance(protocol, Delayed):
        return tuple(wanted)
    other = [m.name for m in wanted if m.needs not in ("labels", "nothing")]
    if other:
        raise InputError(
            f"Delayed judges the class that was predicted: {listing(other)} cannot be measured. "
            "Accepted: measures of the confusion matrix, such as accuracy, kappa, kappa_per, g_mean."
        )
    return tuple(m for m in wanted if m.needs == "labels")


def measure_entries(wanted: Sequence[Measure], binned: Binned | None) -> tuple[list[str], dict[str, MeasureEntry]]:
    """Return the names under which measures are reported, and what a manifest says of them and of those behind them."""
    known = {m.name: MeasureEntry.of(m) for m in wanted}
    if binned is None:
        return list(known), known
    entries = {
        name: MeasureEntry(entry.better, entry.undefined, f"{entry.summary.rstrip('.')}, {binned.told(stage)}.")
        for base, entry in known.items()
        for name, stage in zip(binned.names(base), binned.stages, strict=True)
    }
    return list(entries), {**known, **entries}


def checked_detectors(detectors: object, protocol: Protocol | None) -> tuple[Detector, ...]:
    """Return the detectors, each once; only a prequential protocol has an estimate at every record."""
    found = {one.label: one for one in map(named_detector, several(detectors))}
    if found and isinstance(protocol, Delayed):
        raise InputError(
            "Delayed has several predictions of each record: it does not say which a detector should watch."
        )
    if found and isinstance(protocol, KFold):
        raise InputError(
            f"KFold has {protocol.k} replicas of each learner, and each tests a part of the records: a drift detector "
            "watches one learner at every record. Use protocol=pq.Prequential()."
        )
    if found and isinstance(protocol, Holdout):
        raise InputError("Holdout tests now and then: a drift detector needs an estimate at every record.")
    return tuple(found.values())


def named_detector(given: object) -> Detector:
    """Take a detector, in its textual form too; one of another library may be named as MODULE:NAME or FILE.py:NAME."""
    if isinstance(given, str) and "." in given.partition(":")[0]:
        found = python_object(given, Path())
        given = found() if isinstance(found, type) else found
    return as_detector(given)


def several(given: Any) -> list[Any]:
    """Return a list of what may be one thing or several."""
    return list(given) if isinstance(given, list | tuple | set) else [given]
