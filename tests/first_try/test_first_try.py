"""What a user of River, scikit-learn, CapyMOA or pandas types first, from memory.

Each call works, or fails with an error of this package whose message contains the right word.
"""

from __future__ import annotations

import pickle
import shlex
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pytest
import river.drift
import river.metrics
import river.naive_bayes
import river.stream
from first_try import more_calls
from typer.testing import CliRunner

import prequential as pq
from prequential.cli import app

WORKS = ""


class Try(NamedTuple):
    """A call, and the word that the message must contain if it fails; WORKS if it must not fail."""

    code: str
    word: str = WORKS


CONSTRUCTORS = [
    Try("pq.learners.NaiveBayes()"),
    Try("pq.learners.GaussianNB()", "pq.learners.NaiveBayes"),
    Try("pq.learners.HoeffdingTree(grace_period=100, delta=1e-5)"),
    Try("pq.learners.HoeffdingTreeClassifier()", "pq.learners.HoeffdingTree"),
    Try("pq.learners.HoeffdingTree(max_depth=5)", "max_bytes"),
    Try("pq.learners.HoeffdingTree(split_confidence=0.01)", "delta"),
    Try("pq.learners.HoeffdingTree(tie_threshold=0.05)", "tau"),
    Try("pq.learners.HoeffdingTree(leaf_prediction='nba')"),
    Try("pq.learners.HoeffdingTree(criterion='gini')", "split_criterion"),
    Try("pq.learners.HAT()", "HoeffdingAdaptiveTree"),
    Try("pq.learners.ARF()", "AdaptiveRandomForest"),
    Try("pq.learners.ARFClassifier(n_models=10)", "AdaptiveRandomForest"),
    Try("pq.learners.AdaptiveRandomForest(n_models=3, lambda_=6, grace_period=50)"),
    Try("pq.learners.AdaptiveRandomForest(ensemble_size=3)", "n_models"),
    Try("pq.learners.RandomForest(n_estimators=3)", "n_models"),
    Try("pq.learners.KNN(n_neighbors=5, window_size=500)"),
    Try("pq.learners.KNN(k=5)", "n_neighbors"),
    Try("pq.learners.KNN(5)", "n_neighbors"),
    Try("pq.learners.KNNClassifier()", "pq.learners.KNN"),
    Try("pq.learners.KNeighborsClassifier()", "pq.learners.KNN"),
    Try("pq.learners.SGD(loss='log_loss', learning_rate=0.01)"),
    Try("pq.learners.SGD(lr=0.1)", "learning_rate"),
    Try("pq.learners.SGDClassifier()", "pq.learners.SGD"),
    Try("pq.learners.LogisticRegression()", "log_loss"),
    Try("pq.learners.OzaBag()", "OnlineBagging"),
    Try("pq.learners.BaggingClassifier()", "OnlineBagging"),
    Try("pq.learners.LeveragingBaggingClassifier()", "LeveragingBagging"),
    Try("pq.learners.OnlineBagging(base='hoeffding_tree', n_models=3)"),
    Try("pq.learners.OnlineBagging(base_estimator='hoeffding_tree')", "base"),
    Try("pq.learners.NoChange()"),
    Try("pq.learners.MajorityClass()"),
    Try("pq.learners.DummyClassifier()", "MajorityClass"),
    Try("pq.learners.DriftReset(base='naive_bayes', detector='adwin')"),
    Try("pq.tree.HoeffdingTreeClassifier()", "pq.learners.HoeffdingTree"),
    Try("pq.forest.ARFClassifier()", "pq.learners.AdaptiveRandomForest"),
    Try("pq.naive_bayes.GaussianNB()", "pq.learners.NaiveBayes"),
    Try("pq.NaiveBayes()", "pq.learners.NaiveBayes"),
    Try("pq.HoeffdingTree()", "pq.learners.HoeffdingTree"),
    Try("pq.SklearnLearner(None)", "pq.learners.SklearnLearner"),
]

DETECTORS = [
    Try("pq.drift.ADWIN(delta=0.002)"),
    Try("pq.ADWIN()", "pq.drift.ADWIN"),
    Try("pq.PageHinkley()", "pq.drift.PageHinkley"),
    Try("pq.drift.PageHinkley(threshold=50)"),
    Try("pq.drift.PageHinkley(min_instances=30)", "min_records"),
    Try("pq.drift.PageHinkley(lambda_=50)", "threshold"),
    Try("pq.drift.DDM(min_num_instances=30)", "min_records"),
    Try("pq.drift.DDM(out_control_level=3)", "level"),
    Try("pq.drift.binary.DDM()", "pq.drift.DDM"),
    Try("pq.drift.ADWIN().update(0.1)", "fresh"),
    Try("pq.drift.ADWIN().add_element(0.1)", "fresh"),
    Try("pq.drift.ADWIN().drift_detected", "fresh"),
    Try("pq.drift.ADWIN().fresh().update(0.1)"),
    Try("pq.drift.ADWIN().fresh().drift_detected"),
    Try("pq.drift.ADWIN().detect([0.1, 0.2])"),
    Try("pq.drift.ADWIN().detect(0.1)", "series"),
    Try("pq.as_detector('adwin')"),
    Try("pq.as_detector('ADWIN')"),
    Try("pq.as_detector('adwn')", "adwin"),
    Try("pq.score_alarms([10], [5], 20)", "pq.drift.score_alarms"),
    Try("pq.drift.score_alarms([10], [5], 20)"),
    Try("pq.detect(stream, 'naive_bayes', 'adwin')"),
    Try("pq.detect(stream, learners='naive_bayes', detectors=['ddm', 'adwin'])"),
    Try("pq.detect(stream, 'naive_bayes', pq.drift.DDM)"),
    Try("pq.detect(stream, 'naive_bayes', detector='adwin')", "detectors"),
    Try("pq.drift.DriftRetrainingClassifier()", "pq.learners.DriftReset"),
]

STREAMS = [
    Try("pq.streams.SEA(seed=1)"),
    Try("pq.streams.SEA(random_state=1)", "seed"),
    Try("pq.streams.SEA(instance_random_seed=1)", "seed"),
    Try("pq.streams.SEA(classification_function=1)", "concept"),
    Try("pq.streams.SEA(variant=1)", "concept"),
    Try("pq.streams.SEA(noise_percentage=0.1)", "noise"),
    Try("pq.streams.SEAGenerator()", "pq.streams.SEA"),
    Try("pq.streams.RandomRBFGenerator()", "pq.streams.RandomRBF"),
    Try("pq.streams.ConceptDriftStream()", "drift_to"),
    Try("pq.SEA()", "pq.streams.SEA"),
    Try("pq.datasets.Elec2()", "pq.streams"),
    Try("pq.streams.Elec2()", "River"),
    Try("pq.stream_from_file('data.csv')", "pq.read"),
    Try("pq.read_csv('data.csv')", "pq.read"),
    Try("pq.streams.iter_csv('data.csv')", "pq.read"),
    Try("pq.read(path)"),
    Try("pq.read(path, target='class')"),
    Try("pq.read(path, label='class')", "target"),
    Try("pq.read(path, sep=',')", "separator"),
    Try("pq.read('nowhere.csv')", "nowhere.csv"),
    Try("pq.read(path, target='klass').schema", "class"),
    Try("pq.from_arrays(X, y)"),
    Try("pq.from_numpy(X, y)", "pq.from_arrays"),
    Try("pq.from_pandas(frame)", "pq.from_table"),
    Try("pq.from_table(frame, target='class')"),
    Try("pq.from_river(pairs)", "pq.from_iterable"),
    Try("pq.from_iterable(pairs)"),
    Try("pq.NumpyStream(X, y)", "pq.from_arrays"),
    Try("pq.as_stream((X, y))"),
    Try("stream.get_schema()", "stream.schema"),
    Try("stream.schema.get_num_classes()", "n_classes"),
    Try("stream.schema.n_classes"),
    Try("stream.n_features", "stream.schema.n_features"),
    Try("stream.n_samples", "stream.n_records"),
    Try("stream.next_instance()", "for x, y in stream"),
    Try("stream.has_more_instances()", "for x, y in stream"),
    Try("stream.restart()", "for x, y in stream"),
    Try("stream.take(10)"),
    Try("next(iter(stream))"),
    Try("stream.head()"),
    Try("stream.to_pandas()"),
    Try("stream.shape", "n_records"),
    Try("stream.to_csv('x.csv')", "pq.write"),
    Try("stream.drift_to(stream, position=100)", "at"),
]

EVALUATE = [
    Try("pq.evaluate(stream, 'naive_bayes')"),
    Try("pq.evaluate(stream, pq.learners.NaiveBayes())"),
    Try("pq.evaluate(stream, pq.learners.NaiveBayes)"),
    Try("pq.evaluate(stream, ['naive_bayes', 'no_change'])"),
    Try("pq.evaluate(stream, {'nb': 'naive_bayes'})"),
    Try("pq.evaluate(stream=stream, learners='naive_bayes')"),
    Try("pq.evaluate(stream, learner='naive_bayes')", "learners"),
    Try("pq.evaluate(stream=stream, model='naive_bayes')", "learners"),
    Try("pq.evaluate(dataset=stream, learners='naive_bayes')", "stream"),
    Try("pq.evaluate((X, y), 'naive_bayes')"),
    Try("pq.evaluate(frame, 'naive_bayes', target='class')"),
    Try("pq.evaluate(pairs, 'naive_bayes')"),
    Try("pq.evaluate(path, 'naive_bayes')"),
    Try("pq.evaluate(stream, 'naive_bayes', metric='accuracy')", "metrics"),
    Try("pq.evaluate(stream, 'naive_bayes', metrics='accuracy')"),
    Try("pq.evaluate(stream, 'naive_bayes', metrics=['accuracy', 'kappa'])"),
    Try("pq.evaluate(stream, 'naive_bayes', scoring='accuracy')", "metrics"),
    Try("pq.evaluate(stream, 'naive_bayes', metrics='roc_auc')", "auc"),
    Try("pq.evaluate(stream, 'naive_bayes', metrics='f1_score')", "f1"),
    Try("pq.evaluate(stream, 'naive_bayes', metrics='cohen_kappa')", "kappa"),
    Try("pq.evaluate(stream, 'naive_bayes', metrics='kappa_temporal')", "kappa_t"),
    Try("pq.evaluate(stream, 'naive_bayes', metrics='matthews_corrcoef')", "mcc"),
    Try("pq.evaluate(stream, 'naive_bayes', metrics=pq.metrics.Accuracy())", "accuracy"),
    Try("pq.evaluate(stream, 'naive_bayes', window_size=100)", "forgetting"),
    Try("pq.evaluate(stream, 'naive_bayes', forgetting=pq.Sliding(100))"),
    Try("pq.evaluate(stream, 'naive_bayes', forgetting='sliding:100')"),
    Try("pq.evaluate(stream, 'naive_bayes', forgetting=pq.Rolling(100))", "pq.Sliding"),
    Try("pq.evaluate(stream, 'naive_bayes', print_every=100)", "every"),
    Try("pq.evaluate(stream, 'naive_bayes', random_state=1)", "seed"),
    Try("pq.evaluate(stream, 'naive_bayes', n_jobs=2)", "workers"),
    Try("pq.evaluate(stream, 'naive_bayes', cv=10)", "protocol"),
    Try("pq.evaluate(stream, 'naive_bayes', pos_label=1)", "positive"),
    Try("pq.evaluate(stream, 'naive_bayes', protocol=pq.KFold(10))", "bootstrap"),
    Try("pq.evaluate(stream, 'naive_bayes', protocol=pq.KFold(n_splits=10))", "k"),
    Try("pq.evaluate(stream, 'naive_bayes', protocol=pq.KFold(3, 'cross'))"),
    Try("pq.evaluate(stream, 'naive_bayes', protocol='holdout')", "share"),
    Try("pq.evaluate(stream, 'naive_bays')", "naive_bayes"),
    Try("pq.evaluate(stream, 'GaussianNB')", "naive_bayes"),
    Try("pq.evaluate(stream, 3)", "learn_one"),
    Try("pq.evaluate('naive_bayes', stream)", "naive_bayes"),
    Try("pq.evaluate(pq.streams.SEA(), 'naive_bayes')", "take"),
    Try("pq.evaluate_prequential(stream, 'naive_bayes')", "pq.evaluate"),
    Try("pq.prequential_evaluation(stream, 'naive_bayes')", "pq.evaluate"),
    Try("pq.evaluation.prequential_evaluation(stream, 'naive_bayes')", "pq.evaluate"),
    Try("pq.progressive_val_score(stream, 'naive_bayes', 'accuracy')", "pq.evaluate"),
    Try("pq.cross_val_score('naive_bayes', X, y)", "pq.KFold"),
    Try("pq.metrics.accuracy_score(y, y)", "accuracy"),
    Try("pq.metrics.ROCAUC()", "auc"),
    Try("pq.metrics.names()"),
    Try("pq.learners.names()"),
]

LEARNERS = [
    Try("learner.learn_one({'a': 1.0}, 1)", "to_river"),
    Try("learner.predict_one({'a': 1.0})", "to_river"),
    Try("learner.predict_proba_one({'a': 1.0})", "to_river"),
    Try("learner.fit(X, y)", "to_sklearn"),
    Try("learner.partial_fit(X, y)", "to_sklearn"),
    Try("learner.predict(X)", "to_sklearn"),
    Try("learner.train(None)", "pq.evaluate"),
    Try("learner.to_river().learn_one({'a': 1.0}, 1)"),
    Try("learner.to_sklearn().fit(X, y).predict(X)"),
    Try("learner.get_params()"),
    Try("learner.clone()", "copy"),
    Try("learner.reset()", "fresh"),
    Try("pq.as_learner('naive_bayes')"),
]

RESULTS = [
    Try("run.results", "run.table()"),
    Try("run.df", "run.to_pandas()"),
    Try("run.cumulative", "run.table()"),
    Try("run.windowed", "run.to_pandas()"),
    Try("run.accuracy()", "run.table()"),
    Try("run.metrics_dict()", "run.table()"),
    Try("run.to_pandas()"),
    Try("run.to_df()", "run.to_pandas()"),
    Try("run.to_csv('x.csv')", "to_pandas"),
    Try("run.to_dict()", "to_dicts"),
    Try("run.to_dicts()"),
    Try("run.to_markdown()"),
    Try("run.to_latex()"),
    Try("run.table()"),
    Try("run.table().to_pandas()"),
    Try("run.table(metrics='accuracy')"),
    Try("run.table(metric='accuracy')", "metrics"),
    Try("run.table(learners='nobody')", "nobody"),
    Try("run.table(metrics='acuracy')", "accuracy"),
    Try("run.plot()"),
    Try("run.plot('accuracy')"),
    Try("run.show()", "plot"),
    Try("run.savefig('x.png')", "save_figure"),
    Try("run.save_figure('x.xyz')", ".png"),
    Try("run.report('x.html')", "save_report"),
    Try("run.folds", "fold"),
    Try("run.delays", "late"),
    Try("run.compare()"),
    Try("run.compare('naive_bayes', 'no_change')"),
    Try("run.compare('naive_bayes', 'nobody')", "nobody"),
    Try("pq.compare(run)"),
    Try("pq.compare(run, 'naive_bayes', 'no_change')"),
    Try("pq.compare_many([run])", "pq.compare"),
    Try("pq.load('nowhere')", "nowhere"),
    Try("pq.load_run('nowhere')", "pq.load"),
    Try("run.path"),
    Try("run.learners"),
    Try("run.predictions('naive_bayes')", "predictions=True"),
    Try("run.alarms()"),
]

SCORES = [
    Try("pq.score(y, y)"),
    Try("pq.score(y_true=y, y_pred=y)"),
    Try("pq.score(y, y, metrics='accuracy')"),
    Try("pq.score(y, y, metric='accuracy')", "metrics"),
    Try("pq.score(y, y_score=p)"),
    Try("pq.score(y, y_proba=p)", "y_score"),
    Try("pq.score(y, {'a': y, 'b': y})"),
    Try("pq.score(y, y[:5])", "5"),
    Try("pq.score_files('a.csv')", "pq.score"),
    Try("pq.Scorer('accuracy').update(1, 1)"),
    Try("scorer.get()", "table"),
    Try("scorer.result()", "table"),
    Try("scorer.update(1, 0)"),
    Try("pq.RollingAUC(100)", "pq.Scorer"),
    Try("pq.comparisons.mcnemar(12, 5)", "counts"),
    Try("pq.comparisons.wilcoxon([1.0, 2.0, 3.0], [2.0, 3.5, 3.0])", "at least 6"),
    Try("pq.wilcoxon([1.0], [2.0])", "pq.comparisons.wilcoxon"),
]

COMMANDS = [
    Try("run {path}"),
    Try("run {path} --learner naive_bayes --json --output {folder}/run"),
    Try("run {path} --learners naive_bayes", "--learner"),
    Try("run {path} --learner naive_byes -o {folder}/b", "naive_bayes"),
    Try("run {path} --metric acuracy -o {folder}/c", "accuracy"),
    Try("run nowhere.csv -o {folder}/d", "nowhere.csv"),
    Try("run {path} --protocol kfold -o {folder}/e", "scheme"),
    Try("run {path} --target klass -o {folder}/f", "class"),
    Try("evaluate {path}", "run"),
    Try("compare {folder}/nowhere", "nowhere"),
    Try("score nowhere.csv", "nowhere.csv"),
    Try("detect {path} --detector adwn", "adwin"),
    Try("--help"),
    Try("run --help"),
]


@cache
def known() -> dict[str, Any]:
    """The objects that calls use."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] > 0).astype(int)
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "class": np.where(y, "yes", "no")})
    stream = pq.streams.SEA(seed=1).take(200)
    return {
        "pq": pq,
        "np": np,
        "pd": pd,
        "pl": pl,
        "pickle": pickle,
        "river": river,
        "X": X,
        "y": y,
        "p": np.clip(X[:, 0] / 6 + 0.5, 0, 1),
        "frame": frame,
        "pairs": [({"a": float(a), "b": float(b)}, int(c)) for (a, b), c in zip(X, y, strict=True)],
        "stream": stream,
        "learner": pq.learners.NaiveBayes(),
        "scorer": pq.Scorer("accuracy"),
        "run": pq.evaluate(stream, ["naive_bayes", "no_change"], every=50),
    }


@pytest.fixture(scope="session")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("first") / "data.csv"
    known()["frame"].to_csv(file, index=False)
    return file


CALLS = [
    *(*CONSTRUCTORS, *DETECTORS, *STREAMS, *EVALUATE, *LEARNERS, *RESULTS, *SCORES),
    *(Try(*one) for one in more_calls.MORE),
]
ALL_COMMANDS = [*COMMANDS, *(Try(*one) for one in more_calls.COMMANDS)]


@pytest.mark.parametrize(("code", "word"), CALLS, ids=[one.code for one in CALLS])
def test_a_first_call_works_or_says_the_right_word(code: str, word: str, path: Path) -> None:
    names = {**known(), "path": path}
    if not word:
        eval(code, names)
        return
    with pytest.raises(pq.PrequentialError) as caught:
        eval(code, names)
    assert word in str(caught.value), f"{code}: {caught.value}"


@pytest.mark.parametrize(("command", "word"), ALL_COMMANDS, ids=[one.code for one in ALL_COMMANDS])
def test_a_first_command_works_or_says_the_right_word(
    command: str, word: str, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, shlex.split(command.format(path=path, folder=tmp_path)))
    shown = " ".join(done.output.split())
    assert "Traceback" not in shown
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    assert (done.exit_code != 0) == bool(word), shown
    assert word in shown


def test_there_are_many() -> None:
    assert len({one.code for one in [*CALLS, *ALL_COMMANDS]}) >= 340
