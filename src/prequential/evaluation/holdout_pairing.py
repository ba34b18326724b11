"""Counts for every two learners, for each holdout test, how often one was right where the other was wrong.

All learners are tested on the same records. A test stands alone: there are no counts over several tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential.comparisons.pairs import SCHEMA
from prequential.protocols.late_verdicts import LateVerdicts
from prequential.protocols.setting import HoldoutVerdicts
from prequential.runs.holdout_tests import COMPLETE
from prequential.streams.chunk import Chunk

_RIGHT, _NOT_COUNTED = 1, 2


class HoldoutPairing:
    """The counts of all pairs of learners, one row per pair and test.

    Parameters
    ----------
    learners
        Names of the learners.
    """

    def __init__(self, learners: Sequence[str]) -> None:
        self._learners, self._alive = list(learners), list(learners)
        self._tests: dict[int, dict[str, HoldoutVerdicts]] = {}
        self._rows: list[dict[str, Any]] = []

    def add(self, learner: str, tests: Sequence[HoldoutVerdicts]) -> None:
        """Add the tests of a learner; a test is counted once all learners have it."""
        for test in tests:
            self._tests.setdefault(test.n, {})[learner] = test
        self._count()

    def step(self, chunk: Chunk, verdicts: Mapping[tuple[str, int], npt.NDArray[np.uint8] | LateVerdicts]) -> None:
        """Do nothing: tests are counted by ``add``."""

    def end(self, learner: str | None = None) -> None:
        """Wait no longer for a learner that has failed, or for any."""
        self._alive = [] if learner is None else [name for name in self._alive if name != learner]
        self._count()

    def drain(self) -> pa.Table | None:
        """Return and remove the rows since the last call."""
        rows, self._rows = self._rows, []
        return pa.Table.from_pylist(rows, schema=SCHEMA) if rows else None

    @property
    def n_waiting(self) -> int:
        """Number of values in the rows that are not drained."""
        return len(self._rows) * len(SCHEMA)

    def state(self) -> list[str]:
        """Return the state at a record that all learners have reached, without rows, which must be drained before."""
        return list(self._alive)

    def restore(self, state: Sequence[str]) -> None:
        """Restore from ``state()``."""
        self._alive = list(state)

    def _count(self) -> None:
        for n in sorted(self._tests):
            found = self._tests[n]
            if all(name in found for name in self._alive):
                self._rows += [
                    _row(a, b, found[a], found[b]) for a, b in combinations(self._learners, 2) if {a, b} <= set(found)
                ]
                del self._tests[n]


def _row(a: str, b: str, first: HoldoutVerdicts, second: HoldoutVerdicts) -> dict[str, Any]:
    known = (first.verdicts != _NOT_COUNTED) & (second.verdicts != _NOT_COUNTED)
    weight = np.ones(len(known)) if first.weight is None else first.weight
    right_a, right_b = first.verdicts == _RIGHT, second.verdicts == _RIGHT
    cells = {
        "n_both_right": right_a & right_b,
        "n_a_right": right_a & ~right_b,
        "n_b_right": ~right_a & right_b,
        "n_both_wrong": ~right_a & ~right_b,
    }
    return {
        "a": a,
        "b": b,
        "fold": 0,
        "n": first.n,
        "time": None if np.isnan(first.time) else first.time,
        "forgetting": COMPLETE,
        **{name: float(weight[known & cell].sum()) for name, cell in cells.items()},
        "n_records": float((known & (weight != 0)).sum()),
        "variance": float("nan"),
    }
