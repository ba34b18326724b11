"""What a replica reports: only values, so that it can be sent from another thread, process or machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from prequential.drift import Alarm
from prequential.metrics.grid import Checkpoints
from prequential.protocols.late_verdicts import LateVerdicts
from prequential.protocols.setting import HoldoutVerdicts, Tested
from prequential.protocols.tally import Tally
from prequential.runs.failure import Failure


@dataclass(frozen=True, slots=True)
class Usage:
    """The time and memory that a replica has used so far."""

    predict_seconds: float = 0.0
    learn_seconds: float = 0.0
    score_seconds: float = 0.0
    memory_bytes: int = 0
    ram_hours: float = 0.0

    @property
    def worked_seconds(self) -> float:
        """Time of the learner itself."""
        return self.predict_seconds + self.learn_seconds


@dataclass(frozen=True, slots=True, eq=False)
class ReplicaUpdate:
    """What one replica has done since its last update.

    Parameters
    ----------
    learner, fold
        The key of the replica.
    n_records
        Number of records that it has processed in total.
    passed
        New checkpoints.
    alarms
        New alarms, each with the label of its detector.
    tested
        Tested records and their scores, without features, if scores are kept.
    verdicts
        For each record 0 (wrong), 1 (right) or 2 (not counted), if verdicts are kept.
    usage
        Time and memory that it has used in total.
    n_unlabelled, n_unpredicted
        Number of predicted records without a label, if learners predict different records, and number of labels of
        records that other learners predicted and this one did not.
    seconds
        Duration of the step.
    failure
        Why the learner failed; None if it did not.
    tests
        Verdicts of holdout tests, if verdicts are kept.
    late
        Verdicts on late labels, if verdicts are kept.
    """

    learner: str
    fold: int
    n_records: int
    passed: tuple[Checkpoints, ...]
    alarms: tuple[tuple[str, Alarm], ...]
    tested: tuple[Tested, ...]
    verdicts: npt.NDArray[np.uint8]
    usage: Usage
    n_unlabelled: int | None = None
    n_unpredicted: int = 0
    seconds: float = 0.0
    failure: Failure | None = None
    tests: tuple[HoldoutVerdicts, ...] = ()
    late: LateVerdicts | None = None

    @classmethod
    def drained(
        cls,
        key: tuple[str, int],
        tally: Tally,
        *,
        tested: Sequence[Tested] = (),
        memory: tuple[int, float] = (0, 0.0),
        seconds: float = 0.0,
        failure: Failure | None = None,
    ) -> Self:
        """Drain a tally into an update; ``memory`` is the size of the model in bytes and its RAM-Hours."""
        clock = tally.clock
        return cls(
            *key,
            tally.n_records,
            tuple(tally.drain()),
            tuple(tally.drain_alarms()),
            tuple(replace(one, chunk=replace(one.chunk, X=one.chunk.X[:, :0])) for one in tested),
            tally.drain_verdicts(),
            Usage(clock.predict_seconds, clock.learn_seconds, tally.score_seconds, *memory),
            tally.n_unlabelled,
            tally.n_unpredicted,
            seconds,
            failure,
            tuple(tally.drain_tests()),
            tally.drain_late(),
        )

    def until(self, record: int) -> ReplicaUpdate:
        """Return the update without the records from ``record`` on, where another replica of the learner failed.

        This replica may have continued to the end of its chunk; results must not depend on the size of the chunk.
        """
        n_late = max(0, self.n_records - record)
        passed = [one.until(record) for one in self.passed]
        return replace(
            self,
            n_records=min(self.n_records, record),
            passed=tuple(one for one in passed if len(one)),
            alarms=tuple((name, alarm) for name, alarm in self.alarms if alarm.record < record),
            tests=tuple(one for one in self.tests if one.n <= record),
            verdicts=self.verdicts[: max(0, len(self.verdicts) - n_late)],
            late=None if self.late is None else self.late.until(record),
        )
