"""The experiment behind a learner's card: the nine streams of the testbed, each with several seeds."""

from __future__ import annotations

import inspect
import os
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from prequential.arguments import checked_call, checked_list, checked_whole, is_whole
from prequential.errors import InputError, ParameterError
from prequential.evaluation.begin_run import LearnerFailedWarning
from prequential.learners.adapters import LearnerLike, as_learner
from prequential.learners.contract import Learner
from prequential.learners.naming import named_learners
from prequential.testbed.cards.card import Card
from prequential.testbed.cards.card_file import read_card
from prequential.testbed.cards.passes import OPTIMUM, Passes
from prequential.testbed.cards.references import REFERENCES
from prequential.testbed.cards.results import Results
from prequential.testbed.toml import nine, unknown_stream
from prequential.wording import listing

MOST_SEEDS = 1000


@checked_call
def card(
    learner: LearnerLike,
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
    """Characterise a learner: its errors on the testbed, and the eight properties of the paper.

    Parameters
    ----------
    learner
        A learner of any kind that ``evaluate`` accepts, its name, or a function without parameters that returns one.
    name
        Its name in tables; by default the one ``evaluate`` would give it.
    streams
        Which of the nine streams; all by default. Numbers that need another stream are undefined.
    seeds
        Number of seeds, counted from 1, or a list of seeds. A seed determines the records of a stream and, with the
        learner's name, the random draws of the learner. Tests need at least 6 seeds.
    references
        Whether to compare with the learners of the paper; or a saved card, to compare with all its learners.
    baseline
        An earlier card of the learner to compare with. Errors of its reference learners are reused if the same version
        computed them with the same parameters on the same records.
    directory
        Where to write the runs, one per stream and seed; they are not kept by default.
    jobs
        Number of parallel runs (threads); by default the number of processors if the learner is native, and one if it
        is written in Python. It never changes a result.
    progress
        Whether to show a progress bar; by default if standard error is a terminal.

    Returns
    -------
    Card
        It prints as tables. If the learner fails on a stream, its numbers there are undefined, with record and message,
        and a warning is issued; the other streams continue.

    Examples
    --------
    >>> found = card("naive_bayes", streams=["NSGT", "NSPC"], seeds=2, references=False)
    >>> print(found.regrets())
    naive_bayes, mean and standard deviation over 2 seeds
    <BLANKLINE>
    stream   error      sd  optimum      sd  regret      sd
    NSGT    0.2538  0.0006   0.0283  0.0024  0.2255  0.0030
    NSPC    0.0593  0.0037   0.0583  0.0037  0.0009  0.0001
    """
    ((own, model),) = _named(learner, name).items()
    chosen, numbers = _streams(streams), _seeds(seeds)
    last = None if baseline is None else _results(baseline, "baseline")
    others = {key: one for key, (_, one) in REFERENCES.items()} if references is True else {}
    _check_name(own, others)
    other_card = None if isinstance(references, bool) else _results(references, "references")
    folder = None if directory is None else Path(directory)
    passes = Passes(own, model, others, chosen, numbers, last=last, directory=folder)
    started, begun = datetime.now(UTC), time.perf_counter()
    passes.run(_jobs(jobs, model), progress)
    results = passes.results(started.isoformat(timespec="seconds"), time.perf_counter() - begun)
    made = Card(results if other_card is None else _with_learners_of(other_card, results))
    for stream, why in made.failures.items():
        warnings.warn(f"{own} on {stream} {why}", LearnerFailedWarning, 2)
    return made if last is None else made.compare(Card(last))


def _named(learner: LearnerLike, name: str | None) -> dict[str, Learner]:
    if name is not None and not str(name).strip():
        raise ParameterError("name", "card", "some text", name)
    if inspect.isfunction(learner):
        try:
            learner = learner()
        except Exception as error:
            raise InputError(f"card: calling {learner} failed: {type(error).__name__}: {error}.") from error
    if isinstance(learner, Mapping | list | tuple):
        raise ParameterError("learner", "card", "one learner", learner)
    return {str(name): as_learner(learner)} if name is not None else named_learners(learner, "card")


def _check_name(own: str, references: Mapping[str, Learner]) -> None:
    if own in references or own == OPTIMUM:
        taken = listing([OPTIMUM, *references])
        raise ParameterError("name", "card", f"different from the other names on the card ({taken})", own)


def _streams(streams: Sequence[str] | str | None) -> list[str]:
    if streams is None:
        return list(nine())
    chosen = [streams] if isinstance(streams, str) else checked_list(streams, "streams", "card", "names of streams")
    for name in chosen:
        if name not in nine():
            raise unknown_stream(str(name))
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


def _results(given: object, parameter: str) -> Results:
    if isinstance(given, Card):
        return given.results
    if not isinstance(given, str | Path):
        raise ParameterError(parameter, "card", "a card, or the path of a saved one", given)
    return read_card(given)


def _with_learners_of(other: Results, results: Results) -> Results:
    """Add the learners of another card, which must have the same records."""
    streams, seeds = results.same_records(other)
    if set(streams) != set(results.streams) or set(seeds) != set(results.seeds):
        raise InputError(
            f"The card given for references does not cover the same streams, seeds and records. It has the streams "
            f"{listing(other.streams)} with the seeds {listing(other.seeds)}; it needs the streams "
            f"{listing(results.streams)} with the seeds {listing(results.seeds)}."
        )
    cut = other.of_seeds(results.seeds).of_streams(results.streams)
    others = {
        key if key != results.learner else f"{key} (other card)": replace(one, reused=True)
        for key, one in cut.learners.items()
    }
    return replace(results, learners={**results.learners, **others})
