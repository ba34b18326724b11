"""The golden cases: small runs that between them use every protocol, engine, forgetting and kind of learner.

A case is a function from a `Bench` to the texts of its results, and uses the public API only. What may be renamed or
moved is called in the adapters below. The file is long because it is a table.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
from golden import inputs, texts
from golden.learners import Failing, Interrupting, LastLabel, RunningMean, Shares
from golden.texts import Texts
from golden.ways import Bench, InterruptedStream
from river import compose, drift, linear_model, naive_bayes, preprocessing
from sklearn.linear_model import SGDClassifier, SGDRegressor

import prequential as pq
from prequential.drift import PageHinkley
from prequential.learners import DriftReset
from prequential.metrics.metric import REGISTRY, fits
from prequential.streams.generators import GENERATORS

# Adapters: the calls whose names or homes may move.


def evaluate(bench: Bench, stream: pq.Stream, learners: Any, **options: Any) -> pq.Run:
    """Evaluate learners in the way of the bench."""
    way = bench.way
    options |= {"engine": way.engine, "progress": False}
    if way.engine != "serial":
        options["workers"] = 2
    if way.stopped:
        return _resumed(bench, stream, learners, options)
    run = pq.evaluate(stream, learners, chunk_size=way.chunk_size, **options)
    assert run.manifest.engine["engine"] == way.engine
    return pq.load(run.save(bench.folder / "saved").path) if way.saved else run


def _resumed(bench: Bench, stream: pq.Stream, learners: Any, options: dict[str, Any]) -> pq.Run:
    """Interrupt a run, twice where the stream does it, and resume it."""
    options |= {"directory": bench.folder / "run", "resume": True, "save_seconds": 0}
    n_events = sum(map(len, stream.chunks()))
    by_stream = bench.way.stopped == "by stream"
    for at in (n_events // 3, 2 * n_events // 3) if by_stream else (n_events,):
        Interrupting.switch.armed = not by_stream
        try:
            pq.evaluate(InterruptedStream(stream, at), learners, **options)
        except KeyboardInterrupt:
            continue
        raise AssertionError("The run was not interrupted.")
    run = pq.evaluate(stream, learners, **options)
    assert len(run.manifest.resumed_at) == (2 if by_stream else 1), "It started again instead of being resumed."
    return run


def traced(bench: Bench, stream: pq.Stream, learners: Any, **options: Any) -> Texts:
    """Return all that an evaluation gives."""
    kept = options.get("predictions", False)
    return texts.of_run(evaluate(bench, stream, learners, **options), predictions=kept)


def score(bench: Bench, *arrays: object, **options: Any) -> pq.Run:
    """Score predictions in arrays."""
    return pq.score(*arrays, progress=False, chunk_size=bench.way.chunk_size, **options)  # type: ignore[arg-type]


def score_files(bench: Bench, paths: Path | Sequence[Path], **options: Any) -> pq.Run:
    """Score files of predictions."""
    return pq.score(paths, progress=False, chunk_size=bench.way.chunk_size, **options)


def score_delayed(bench: Bench, predictions: object, labels: object, **options: Any) -> pq.Run:
    """Score a log of predictions against a log of labels."""
    return pq.score_delayed(predictions, labels, progress=False, chunk_size=bench.way.chunk_size, **options)


def detect(stream: pq.Stream, learners: Any, detectors: list[Any], *, tolerance: float) -> Texts:
    """Let detectors watch learners or a series; return the alarms and their scores."""
    found = pq.detect(stream, learners, detectors)
    rows = [
        {"learner": one.learner, "detector": one.detector, "record": alarm.record, "time": alarm.time, "verdict": said}
        for one in found
        for alarm, said in zip(one.alarms, one.verdicts(stream.drifts, tolerance=tolerance), strict=True)
    ]
    scores = [one.score(stream.drifts, tolerance=tolerance).to_dict() for one in found]
    return {"alarms.csv": texts.of_rows(rows), "json": texts.of_json(scores)}


def run_power(bench: Bench, streams: object, learner: Any, *, runs: int, **options: Any) -> Texts:
    """Measure rejection rates; a stopped experiment has one run first, and is continued with the others."""
    options |= {"engine": bench.way.engine, "progress": False}
    if bench.way.stopped:
        options["directory"] = bench.folder / "power"
        pq.power(streams, learner, runs=1, **options)  # type: ignore[arg-type]
    found = pq.power(streams, learner, runs=runs, **options)  # type: ignore[arg-type]
    repetitions = [one.to_dict() for one in found.repetitions]
    return {"json": texts.of_json({"rates": found.to_dicts(), "repetitions": repetitions})}


def make_card(bench: Bench, learner: Any, **options: Any) -> pq.testbed.Card:
    """Make the card of a learner, with two threads if the engine has threads."""
    return pq.testbed.card(learner, jobs=2 if bench.way.engine == "threads" else 1, progress=False, **options)


def mini_batches(estimator: object, batch: int) -> pq.Learner:
    """Return a scikit-learn estimator that learns several records at a time."""
    from prequential.learners.adapters.sklearn import SklearnLearner

    return SklearnLearner(estimator, batch=batch)


@contextmanager
def ignored(*kinds: type[Warning]) -> Iterator[None]:
    """Ignore the warnings that a case gives rise to."""
    with warnings.catch_warnings():
        for kind in kinds:
            warnings.simplefilter("ignore", kind)
        yield


# The table of cases.

Make = Callable[[Bench], Texts]


@dataclass(frozen=True, slots=True)
class Case:
    """What to run, and in which ways."""

    make: Make
    ways: tuple[str, ...]


CASES: dict[str, Case] = {}

LIBRARIES = frozenset(
    {
        *("prequential_late_classes", "prequential_libraries", "prequential_predictions", "prequential_regression"),
        *("holdout_stream", "kfold_libraries", "delayed_events"),
    }
)
"""Cases with learners of River and scikit-learn, which round the last bit differently on other processors."""


def case(*ways: str) -> Callable[[Make], Make]:
    """Add a function to the cases under its own name, to be run serially and in other ways."""

    def add(make: Make) -> Make:
        CASES[make.__name__] = Case(make, ("serial", *ways))
        return make

    return add


ENGINES = ("threads", "processes")
CHUNKS = ("chunks-1", "chunks-7", "chunks-1000")
NATIVE = {"bayes": "naive_bayes", "tree": "hoeffding_tree:grace_period=50", "none": "no_change"}

NATIVE_LEARNERS = [
    *(
        "majority_class",
        "naive_bayes",
        "no_change",
        "sgd",
        "sgd:loss=hinge",
        "knn",
        "hoeffding_tree:grace_period=50",
    ),
    *(
        "hoeffding_tree:leaf_prediction=nb,binary_split=True,split_criterion=gini",
        "hoeffding_adaptive_tree:grace_period=50,drift_window_threshold=50",
    ),
    *(
        "online_bagging:n_models=3",
        "random_forest:n_models=3",
        "adaptive_random_forest:n_models=3",
        "adwin_bagging:n_models=3",
    ),
    *(
        "leveraging_bagging:n_models=3",
        "dynamic_weighted_majority",
        "accuracy_updated_ensemble:n_models=3,window_size=100",
    ),
    *("noise_filter:p=0.1", "drift_reset"),
]
"""Every native classifier; the ensembles are small."""


def foreign() -> dict[str, object]:
    """Return learners of River, scikit-learn and plain Python beside a native one."""
    return {
        "bayes": "naive_bayes",
        "river": naive_bayes.GaussianNB(),
        "pipeline": preprocessing.StandardScaler() | linear_model.LogisticRegression(),
        "sklearn": SGDClassifier(loss="log_loss"),
        "batches": mini_batches(SGDClassifier(loss="hinge"), 16),
        "plain": LastLabel(),
    }


# Prequential


@case(*ENGINES, *CHUNKS, "resumed", "resumed-threads", "saved")
def prequential_defaults(bench: Bench) -> Texts:
    return traced(bench, inputs.drifting(), NATIVE, every=400)


@case("threads", "chunks-7", "resumed")
def prequential_pretrain(bench: Bench) -> Texts:
    protocol = pq.Prequential(pretrain=250)
    return traced(bench, inputs.drifting(), NATIVE, protocol=protocol, forgetting="fading:0.99", every=300)


@case(*ENGINES, "chunks-7", "resumed")
def prequential_forgettings(bench: Bench) -> Texts:
    forgetting = [
        pq.Cumulative(),
        pq.Sliding(100),
        pq.Sliding(seconds=60),
        pq.Fading(0.98),
        pq.AdaptiveWindow(0.05),
        pq.ExponentialHistogram(100, 0.1),
        pq.ExponentialHistogram(seconds=60, error=0.2),
    ]
    metrics = ["accuracy", "kappa", "kappa_m", "kappa_t", "log_loss", "brier"]
    learners = {"bayes": "naive_bayes", "none": "no_change"}
    return traced(bench, inputs.timed(), learners, metrics=metrics, forgetting=forgetting, every=130)


@case("processes", "chunks-7", "resumed")
def prequential_every_metric(bench: Bench) -> Texts:
    stream = inputs.timed(500, n_classes=3)
    learners = {"bayes": "naive_bayes", "knn": "knn", "plain": Shares(1.0)}
    metrics = [one.name for one in REGISTRY.values() if fits(one, "classification")]  # and columns beside them
    return traced(bench, stream, learners, metrics=metrics, forgetting=["cumulative", "sliding:120"], every=170)


@case("chunks-7", "resumed")
def prequential_abstain_wrong(bench: Bench) -> Texts:
    return _abstaining(bench, "wrong")


@case("processes", "chunks-7", "resumed")
def prequential_abstain_skip(bench: Bench) -> Texts:
    return _abstaining(bench, "skip")


def _abstaining(bench: Bench, abstain: str) -> Texts:
    learners = {"some": Shares(0.4), "few": Shares(1.5), "bayes": "naive_bayes"}
    metrics = ["accuracy", "kappa", "kappa_m", "kappa_t", "recall", "log_loss"]
    forgetting = ["cumulative", "sliding:100", "fading:0.97"]
    return traced(bench, inputs.timed(), learners, abstain=abstain, metrics=metrics, forgetting=forgetting, every=200)


@case("threads", "chunks-7", "resumed")
def prequential_unlabelled(bench: Bench) -> Texts:
    stream = inputs.drifting().sparse_labels(0.6, seed=2)
    detectors = ["ddm:level=2", "adwin:delta=0.05"]
    return traced(bench, stream, NATIVE, detectors=detectors, forgetting="sliding:200", every=350)


@case("threads", "chunks-7", "resumed")
def prequential_weights(bench: Bench) -> Texts:
    learners = {"bayes": "naive_bayes", "tree": "hoeffding_tree:grace_period=40", "sgd": "sgd", "plain": Shares(2.0)}
    metrics = ["accuracy", "kappa", "kappa_m", "brier", "macro_f1", "auc"]
    forgetting = ["cumulative", "sliding:90", "fading:0.99", "histogram:90:0.1", "sliding:40s"]
    return traced(bench, inputs.timed(weighted=True), learners, metrics=metrics, forgetting=forgetting, every=250)


@case(*CHUNKS, "processes", "resumed")
def prequential_late_classes(bench: Bench) -> Texts:
    numbers = compose.Select("x0") | naive_bayes.GaussianNB()
    learners = {
        "bayes": "naive_bayes",
        "tree": "hoeffding_tree:grace_period=40",
        "river": numbers,
        "plain": Shares(1.0),
    }
    metrics = ["accuracy", "kappa_m", "recall", "precision", "f1", "g_mean", "log_loss", "auc"]
    forgetting = ["cumulative", "sliding:100", "fading:0.99"]
    return traced(bench, inputs.late_classes(), learners, metrics=metrics, forgetting=forgetting, every=150)


@case(*ENGINES, "chunks-7", "resumed")
def prequential_detectors(bench: Bench) -> Texts:
    detectors = [
        PageHinkley(delta=0.05, threshold=8),
        PageHinkley(on="kappa", under=pq.Sliding(100), delta=0.1, threshold=20),
        pq.drift.Ratio(short=pq.Sliding(30), long=pq.Sliding(300), threshold=15),
        pq.drift.ADWIN(),
        pq.drift.ADWIN(convention="river", direction="both"),
        pq.drift.DDM(level=2.5),
        pq.drift.EDDM(),
        drift.PageHinkley(threshold=10),
    ]
    learners = {
        "bayes": "naive_bayes",
        "tree": "hoeffding_tree",
        "reset": DriftReset(detector=pq.drift.DDM()),
    }
    return traced(bench, inputs.abrupt(), learners, detectors=detectors, metrics="accuracy", every=500)


@case(*ENGINES, *CHUNKS, "resumed", "saved")
def prequential_predictions(bench: Bench) -> Texts:
    learners = foreign() | {"some": Shares(0.4)}
    return traced(bench, inputs.timed(120), learners, predictions=True, metrics="accuracy", every=60)


@case("resumed")
def prequential_predictions_late(bench: Bench) -> Texts:
    """Saved predictions of classes that appear late, after 100 records that only train."""
    learners = {"bayes": "naive_bayes", "plain": Shares(9.0)}
    protocol = pq.Prequential(pretrain=100)
    stream = inputs.late_classes().take(200)
    return traced(bench, stream, learners, protocol=protocol, predictions=True, metrics="recall", every=100)


@case(*ENGINES, "chunks-7", "resumed", "resumed-processes")
def prequential_failing(bench: Bench) -> Texts:
    learners = {"fails": Failing(333), "bayes": "naive_bayes", "plain": LastLabel()}
    with ignored(pq.LearnerFailedWarning):
        return traced(
            bench,
            inputs.timed(),
            learners,
            detectors=["ddm:level=2"],
            forgetting=["cumulative", "sliding:100"],
            every=150,
        )


@case(*ENGINES, "chunks-7", "resumed")
def prequential_libraries(bench: Bench) -> Texts:
    metrics = ["accuracy", "kappa", "log_loss", "auc"]
    return traced(
        bench, inputs.timed(), foreign(), metrics=metrics, forgetting=["cumulative", "sliding:150"], every=300
    )


@case("resumed-learner")
def prequential_interrupted(bench: Bench) -> Texts:
    learners = {"bayes": "naive_bayes", "plain": Interrupting(150)}
    return traced(bench, inputs.timed(240), learners, predictions=True, every=80)


@case(*ENGINES, *CHUNKS, "resumed")
def prequential_regression(bench: Bench) -> Texts:
    learners = {
        "mean": "mean_target",
        "last": "last_target",
        "plain": RunningMean(),
        "river": preprocessing.StandardScaler() | linear_model.LinearRegression(),
        "sklearn": SGDRegressor(),
    }
    forgetting = ["cumulative", "sliding:100", "sliding:60s", "fading:0.98", "adaptive:0.05:5", "histogram:100:0.1"]
    detectors = ["page_hinkley:delta=0.5,threshold=20,on=mae,under=fading:0.95"]
    return traced(bench, inputs.regression(), learners, forgetting=forgetting, detectors=detectors, every=200)


@case("threads", "chunks-7", "resumed", "resumed-threads")
def prequential_native_learners(bench: Bench) -> Texts:
    """Each learner has a seed of its own."""
    metrics = ["accuracy", "kappa", "log_loss"]
    return traced(
        bench, inputs.abrupt(1200), NATIVE_LEARNERS, seed=5, metrics=metrics, forgetting="cumulative", every=600
    )


@case("threads", "chunks-7", "resumed")
def prequential_nominal(bench: Bench) -> Texts:
    """Nominal features with missing values, for the learners that treat them specially."""
    learners = ["naive_bayes", "sgd", "knn", "hoeffding_tree:grace_period=50", "adaptive_random_forest:n_models=3"]
    return traced(
        bench, inputs.mixed_features(), learners, metrics=["accuracy", "brier"], forgetting="cumulative", every=200
    )


@case("chunks-7")
def prequential_many_classes(bench: Bench) -> Texts:
    learners = {"bayes": "naive_bayes", "tree": "hoeffding_tree"}
    metrics = ["accuracy", "mcc", "recall", "macro_precision", "balanced_accuracy", "h_mean", "auc_hand_till"]
    return traced(
        bench, pq.streams.LED(seed=4).take(800), learners, metrics=metrics, forgetting="sliding:300", every=400
    )


# Files


def _of_file(bench: Bench, suffix: str, **options: Any) -> Texts:
    path = bench.folder / f"data{suffix}"
    pq.write(inputs.mixed_features(300), path)
    return traced(bench, pq.read(path, **options), NATIVE, metrics=["accuracy", "recall"], every=150)


@case("chunks-7", "resumed")
def read_csv(bench: Bench) -> Texts:
    return _of_file(bench, ".csv")


@case("chunks-7")
def read_arff(bench: Bench) -> Texts:
    return _of_file(bench, ".arff.gz")


@case("processes", "chunks-7", "resumed")
def read_parquet(bench: Bench) -> Texts:
    return _of_file(bench, ".parquet")


@case("chunks-7", "resumed")
def read_foreign_csv(bench: Bench) -> Texts:
    """A CSV file of another program: semicolons, inferred types, named columns, missing values."""
    X, y = inputs.records(300)
    rows = [
        f"{t};{'' if i % 11 == 0 else a!r};{b!r};{c!r};{w};{i % 3 == 0};{'?' if i % 29 == 0 else label}"
        for i, (t, (a, b, c), w, label) in enumerate(
            zip(inputs.times(300), X.tolist(), inputs.weights(300), y, strict=True)
        )
    ]
    path = bench.folder / "foreign.csv"
    path.write_text("\n".join(["when;a;b;c;w;third;kind", *rows]) + "\n", encoding="utf-8")
    forgetting = ["cumulative", "sliding:50s"]
    with ignored(pq.DataWarning):  # missing numbers are written as nan here, which is a text: the column is nominal
        stream = pq.read(path, target="kind", time="when", weight="w", ignore="c")
        return traced(bench, stream, NATIVE, metrics=["accuracy", "recall"], forgetting=forgetting, every=150)


# Holdout


@case(*ENGINES, "chunks-7", "resumed")
def holdout_stream(bench: Bench) -> Texts:
    test = pq.streams.SEA(concept=4, seed=9).take(300)
    learners = {
        "bayes": "naive_bayes",
        "tree": "hoeffding_tree",
        "river": naive_bayes.GaussianNB(),
        "plain": LastLabel(),
    }
    metrics = ["accuracy", "kappa", "kappa_m", "kappa_t", "recall", "log_loss"]
    return traced(bench, inputs.drifting(), learners, protocol=pq.Holdout(test=test), metrics=metrics, every=500)


@case(*ENGINES, "chunks-7", "resumed")
def holdout_share(bench: Bench) -> Texts:
    learners = {"bayes": "naive_bayes", "tree": "hoeffding_tree:grace_period=40", "some": Shares(0.4)}
    stream = inputs.timed(weighted=True).sparse_labels(0.9)
    return traced(bench, stream, learners, protocol=pq.Holdout(share=0.25), every=130)


@case("resumed")
def holdout_regression(bench: Bench) -> Texts:
    learners = {"mean": "mean_target", "plain": RunningMean()}
    return traced(bench, inputs.regression(), learners, protocol=pq.Holdout(share=0.3), every=250)


# Folds


def _folds(bench: Bench, scheme: str, tests: str = "held_out", k: int = 6) -> Texts:
    protocol = pq.KFold(k, scheme, tests)  # type: ignore[arg-type]
    learners = {"bayes": "naive_bayes", "tree": "hoeffding_tree:grace_period=50", "sgd": "sgd"}
    forgetting = ["cumulative", "sliding:200"]
    run = evaluate(
        bench,
        inputs.drifting(900),
        learners,
        protocol=protocol,
        metrics=["accuracy", "kappa"],
        forgetting=forgetting,
        every=450,
    )
    tables = {"table": run.table().to_dicts(), "significance": run.folds.table().to_dicts()}
    return texts.of_run(run) | {"table.json": texts.of_json(tables)}


@case(*ENGINES, "chunks-7", "resumed", "resumed-threads", "saved")
def kfold_cross(bench: Bench) -> Texts:
    return _folds(bench, "cross")


@case("threads", "chunks-7", "resumed")
def kfold_split(bench: Bench) -> Texts:
    return _folds(bench, "split")


@case(*ENGINES, "chunks-7", "resumed", "resumed-processes")
def kfold_bootstrap(bench: Bench) -> Texts:
    return _folds(bench, "bootstrap")


@case("threads", "chunks-7")
def kfold_cross_all(bench: Bench) -> Texts:
    return _folds(bench, "cross", "all")


@case("threads", "chunks-7")
def kfold_split_all(bench: Bench) -> Texts:
    return _folds(bench, "split", "all")


@case("threads", "chunks-7", "resumed")
def kfold_bootstrap_all(bench: Bench) -> Texts:
    return _folds(bench, "bootstrap", "all")


@case("threads")
def kfold_few(bench: Bench) -> Texts:
    with ignored(pq.FewFoldsWarning):
        return _folds(bench, "cross", k=3)


@case("processes", "chunks-7", "resumed")
def kfold_libraries(bench: Bench) -> Texts:
    """Python learners; fading, windows in seconds, estimated windows."""
    learners = {"river": naive_bayes.GaussianNB(), "some": Shares(0.4), "bayes": "naive_bayes"}
    forgetting = ["fading:0.98", "sliding:60s", "histogram:60:0.1"]
    protocol = pq.KFold(6, "bootstrap")
    return traced(
        bench,
        inputs.timed(300),
        learners,
        protocol=protocol,
        metrics=["accuracy", "brier"],
        forgetting=forgetting,
        every=150,
    )


@case("threads", "resumed")
def kfold_weights(bench: Bench) -> Texts:
    learners = {"bayes": "naive_bayes", "tree": "hoeffding_tree:grace_period=40"}
    return traced(
        bench, inputs.timed(400, weighted=True), learners, protocol=pq.KFold(6, "cross"), metrics="accuracy", every=200
    )


@case("threads", "processes", "resumed")
def kfold_failing(bench: Bench) -> Texts:
    learners = {"bayes": "naive_bayes", "fails": Failing(40), "none": "no_change"}
    with ignored(pq.LearnerFailedWarning):
        return traced(
            bench, inputs.timed(400), learners, protocol=pq.KFold(6, "split", "all"), metrics="accuracy", every=100
        )


@case("resumed")
def kfold_regression(bench: Bench) -> Texts:
    learners = {"mean": "mean_target", "last": "last_target", "plain": RunningMean()}
    return traced(bench, inputs.regression(400), learners, protocol=pq.KFold(6, "cross"), every=200)


# Delayed labels


@case(*ENGINES, *CHUNKS, "resumed", "resumed-threads", "saved")
def delayed_bins(bench: Bench) -> Texts:
    stream = inputs.drifting(500).delayed(pq.streams.UniformDelay(5, 80))
    protocol = pq.Delayed(bins=4, psi_alpha=[1, 2, 4])
    run = evaluate(
        bench,
        stream,
        NATIVE,
        protocol=protocol,
        metrics=["accuracy", "kappa", "kappa_t"],
        forgetting=["cumulative", "sliding:100"],
        every=250,
    )
    ranking = run.delays.ranking("accuracy", forgetting="cumulative").to_dicts()
    return texts.of_run(run) | {"ranking.json": texts.of_json(ranking)}


@case("threads", "chunks-7", "resumed")
def delayed_horizon(bench: Bench) -> Texts:
    """Some records expire; re-evaluation now and then; the first class instead of abstention."""
    stream = inputs.drifting(500).delayed(pq.streams.ExponentialDelay(30), seed=3)
    protocol = pq.Delayed(bins=3, psi_alpha=[1.5, 3], reevaluate_every=7, horizon=60, first_class=True)
    return traced(
        bench,
        stream,
        NATIVE,
        protocol=protocol,
        metrics=["accuracy", "recall"],
        forgetting=["fading:0.99", "sliding:50"],
        every=200,
    )


@case("processes", "chunks-7", "resumed")
def delayed_events(bench: Bench) -> Texts:
    learners = {"bayes": "naive_bayes", "river": naive_bayes.GaussianNB(), "plain": LastLabel()}
    protocol = pq.Delayed(bins=3, horizon=180)
    return traced(
        bench,
        inputs.events(bench.folder),
        learners,
        protocol=protocol,
        metrics=["accuracy", "kappa"],
        forgetting=["cumulative", "sliding:100s"],
        every=100,
    )


@case("threads", "chunks-7", "resumed")
def delayed_forgettings(bench: Bench) -> Texts:
    """What needs one grid per bin: weights, abstentions left out, ADWIN, exponential histograms."""
    stream = inputs.timed(300, weighted=True).delayed(25, clock="time", first="labels", rest=False)
    learners = {"bayes": "naive_bayes", "some": Shares(0.4)}
    return traced(
        bench,
        stream,
        learners,
        protocol=pq.Delayed(bins=2, psi_alpha=1),
        abstain="skip",
        metrics=["accuracy", "kappa_m"],
        forgetting=["cumulative", "adaptive:0.05", "histogram:60:0.1", "fading:0.98"],
        every=120,
    )


@case("chunks-7", "resumed")
def delayed_late_classes(bench: Bench) -> Texts:
    stream = inputs.late_classes().take(400).delayed(30)
    learners = {"bayes": "naive_bayes", "plain": LastLabel()}
    return traced(
        bench,
        stream,
        learners,
        protocol=pq.Delayed(bins=2),
        metrics=["accuracy", "recall"],
        forgetting="cumulative",
        every=150,
    )


@case("processes", "resumed")
def delayed_failing(bench: Bench) -> Texts:
    stream = inputs.timed(300).delayed(20)
    learners = {"bayes": "naive_bayes", "fails": Failing(150)}
    with ignored(pq.LearnerFailedWarning):
        return traced(bench, stream, learners, protocol=pq.Delayed(bins=2), metrics="accuracy", every=100)


# Predictions made elsewhere


@case(*CHUNKS)
def score_scores(bench: Bench) -> Texts:
    _, y = inputs.records(400, n_classes=3)
    labels = [None if i % 17 == 0 else label for i, label in enumerate(y)]
    run = score(
        bench,
        labels,
        None,
        inputs.probabilities(400, 3),
        classes=["a", "b", "c"],
        weight=inputs.weights(400),
        time=inputs.times(400),
        metrics=["accuracy", "kappa", "log_loss", "brier", "auc", "average_precision", "scored_auc", "recall"],
        forgetting=["cumulative", "sliding:80", "sliding:60s", "fading:0.98"],
        every=150,
    )
    return texts.of_run(run)


@case(*CHUNKS)
def score_predictions(bench: Bench) -> Texts:
    _, y = inputs.records(400)
    guess = [None if i % 13 == 0 else y[i - 1] for i in range(400)]
    return texts.of_run(
        score(
            bench,
            y,
            guess,
            abstain="skip",
            forgetting=["cumulative", "adaptive:0.05", "histogram:50:0.1"],
            every=150,
            name="before",
        )
    )


@case("chunks-7")
def score_regression(bench: Bench) -> Texts:
    X, _ = inputs.records(400)
    y, guess = X[:, 0].copy(), X[:, 1].copy()
    y[::19], guess[::23] = np.nan, np.nan
    return texts.of_run(
        score(bench, y, guess, task="regression", forgetting=["cumulative", "sliding:50", "fading:0.9"], every=150)
    )


def _prediction_table(n: int, shift: int) -> pa.Table:
    _, y = inputs.records(n)
    scores = inputs.probabilities(n, 2)
    columns = {"label": y, "prediction": y[shift:] + y[:shift], "score_a": scores[:, 0], "score_b": scores[:, 1]}
    return pa.table({**columns, "time": inputs.times(n), "weight": inputs.weights(n)})


@case("chunks-1", "chunks-7")
def score_csv(bench: Bench) -> Texts:
    paths = [bench.folder / "first.csv", bench.folder / "second.csv"]
    for shift, path in enumerate(paths, start=1):
        pyarrow.csv.write_csv(_prediction_table(300, shift).drop_columns(["score_a", "score_b", "weight"]), path)
    return texts.of_run(
        score_files(
            bench, paths, metrics=["accuracy", "kappa_t", "f1"], forgetting=["cumulative", "sliding:40s"], every=120
        )
    )


@case("chunks-1", "chunks-7")
def score_parquet(bench: Bench) -> Texts:
    paths = [bench.folder / "first.parquet", bench.folder / "second.parquet", bench.folder / "third.csv"]
    for shift, path in enumerate(paths, start=1):
        table = _prediction_table(300, shift)
        if path.suffix == ".csv":
            pyarrow.csv.write_csv(table.drop_columns("score_a"), path)
        else:
            pyarrow.parquet.write_table(table, path)
    metrics = ["accuracy", "log_loss", "auc", "average_precision"]
    return texts.of_run(score_files(bench, paths, metrics=metrics, forgetting=["fading:0.98", "sliding:70"], every=120))


@case("chunks-7")
def score_regression_files(bench: Bench) -> Texts:
    X, _ = inputs.records(300)
    table = pa.table({"truth": X[:, 0], "guess": X[:, 1], "when": inputs.times(300)})
    pyarrow.csv.write_csv(table, bench.folder / "one.csv")
    pyarrow.parquet.write_table(table.slice(20), bench.folder / "two.parquet")
    paths = [bench.folder / "one.csv", bench.folder / "two.parquet"]
    return texts.of_run(
        score_files(
            bench,
            paths,
            label="truth",
            prediction="guess",
            time="when",
            forgetting=["cumulative", "sliding:30s"],
            every=120,
        )
    )


@case(*CHUNKS)
def score_delayed_tables(bench: Bench) -> Texts:
    """Two models, events out of order, a horizon, and irregular events of many kinds."""
    return texts.of_run(
        score_delayed(
            bench,
            *inputs.logs(),
            disorder=4,
            horizon=70,
            bins=4,
            psi_alpha=[1, 2],
            metrics=["accuracy", "kappa", "recall"],
            forgetting=["cumulative", "sliding:80"],
            every=100,
        )
    )


@case("chunks-7")
def score_delayed_files(bench: Bench) -> Texts:
    """One model with scores, in files; abstentions are left out."""
    _, labels = inputs.logs()
    ids = [f"id{i}" for i in range(250)]
    scores = inputs.probabilities(250, 3)
    columns = {f"score_{label}": scores[:, k] for k, label in enumerate(("down", "flat", "up"))}
    predictions = pa.table({"time": 2.0 * np.arange(250), "id": ids, **columns})
    pyarrow.parquet.write_table(predictions, bench.folder / "predictions.parquet")
    pyarrow.csv.write_csv(labels, bench.folder / "labels.csv")
    return texts.of_run(
        score_delayed(
            bench,
            bench.folder / "predictions.parquet",
            bench.folder / "labels.csv",
            disorder=20,
            bins=2,
            abstain="skip",
            metrics=["accuracy", "kappa_m"],
            forgetting=["cumulative", "fading:0.98"],
            every=100,
        )
    )


# Drift detection


@case()
def detect_learners(bench: Bench) -> Texts:
    learners = {"bayes": "naive_bayes", "tree": "hoeffding_tree", "plain": LastLabel()}
    detectors = [
        "adwin",
        "ddm:level=2.5",
        "eddm",
        "page_hinkley:threshold=10",
        "ratio:short=fading:0.95,long=fading:0.99,threshold=10",
    ]
    return detect(inputs.abrupt(), learners, [*detectors, drift.ADWIN()], tolerance=300)


@case()
def detect_series(bench: Bench) -> Texts:
    n = 1500
    series = np.random.RandomState(17).normal(size=n) + np.where(np.arange(n) < 700, 0.0, 1.5)
    stream = pq.from_arrays(np.empty((n, 0)), series, time=inputs.times(n), task="regression", target="y")
    detectors = [
        PageHinkley(delta=0.3, threshold=20),
        PageHinkley(delta=0.3, threshold=20, direction="both", convention="moa"),
        PageHinkley(delta=0.3, threshold=20, convention="multiflow"),
        drift.PageHinkley(delta=0.3, threshold=20),
    ]
    return detect(stream, None, detectors, tolerance=200)


@case()
def detect_losses(bench: Bench) -> Texts:
    """The same 0/1 series for every detector and convention."""
    error = np.where(np.arange(3000) % 1400 < 900, 0.1, 0.5)
    losses = (np.random.RandomState(18).uniform(size=3000) < error).astype(float)
    detectors = [
        *(pq.drift.ADWIN(convention=one) for one in ("moa", "river", "multiflow")),
        *(PageHinkley(delta=0.05, threshold=10, convention=one) for one in ("paper", "river", "moa", "multiflow")),
        *(pq.drift.DDM(), pq.drift.DDM(level=2), pq.drift.EDDM(), pq.drift.Ratio(threshold=20)),
    ]
    rows = [{"detector": one.label, "record": i} for one in detectors for i in one.detect(losses).tolist()]
    found = [
        pq.drift.score_alarms(one.detect(losses), [900, 1400, 2300, 2800], n=3000, tolerance=250).to_dict()
        for one in detectors
    ]
    return {"alarms.csv": texts.of_rows(rows), "json": texts.of_json(found)}


# Comparisons


@case("threads", "resumed")
def compare_learners(bench: Bench) -> Texts:
    forgetting = ["cumulative", "sliding:200", "fading:0.99"]
    run = evaluate(bench, inputs.drifting(), NATIVE, forgetting=forgetting, every=200)
    return {"csv": texts.of_table(pq.compare(run, "bayes", "tree").to_arrow())}


@case()
def compare_runs(bench: Bench) -> Texts:
    one, other = (
        pq.evaluate(inputs.drifting(), {name: name}, predictions=True, every=300, progress=False)
        for name in ("naive_bayes", "sgd")
    )
    return {"csv": texts.of_table(pq.compare(one, other).to_arrow())}


@case("threads")
def compare_folds(bench: Bench) -> Texts:
    learners = {"bayes": "naive_bayes", "tree": "hoeffding_tree:grace_period=50"}
    run = evaluate(bench, inputs.drifting(600), learners, protocol=pq.KFold(8, "bootstrap"), every=300)
    found = run.compare("bayes", "tree")
    return {"csv": texts.of_table(found.to_arrow()), "json": texts.of_json(found.to_dict())}


@case()
def compare_many(bench: Bench) -> Texts:
    names = ["naive_bayes", "sgd", "no_change", "hoeffding_tree"]
    streams = [pq.streams.SEA(concept=c, seed=s).take(400) for c in (1, 2, 3, 4) for s in (1, 2)]
    runs = [pq.evaluate(stream, names, progress=False) for stream in streams]
    found = pq.compare(runs, metric="kappa")
    return {"csv": texts.of_table(found.to_arrow()), "json": texts.of_json(found.to_dict())}


# Power and the testbed


@case("threads", "resumed")
def power(bench: Bench) -> Texts:
    return run_power(bench, pq.streams.SEA().take(300), "random_forest:n_models=2", folds=6, runs=2, noise=[0.1, 0.3])


@case("resumed")
def power_streams(bench: Bench) -> Texts:
    """Several streams and settings, and another metric."""
    streams = {"sea": inputs.drifting(300), "arrays": inputs.timed(300)}
    return run_power(
        bench,
        streams,
        "random_forest:n_models=2",
        folds=[6, 7],
        schemes="bootstrap",
        tests=["held_out", "all"],
        runs=2,
        noise=0.2,
        metric="kappa",
    )


@case("threads")
def testbed_card(bench: Bench) -> Texts:
    return {"json": texts.of_json(make_card(bench, "naive_bayes", streams=["NSGT", "NSPC-A"], seeds=2).to_dict())}


@case("threads")
def testbed_card_baseline(bench: Bench) -> Texts:
    options = {"streams": ["NSGT"], "seeds": 6, "references": False}
    before = make_card(bench, "naive_bayes", name="mine", **options)
    after = make_card(bench, "majority_class", name="mine", baseline=before, **options)
    return {"json": texts.of_json(after.to_dict())}


@case("threads", "chunks-7")
def testbed_optimal(bench: Bench) -> Texts:
    learners = {"optimum": pq.testbed.Optimal(), "tree": "hoeffding_tree"}
    stream = pq.testbed.stream("NSCX", seed=2, n=1500)
    metrics = ["error", "log_loss"]
    return traced(bench, stream, learners, metrics=metrics, forgetting=["cumulative", "sliding:300"], every=500)


@case()
def testbed_errors(bench: Bench) -> Texts:
    found = {name: pq.testbed.mixture(name).optimal_error(at=[0, 100, 5000]) for name in pq.testbed.names()}
    return {"json": texts.of_json({name: [one.error.tolist(), one.mean, one.method] for name, one in found.items()})}


@case()
def testbed_records(bench: Bench) -> Texts:
    streams = [pq.testbed.stream(name, seed=3, n=6) for name in pq.testbed.names()]
    return {"csv": texts.of_rows([row for stream in streams for row in _records(stream)])}


# Streams


def _records(stream: pq.Stream, n: int = 6, start: int = 0) -> list[dict[str, object]]:
    """Return some records of a stream, its features in one column."""
    rows: list[dict[str, object]] = []
    for chunk in stream.chunks(64, start):
        for i in range(min(len(chunk), n - len(rows))):
            values = " ".join(map(repr, chunk.X[i].tolist()))
            rows.append({"stream": stream.name, "record": chunk.start + i, "y": chunk.y[i].item(), "x": values})
        if len(rows) == n:
            break
    return rows


@case()
def generators(bench: Bench) -> Texts:
    streams: list[pq.Stream] = [getattr(pq.streams, name)(seed=3) for name in GENERATORS]
    rows = [row for stream in streams for start in (0, 100_000) for row in _records(stream, start=start)]
    return {"csv": texts.of_rows(rows)}


@case("chunks-7")
def digests_of_records(bench: Bench) -> Texts:
    """Every bit of longer streams."""
    streams: list[pq.Stream] = [getattr(pq.streams, name)(seed=3).take(20_000) for name in GENERATORS]
    streams += [pq.testbed.stream(name, seed=3, n=20_000) for name in pq.testbed.names()]
    streams += [
        pq.streams.RandomTree(seed=4).feature_noise(0.5).take(20_000),
        pq.streams.SEA(seed=4).drift_to(pq.streams.SEA(concept=3, seed=5), at=10_000, width=5_000).take(20_000),
        pq.streams.SEA(seed=4).take(20_000).delayed(pq.streams.ExponentialDelay(50)),
    ]
    size = bench.way.chunk_size or 4096
    found: dict[str, str] = {}
    for stream in streams:
        digest = hashlib.sha256()
        for chunk in stream.chunks(size):
            for i in range(len(chunk)):
                digest.update(chunk.X[i].tobytes() + chunk.y[i].tobytes())
        found[f"{stream.name} {len(found)}"] = digest.hexdigest()
    return {"json": texts.of_json(found)}


@case("chunks-7")
def digests_of_scores(bench: Bench) -> Texts:
    """Every bit of the scores of native learners, on numeric features, on both kinds, and with many classes."""
    streams = [pq.streams.Waveform(seed=3), pq.streams.RandomTree(seed=4), pq.streams.RandomRBF(seed=5, n_classes=12)]
    found = {}
    for stream in streams:
        chunks = list(stream.take(3000).chunks(bench.way.chunk_size or 4096))
        for name in NATIVE_LEARNERS:
            learner = pq.as_learner(name).fresh(stream.schema, 1)
            digest = hashlib.sha256()
            for chunk in chunks:
                digest.update(learner.test_then_train(chunk.X, chunk.y).tobytes())
            found[f"{name} on {stream.name}"] = digest.hexdigest()
    return {"json": texts.of_json(found)}


@case()
def compositions(bench: Bench) -> Texts:
    a, b, c = (pq.streams.SEA(concept=k, seed=k) for k in (1, 2, 3))
    tree = pq.streams.RandomTree(seed=4)
    streams = {
        "drift_to": a.drift_to(b, at=30, width=20),
        "drift_through": a.drift_through(b, c, at=30, width=20),
        "recurring": a.recurring(b, c, every=10, width=4),
        "blip": a.blip(b, at=25, width=10),
        "followed_by": a.take(30).followed_by(b.take(30)),
        "repeat": a.take(20).repeat(3),
        "interleave": a.interleave(b, c, shares=[3, 2, 1]),
        "class_ratio": a.class_ratio("1:3", changes={30: "4:1"}, width=10),
        "label_noise": a.label_noise(0.3),
        "feature_noise": tree.feature_noise(0.5, nominal=0.3),
        "missing": tree.missing(0.3),
        "sparse_labels": a.sparse_labels(0.5),
        "delayed": a.take(60).delayed(pq.streams.UniformDelay(2, 20)),
        "reseeded": a.drift_to(b, at=30, width=20).reseeded(7),
        "skip": a.skip(50),
    }
    rows = [{"made": name} | row for name, stream in streams.items() for row in _records(stream.take(60), 60)[20:40]]
    drifts = {
        name: [[one.at, one.width, one.real, one.temporary] for one in stream.drifts_before(60)]
        for name, stream in streams.items()
    }
    return {"csv": texts.of_rows(rows), "json": texts.of_json(drifts)}


@case()
def rolling_auc(bench: Bench) -> Texts:
    _, y = inputs.records(150, n_classes=3)
    scores = inputs.probabilities(150, 3)
    metrics = ("auc", "auc_hand_till", "average_precision", "scored_auc")
    rolling = {one: pq.Scorer(one, pq.Sliding(40), classes=["a", "b", "c"]) for one in metrics}
    weight = inputs.weights(150)
    values = {name: one.trace(y, scores=scores, weight=weight)["value"] for name, one in rolling.items()}
    return {"csv": texts.of_table(pa.table(values))}
