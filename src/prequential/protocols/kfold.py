"""k-fold validation: k replicas per learner show how much of a difference is chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt

from prequential import _native
from prequential.arguments import is_whole
from prequential.errors import LearnerError, ParameterError
from prequential.learners.contract import Learner
from prequential.learners.native import NativeLearner
from prequential.protocols.protocol import Feature, Protocol, register
from prequential.protocols.replica import Replica
from prequential.protocols.setting import Setting, Tested
from prequential.protocols.tally import GridTally
from prequential.streams.chunk import Chunk

Scheme = Literal["cross", "split", "bootstrap"]
Tests = Literal["held_out", "all", "trained"]
Flags = npt.NDArray[np.uint8]

MOST_FOLDS = 1000


@register("kfold")
@dataclass(frozen=True, slots=True)
class KFold(Protocol):
    """k-fold distributed validation: each learner has k replicas, and each record tests some of them and trains others.

    Use it to find out whether one learner is significantly better than another: the spread over the folds shows how
    much of a difference is chance. Which replicas test and train on a record is drawn at random:

    ============= ===================================================== =============================
    scheme        trains                                                tests, if ``tests="held_out"``
    ============= ===================================================== =============================
    ``cross``     all replicas except one                               that one
    ``split``     one replica                                           all others
    ``bootstrap`` every replica, with a weight drawn from Poisson(1)    those that drew 0
    ============= ===================================================== =============================

    The draws depend only on the seed of the run and the index of the record. They are the same for all learners, so
    fold 3 of two learners has tested the same records, and the folds are pairs: ``run.folds.significance()`` returns
    the sign test and Wilcoxon's signed-rank test over them at every checkpoint. Each replica has its own seed.

    The trace has one row per fold, 1 to k. Tables, figures and reports show the mean over the folds, and tables their
    standard deviation: both are in ``run.folds.summary()``. If a metric is undefined in one fold, so is the mean.
    Checkpoints count the records of the stream. A forgetting keeps records that the replica has tested:
    ``Sliding(1000)`` the last 1000 of these. The baseline of κ_m sees the labels of tested records only; that of
    κ_per is the label of the preceding record, tested or not.

    Parameters
    ----------
    k
        Number of replicas, from 2 to 1000. Tests over folds need at least 6.
    scheme
        Which replicas train on a record, and which test, as in the table. The paper recommends ``"bootstrap"``. There
        is no default, because the choice changes the result of the tests.
    tests
        ``"held_out"``: a replica tests the records that it does not train on. ``"trained"``: it tests those that it
        trains on, before training, and no others (the prequential k-fold validation of the paper). ``"all"``: it tests
        every record, before it may train on it, as in MOA. A record that is drawn twice or more is tested once.

    Notes
    -----
    MOA's ``EvaluatePrequentialCV`` does ``tests="all"``; in ``cross`` and ``split`` it assigns records to folds in turn
    instead of at random. A learner that takes no weights learns a record that is drawn twice two times in a row, after
    it has been tested once.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, ["naive_bayes", "no_change"], protocol=pq.KFold(10, "bootstrap"), every=1000)
    >>> sorted(set(run.to_arrow()["fold"].to_pylist()))
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

    References
    ----------
    Bifet, De Francisci Morales, Read, Holmes and Pfahringer, "Efficient online evaluation of big data stream
    classifiers", KDD 2015.
    """

    unsupported: ClassVar[Mapping[Feature, str]] = {
        "predictions": "KFold has several replicas per learner, and more than one may predict a record, so it does not "
        "save predictions. Use protocol=pq.Prequential() (--protocol prequential).",
        "detectors": "KFold has several replicas per learner, each of which tests only some of the records; a drift "
        "detector watches one learner at every record. Use protocol=pq.Prequential() (--protocol prequential).",
    }
    explained: ClassVar[Mapping[str, str]] = {
        "scheme": "It says which of the k replicas train on a record: 'cross' all except one, which tests it; 'split' "
        "one, and the others test it; 'bootstrap' each with a weight drawn from Poisson(1), and those that drew 0 "
        "test it. The paper recommends 'bootstrap': KFold(10, 'bootstrap').",
        "k": "It is the number of replicas, usually 10: KFold(10, 'bootstrap').",
    }
    k: int
    scheme: Scheme
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
        """Create the replica of a fresh learner for one fold."""
        return KFoldReplica(learner, setting, self, fold)

    def draws(self, fold: int, seed: int, start: int, n: int) -> tuple[Flags, Flags]:
        """Return, for each of ``n`` records from ``start`` on, whether a replica tests and how often it trains.

        Examples
        --------
        >>> tests, times = KFold(10, "cross").draws(fold=3, seed=1, start=0, n=8)
        >>> (tests + times).tolist()
        [1, 1, 1, 1, 1, 1, 1, 1]
        """
        return _native.fold_draws(self.scheme, int(self.k), fold, self.tests, seed % (1 << 64), start, n)

    def describe(self) -> dict[str, Any]:
        """Return the entry of the manifest."""
        return {"protocol": "kfold", **asdict(self)}


class KFoldReplica(Replica, GridTally):
    """The replica of a learner for one fold."""

    def __init__(self, learner: Learner, setting: Setting, protocol: KFold, fold: int) -> None:
        super().__init__(learner, setting)
        self._protocol, self._fold = protocol, fold

    def step(self, chunk: Chunk) -> Tested | None:
        """Test and train as drawn for each record."""
        self.adapt(chunk)
        tests, times = self._protocol.draws(self._fold, self.setting.seed, chunk.start, len(chunk))
        if isinstance(self.learner, NativeLearner) and self.learner.native:
            step = self.learner.counting_fold(chunk, tests, times)
            passed, seconds = self._grid.counted(step, chunk, every=self._every)
            self._keep(passed)
            self.n_records += len(chunk)
            self.score_seconds += seconds
            return None
        try:
            scores = self.learner.test_or_train(chunk.X, chunk.y, chunk.weight, tests, times)
        except LearnerError as failure:
            if failure.scores is not None and failure.offset:
                self.count(chunk[: failure.offset], failure.scores, tested=tests[: failure.offset])
            raise
        self.count(chunk, scores, tested=tests)
        return None
