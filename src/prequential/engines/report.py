"""What a replica tells of its way: values only, so that it can come from another thread, process or machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from prequential.drift import Alarm
from prequential.measures.grid import Checkpoints
from prequential.protocols import Replica
from prequential.protocols.protocol import Tested
from prequential.runs.manifest import Failure


@dataclass(frozen=True, slots=True)
class Usage:
    """What a replica has used so far."""

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
class Report:
    """What one replica has to tell since its last report.

    Parameters
    ----------
    learner, fold
        Whose it is.
    n_records
        Records of the stream it has finished, all in all.
    passed
        The checkpoints passed.
    alarms
        The alarms given, each with its detector.
    tested
        Records with their scores, if they are to be kept; without features.
    verdicts
        Of every record taken, whether it was predicted right, if that is kept: 0 wrong, 1 right, 2 not counted.
    usage
        What it has used, all in all.
    n_unlabelled, n_unpredicted
        Records whose label has not come, where this differs from learner to learner, and labels of records that it did
        not predict, where others did.
    seconds
        How long it took.
    failure
        Why it stopped, if it did.
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

    @classmethod
    def of(
        cls,
        learner: str,
        fold: int,
        replica: Replica,
        *,
        tested: Sequence[Tested] = (),
        memory_bytes: int = 0,
        ram_hours: float = 0.0,
        seconds: float = 0.0,
        failure: Failure | None = None,
    ) -> Self:
        """Take away what a replica has to tell."""
        clock = replica.learner.clock
        usage = Usage(clock.predict_seconds, clock.learn_seconds, replica.score_seconds, memory_bytes, ram_hours)
        return cls(
            learner,
            fold,
            replica.n_records,
            tuple(replica.drain()),
            tuple(replica.drain_alarms()),
            tuple(replace(one, chunk=replace(one.chunk, X=one.chunk.X[:, :0])) for one in tested),
            replica.take_verdicts(),
            usage,
            replica.n_unlabelled,
            replica.n_unpredicted,
            seconds,
            failure,
        )

    def until(self, record: int) -> Report:
        """Return what it told of the records before ``record``, at which another replica of the learner failed.

        This one may have gone on to the end of its chunk. How far that is depends on the chunk, so it does not count.
        """
        n_late = max(0, self.n_records - record)
        kept = [one.until(record) for one in self.passed]
        return replace(
            self,
            n_records=min(self.n_records, record),
            passed=tuple(one for one in kept if len(one)),
            alarms=tuple((name, alarm) for name, alarm in self.alarms if alarm.n <= record),
            verdicts=self.verdicts[: max(0, len(self.verdicts) - n_late)],
        )
