"""From a learner to its card: the nine streams of the testbed, each with several seeds, all learners in one pass."""

from __future__ import annotations

import inspect
import os
import time
import traceback
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from prequential.cards import file
from prequential.cards.error_counts import STRETCH, ErrorCounts
from prequential.cards.results import LearnerEntry, Results, StreamEntry, digest
from prequential.errors import InputError, ParameterError, checked_list, checked_whole, is_whole, listing, suggestion
from prequential.experiment.evaluate import LearnerFailedWarning, evaluate
from prequential.experiment.progress import Meter
from prequential.experiment.references import REFERENCES
from prequential.learners.adapters import as_learner
from prequential.learners.contract import Learner
from prequential.learners.naming import named_learners
from prequential.learners.optimal import Optimal
from prequential.report.card import Card
from prequential.report.values import Values
from prequential.runs.manifest import Failure, describe_drifts, versions
from prequential.streams.testbed import MixtureStream, nine
from prequential.types import IntArray

OPTIMUM = "optimum"
MOST_SEEDS = 1000


def card(
    learner: object,
    *,
    name: str | None = None,
    streams: Sequence[str] | str | None = None,
    seeds: int | Sequence[int] = 10,
    references: bool | Card | str | Path = True,
    baseline: Card | str | Path | None = None,
    directory: str | Path | None = None,
    jobs: int | None = None,
    progress: bool | None = None,
) -> Card:
    """Characterise a learner: its errors on the testbed, and what they say of the eight properties of the paper.

    Parameters
    ----------
    learner
        A learner of any kind that ``evaluate`` takes, its name, or a function without parameters that returns one.
    name
        What it is called in tables; by default what ``evaluate`` would call it.
    streams
        Which of the nine; all by default. Numbers that need another stream are undefined.
    seeds
        How many, from 1 on, or a list of seeds. A seed makes the records of a stream, and with the learner's name the
        draws of the learner. Tests need at least 6.
    references
        Whether the learners of the paper stand beside it; or a saved card, whose learners do, its own among them.
    baseline
        The last card of the learner, to be compared with. Of its reference learners what was computed by the same
        version, with the same parameters, on the same records, is not computed again.
    directory
        Where to write the runs, one a stream and seed, as ``evaluate`` does; they are not kept by default.
    jobs
        Runs at a time, in threads; by default as many as there are processors if the learner is native, and one if it
        is written in Python. It never changes a result.
    progress
        Whether to show a progress bar; by default if standard error is a terminal.

    Returns
    -------
    Card
        It prints as tables. On a stream where the learner failed its numbers are undefined, with record and message,
        and there is a warning; the other streams go on.

    Examples
    --------
    >>> found = card("naive_bayes", streams=["NSGT", "NSPC"], seeds=2, references=False)
    >>> print(found.regrets())
    naive_bayes, mean and standard deviation over 2 seeds
    <BLANKLINE>
    stream   error      sd  optimum      sd  regret      sd
    NSGT    0.2539  0.0005   0.0283  0.0024  0.2256  0.0029
    NSPC    0.0593  0.0037   0.0583  0.0037  0.0010  0.0000
    """
    named = _named(learner, name)
    own = next(iter(named))
    chosen, numbers = _streams(streams), _seeds(seeds)
    last = None if baseline is None else _results(baseline, "baseline")
    beside = {key: one for key, (_, one) in REFERENCES.items()} if references is True else {}
    _check_name(own, beside)
    borrowed = None if isinstance(references, bool) else _results(references, "references")
    work = _Work(named, own, beside, last, None if directory is None else Path(directory), chosen, numbers)
    started, begun = datetime.now(UTC), time.perf_counter()
    work.go(_jobs(jobs, named[own]), progress)
    results = work.results(started.isoformat(timespec="seconds"), time.perf_counter() - begun)
    if borrowed is not None:
        results = _beside(results, borrowed)
    made = Card(results)
    for stream, why in made.failures.items():
        warnings.warn(f"{own} on {stream} {why}", LearnerFailedWarning, 2)
    return made if last is None else made.compare(Card(last))


@dataclass(frozen=True, slots=True)
class _Found:
    """What one pass over the records of a stream and seed gives."""

    digest: str
    drifts: tuple[Mapping[str, Any], ...]
    n_records: int
    counts: Mapping[str, IntArray]
    failures: Mapping[str, Failure]
    reused: frozenset[str]


class _Work:
    """All passes: one a stream and seed."""

    def __init__(
        self,
        own: Mapping[str, Learner],
        name: str,
        beside: Mapping[str, Learner],
        last: Results | None,
        directory: Path | None,
        streams: Sequence[str],
        seeds: Sequence[int],
    ) -> None:
        self._name, self._learners = name, {**own, **beside}
        self._last, self._directory = last, directory
        self._streams, self._seeds = streams, seeds
        self._found: dict[tuple[str, int], _Found] = {}

    def go(self, jobs: int, progress: bool | None) -> None:
        """Take them all."""
        passes = [(stream, seed) for seed in self._seeds for stream in self._streams]
        total = sum(nine()[stream].n_records for stream, _ in passes)
        with (
            Meter(f"{self._name} on the testbed", total, show=progress) as meter,
            warnings.catch_warnings(),
            ThreadPoolExecutor(jobs) as pool,
        ):
            warnings.simplefilter("ignore", LearnerFailedWarning)  # the card says it
            waiting = {pool.submit(self._pass, *one): one for one in passes}
            try:
                for done in as_completed(waiting):
                    self._found[waiting[done]] = found = done.result()
                    meter.advance(found.n_records)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _pass(self, name: str, seed: int) -> _Found:
        """Let all learners that are not known from another card go through the records of one stream and seed."""
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
            except Exception as error:  # of code that we do not know: it may not like the number of features, say
                text = "".join(traceback.format_exception(error))
                failures[key] = Failure(0, f"making it fresh failed: {type(error).__name__}: {error}", text)
        run = evaluate(
            stream,
            running,
            measures="error",
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
        return _Found(identity, drifts, stream.n_records, counts, failures, reused)

    def _known(self, stream: str, seed: int, identity: str) -> dict[str, IntArray]:
        """Return the errors of reference learners that the last card has of these very records."""
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
            and dict(entry.description) == file.plain(self._learners[key].describe())
            and entry.errors[stream].failures[k] is None
        }

    def results(self, started: str, seconds: float) -> Results:
        """Put the passes together."""
        streams = {}
        for name in self._streams:
            found = [self._found[name, seed] for seed in self._seeds]
            digests = tuple(one.digest for one in found)
            streams[name] = StreamEntry(found[0].n_records, digests, self._errors(OPTIMUM, name), found[0].drifts)
        learners = {
            key: LearnerEntry(
                description=file.plain(learner.describe()),
                errors={name: self._errors(key, name) for name in self._streams},
                title="" if key == self._name else REFERENCES[key][0],
                reused=any(key in one.reused for one in self._found.values()),
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
        found = [self._found[stream, seed] for seed in self._seeds]
        failures = tuple(one.failures.get(key) for one in found)
        return ErrorCounts(np.stack([one.counts[key] for one in found]), found[0].n_records, failures)


def _named(learner: object, name: str | None) -> dict[str, Learner]:
    if name is not None and not str(name).strip():
        raise ParameterError("name", "card", "some text", name)
    if inspect.isfunction(learner):
        try:
            learner = learner()
        except Exception as error:
            raise InputError(f"card: calling {learner} failed: {type(error).__name__}: {error}.") from error
    if isinstance(learner, Mapping | list | tuple):
        raise ParameterError("learner", "card", "one learner: a card is of one", learner)
    return {str(name): as_learner(learner)} if name is not None else named_learners(learner, "card")


def _check_name(own: str, beside: Mapping[str, Learner]) -> None:
    if own in beside or own == OPTIMUM:
        taken = listing([OPTIMUM, *beside])
        raise ParameterError("name", "card", f"none of those that are on the card already ({taken})", own)


def _streams(streams: Sequence[str] | str | None) -> list[str]:
    if streams is None:
        return list(nine())
    chosen = [streams] if isinstance(streams, str) else checked_list(streams, "streams", "card", "names of streams")
    for name in chosen:
        if name not in nine():
            raise InputError(
                f"Unknown stream of the testbed: {name!r}.{suggestion(str(name).upper(), nine())} "
                f"Streams: {listing(nine())}."
            )
    if not chosen:
        raise ParameterError("streams", "card", "at least one stream of the testbed", streams)
    return [name for name in nine() if name in chosen]


def _seeds(seeds: int | Sequence[int]) -> list[int]:
    if isinstance(seeds, Sequence) and not isinstance(seeds, str):
        if not seeds or not all(is_whole(seed) for seed in seeds) or len(set(seeds)) < len(seeds):
            raise ParameterError("seeds", "card", "different whole numbers of at least 0", seeds)
        chosen = [int(seed) for seed in seeds]
    else:
        chosen = list(range(1, min(checked_whole(seeds, "seeds", "card", least=1), MOST_SEEDS + 1) + 1))
    if len(chosen) > MOST_SEEDS:
        raise ParameterError("seeds", "card", f"at most {MOST_SEEDS:,} seeds", seeds)
    return chosen


def _jobs(jobs: int | None, own: Learner) -> int:
    if jobs is None:
        return (os.cpu_count() or 1) if own.native else 1
    return checked_whole(jobs, "jobs", "card", least=1)


def _results(given: object, what: str) -> Results:
    if isinstance(given, Card):
        return given.results
    if not isinstance(given, str | Path):
        raise ParameterError(what, "card", "a card, or the path of a saved one", given)
    return file.read(given)


def _beside(results: Results, borrowed: Results) -> Results:
    """Put the learners of another card beside this one; it must have the same records."""
    streams, seeds = results.same_records(borrowed)
    if set(streams) != set(results.streams) or set(seeds) != set(results.seeds):
        raise InputError(
            f"The card given for references lacks some of the streams and seeds, or has other records. It has "
            f"{listing(borrowed.streams)} with the seeds {listing(borrowed.seeds)}; needed are "
            f"{listing(results.streams)} with {listing(results.seeds)}."
        )
    cut = borrowed.of_seeds(results.seeds).of_streams(results.streams)
    others = {
        key if key != results.learner else f"{key} (other card)": LearnerEntry(
            one.description, one.errors, one.title, reused=True
        )
        for key, one in cut.learners.items()
    }
    return Results(
        learner=results.learner,
        seeds=results.seeds,
        streams=results.streams,
        learners={**results.learners, **others},
        versions=results.versions,
        started=results.started,
        seconds=results.seconds,
    )
