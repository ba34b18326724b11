"""An experiment: a source of records, the jobs that count them, and checked settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from prequential.engines.job import Job
from prequential.evaluation.settings import Settings
from prequential.runs.manifest import (
    LearnerEntry,
    Manifest,
    describe_drifts,
    describe_schema,
    machine,
    versions,
)
from prequential.source_code import source_code
from prequential.streams.stream import Stream


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """Everything that defines a run.

    Parameters
    ----------
    source
        The source of records: a stream, or predictions made elsewhere.
    jobs
        One job per replica.
    learners
        Descriptions of the learners for the manifest, by name.
    settings
        The checked settings.
    protocol
        Description of the protocol for the manifest.
    stream
        Description of the source for the manifest.
    n_expected
        Number of records per learner, if known.
    own_records
        Whether each learner has its own records, as files of predictions have.
    without_labels
        Advice for the user if no label arrived for any record.
    pairs
        Whether to count pairs of learners.
    elsewhere
        Whether predictions were made elsewhere; then a second one need not be for a new version of its record.
    """

    source: Stream
    jobs: tuple[Job, ...]
    learners: Mapping[str, dict[str, Any]]
    settings: Settings
    protocol: Mapping[str, Any]
    stream: Mapping[str, Any]
    n_expected: int | None
    own_records: bool = False
    without_labels: str = (
        "A record arrives in a row without a label, and a later row with the same id has its label. If every row has "
        "its label, delay the labels with stream.delayed(100) (--delay 100)."
    )
    pairs: bool = False
    elsewhere: bool = False

    def manifest(self) -> Manifest:
        """Return the manifest at the start of the run."""
        settings = self.settings
        names, known = settings.metric_entries(settings.schema)
        return Manifest(
            name=self.source.name,
            stream=dict(self.stream),
            schema=describe_schema(settings.schema),
            drifts=describe_drifts(self.source.drifts),
            protocol=dict(self.protocol),
            metrics=names,
            known_metrics=known,
            forgetting=settings.labels,
            detectors=[one.label for one in settings.detectors],
            every=settings.every,
            seed=settings.seed,
            abstain=settings.abstain,
            positive=settings.positive_of(settings.schema),
            kept={"predictions": settings.predictions, "pairs": self.pairs},
            learners={name: LearnerEntry(description) for name, description in self.learners.items()},
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            n_expected=self.n_expected,
            versions=versions(),
            code=source_code([*self.jobs, *settings.metrics, *settings.detectors]),
            machine=machine(),
        )
