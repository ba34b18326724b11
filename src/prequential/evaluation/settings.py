"""The settings of a run, checked once for every caller; messages name the caller."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from prequential.arguments import check_choice, check_whole, checked_whole
from prequential.drift.adapted import DetectorLike, DetectorsLike, as_detector
from prequential.drift.detector import Detector
from prequential.errors import InputError, ParameterError
from prequential.evaluation.checkpoints import chosen_every
from prequential.evaluation.holdout_pairing import HoldoutPairing
from prequential.evaluation.late_pairing import LatePairing
from prequential.evaluation.pairing import MOST_LEARNERS, Pairing
from prequential.metrics.auc import errors_of, ranks_of, scored_names
from prequential.metrics.catalogue import DEFAULT_METRICS
from prequential.metrics.forgetting import AdaptiveWindow, Cumulative, Forgetting, Sliding, as_forgetting
from prequential.metrics.loss import own_losses, placed
from prequential.metrics.metric import REGISTRY, Metric, names, resolve, split_class
from prequential.metrics.positive import checked_positive, named_positive, of_classes, positive_class, sided_metrics
from prequential.metrics.synonyms import metric_suggestion
from prequential.protocols import Prequential, Protocol
from prequential.protocols.protocol import checked_protocol
from prequential.protocols.setting import Setting
from prequential.python_object import python_object
from prequential.runs.manifest import MetricEntry
from prequential.runs.positive import Positive
from prequential.streams.schema import Schema
from prequential.streams.stream import Stream
from prequential.types import FloatArray, Label

MOST_CLASSES = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class UncheckedSettings:
    """The settings as the caller gave them; ``evaluate`` documents the fields."""

    caller: str
    protocol: Protocol | str | type | Mapping[str, Any] | None = None
    metrics: str | Metric | Sequence[str | Metric] | None = None
    forgetting: str | Forgetting | Sequence[Forgetting | str] | None = None
    every: int | None = None
    seed: int = 1
    abstain: str = "wrong"
    positive: Label | None = None
    detectors: DetectorsLike = ()
    pairs: bool | None = None
    predictions: bool = False

    def __post_init__(self) -> None:
        metrics, positive = named_positive(self.metrics, self.positive, self.caller)
        object.__setattr__(self, "metrics", metrics)
        object.__setattr__(self, "positive", positive)

    def faults(self, stream: Stream | None, protocol: Protocol | None) -> list[InputError]:
        """Return all errors; without a stream or protocol, what depends on it is not checked."""
        found = []
        for check in self._checks(stream, protocol):
            try:
                check()
            except InputError as error:
                found.append(error)
        return found

    def checked(self, stream: Stream) -> Settings:
        """Return the checked settings, with defaults; raise the first error."""
        protocol = Prequential() if self.protocol is None else checked_protocol(self.protocol, self.caller)
        for check in self._checks(stream, protocol):
            check()
        return self.resolved(stream, protocol)

    def resolved(self, stream: Stream, protocol: Protocol) -> Settings:
        """Return the settings with defaults; ``faults`` must have found none."""
        return self._resolved(stream.schema, protocol, stream)

    def of_schema(self, schema: Schema) -> Settings:
        """Return the checked settings of records that come from no stream; raise the first error."""
        check_classes(schema)
        check_choice(self.abstain, "abstain", self.caller, ("wrong", "skip"))
        return self._resolved(schema, Prequential())

    def _resolved(self, schema: Schema, protocol: Protocol, stream: Stream | None = None) -> Settings:
        metrics = self._metrics(schema.task)
        forgetting = self._forgetting()
        if any(isinstance(one, AdaptiveWindow) for one in forgetting):
            metrics = resolve((*metrics, "width", "alarms"), schema.task)
        metrics = resolve((*metrics, *errors_of(metrics, protocol.counted(forgetting))), schema.task)
        positive = checked_positive(self.positive, schema, self.caller)
        return Settings(
            self.caller,
            schema,
            protocol,
            placed(protocol.supported(of_classes(metrics, schema, positive))),
            forgetting,
            chosen_every(stream, protocol) if self.every is None else int(self.every),
            self.seed,
            self.abstain,
            positive,
            self._detectors(),
            self.pairs,
            self.predictions,
            every_chosen=self.every is None,
        )

    def _checks(self, stream: Stream | None, protocol: Protocol | None) -> Iterator[Callable[[], object]]:
        """Yield one check per setting, so that all faults of a plan can be reported together."""
        if stream is not None:
            yield lambda: check_classes(stream.schema)
            yield lambda: self._supported(stream.schema, protocol)
        elif self.metrics is not None:
            yield lambda: self._metrics(None)
        if self.every is not None:
            yield lambda: checked_whole(self.every, "every", self.caller, least=1)
        yield lambda: check_whole(self.seed, "seed", self.caller)
        yield lambda: check_choice(self.abstain, "abstain", self.caller, ("wrong", "skip"))
        yield self._forgetting
        yield self._detectors
        if protocol is not None:
            yield lambda: protocol.check(forgetting=self.forgetting is not None)
            yield lambda: protocol.check(predictions=self.predictions)
            yield lambda: protocol.check(detectors=bool(several(self.detectors)))
            yield lambda: protocol.check(pairs=bool(self.pairs))
        if protocol is not None and stream is not None:
            yield lambda: protocol.check_stream(stream)
            yield lambda: self._check_pairs(stream)

    def _metrics(self, task: str | None) -> tuple[Metric, ...]:
        """Return the metrics; if the task is known, check that they fit it."""
        given = DEFAULT_METRICS[task] if self.metrics is None and task is not None else self.metrics
        found = resolve(map(named_metric, several(given)), task)
        if not found:
            raise ParameterError("metrics", self.caller, "at least one metric", self.metrics)
        return found

    def _supported(self, schema: Schema, protocol: Protocol | None) -> tuple[Metric, ...]:
        """Return the metrics that the protocol reports; all metrics if the protocol is not known."""
        positive = checked_positive(self.positive, schema, self.caller)
        found = of_classes(self._metrics(schema.task), schema, positive)
        return found if protocol is None else protocol.supported(found)

    def _forgetting(self) -> tuple[Forgetting, ...]:
        """Return the forgettings, each once; by default all history and the last 1000 records."""
        given = [Cumulative(), Sliding(1000)] if self.forgetting is None else several(self.forgetting)
        found = {one.label: one for one in map(as_forgetting, given)}
        if not found:
            raise ParameterError("forgetting", self.caller, "at least one forgetting", self.forgetting)
        return tuple(found.values())

    def _detectors(self) -> tuple[Detector, ...]:
        """Return the detectors, each once."""
        return tuple({one.label: one for one in map(named_detector, several(self.detectors))}.values())

    def _check_pairs(self, stream: Stream) -> None:
        if self.pairs and stream.schema.classes is None:
            raise InputError(
                f"{self.caller}: pairs=True (--pairs) needs classes, and {stream.name} is a regression stream."
            )


@dataclass(frozen=True, slots=True)
class Settings:
    """The checked settings of a run."""

    caller: str
    schema: Schema
    protocol: Protocol
    metrics: tuple[Metric, ...]
    forgetting: tuple[Forgetting, ...]
    every: int
    seed: int
    abstain: str
    positive: Label | None = None
    detectors: tuple[Detector, ...] = ()
    pairs: bool | None = None
    predictions: bool = False
    every_chosen: bool = False
    """Whether ``every`` was chosen from the length of the stream."""

    def resuming(self, every: int | None) -> Settings:
        """Return the settings for a run that was started with checkpoints every so many records; None if it is new."""
        return replace(self, every=every) if self.every_chosen and every is not None else self

    def setting(self, *, verdicts: bool = False) -> Setting:
        """Return the settings of all replicas; ``verdicts`` are needed to count pairs of learners."""
        return Setting(
            self.schema,
            self.forgetting,
            any(one.needs == "probabilities" for one in self.metrics),
            self.abstain == "skip",
            self.every,
            keep_scores=self.predictions,
            ranks=ranks_of(self.metrics),
            positive=self.positive,
            verdicts=verdicts,
            detectors=self.detectors,
            seed=self.seed,
            losses=own_losses(self.metrics),
        )

    @property
    def need_scores(self) -> list[str]:
        """The names of the metrics that need scores, those that detectors watch included."""
        named = [one.on for one in self.detectors]
        watched = [on if isinstance(on, Metric) else REGISTRY[split_class(on)[0]] for on in named]
        return list(dict.fromkeys([*scored_names(self.metrics), *scored_names(watched)]))

    @property
    def labels(self) -> list[str]:
        """The labels of the forgettings in the trace."""
        return self.protocol.forgetting_labels(self.forgetting)

    def counts_pairs(self, n_learners: int) -> bool:
        """Return whether to count pairs of learners: by default for up to eight classifiers."""
        possible = self.protocol.supports_pairs and self.schema.classes is not None
        requested = n_learners <= MOST_LEARNERS if self.pairs is None else self.pairs
        return possible and requested and n_learners > 1

    def pairing(self, learners: Sequence[str]) -> Pairing | HoldoutPairing | LatePairing:
        """Create empty counters for all pairs of learners."""
        protocol = self.protocol
        if protocol.tests_apart:
            return HoldoutPairing(learners)
        if protocol.binned is not None:
            return LatePairing(learners, self.forgetting, self.every, folds=protocol.folds)
        return Pairing(learners, self.forgetting, self.every, pretrain=protocol.pretrain, folds=protocol.folds)

    def positive_of(self, schema: Schema, shares: Sequence[float] | FloatArray = ()) -> Positive | None:
        """Return the positive class among those of a schema, if one was given or if a metric depends on it.

        ``shares`` has the share of each class of the labels, as far as it is known.
        """
        label = positive_class(schema, self.positive)
        watched = [split_class(one.on)[0] for one in self.detectors if isinstance(one.on, str)]
        known = {one.name: one for one in (*self.metrics, *(REGISTRY[name] for name in watched))}
        metrics = sided_metrics(known.values(), schema, self.positive)
        if label is None or (self.positive is None and not metrics):
            return None
        code = schema.code_of(label)
        share = None if code is None or code >= len(shares) else float(shares[code])
        return Positive(str(label), self.positive is not None, metrics, share)

    def metric_entries(self, schema: Schema) -> tuple[list[str], dict[str, MetricEntry]]:
        """Return the names of the reported metrics, and their descriptions for the manifest, for these classes."""
        known = {one.column: MetricEntry.of(one) for one in self.metrics}
        if (positive := self.positive_of(schema)) is not None:
            known |= {name: known[name].of_class(positive.label) for name in positive.metrics if name in known}
        binned = self.protocol.binned
        if binned is None:
            return list(known), known
        by_column = {one.column: one for one in self.metrics}
        entries = {
            name: MetricEntry(
                entry.better, entry.undefined, f"{entry.summary.rstrip('.')}, {binned.stage_summary(stage)}."
            )
            for base, entry in known.items()
            for stages in (binned.stages_of(by_column[base]),)
            for name, stage in zip(binned.names(base, stages), stages, strict=True)
        }
        return list(entries), {**known, **entries}


def check_classes(schema: Schema) -> None:
    """Raise an error for more classes than a confusion matrix can hold."""
    if schema.n_classes > MOST_CLASSES:
        raise InputError(
            f"{schema.target!r} has {schema.n_classes:,} classes; a confusion matrix holds at most {MOST_CLASSES:,}. "
            "If they are numbers, use task='regression' (--task regression)."
        )


def named_detector(given: DetectorLike) -> Detector:
    """Return a detector, which may be given as text; MODULE:NAME and FILE.py:NAME name one of another library."""
    if isinstance(given, str) and "." in given.partition(":")[0]:
        found: Any = python_object(given, Path())
        given = found() if isinstance(found, type) else found
    return as_detector(given)


def named_metric(given: object) -> str | Metric:
    """Return a metric or its name; text such as FILE.py:NAME names a user-defined metric."""
    if isinstance(given, str) and "." in given.partition(":")[0] and ":" in given:
        given = python_object(given, Path())
    if not isinstance(given, str | Metric):
        near = metric_suggestion(type(given).__name__, names())
        expected = "names of metrics, or metrics such as pq.Metric(…) and pq.loss(…)"
        raise ParameterError("metrics", "evaluate", f"{expected} ({near.strip()})" if near else expected, given)
    return given


def several(given: Any) -> list[Any]:
    """Return one value or several as a list."""
    return list(given) if isinstance(given, list | tuple | set) else [given]
