"""Passes over the testbed: all learners of a card on each stream with each seed."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from prequential.evaluation.begin_run import LearnerFailedWarning
from prequential.evaluation.evaluate import evaluate
from prequential.evaluation.progress import Meter
from prequential.learners.contract import Learner
from prequential.runs.failure import Failure
from prequential.runs.json_data import json_data
from prequential.runs.manifest import describe_drifts, versions
from prequential.runs.values import Values
from prequential.streams.digest import digest
from prequential.testbed.cards.error_counts import STRETCH, ErrorCounts
from prequential.testbed.cards.references import REFERENCES
from prequential.testbed.cards.results import LearnerEntry, Results, StreamEntry
from prequential.testbed.mixture_stream import MixtureStream
from prequential.testbed.optimal import Optimal
from prequential.testbed.toml import nine
from prequential.types import IntArray

OPTIMUM = "optimum"


@dataclass(frozen=True, slots=True)
class _Pass:
    """The result of one pass: one stream with one seed."""

    digest: str
    drifts: tuple[Mapping[str, Any], ...]
    n_records: int
    counts: Mapping[str, IntArray]
    failures: Mapping[str, Failure]
    reused: frozenset[str]


class Passes:
    """Runs the learners over the streams, one pass per stream and seed.

    Parameters
    ----------
    name, own
        The learner of the card.
    references
        The learners to compare it with, by name.
    streams, seeds
        The passes.
    last
        An earlier card; the errors of reference learners are taken from it where they must be the same.
    directory
        Where the runs are written; None to discard them.
    """

    def __init__(
        self,
        name: str,
        own: Learner,
        references: Mapping[str, Learner],
        streams: Sequence[str],
        seeds: Sequence[int],
        *,
        last: Results | None,
        directory: Path | None,
    ) -> None:
        self._name, self._learners = name, {name: own, **references}
        self._last, self._directory = last, directory
        self._streams, self._seeds = streams, seeds
        self._done: dict[tuple[str, int], _Pass] = {}

    def run(self, jobs: int, progress: bool | None) -> None:
        """Run all passes, ``jobs`` of them at a time."""
        passes = [(stream, seed) for seed in self._seeds for stream in self._streams]
        total = sum(nine()[stream].n_records for stream, _ in passes)
        with (
            Meter(f"{self._name} on the testbed", total, show=progress) as meter,
            warnings.catch_warnings(),
            ThreadPoolExecutor(jobs) as pool,
        ):
            warnings.simplefilter("ignore", LearnerFailedWarning)  # the card reports failures
            waiting = {pool.submit(self._pass, *one): one for one in passes}
            try:
                for future in as_completed(waiting):
                    self._done[waiting[future]] = done = future.result()
                    meter.advance(done.n_records)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _pass(self, name: str, seed: int) -> _Pass:
        """Evaluate all learners whose errors are not known from the last card."""
        stream = MixtureStream(nine()[name], seed=seed)
        identity = digest(stream.chunks())
        counts = self._known(name, seed, identity)
        reused = frozenset(counts)
        failures: dict[str, Failure] = {}
        running: dict[str, Learner] = {OPTIMUM: Optimal()}
        for key, learner in self._learners.items():
            if key in counts:
                continue
            try:
                learner.bound_to(stream).fresh(stream.schema, seed)
                running[key] = learner
            except Exception as error:  # foreign code: it may not accept the number of features, for example
                text = "".join(traceback.format_exception(error))
                failures[key] = Failure(0, f"creating it failed: {type(error).__name__}: {error}", text)
        run = evaluate(
            stream,
            running,
            metrics="error",
            forgetting="cumulative",
            every=STRETCH,
            seed=seed,
            pairs=False,
            directory=None if self._directory is None else self._directory / f"{name}-{seed}",
            progress=False,
        )
        failures |= run.failures
        values = Values(run.directory)
        n_stretches = -(-stream.n_records // STRETCH)
        for key in (OPTIMUM, *self._learners):
            if key in failures:
                counts[key] = np.zeros(n_stretches, dtype=np.int64)
            elif key in running:
                wrong = np.rint(values.checkpoints(key) * values.curve(key, "cumulative", "error")).astype(np.int64)
                counts[key] = np.diff(wrong, prepend=np.int64(0))
        drifts = tuple(describe_drifts(stream.drifts))
        return _Pass(identity, drifts, stream.n_records, counts, failures, reused)

    def _known(self, stream: str, seed: int, identity: str) -> dict[str, IntArray]:
        """Return the errors of reference learners that the last card has for the same records."""
        last = self._last
        if last is None or stream not in last.streams or seed not in last.seeds:
            return {}
        k = last.seeds.index(seed)
        if last.versions.get("prequential") != versions()["prequential"] or last.streams[stream].digests[k] != identity:
            return {}
        known = {key: entry for key, entry in last.learners.items() if key != last.learner and key in self._learners}
        return {
            key: entry.errors[stream].counts[k]
            for key, entry in known.items()
            if key != self._name
            and dict(entry.description) == json_data(self._learners[key].describe())
            and entry.errors[stream].failures[k] is None
        }

    def results(self, started: str, seconds: float) -> Results:
        """Return the results of all passes."""
        streams = {}
        for name in self._streams:
            done = [self._done[name, seed] for seed in self._seeds]
            digests = tuple(one.digest for one in done)
            streams[name] = StreamEntry(done[0].n_records, digests, self._errors(OPTIMUM, name), done[0].drifts)
        learners = {
            key: LearnerEntry(
                description=json_data(learner.describe()),
                errors={name: self._errors(key, name) for name in self._streams},
                title="" if key == self._name else REFERENCES[key][0],
                reused=any(key in one.reused for one in self._done.values()),
            )
            for key, learner in self._learners.items()
        }
        return Results(
            learner=self._name,
            seeds=tuple(self._seeds),
            streams=streams,
            learners=learners,
            versions=versions(),
            started=started,
            seconds=seconds,
        )

    def _errors(self, key: str, stream: str) -> ErrorCounts:
        done = [self._done[stream, seed] for seed in self._seeds]
        failures = tuple(one.failures.get(key) for one in done)
        return ErrorCounts(np.stack([one.counts[key] for one in done]), done[0].n_records, failures)
