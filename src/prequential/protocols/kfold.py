"""Validation with k replicas of each learner: how much of a difference is chance."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from prequential import _native
from prequential.errors import LearnerError, ParameterError, is_whole
from prequential.learners.contract import Learner
from prequential.learners.native import NativeLearner
from prequential.measures.forgetting import Forgetting
from prequential.measures.grid import BadScoreError
from prequential.protocols.protocol import Protocol, Replica, Setting, Tested
from prequential.streams.chunk import Chunk
from prequential.types import FloatArray

Scheme = Literal["cross", "split", "bootstrap"]
Tests = Literal["held_out", "all"]
Flags = npt.NDArray[np.uint8]

MOST_FOLDS = 1000


@dataclass(frozen=True, slots=True)
class KFold(Protocol):
    """Give each learner k replicas; for every record it is drawn by chance which of them test and which train.

    ============= ===================================================== =============================
    scheme        trains                                                tests, if ``tests="held_out"``
    ============= ===================================================== =============================
    ``cross``     all replicas but one                                  that one
    ``split``     one replica                                           all others
    ``bootstrap`` every replica, with a weight drawn from Poisson(1)    those that drew 0
    ============= ===================================================== =============================

    The draws of a record depend on the seed of the run and the index of the record, and on nothing else: they are the
    same for all learners, so that fold 3 of one learner and fold 3 of another have tested the same records. Over such
    pairs ``run.significance()`` has the sign test and Wilcoxon's at every checkpoint. Each replica has a seed of its
    own.

    The trace has a row for each fold, from 1 to k, and their mean as fold 0, which tables, figures and reports show.
    Where a fold is undefined, so is the mean. Checkpoints count the records of the stream, so that all folds have the
    same; what a forgetting keeps are records that the replica has tested: ``Sliding(1000)`` the last 1000 of these.
    κ_m knows the labels of these too, but κ_per is judged by the label before, whoever tested it.

    Parameters
    ----------
    k
        The number of replicas.
    scheme
        Who tests and trains on a record.
    tests
        ``held_out``: a replica tests only where the scheme says. ``all``: the prequential version, in which it tests
        also on each record that it trains on, before it does; that is every replica on every record, as in MOA.

    Notes
    -----
    MOA's ``EvaluatePrequentialCV`` is ``tests="all"`` too; it gives records to folds in turn instead of by chance in
    ``cross`` and ``split``. A learner that takes no weights learns a record of weight 2 twice.

    References
    ----------
    Bifet, De Francisci Morales, Read, Holmes and Pfahringer, "Efficient online evaluation of big data stream
    classifiers", KDD 2015.
    """

    k: int = 10
    scheme: Scheme = "bootstrap"
    tests: Tests = "held_out"

    def __post_init__(self) -> None:
        if not is_whole(self.k, 2) or self.k > MOST_FOLDS:
            raise ParameterError("k", "KFold", f"a whole number from 2 to {MOST_FOLDS:,}", self.k)
        for name, accepted in (("scheme", get_args(Scheme)), ("tests", get_args(Tests))):
            given = getattr(self, name)
            if given not in accepted:
                raise ParameterError(name, "KFold", " or ".join(map(repr, accepted)), given)

    @property
    def folds(self) -> tuple[int, ...]:
        """The numbers of the replicas, from 1."""
        return tuple(range(1, int(self.k) + 1))

    def replica(self, learner: Learner, setting: Setting, fold: int = 1) -> Replica:
        """Put a fresh learner on its way, as one of the replicas."""
        return KFoldReplica(learner, setting, self, fold)

    def draws(self, fold: int, seed: int, start: int, n: int) -> tuple[Flags, Flags]:
        """Return, of ``n`` records from ``start`` on, whether a replica tests, and how often it trains.

        Examples
        --------
        >>> tests, times = KFold(10, "cross").draws(fold=3, seed=1, start=0, n=8)
        >>> (tests + times).tolist()
        [1, 1, 1, 1, 1, 1, 1, 1]
        """
        return _native.fold_draws(self.scheme, int(self.k), fold, self.tests == "all", seed % (1 << 64), start, n)

    def forgetting_labels(self, forgetting: Sequence[Forgetting]) -> list[str]:
        """Return what the trace calls the forgettings."""
        return [one.label for one in forgetting]

    def describe(self) -> dict[str, Any]:
        """Return what a manifest says of this protocol."""
        return {"protocol": "kfold", **asdict(self)}


class KFoldReplica(Replica):
    """One of the replicas of a learner."""

    def __init__(self, learner: Learner, setting: Setting, protocol: KFold, fold: int) -> None:
        super().__init__(learner)
        self._grid = setting.grid()
        self._every, self._seed = setting.every, setting.seed
        self._protocol, self._fold = protocol, fold

    def step(self, chunk: Chunk) -> Tested | None:
        """Test and train, as it is drawn for each record."""
        self.adapt(chunk)
        tests, times = self._protocol.draws(self._fold, self._seed, chunk.start, len(chunk))
        if isinstance(self.learner, NativeLearner) and self.learner.native:
            passed, seconds = self._grid.test_fold(self.learner, chunk, tests, times, every=self._every)
            self._passed += passed
            self.n_records += len(chunk)
            self.score_seconds += seconds
            return None
        try:
            scores = self.learner.test_or_train(chunk.X, chunk.y, chunk.weight, tests, times)
        except LearnerError as failure:
            if failure.scores is not None and failure.offset:
                self._count(chunk[: failure.offset], failure.scores, tests[: failure.offset])
            raise
        self._count(chunk, scores, tests)
        return None

    def finish(self) -> None:
        """Report the last checkpoint."""
        if self._grid.n_seen % self._every or not self._grid.n_seen:
            self._passed.append(self._grid.checkpoint())

    def abandon(self) -> None:
        """Report the last checkpoint: the grid does not need the learner."""
        if self._grid.n_seen:
            self.finish()

    def state(self) -> dict[str, Any]:
        """Return the state of learner and grid."""
        return {**super().state(), "grid": self._grid.to_bytes()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where another was."""
        super().restore(state)
        self._grid.load_bytes(state["grid"])

    def take_verdicts(self) -> Flags:
        """Take away what is known of the records since the last call; those that were not tested do not count."""
        return self._grid.take_verdicts()

    def _count(self, chunk: Chunk, scores: FloatArray, tests: Flags) -> None:
        begun = time.perf_counter()
        try:
            self._passed += self._grid.update(chunk, scores, tested=tests, every=self._every)
        except BadScoreError as error:
            self._passed += error.passed
            raise
        finally:
            self.n_records = self._grid.n_seen
            self.score_seconds += time.perf_counter() - begun
