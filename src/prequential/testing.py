"""Check your own learner against the learner contract.

>>> class LastLabel:
...     label = None
...     def predict_one(self, x):
...         return self.label
...     def learn_one(self, x, y):
...         self.label = y
>>> check_learner(LastLabel())
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from prequential.errors import InputError
from prequential.learners.adapters import LearnerLike, as_learner
from prequential.learners.contract import Clock, Learner
from prequential.streams.chunk import UNLABELLED
from prequential.streams.schema import Feature, Schema
from prequential.types import FloatArray, IntArray

__all__ = ["check_learner"]


def check_learner(learner: LearnerLike, *, schema: Schema | None = None, seed: int = 1) -> None:
    """Run a learner on small streams and check every clause of the learner contract.

    Parameters
    ----------
    learner
        Anything that ``as_learner`` accepts: a `Learner`, a River, scikit-learn or CapyMOA model, your own object.
    schema
        The schema of the main stream; by default three numeric features and two classes, or a numeric target if the
        learner refuses classes, and then a stream of the other task as well, if the learner accepts it.
    seed
        Seed of the records and of the learner.

    Raises
    ------
    AssertionError
        If a clause is broken. The message lists all broken clauses, one per line.
    InputError
        If the object is not a learner, or refuses the schema.
    """
    tested = as_learner(learner)
    main = schema or _first_accepted(tested, seed)
    other = Schema.numeric(3, None if main.classes else ("no", "yes"), target="target")
    faults = _faults(_Case(tested, main, seed))
    if schema is None and _accepts(tested, other, seed):
        faults += [f"{fault} [{other.task}]" for fault in _faults(_Case(tested, other, seed))]
    if faults:
        count = "1 clause" if len(faults) == 1 else f"{len(faults)} clauses"
        raise AssertionError(
            f"{_name(tested)} breaks {count} of the learner contract:\n" + "\n".join(f"  - {f}" for f in faults)
        )


@dataclass(frozen=True)
class _Case:
    """A learner, a schema and records of this schema."""

    learner: Learner
    schema: Schema
    seed: int
    n: int = 60

    def fresh(self, schema: Schema | None = None) -> Learner:
        return self.learner.fresh(schema or self.schema, self.seed)

    def records(self, schema: Schema | None = None, part: int = 0) -> tuple[FloatArray, IntArray | FloatArray]:
        """Return random records whose label depends on the first feature."""
        schema = schema or self.schema
        rng = np.random.default_rng([self.seed, part])
        X = np.empty((self.n, schema.n_features))
        for j, n_values in enumerate(schema.cardinalities):
            X[:, j] = rng.integers(n_values, size=self.n) if n_values else rng.normal(size=self.n)
        signal = X[:, :1].sum(axis=1) + rng.normal(scale=0.3, size=self.n)
        if schema.classes is None:
            return X, signal
        ranks = np.argsort(np.argsort(signal))
        return X, (ranks * schema.n_classes // self.n).astype(np.int64)

    def trained(self) -> Learner:
        learner = self.fresh()
        learner.learn(*self.records())
        return learner

    def predictions(self, learner: Learner) -> FloatArray:
        """Return the scores of records that the learner has not seen, which show its state."""
        return learner.scores(self.records(part=1)[0])


Clause = Callable[[_Case], None]


def _fresh_is_untrained_and_does_not_change_the_original(case: _Case) -> None:
    description = case.learner.describe()
    first = case.fresh()
    _require(first is not case.learner, "fresh returned the same object; it must return a new one")
    _require(isinstance(getattr(first, "clock", None), Clock), "fresh must give the new learner a clock (Clock())")
    _require(getattr(first, "schema", None) == case.schema, "fresh must bind the new learner to the schema")
    before = case.predictions(first).copy()
    first.learn(*case.records())
    _same(before, case.predictions(case.fresh()), "a fresh learner has the state of an earlier one")
    _same(
        before,
        case.predictions(first.fresh(case.schema, case.seed)),
        "fresh of a trained learner returns a trained one",
    )
    _require(case.learner.describe() == description, "training a fresh copy changed describe() of the original")


def _fresh_copies_are_independent(case: _Case) -> None:
    # New records with reversed labels reveal state that copies share.
    first, second = case.fresh(), case.fresh()
    before = case.predictions(second).copy()
    X, y = case.records(part=1)
    first.learn(X, -y if case.schema.classes is None else case.schema.n_classes - 1 - y)
    _same(before, case.predictions(second), "training one fresh copy changed another")


def _scores_are_a_matrix_of_non_negative_numbers(case: _Case) -> None:
    for learner, state in ((case.fresh(), "untrained"), (case.trained(), "trained")):
        scores = case.predictions(learner)
        _require(isinstance(scores, np.ndarray), f"scores must return a numpy array; {state}: {type(scores).__name__}")
        _require(scores.dtype == np.float64, f"scores must be float64; {state}: {scores.dtype}")
        _require(scores.ndim == 2, f"scores must have two dimensions; {state}: {scores.ndim}")
        _require(len(scores) == case.n, f"scores must have one row per record; {state}: {len(scores)} for {case.n}")
        most = case.schema.n_classes or 1
        fits = scores.shape[1] == 1 if case.schema.classes is None else scores.shape[1] <= most
        _require(fits, f"scores must have {most} columns; {state}: {scores.shape[1]}")
        if case.schema.classes is not None:
            finite = scores[np.isfinite(scores).all(axis=1)]
            _require(not (finite < 0).any(), f"scores must not be negative; {state}: {finite.min(initial=0)}")


def _scoring_changes_nothing(case: _Case) -> None:
    plain, scored = case.trained(), case.trained()
    first = case.predictions(scored).copy()
    _same(first, case.predictions(scored), "the same records scored twice in a row have different scores")
    X, y = case.records(part=2)
    plain.learn(X, y)
    scored.learn(X, y)
    _same(case.predictions(plain), case.predictions(scored), "a learner learns differently after scoring records")


def _every_record_is_scored_before_it_is_learned(case: _Case) -> None:
    X, y = case.records()
    by_hand, learner = case.fresh(), case.fresh()
    expected = []
    for i in range(case.n):
        expected.append(by_hand.scores(X[i : i + 1]))
        by_hand.learn(X[i : i + 1], y[i : i + 1])
    _same(np.concatenate(expected), learner.test_then_train(X, y), "test_then_train differs from scores, then learn")


def _chunks_do_not_matter(case: _Case) -> None:
    X, y = case.records()
    whole = case.fresh().test_then_train(X, y)
    for size in (1, 7):
        learner = case.fresh()
        pieces = [learner.test_then_train(X[i : i + size], y[i : i + size]) for i in range(0, case.n, size)]
        _same(whole, np.concatenate(pieces), f"chunks of {size} give different scores than one chunk")


def _same_seed_same_results(case: _Case) -> None:
    X, y = case.records()
    first, second = case.fresh(), case.fresh()
    _same(first.test_then_train(X, y), second.test_then_train(X, y), "two learners with the same seed differ")


def _unlabelled_records_are_not_learned(case: _Case) -> None:
    X, y = case.records()
    hidden = y.copy()
    hidden[::3] = np.nan if case.schema.classes is None else UNLABELLED
    known = np.arange(case.n) % 3 != 0
    learner, twin = case.fresh(), case.fresh()
    learner.test_then_train(X, hidden)
    twin.test_then_train(X[known], y[known])
    if learner.learns_unlabelled:
        return  # the next clause is about these
    _same(case.predictions(twin), case.predictions(learner), "records without a label changed the learner")


def _what_is_learned_without_a_label_does_not_see_it(case: _Case) -> None:
    if not case.fresh().learns_unlabelled:
        return
    X, y = case.records()
    hidden = np.arange(case.n) % 3 == 0
    unlabelled = np.where(hidden, np.nan if case.schema.classes is None else UNLABELLED, y).astype(y.dtype)
    by_hand, learner = case.fresh(), case.fresh()
    expected = []
    for i in range(case.n):
        expected.append(by_hand.scores(X[i : i + 1]))
        if hidden[i]:
            by_hand.learn_unlabelled(X[i : i + 1])
        else:
            by_hand.learn(X[i : i + 1], y[i : i + 1])
    found = learner.test_then_train(X, unlabelled)
    _same(np.concatenate(expected), found, "test_then_train differs from scores, then learn or learn_unlabelled")


def _weights_are_accepted_or_refused(case: _Case) -> None:
    X, y = case.records()
    plain, ones = case.fresh(), case.fresh()
    plain.learn(X, y)
    if not _handles(lambda: ones.learn(X, y, np.ones(case.n)), "weights of 1"):
        return
    _same(case.predictions(plain), case.predictions(ones), "weights of 1 are not the same as no weights")
    weighted = case.fresh()
    w = np.where(np.arange(case.n) % 2, 2.0, 1.0)
    if _handles(lambda: weighted.learn(X, y, w), "weights of 2"):
        _handles(lambda: case.predictions(weighted), "scores after weights of 2")


def _weight_zero_changes_nothing(case: _Case) -> None:
    learner = case.trained()
    before = case.predictions(learner).copy()
    X, y = case.records(part=2)
    if _handles(lambda: learner.learn(X, y, np.zeros(case.n)), "weights of 0"):
        _same(before, case.predictions(learner), "records of weight 0 changed the learner")


def _late_classes_are_accepted_or_refused(case: _Case) -> None:
    if case.schema.classes is None or case.schema.n_classes < 2:
        return
    later = replace(case.schema, open=True)
    sooner = replace(later, classes=case.schema.classes[:-1])
    X, y = case.records()
    early = y < sooner.n_classes

    def stream() -> FloatArray:
        learner = case.fresh(sooner)
        learner.test_then_train(X[early], y[early])
        learner.extend(later)
        return learner.test_then_train(X, y)

    scores: list[FloatArray] = []
    if _handles(lambda: scores.append(stream()), "a class that appears late"):
        width = scores[0].shape[1]
        _require(width == later.n_classes, f"after extend, scores have {width} columns instead of {later.n_classes}")


def _missing_values_are_accepted_or_refused(case: _Case) -> None:
    X, y = case.records()
    X[::4, :1] = np.nan
    _sound_or_refused(case, case.schema, X, y, "missing values")


def _nominal_features_are_accepted_or_refused(case: _Case) -> None:
    schema = replace(case.schema, features=(Feature("size"), Feature("colour", ("red", "green", "blue"))))
    _sound_or_refused(case, schema, *case.records(schema), "nominal features")


def _a_saved_learner_continues_unchanged(case: _Case) -> None:
    first, saved = case.trained(), list[bytes]()
    if not _handles(lambda: saved.append(first.to_bytes()), "saving it"):
        return
    second = case.fresh()
    second.load_bytes(saved[0])
    more = case.records(part=2)
    _same(
        first.test_then_train(*more),
        second.test_then_train(*more),
        "a learner restored from its bytes differs from the original",
    )


def _nbytes_is_a_whole_number(case: _Case) -> None:
    for learner, state in ((case.fresh(), "untrained"), (case.trained(), "trained")):
        size: object = learner.nbytes
        if not isinstance(size, int):
            raise AssertionError(f"nbytes must be an int; {state}: {type(size).__name__}")
        _require(size >= 0, f"nbytes must not be negative; {state}: {size}")


def _describe_fits_into_json(case: _Case) -> None:
    for learner in (case.learner, case.trained()):
        description = learner.describe()
        _require(isinstance(description, dict), f"describe must return a dict, not {type(description).__name__}")
        try:
            json.dumps(description, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise AssertionError(f"describe must return values that JSON can hold: {error}") from error


CLAUSES: tuple[Clause, ...] = (
    _fresh_is_untrained_and_does_not_change_the_original,
    _fresh_copies_are_independent,
    _scores_are_a_matrix_of_non_negative_numbers,
    _scoring_changes_nothing,
    _every_record_is_scored_before_it_is_learned,
    _chunks_do_not_matter,
    _same_seed_same_results,
    _unlabelled_records_are_not_learned,
    _what_is_learned_without_a_label_does_not_see_it,
    _weights_are_accepted_or_refused,
    _weight_zero_changes_nothing,
    _late_classes_are_accepted_or_refused,
    _missing_values_are_accepted_or_refused,
    _nominal_features_are_accepted_or_refused,
    _a_saved_learner_continues_unchanged,
    _nbytes_is_a_whole_number,
    _describe_fits_into_json,
)


def _faults(case: _Case) -> list[str]:
    """Return one line per broken clause."""
    faults = []
    for clause in CLAUSES:
        name = clause.__name__.strip("_").replace("_", " ")
        try:
            clause(case)
        except AssertionError as fault:
            faults.append(f"{name}: {fault}")
        except Exception as error:
            faults.append(f"{name}: {type(error).__name__}: {error}")
    return faults


def _sound_or_refused(case: _Case, schema: Schema, X: FloatArray, y: IntArray | FloatArray, what: str) -> None:
    """Check that a stream is refused, or that the learner still predicts after it."""
    scores: list[FloatArray] = []
    if _handles(lambda: scores.append(case.fresh(schema).test_then_train(X, y)), what):
        last = scores[0][-10:]
        usual = case.fresh().test_then_train(*case.records())[-10:]
        silent = ~np.isfinite(last).all(axis=1)
        unusual = silent.all() and np.isfinite(usual).all()
        _require(not unusual, f"after {what} every score is NaN or infinite, without an error")


def _handles(action: Callable[[], object], what: str) -> bool:
    """Return True if an action succeeds, False if it is refused by an exception with a message."""
    try:
        action()
    except Exception as refusal:
        reason = refusal.__cause__ or refusal  # test_then_train wraps the exception of the learner
        if not str(reason).strip():
            raise AssertionError(f"{what}: refused by {type(reason).__name__} without a message") from refusal
        return False
    return True


def _require(condition: bool | np.bool_, message: str) -> None:
    """Raise an AssertionError if a condition is false; unlike ``assert``, also with ``python -O``."""
    if not condition:
        raise AssertionError(message)


def _same(expected: FloatArray, found: FloatArray, message: str) -> None:
    """Check that scores are equal bit by bit; NaN equals NaN."""
    _require(expected.shape == found.shape, f"{message} (shape {found.shape} instead of {expected.shape})")
    if not np.array_equal(expected, found, equal_nan=True):
        row = int(np.flatnonzero(((expected != found) & ~(np.isnan(expected) & np.isnan(found))).any(axis=1))[0])
        raise AssertionError(f"{message} (record {row}: {found[row].tolist()} instead of {expected[row].tolist()})")


def _first_accepted(learner: Learner, seed: int) -> Schema:
    """Return a schema with classes, or with a numeric target if the learner accepts only that."""
    classes = Schema.numeric(3, ("no", "yes"))
    numbers = Schema.numeric(3, None, target="target")
    return numbers if not _accepts(learner, classes, seed) and _accepts(learner, numbers, seed) else classes


def _accepts(learner: Learner, schema: Schema, seed: int) -> bool:
    """Return whether a learner accepts a schema and runs on a few records."""
    case = _Case(learner, schema, seed)
    try:
        case.fresh().test_then_train(*case.records())
    except InputError:
        return False
    except Exception:
        return schema.classes is not None
    return True


def _name(learner: Learner) -> str:
    try:
        return str(learner.describe()["learner"])
    except Exception:
        return type(learner).__name__
