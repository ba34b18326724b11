"""Synthetic cards."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from prequential.runs.failure import Failure
from prequential.testbed.cards.error_counts import ErrorCounts
from prequential.testbed.cards.results import LearnerEntry, Results, StreamEntry
from prequential.types import IntArray

NAMES = ("NSGT", "NSGT-F", "NSGR", "NSLC", "NSGT-I", "NSPC", "NSPC-A", "NSGT-5D", "NSCX")
N = 10_001


def flat(errors: int, n_seeds: int = 10) -> IntArray:
    """The same number of errors in every stretch of 50 records and for each seed."""
    counts = np.full((n_seeds, 201), errors)
    counts[:, -1] = 0
    return counts


def noisy(errors: int, seed: int, n_seeds: int = 10) -> IntArray:
    counts = np.random.default_rng(seed).binomial(50, errors / 50, (n_seeds, 201))
    counts[:, -1] = 0
    return counts


def results(
    learners: dict[str, Callable[[str], IntArray]],
    *,
    streams: tuple[str, ...] = NAMES,
    seeds: tuple[int, ...] = tuple(range(1, 11)),
    optimum: int = 1,
    failed: dict[str, Failure] | None = None,
    digest: str = "",
) -> Results:
    """A card whose learners have the counts that their functions return for a stream."""
    own = next(iter(learners))
    first = (None,) * (len(seeds) - 1)

    def errors(name: str, stream: str) -> ErrorCounts:
        failure = (failed or {}).get(stream) if name == own else None
        return ErrorCounts(learners[name](stream), N, (failure, *first) if failure else ())

    drifts = ({"at": 5000, "width": 1, "real": True},)
    return Results(
        learner=own,
        seeds=seeds,
        streams={
            s: StreamEntry(
                N, tuple(f"{s}{k}{digest}" for k in seeds), ErrorCounts(flat(optimum, len(seeds)), N), drifts
            )
            for s in streams
        },
        learners={
            name: LearnerEntry(
                {"learner": name.title()},
                {s: errors(name, s) for s in streams},
                title="" if name == own else "a reference",
            )
            for name in learners
        },
        versions={"prequential": "0.1.0"},
        started="2026-07-22T10:00:31+00:00",
        seconds=12.5,
    )
