"""The base class of protocols, which decide which records test and which train a learner, and when."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar

from prequential import _native
from prequential.arguments import checked_call
from prequential.errors import InputError, ParameterError
from prequential.learners.contract import Learner
from prequential.metrics.binned import Binned
from prequential.metrics.forgetting import Forgetting
from prequential.metrics.metric import Metric
from prequential.namespace import Suggesting
from prequential.protocols.replica import Replica
from prequential.protocols.setting import Setting
from prequential.streams.stream import Stream
from prequential.textual import Catalogue

_Class = TypeVar("_Class", bound=type)

Feature: TypeAlias = Literal["forgetting", "pairs", "detectors", "predictions"]
"""What a protocol may or may not support: chosen forgettings, pairs of learners, drift detectors, saved predictions."""


class Protocol(Suggesting, ABC):
    """A way to evaluate a learner, with its parameters.

    It declares what it supports, so that other code does not depend on its class.

    Examples
    --------
    >>> import prequential as pq
    >>> isinstance(pq.as_protocol("prequential"), pq.protocols.Protocol)
    True
    """

    unsupported: ClassVar[Mapping[Feature, str]] = {}
    """The features that this protocol does not support, each with the reason and what to do instead."""
    takes_events: ClassVar[bool] = False
    """Whether it evaluates streams of events, in which labels arrive later than their records."""
    tests_apart: ClassVar[bool] = False
    """Whether it tests a learner at checkpoints on records apart from those it learns, instead of on each record."""
    pretrain: int = 0
    """Number of records at the start that train but do not test."""
    binned: Binned | None = None
    """The bins of the waiting time in which predictions are counted, if labels arrive late."""

    @property
    def folds(self) -> tuple[int, ...]:
        """The fold of each replica of a learner: only 0, unless the protocol has several replicas."""
        return (0,)

    @property
    def supports_pairs(self) -> bool:
        """Whether pairs of learners can be counted during the run."""
        return "pairs" not in self.unsupported

    @property
    def supports_detectors(self) -> bool:
        """Whether drift detectors can watch the learners."""
        return "detectors" not in self.unsupported

    @property
    def keeps_predictions(self) -> bool:
        """Whether predictions can be saved."""
        return "predictions" not in self.unsupported

    def check(self, **requested: bool) -> None:
        """Raise an error for a requested feature that is not supported; each keyword is a `Feature`."""
        for feature, reason in self.unsupported.items():
            if requested.get(feature):
                raise InputError(reason)

    def check_stream(self, stream: Stream) -> None:
        """Raise an error for a stream of events, unless the protocol takes events."""
        if stream.events and not self.takes_events:
            raise InputError(
                f"{stream.name} is a stream of events, in which labels arrive late. Evaluate it with "
                "protocol=pq.Delayed() (--protocol delayed)."
            )

    def supported(self, metrics: Sequence[Metric]) -> tuple[Metric, ...]:
        """Return the metrics that this protocol reports; raise an error for those it cannot compute."""
        return tuple(metrics)

    def events(self) -> _native.Waiting | None:
        """Create the store of waiting records that checks a stream of events; None if the protocol takes no events."""
        return None

    def counted(self, forgetting: Sequence[Forgetting]) -> Sequence[Forgetting]:
        """Return the forgettings under which predictions are counted: by default, those of the run."""
        return forgetting

    def forgetting_labels(self, forgetting: Sequence[Forgetting]) -> list[str]:
        """Return the labels of the forgettings in the trace."""
        return [one.label for one in forgetting]

    @abstractmethod
    def replica(self, learner: Learner, setting: Setting, fold: int = 0) -> Replica:
        """Create the replica of a fresh learner for one fold."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the entry of the manifest: the protocol's name and parameters."""


PROTOCOLS: Catalogue[Protocol] = Catalogue(
    "protocol",
    aliases={"test_then_train": "prequential", "cv": "kfold"},
    synonyms={
        "interleaved_test_then_train": "prequential",
        "prequential_evaluation": "prequential",
        "cross_validation": "kfold",
        "k_fold": "kfold",
        "delayed_labels": "delayed",
    },
)
"""The protocols by name."""


def register(name: str) -> Callable[[_Class], _Class]:
    """Return a decorator that adds a class to the protocols."""
    return lambda cls: PROTOCOLS.add(name, cls)


@checked_call
def names() -> tuple[str, ...]:
    """Return the names of the protocols.

    Examples
    --------
    >>> names()
    ('prequential', 'holdout', 'kfold', 'delayed')
    """
    return PROTOCOLS.names()


@checked_call
def as_protocol(value: Protocol | str | type | Mapping[str, Any]) -> Protocol:
    """Return a protocol, given itself, as text, or as a table with its ``type``.

    Examples
    --------
    >>> as_protocol("kfold:10,bootstrap")
    KFold(k=10, scheme='bootstrap', tests='held_out')
    """
    if isinstance(value, str):
        return PROTOCOLS.of_text(value)
    if isinstance(value, Mapping):
        return PROTOCOLS.of_table(value)
    if isinstance(value, type) and value in PROTOCOLS.values():
        return PROTOCOLS.of_class(value)
    if not isinstance(value, Protocol):
        raise InputError(
            f"{value!r} is not a protocol. Accepted: a protocol such as pq.Prequential() or pq.Holdout(…), or text: "
            "'prequential', 'holdout:share=0.1', 'kfold:10,bootstrap' or 'delayed:bins=10'."
        )
    return value


def checked_protocol(value: object, caller: str) -> Protocol:
    """Return the protocol given to a caller in any of these forms; an error for anything else names the caller."""
    if isinstance(value, Protocol | str | type | Mapping):
        return as_protocol(value)
    expected = "a protocol, such as pq.Prequential() or pq.Holdout(…), or text such as 'kfold:10,bootstrap'"
    raise ParameterError("protocol", caller, expected, value)
