"""The hot loops of prequential: arrays in, arrays out, without the GIL."""

from collections.abc import Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray

class Seconds:
    """Time spent predicting, learning and counting."""

    @property
    def predict(self) -> float: ...
    @property
    def learn(self) -> float: ...
    @property
    def count(self) -> float: ...

class Snapshots:
    """
    Checkpoints: head (checkpoint, [records, time, unlabelled, abstained, not finite]) and counts (checkpoint, forgetting, matrix and tallies).
    """

    @property
    def head(self) -> NDArray[numpy.float64]: ...
    @property
    def counts(self) -> NDArray[numpy.float64]: ...

class Updated(Snapshots):
    """The checkpoints passed, and the message about a rejected score."""

    @property
    def fault(self) -> str: ...

class Counted(Snapshots):
    """The checkpoints passed, and the time spent."""

    @property
    def seconds(self) -> Seconds: ...

class Tested:
    """The scores of each record before it was learned, and the time spent."""

    @property
    def scores(self) -> NDArray[numpy.float64]: ...
    @property
    def seconds(self) -> Seconds: ...

class BinnedMatrices:
    """The confusion matrices of all bins, under several forgettings."""

    def __init__(self, n_classes: int, n_bins: int) -> None: ...
    def add_cumulative(self) -> None: ...
    def add_sliding(self, records: float, seconds: float) -> None: ...
    def add_fading(self, alpha: float) -> None: ...
    def update(
        self,
        predictions: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        y: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        t: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
        every: int,
    ) -> NDArray[numpy.float64]:
        """
        Count some labels; return the matrices at the checkpoints passed, with the axes (checkpoint, forgetting, label, prediction, bin).
        """

    def snapshot(self) -> NDArray[numpy.float64]:
        """The current matrices, as one checkpoint."""

    def grow(self, n_classes: int) -> None: ...
    @property
    def n_classes(self) -> int: ...
    @property
    def n_seen(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def to_bytes(self) -> bytes: ...
    def load_bytes(self, state: bytes) -> None: ...

def next_of_class(
    wanted: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    labels: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> NDArray[numpy.int64]:
    """
    For each wanted class, the index of its next label after the previous one found.
    """

class PageHinkley:
    def __init__(
        self, delta: float, threshold: float, alpha: float, min_records: int, direction: str, floor: str, strict: bool
    ) -> None: ...
    @overload
    def update(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> NDArray[numpy.int64]:
        """Process some values, NaN for none; return the positions of the alarms."""

    @overload
    def update(self, values: Sequence[float]) -> NDArray[numpy.int64]: ...
    @overload
    def update(self, value: float) -> bool:
        """Process one value, NaN for none; return whether there was an alarm."""

    def until_alarm(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> int:
        """
        Process values up to the first alarm; return its position, or their number if there is none.
        """

    def shown_until_alarm(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> tuple[int, NDArray[numpy.float64]]:
        """
        until_alarm, and the statistics after each value, up to and including the alarm.
        """

    @property
    def drift_detected(self) -> bool:
        """Whether the last value raised an alarm."""

    def reset(self) -> None:
        """Forget everything."""

    def to_bytes(self) -> bytes: ...
    def load_bytes(self, state: bytes) -> None: ...

class FadingRatio:
    def __init__(self, short_term: float, long_term: float, delta: float, threshold: float) -> None: ...
    @overload
    def update(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> NDArray[numpy.int64]:
        """Process some values, NaN for none; return the positions of the alarms."""

    @overload
    def update(self, values: Sequence[float]) -> NDArray[numpy.int64]: ...
    @overload
    def update(self, value: float) -> bool:
        """Process one value, NaN for none; return whether there was an alarm."""

    def until_alarm(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> int:
        """
        Process values up to the first alarm; return its position, or their number if there is none.
        """

    def shown_until_alarm(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> tuple[int, NDArray[numpy.float64]]:
        """
        until_alarm, and the statistics after each value, up to and including the alarm.
        """

    @property
    def drift_detected(self) -> bool:
        """Whether the last value raised an alarm."""

    def reset(self) -> None:
        """Forget everything."""

    def to_bytes(self) -> bytes: ...
    def load_bytes(self, state: bytes) -> None: ...

class SlidingRatio:
    def __init__(self, short_term: float, long_term: float, delta: float, threshold: float) -> None: ...
    @overload
    def update(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> NDArray[numpy.int64]:
        """Process some values, NaN for none; return the positions of the alarms."""

    @overload
    def update(self, values: Sequence[float]) -> NDArray[numpy.int64]: ...
    @overload
    def update(self, value: float) -> bool:
        """Process one value, NaN for none; return whether there was an alarm."""

    def until_alarm(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> int:
        """
        Process values up to the first alarm; return its position, or their number if there is none.
        """

    def shown_until_alarm(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> tuple[int, NDArray[numpy.float64]]:
        """
        until_alarm, and the statistics after each value, up to and including the alarm.
        """

    @property
    def drift_detected(self) -> bool:
        """Whether the last value raised an alarm."""

    def reset(self) -> None:
        """Forget everything."""

    def to_bytes(self) -> bytes: ...
    def load_bytes(self, state: bytes) -> None: ...

class AdwinDetector:
    def __init__(
        self,
        delta: float,
        clock: int,
        max_buckets: int,
        min_window: int,
        min_side: int,
        side_offset: int,
        multiflow: bool,
        direction: str,
        restart: bool,
        theorem3: bool,
    ) -> None: ...
    @overload
    def update(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> NDArray[numpy.int64]:
        """Process some values, NaN for none; return the positions of the alarms."""

    @overload
    def update(self, values: Sequence[float]) -> NDArray[numpy.int64]: ...
    @overload
    def update(self, value: float) -> bool:
        """Process one value, NaN for none; return whether there was an alarm."""

    def until_alarm(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> int:
        """
        Process values up to the first alarm; return its position, or their number if there is none.
        """

    def shown_until_alarm(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> tuple[int, NDArray[numpy.float64]]:
        """
        until_alarm, and the statistics after each value, up to and including the alarm.
        """

    @property
    def drift_detected(self) -> bool:
        """Whether the last value raised an alarm."""

    def reset(self) -> None:
        """Forget everything."""

    def to_bytes(self) -> bytes: ...
    def load_bytes(self, state: bytes) -> None: ...
    @property
    def width(self) -> int: ...
    @property
    def mean(self) -> float: ...

class Ddm:
    def __init__(self, level: float, first_minimum: int, first_alarm: int) -> None: ...
    @overload
    def update(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> NDArray[numpy.int64]:
        """Process some values, NaN for none; return the positions of the alarms."""

    @overload
    def update(self, values: Sequence[float]) -> NDArray[numpy.int64]: ...
    @overload
    def update(self, value: float) -> bool:
        """Process one value, NaN for none; return whether there was an alarm."""

    def until_alarm(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> int:
        """
        Process values up to the first alarm; return its position, or their number if there is none.
        """

    def shown_until_alarm(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> tuple[int, NDArray[numpy.float64]]:
        """
        until_alarm, and the statistics after each value, up to and including the alarm.
        """

    @property
    def drift_detected(self) -> bool:
        """Whether the last value raised an alarm."""

    def reset(self) -> None:
        """Forget everything."""

    def to_bytes(self) -> bytes: ...
    def load_bytes(self, state: bytes) -> None: ...

class Eddm:
    def __init__(self, beta: float, first_maximum: int, min_errors: int, sample: bool) -> None: ...
    @overload
    def update(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> NDArray[numpy.int64]:
        """Process some values, NaN for none; return the positions of the alarms."""

    @overload
    def update(self, values: Sequence[float]) -> NDArray[numpy.int64]: ...
    @overload
    def update(self, value: float) -> bool:
        """Process one value, NaN for none; return whether there was an alarm."""

    def until_alarm(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> int:
        """
        Process values up to the first alarm; return its position, or their number if there is none.
        """

    def shown_until_alarm(
        self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> tuple[int, NDArray[numpy.float64]]:
        """
        until_alarm, and the statistics after each value, up to and including the alarm.
        """

    @property
    def drift_detected(self) -> bool:
        """Whether the last value raised an alarm."""

    def reset(self) -> None:
        """Forget everything."""

    def to_bytes(self) -> bytes: ...
    def load_bytes(self, state: bytes) -> None: ...

def exp(
    x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> NDArray[numpy.float64]: ...
def log(
    x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> NDArray[numpy.float64]: ...
def log2(
    x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> NDArray[numpy.float64]: ...
def sin(
    x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> NDArray[numpy.float64]: ...
def cos(
    x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> NDArray[numpy.float64]: ...
def erfc(
    x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> NDArray[numpy.float64]: ...
def normal_quantile(
    x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> NDArray[numpy.float64]: ...
def philox(seed: int, purpose: int, index: int) -> list[int]:
    """The four 64-bit draws of one record."""

def uniforms(seed: int, purpose: int, start: int, n: int) -> NDArray[numpy.float64]:
    """One number in [0, 1) for each of n consecutive records."""

class Sea:
    def __init__(self, seed: int, concept: int, noise: float) -> None: ...
    def records(self, start: int, n: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]: ...

class Led:
    def __init__(self, seed: int, model_seed: int | None, n_features: int, noise: float, n_drifting: int) -> None: ...
    def records(self, start: int, n: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]: ...
    @property
    def places(self) -> list[int]:
        """The position of each segment, the relevant ones first."""

class Waveform:
    def __init__(self, seed: int, model_seed: int, n_features: int, n_drifting: int) -> None: ...
    def records(self, start: int, n: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]: ...

class Hyperplane:
    def __init__(
        self, seed: int, n_features: int, n_drifting: int, speed: float, reversal: float, noise: float
    ) -> None: ...
    def records(self, start: int, n: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]: ...
    @property
    def first_weights(self) -> list[float]:
        """The weights at the first record."""

class RandomRbf:
    def __init__(
        self,
        seed: int,
        model_seed: int,
        n_features: int,
        n_classes: int,
        n_centroids: int,
        n_drifting: int,
        speed: float,
    ) -> None: ...
    def records(self, start: int, n: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]: ...

class RandomTree:
    def __init__(
        self,
        seed: int,
        model_seed: int,
        n_classes: int,
        n_nominal: int,
        n_values: int,
        n_numeric: int,
        max_depth: int,
        first_leaf_level: int,
        leaf_share: float,
    ) -> None: ...
    def records(self, start: int, n: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]: ...
    def labels(
        self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)]
    ) -> NDArray[numpy.int64]:
        """The class that the tree gives to each row."""

class Agrawal:
    def __init__(self, seed: int, concept: int, perturbation: float) -> None: ...
    def records(self, start: int, n: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]: ...

class Stagger:
    def __init__(self, seed: int, concept: int) -> None: ...
    def records(self, start: int, n: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]: ...

class Sine:
    def __init__(self, seed: int, concept: int, n_features: int) -> None: ...
    def records(self, start: int, n: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]: ...

class Mixed:
    def __init__(self, seed: int, concept: int) -> None: ...
    def records(self, start: int, n: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]: ...

class RotatingGaussian:
    def __init__(self, seed: int, period: int, spread: float) -> None: ...
    def records(self, start: int, n: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64]]: ...

class ScoreGroups:
    """
    The different scores of a class in ascending order, and the weights of its negatives and positives at each.
    """

    @property
    def score(self) -> NDArray[numpy.float64]: ...
    @property
    def negatives(self) -> NDArray[numpy.float64]: ...
    @property
    def positives(self) -> NDArray[numpy.float64]: ...

class Grid:
    """The counts under every forgetting, updated together."""

    def __init__(
        self,
        n_classes: int,
        regression: bool,
        probabilities: bool,
        skip: bool,
        ranks: int = 0,
        positive: int = -1,
        paper: bool = False,
        open: bool = False,
        n_own: int = 0,
    ) -> None: ...
    def add_cumulative(self) -> None: ...
    def add_sliding(self, records: float, seconds: float) -> None: ...
    def add_fading(self, alpha: float) -> None: ...
    def add_adwin(self, delta: float, largest: float, theorem3: bool) -> None: ...
    def add_exponential_histogram(self, records: float, seconds: float, error: float) -> None: ...
    def update(
        self,
        y: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
        target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
        scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)]
        | None,
        prediction: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None,
        w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
        t: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
        every: int,
        tested: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None = None,
        margin: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None = None,
        positive: int = 1,
        own: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)]
        | None = None,
    ) -> Updated:
        """Count some records, up to a rejected score."""

    def update_one(
        self, y: int, scores: Sequence[float] | None, prediction: int | None, w: float = 1.0, t: float = float("nan")
    ) -> None:
        """Count one record."""

    def update_margin(self, y: int, margin: float, positive: int, w: float = 1.0, t: float = float("nan")) -> None:
        """Count one record with a margin between two classes."""

    def update_number(self, target: float, prediction: float, w: float = 1.0, t: float = float("nan")) -> None:
        """Count one target and its prediction."""

    def set_positive(self, code: int) -> None:
        """Rank this class against the rest, now that it has appeared."""

    def groups(self, part: int, code: int) -> ScoreGroups:
        """The scores of a class in the window of a forgetting."""

    def prime(
        self,
        y: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
        t: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    ) -> None:
        """
        Give the baselines the labels that came before the first record to be counted.
        """

    def snapshot(self) -> Snapshots:
        """The current counts, as one checkpoint."""

    def keep_verdicts(self) -> None:
        """Keep for every record from now on whether it was predicted right."""

    def take_verdicts(self) -> NDArray[numpy.uint8]:
        """
        Return the verdicts since the last call, and drop them: 0 wrong, 1 right, 2 not counted.
        """

    def merge(self, later: Grid) -> None:
        """Append the records of a later grid to those of this one."""

    def grow(self, n_classes: int) -> None: ...
    @property
    def n_classes(self) -> int: ...
    @property
    def n_seen(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def to_bytes(self) -> bytes: ...
    def load_bytes(self, state: bytes) -> None: ...

def instruction_sets() -> list[str]:
    """The sets of instructions that this processor can run the hot loops in."""

def use_instructions(name: str) -> str:
    """
    Run the hot loops in another set of instructions, to test and measure it; returns the one before.
    """

class Learner:
    """A native learner for the records of one schema."""

    def scores(
        self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)]
    ) -> NDArray[numpy.float64]: ...
    def learn(
        self,
        X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        y: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    ) -> None: ...
    def learn_unlabelled(
        self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)]
    ) -> None:
        """Learn records without labels, if it can."""

    @property
    def learns_unlabelled(self) -> bool: ...
    def test_then_train(
        self,
        X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        y: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    ) -> Tested:
        """Score each record, then learn it."""

    def test_and_count(
        self,
        grid: Grid,
        X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        y: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
        t: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
        every: int,
    ) -> Counted:
        """Score each record, then learn it; the grid counts the scores."""

    def grow(self, n_classes: int) -> None: ...
    def scores_of_record(self, values: object) -> list[float]:
        """Score one record: a number or None per feature, as a tuple or list."""

    def predict_record(self, values: object) -> int:
        """
        The class with the highest score, the lowest in a tie; -1 for an abstention.
        """

    def learn_record(self, values: object, y: int, w: float = 1.0) -> None: ...
    def widen(self, cardinality: Sequence[int]) -> None:
        """
        Adopt features that follow the known ones, as if they had always been missing.
        """

    def announce(self, schema: object) -> None:
        """
        Tell the learners written in Python, if any, about new classes and values.
        """

    def to_bytes(self, description: str = "") -> bytes:
        """The state; only a learner with the same description loads it."""

    def load_bytes(self, state: bytes, description: str = "") -> None: ...
    @property
    def facts(self) -> dict[str, int]: ...
    @property
    def nbytes(self) -> int: ...

def majority_class(n_classes: int, cardinality: Sequence[int], window: int) -> Learner: ...
def no_change(n_classes: int, cardinality: Sequence[int]) -> Learner: ...
def naive_bayes(n_classes: int, cardinality: Sequence[int], moa_densities: bool) -> Learner: ...
def knn(n_classes: int, cardinality: Sequence[int], k: int, window: int) -> Learner: ...
def sgd(
    n_classes: int, cardinality: Sequence[int], hinge: bool, rate: float, l2: float, standardise: bool
) -> Learner: ...
def python_learner(n_classes: int, cardinality: Sequence[int], model: object) -> Learner:
    """Wrap a learner written in Python, as a base for native learners."""

def adaptive_random_forest(
    base: Learner, size: int, mean: float, warning_delta: float, drift_delta: float, weighted: bool, seed: int
) -> Learner: ...
def online_bagging(base: Learner, size: int, mean: float, seed: int) -> Learner: ...
def adwin_bagging(base: Learner, size: int, mean: float, delta: float, seed: int) -> Learner: ...
def dynamic_weighted_majority(
    base: Learner, period: int, beta: float, theta: float, size: int, seed: int
) -> Learner: ...
def accuracy_updated_ensemble(base: Learner, size: int, window: int, seed: int) -> Learner: ...
def fold_draws(
    scheme: str, k: int, fold: int, tests: str, seed: int, start: int, n: int
) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint8]]:
    """
    For each record: whether a replica tests on it, and how often it trains on it.
    """

def fold_and_count(
    learner: Learner,
    grid: Grid,
    X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    y: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    t: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    tests: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    times: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    every: int,
) -> Counted:
    """
    Learner.test_and_count for one fold: only the records flagged in 'tests' are scored and counted, and each is learned with its weight times 'times'.
    """

class RowParser:
    """Reads rows of plain text into columns."""

    def __init__(self, kinds: Sequence[str], missing: Sequence[str], separator: str, last_comma: bool) -> None: ...
    def parse(self, block: bytes) -> tuple[list[tuple[NDArray[numpy.float64], list[str], bool]], int, int] | None:
        """
        The columns (numbers or codes, the texts of codes, whether values are missing), the numbers of rows and of lines; None where a careful parser is needed.
        """

class TreeRules:
    """
    When and how a Hoeffding tree splits its leaves, and what they predict.
    """

    def __init__(
        self,
        leaf: str,
        densities: str,
        criterion: str,
        binary: bool,
        n_points: int,
        subspace: float,
        grace: float,
        delta: float,
        tau: float,
        least_share: float,
    ) -> None: ...

def hoeffding_tree(
    n_classes: int, cardinality: Sequence[int], rules: TreeRules, max_bytes: int, seed: int
) -> Learner: ...
def hoeffding_adaptive_tree(
    n_classes: int,
    cardinality: Sequence[int],
    rules: TreeRules,
    adwin_delta: float,
    switch_delta: float,
    least_width: int,
    bootstrap: bool,
    max_bytes: int,
    seed: int,
) -> Learner: ...

class Taken:
    """
    For each label: event (its number), prediction (label, [initial, bins, final]), scores (label, [initial, final], class) if they are kept, and latency. For each irregular event: kind, id, at (its number) and time.
    """

    @property
    def event(self) -> NDArray[numpy.int64]: ...
    @property
    def prediction(self) -> NDArray[numpy.int32]: ...
    @property
    def scores(self) -> NDArray[numpy.float64]: ...
    @property
    def latency(self) -> NDArray[numpy.float64]: ...
    @property
    def kind(self) -> NDArray[numpy.uint8]: ...
    @property
    def id(self) -> NDArray[numpy.int64]: ...
    @property
    def at(self) -> NDArray[numpy.int64]: ...
    @property
    def time(self) -> NDArray[numpy.float64]: ...

class Waiting:
    """Records that wait for their labels, and their predictions meanwhile."""

    def __init__(
        self, n_features: int, bins: int, period: int, horizon: float, remember: int, first_class: bool = False
    ) -> None: ...
    def keep_scores(self, n_classes: int) -> None:
        """Keep the scores of the initial and of the final prediction."""

    def step(
        self,
        learner: Learner,
        X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        id: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        time: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        label: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
        ask_all: bool = False,
    ) -> Seconds:
        """Process some events with a learner; returns the seconds spent."""

    def replay(
        self,
        known: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
        id: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        time: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        label: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)]
        | None = None,
    ) -> None:
        """Process predictions (known 0) and labels (known 1) from a log."""

    def take(self, bins: int) -> Taken:
        """Return what happened since the last call, and drop it."""

    @property
    def n_waiting(self) -> int: ...
    @property
    def n_events(self) -> int: ...
    @property
    def n_records(self) -> int: ...
    @property
    def n_versions(self) -> int: ...
    @property
    def n_labels(self) -> int: ...
    @property
    def n_expired(self) -> int: ...
    @property
    def n_asked(self) -> int: ...
    @property
    def n_known(self) -> int: ...
    def known(self) -> NDArray[numpy.int64]:
        """
        The ids of the records that wait, and of past records that are remembered.
        """

    @property
    def nbytes(self) -> int: ...
    def to_bytes(self) -> bytes: ...
    def load_bytes(self, state: bytes) -> None: ...

def drift_reset(base: Learner, detector: object, fading: float | None, window: int | None, seed: int) -> Learner:
    """
    `detector` is a `Detector`, fed with each error, or with the mean of the errors, faded or over a window.
    """

def self_training(base: Learner, threshold: float, seed: int) -> Learner: ...
def noise_filter(base: Learner, p: float, seed: int) -> Learner: ...
