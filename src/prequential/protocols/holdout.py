"""Holdout: test the frozen model at regular intervals on records it never learns."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from prequential.arguments import is_number
from prequential.errors import InputError, LearnerError, ParameterError
from prequential.learners.contract import Learner
from prequential.metrics.counts import Counts
from prequential.metrics.forgetting import Cumulative, Forgetting, Sliding
from prequential.metrics.grid import Checkpoints, Grid
from prequential.protocols.protocol import Feature, Protocol, register
from prequential.protocols.replica import Replica
from prequential.protocols.setting import HoldoutVerdicts, Setting, Tested
from prequential.stopping import learner_faults
from prequential.streams.chunk import UNLABELLED, Chunk
from prequential.streams.schema import Schema
from prequential.streams.spelling import Classes
from prequential.streams.stream import Stream
from prequential.types import FloatArray, IntArray, Label
from prequential.wording import listing

_WHOLE_TEST = Sliding(1 << 53)
"""A window that keeps the whole test set, for metrics of the order of scores."""


@register("holdout")
@dataclass(frozen=True, slots=True, kw_only=True)
class Holdout(Protocol):
    """Test the frozen model at every checkpoint on records that it never learns.

    Use it if a test set exists, or to estimate the performance of the current model alone, without earlier predictions.
    The model is tested every ``every`` records of the run and once more at the end.

    With ``share``, the last test may have only the few records set aside since the one before. Its rows in the trace
    have the forgetting ``holdout:partial``; tables and figures show the last complete test.

    All learners are tested on the same records, so two learners are compared test by test: see ``run.compare``.

    The tests are independent of each other, so no forgetting can be chosen: the trace has ``holdout`` in its place.
    Metrics of the order of scores, such as AUC, are exact over the test set, whose scores are kept during the test.
    The records of a test have no order, so κ_m uses the share of the largest class instead of the causal majority, and
    κ_per is undefined.

    Parameters
    ----------
    test
        Test stream; every test uses all of it. It has the features of the stream. It may lack classes and nominal
        values of the stream, but not have others.
    share
        Share of the records to set aside for testing, in (0, 1), evenly spread. Each test uses the records set aside
        since the previous test. Give either ``test`` or ``share``.

    Examples
    --------
    >>> import prequential as pq
    >>> stream = pq.streams.SEA(seed=1).take(2000)
    >>> run = pq.evaluate(stream, "naive_bayes", protocol=pq.Holdout(share=0.2), metrics="accuracy", every=1000)
    >>> run.to_arrow()["value"].to_pylist()
    [0.88, 0.855]

    References
    ----------
    Gama, Sebastião and Rodrigues, "On evaluating stream learning algorithms", Machine Learning 90, 2013.
    """

    unsupported: ClassVar[Mapping[Feature, str]] = {
        "forgetting": "Holdout tests are independent of each other, so no forgetting (--forgetting) can be chosen.",
        "detectors": "Holdout tests only at checkpoints, and a drift detector needs an estimate at every record. Use "
        "protocol=pq.Prequential() (--protocol prequential).",
        "predictions": "Holdout predicts its test records again in every test, so it does not save predictions. Use "
        "protocol=pq.Prequential() (--protocol prequential).",
    }
    tests_apart: ClassVar[bool] = True
    test: Stream | None = None
    share: float | None = None

    def __post_init__(self) -> None:
        if (self.test is None) == (self.share is None):
            raise ParameterError(
                "test", "Holdout", "a stream if 'share' (--share) is not given, and left out if it is", self.test
            )
        if self.share is not None and not (is_number(self.share) and 0 < self.share < 1):
            raise ParameterError("share", "Holdout", "a number in (0, 1)", self.share)
        if self.test is not None and not isinstance(self.test, Stream):
            raise ParameterError("test", "Holdout", "a stream, such as pq.read(path)", self.test)
        if self.test is not None and (not self.test.restartable or self.test.endless):
            raise InputError(
                f"Holdout: the test stream {self.test.name} must be finite and restartable: "
                + ("cut it with take(n)." if self.test.endless else "read it from a file or from arrays.")
            )

    def replica(self, learner: Learner, setting: Setting, fold: int = 0) -> Replica:  # noqa: ARG002  # there is only one
        """Create the replica of a fresh learner."""
        return HoldoutReplica(learner, setting, self.test, self.share)

    def forgetting_labels(self, forgetting: Sequence[Forgetting]) -> list[str]:  # noqa: ARG002  # a test has none
        """Return the label of a test in the trace."""
        return ["holdout"]

    def counted(self, forgetting: Sequence[Forgetting]) -> Sequence[Forgetting]:  # noqa: ARG002  # a test keeps its records
        """Return the forgetting under which the order of scores is kept."""
        return [_WHOLE_TEST]

    def describe(self) -> dict[str, Any]:
        """Return the entry of the manifest."""
        test = None if self.test is None else self.test.describe()
        return {"protocol": "holdout", "test": test, "share": self.share}


def n_set_aside(n: IntArray | int, share: float) -> IntArray:
    """Return how many of the first ``n`` records are set aside: every (1/share)-th.

    Examples
    --------
    >>> n_set_aside(10, 0.25).tolist()
    2
    """
    return np.floor(np.asarray(n, np.float64) * share + 1e-9).astype(np.int64)


class _Recoding:
    """Gives the records of a test stream the codes of the stream: it may lack classes or nominal values.

    Raises
    ------
    InputError
        If the test stream has another feature, class or value than the stream.
    """

    def __init__(self, test: Schema, schema: Schema) -> None:
        names, expected = ([feature.name for feature in one.features] for one in (test, schema))
        kinds, wanted = ([feature.nominal for feature in one.features] for one in (test, schema))
        if (names, kinds) != (expected, wanted) or (test.classes is None) != (schema.classes is None):
            difference = test.difference(schema)
            raise InputError(
                "Holdout: the test stream must have the features and the task of the stream"
                + (f", but {difference} (here: the test stream)." if difference else ".")
            )
        self._schema = schema
        self._labels: IntArray | None = None
        if test.classes is not None and test.classes != schema.classes:
            self._labels = _codes(test.classes, schema.classes or (), "class", _CLASSES)
        self._values = {
            j: _codes(one.values or (), other.values or (), f"value of {one.name!r}", _VALUES)
            for j, (one, other) in enumerate(zip(test.features, schema.features, strict=True))
            if one.values != other.values
        }

    def __call__(self, chunk: Chunk) -> Chunk:
        """Return the records with the codes of the stream."""
        if self._labels is None and not self._values:
            return chunk
        X, y = chunk.X, chunk.y
        if self._labels is not None:
            y = np.append(self._labels, UNLABELLED)[y]  # UNLABELLED is −1: the last one
        if self._values:
            X = X.copy()
            for j, codes in self._values.items():
                known = ~np.isnan(X[:, j])
                X[known, j] = codes[X[known, j].astype(np.int64)]
        return replace(chunk, schema=self._schema, X=X, y=y)


_CLASSES = "Name all classes when the stream is read: pq.read(path, classes=[…]) (--class-label, once per class)."
_VALUES = "Read a stream that has all values of its nominal features."


def _codes(own: Sequence[Label], of_stream: Sequence[Label], what: str, advice: str) -> IntArray:
    known = Classes(of_stream, declared=True)
    codes = [known.code(label) for label in own]
    if None in codes:
        unknown = own[codes.index(None)]
        raise InputError(
            f"Holdout: the test stream has the {what} {unknown!r}, which the stream does not have. It has: "
            f"{listing(map(str, of_stream), 40)}. {advice}"
        )
    return np.array(codes, dtype=np.int64)


class HoldoutReplica(Replica):
    """One learner under holdout evaluation."""

    def __init__(self, learner: Learner, setting: Setting, test: Stream | None, share: float | None) -> None:
        super().__init__(learner, setting)
        self._test = test
        self._recode: tuple[Schema, Schema, _Recoding] | None = None
        if test is not None and not (test.schema.open or setting.schema.open):
            self._recoded(test.schema)  # find faults before the first record
        self._share = share
        self._aside: list[Chunk] = []
        self._tests: list[HoldoutVerdicts] = []
        self._n_unlabelled = self._n_abstained = self._n_nonfinite = 0
        self._time = float("nan")

    def step(self, chunk: Chunk) -> Tested | None:
        """Train on records, set some aside, test at the end of each period."""
        self.adapt(chunk)
        every = self.setting.every
        while len(chunk):
            part = chunk[: every - self.n_records % every]
            chunk = chunk[len(part) :]
            self._train(part)
            if self.n_records % every == 0:
                self._run_test()
        return None

    def finish(self) -> None:
        """Test once more if there are new records since the last test."""
        if self.n_records % self.setting.every or not self.n_records:
            self._run_test()

    def abandon(self) -> None:
        """Report no further checkpoint: a test would call the learner."""
        self._aside = []

    def state(self) -> dict[str, Any]:
        """Return the state of the learner, and the records set aside since the last test."""
        aside = [[one.start, one.X, one.y, one.time, one.weight] for one in self._aside]
        counts = [self._n_unlabelled, self._n_abstained, self._n_nonfinite]
        return {**super().state(), "aside": aside, "counts": counts, "time": self._time}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore from ``state()``."""
        super().restore(state)
        self._aside = [Chunk(self.learner.schema, *one) for one in state["aside"]]
        self._n_unlabelled, self._n_abstained, self._n_nonfinite = state["counts"]
        self._time = state["time"]

    def _train(self, chunk: Chunk) -> None:
        known = chunk.labelled
        self._n_unlabelled += int((~known).sum())
        if self._share is not None:
            aside = self._held_out(chunk)
            self._aside.append(chunk.select(aside & known))
            known &= ~aside
        self.train(chunk, known)
        self.n_records += len(chunk)
        if chunk.time is not None:
            self._time = float(chunk.time[-1])

    def _held_out(self, chunk: Chunk) -> npt.NDArray[np.bool_]:
        """Return which records are set aside: every (1/share)-th of the stream, for any chunk size."""
        i = np.arange(self.n_records, self.n_records + len(chunk) + 1)
        return np.diff(n_set_aside(i, self._share or 0.0)) > 0

    def _run_test(self) -> None:
        grid = self.setting.grid([Cumulative(), _WHOLE_TEST] if self.setting.ranks else [Cumulative()])
        self.learner.now = max(0, self.n_records - 1)  # frozen at the last record of the period
        weights: list[FloatArray] = []
        for chunk in self._test_chunks():
            if chunk.weight is not None:
                weights.append(chunk.weight)
            begun = time.perf_counter()
            try:
                scores = self.learner.scores(chunk.X)
            except learner_faults() as error:
                raise LearnerError(f"{type(error).__name__}: {error}") from error
            predicted = time.perf_counter()
            grid.update(chunk, scores)
            self.clock.predict_seconds += predicted - begun
            self.score_seconds += time.perf_counter() - predicted
        self._aside = []
        self._passed.append(self._result(grid))
        if self.setting.verdicts:
            weight = np.concatenate(weights) if weights else None
            self._tests.append(HoldoutVerdicts(self.n_records, self._time, grid.take_verdicts(), weight))

    def drain_tests(self) -> list[HoldoutVerdicts]:
        """Return and remove the verdicts of the tests since the last call."""
        tests, self._tests = self._tests, []
        return tests

    def _test_chunks(self) -> Iterator[Chunk]:
        if self._test is None:
            yield from self._aside
            return
        for chunk in self._test.chunks():
            yield self._recoded(chunk.schema)(chunk)

    def _recoded(self, test: Schema) -> _Recoding:
        """Return how to recode records of a schema of the test stream; both schemas may get more classes."""
        schema = self.learner.schema
        if self._recode is None or self._recode[0] is not test or self._recode[1] is not schema:
            self._recode = (test, schema, _Recoding(test, schema))
        return self._recode[2]

    def _result(self, grid: Grid) -> Checkpoints:
        result = grid.checkpoint()
        counts = result.counts
        if self.setting.ranks:
            of_one = {name: getattr(counts, name)[:, :1] for name in Counts.__dataclass_fields__}
            counts = Counts(**{**of_one, "ranks": counts.ranks[:, 1:]})
        if counts.n_classes:
            unordered = Counts.of_matrix(counts.matrix)
            counts = replace(counts, majority_hits=unordered.majority_hits, no_change_hits=unordered.no_change_hits)
        self._n_abstained += int(result.n_abstained[0])
        self._n_nonfinite += int(result.n_nonfinite[0])
        return Checkpoints(
            np.array([self.n_records], dtype=np.int64),
            np.array([self._time]),
            np.array([self._n_unlabelled], dtype=np.int64),
            np.array([self._n_abstained], dtype=np.int64),
            np.array([self._n_nonfinite], dtype=np.int64),
            counts,
        )
