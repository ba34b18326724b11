"""The textual grammar, the look-ups, and messages for arguments that do not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import prequential as pq
from prequential.learners.catalogue import LEARNERS
from prequential.textual import parsed


def test_a_text_is_a_name_then_positional_values_then_keywords() -> None:
    found = parsed(" kfold : 10, bootstrap ,tests=all ", "protocol")
    assert (found.name, found.positional, dict(found.keywords)) == ("kfold", ("10", "bootstrap"), {"tests": "all"})


def test_brackets_protect_what_they_contain() -> None:
    found = parsed("a:b=(c:d=1,e=(f:g=2)),h=recall[x,(y],i=3", "learner")
    assert dict(found.keywords) == {"b": "c:d=1,e=(f:g=2)", "h": "recall[x,(y]", "i": "3"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a:b=(c", "brackets do not match"),
        ("a:b=c)", "brackets do not match"),
        ("a:b=1,b=2", "b is given twice"),
        ("a:b=1,2", "'2' is not a parameter. Accepted: a:KEY=VALUE"),
        ("a:b=", "'b=' is not a parameter"),
        ("a:b=c:d=1,e=2", r"in brackets, b=\(c:d=1,…\)"),
        ("a:" + "(" * 30 + ")" * 30, "brackets do not match"),
    ],
)
def test_a_text_that_is_not_of_the_grammar_is_explained(text: str, message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        parsed(text, "learner")


def test_brackets_may_be_left_out_where_it_is_clear_what_is_nested() -> None:
    with_brackets = pq.as_detector("page_hinkley:under=(fading:0.997),threshold=100")
    assert pq.as_detector("page_hinkley:under=fading:0.997,threshold=100") == with_brackets
    assert with_brackets == pq.drift.PageHinkley(under=pq.Fading(0.997), threshold=100)


@pytest.mark.parametrize(
    ("look_up", "texts"),
    [
        (pq.as_learner, ["naive_bayes", "NaiveBayes", "naivebayes", "nb", {"type": "naive_bayes"}]),
        (pq.as_learner, ["knn:n_neighbors=3", "KNN:n_neighbors=3", {"type": "KNN", "n_neighbors": 3}]),
        (pq.as_learner, ["hoeffding_tree", "vfdt", "HoeffdingTree"]),
        (pq.as_learner, ["adaptive_random_forest", "arf"]),
        (pq.as_learner, ["hoeffding_adaptive_tree", "hat"]),
        (pq.as_learner, ["accuracy_updated_ensemble", "oaue"]),
        (pq.as_learner, ["dynamic_weighted_majority", "dwm"]),
        (pq.as_detector, ["adwin", "ADWIN", pq.drift.ADWIN, {"type": "adwin"}]),
        (pq.as_forgetting, ["sliding:1000", "Sliding:1e3", "sliding:window_size=1000"]),
        (pq.as_forgetting, ["histogram:1e7:0.01", "histogram:10000000,0.01", "ExponentialHistogram:1e7,error=0.01"]),
        (pq.as_protocol, ["kfold:10,bootstrap", "KFold:k=10,scheme=bootstrap"]),
        (pq.as_protocol, ["prequential", pq.Prequential, "Prequential:pretrain=0"]),
        (pq.as_protocol, ["delayed:psi_alpha=[1,2]", {"type": "delayed", "psi_alpha": [1, 2]}]),
        (pq.streams.as_delay, ["uniform:50,150", {"type": "uniform", "low": 50, "high": 150}]),
    ],
)
def test_every_spelling_of_an_object_names_the_same(look_up: Any, texts: list[object]) -> None:
    first, *others = (look_up(text) for text in texts)
    for other in others:
        assert type(other) is type(first)
        assert repr(other) == repr(first)


@pytest.mark.parametrize(
    ("look_up", "text", "message"),
    [
        (pq.as_learner, "hoeffding_tree_classifier", "Did you mean 'hoeffding_tree'"),
        (pq.as_learner, "gaussian_nb", "Did you mean 'naive_bayes'"),
        (pq.as_learner, "LogisticRegression", "Did you mean 'sgd'"),
        (pq.as_learner, "naive_byes", "Did you mean 'naive_bayes'"),
        (pq.as_learner, "random_forest:n_estimators=5", "Did you mean 'n_models'"),
        (pq.as_learner, "knn:k=5", "Did you mean 'n_neighbors'"),
        (pq.as_learner, "knn:5", "KNN takes no arguments by position, but got 1"),
        (pq.as_learner, "knn:n_neighbors=x", "'n_neighbors' parameter of KNN must be a whole number. Got 'x'"),
        (pq.as_learner, "sgd:standardise=1", "'standardise' parameter of SGD must be True or False. Got 1"),
        (pq.as_learner, "adwin_bagging:base=(knn:k=5)", "base of AdwinBagging: KNN has no parameter 'k'"),
        (pq.as_learner, {"name": "knn"}, "'type' is the learner"),
        (pq.as_detector, "page_hinkly", "Did you mean 'page_hinkley'"),
        (pq.as_forgetting, "adwin:0.002", "Did you mean 'adaptive'"),
        (pq.as_forgetting, "sliding:7w", "'60s', '30m', '12h' or '7d'"),
        (pq.as_protocol, "kfold:10", "The paper recommends 'bootstrap'"),
        (pq.as_protocol, "cross_validation", "Did you mean 'kfold'"),
        (pq.as_metric, "acuracy", "Did you mean 'accuracy'"),
        (pq.as_stream, "SAE:n=5", "Did you mean 'SEA'"),
        (pq.as_stream, "SEA:function=2,n=5", "Did you mean 'concept'"),
        (pq.as_stream, "NSGT:sed=2", "Did you mean 'seed'"),
        (pq.as_stream, "missing.csv:traget=a", "Did you mean 'target'"),
        (pq.as_stream, "SEA:n=5,take=5", "give one of them"),
    ],
)
def test_a_text_that_names_nothing_is_explained(look_up: Any, text: object, message: str) -> None:
    with pytest.raises(pq.InputError) as caught:
        look_up(text)
    assert message in str(caught.value)


def test_a_stream_may_be_text(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,x,y\n1,0.5,a\n2,1.5,b\n3,2.5,a\n")
    stream = pq.as_stream(f"{tmp_path / 'a.csv'}:target=y,ignore=[id],skip=1")
    assert (len(stream.to_arrow()), [one.name for one in stream.schema.features]) == (2, ["x"])
    assert pq.as_stream("SEA:3,n=20").describe() == pq.streams.SEA(3).take(20).describe()
    assert pq.as_stream("NSGT:seed=2,n=20").n_records == 20
    assert pq.as_stream("SEA:n=20,delay=(uniform:2,5)").events
    (tmp_path / "plan.toml").write_text('stream = "SEA:n=30"\n')
    assert pq.as_stream(str(tmp_path / "plan.toml")).n_records == 30
    (tmp_path / "mine.toml").write_text(pq.testbed.mixture("NSGT").to_toml())
    assert pq.as_stream(f"{tmp_path / 'mine.toml'}:n=30").n_records == 30


def test_text_is_accepted_wherever_an_object_is() -> None:
    options: dict[str, Any] = {"forgetting": "sliding:100", "metrics": "accuracy", "every": 200}
    text = pq.evaluate("SEA:concept=2,n=600", "knn:n_neighbors=3", protocol="prequential:pretrain=50", **options)
    protocol, learner = pq.Prequential(pretrain=50), pq.learners.KNN(n_neighbors=3)
    ours = pq.evaluate(pq.streams.SEA(2).take(600), {"knn:n_neighbors=3": learner}, protocol=protocol, **options)
    assert text.to_arrow().equals(ours.to_arrow())


def test_every_family_of_look_ups_lists_its_names() -> None:
    for module in (pq.learners, pq.drift, pq.metrics, pq.streams, pq.forgettings, pq.protocols):
        assert len(module.names()) >= 4
    assert set(pq.testbed.names()) <= set(pq.streams.names())


CALLS: list[tuple[Any, tuple[Any, ...], dict[str, Any], str]] = [
    (pq.learners.KNN, (), {"k": 5}, "KNN has no parameter 'k'. Did you mean 'n_neighbors'?"),
    (pq.learners.KNN, (), {"window": 5}, "Did you mean 'window_size'?"),
    (
        pq.learners.KNN,
        (5,),
        {},
        "KNN takes no arguments by position, but got 1. Its parameters: n_neighbors, window_size",
    ),
    (pq.learners.RandomForest, (), {"n_estimators": 5}, "Did you mean 'n_models'?"),
    (pq.learners.HoeffdingTree, (), {"max_depth": 5}, "Did you mean 'max_bytes'?"),
    (pq.learners.SGD, (), {"lr": 0.1}, "Did you mean 'learning_rate'?"),
    (pq.learners.NoChange, (), {"priors": 1}, "Its parameters: none."),
    (pq.drift.PageHinkley, (), {"lambda_": 5}, "Did you mean 'threshold'?"),
    (pq.drift.ADWIN, (0.002,), {}, "ADWIN takes no arguments by position"),
    (pq.Sliding, (), {"w": 5}, "Did you mean 'window_size'?"),
    (pq.Sliding, (1, 2, 3), {}, "Sliding takes at most 2 arguments by position, but got 3"),
    (pq.Fading, (), {}, "Fading needs 'alpha'"),
    (pq.Fading, (), {"decay": 0.9}, "Did you mean 'alpha'?"),
    (pq.KFold, (10,), {}, "'cross' all except one"),
    (pq.KFold, (), {"n_splits": 10}, "Did you mean 'k'?"),
    (pq.Prequential, (), {"burn_in": 10}, "Its parameters: pretrain, train_share, batch."),
    (pq.Holdout, (), {"test_size": 0.1}, "Did you mean 'share'?"),
    (pq.Delayed, (), {"alpha": 2}, "Did you mean 'psi_alpha'?"),
    (pq.streams.SEA, (), {"random_state": 5}, "Did you mean 'seed'?"),
    (pq.streams.UniformDelay, (1,), {}, "UniformDelay needs 'high'"),
    (pq.evaluate, ("SEA:n=5", "nb"), {"measures": "accuracy"}, "Did you mean 'metrics'?"),
    (pq.evaluate, ("SEA:n=5",), {}, "evaluate needs 'learners'"),
    (pq.read, ("a.csv",), {"sep": ";"}, "Did you mean 'separator'?"),
    (pq.from_arrays, (), {"data": [[1]]}, "from_arrays has no parameter 'data'"),
    (pq.score, ([1],), {"y_proba": [1]}, "Did you mean 'y_score'?"),
    (pq.Scorer, (), {"metric": "accuracy"}, "Did you mean 'metrics'?"),
    (pq.streams.SEA().drift_to, (), {"position": 5}, "drift_to has no parameter 'position'"),
    (pq.streams.SEA().take, (), {}, "take needs 'n'"),
]


@pytest.mark.parametrize(("make", "arguments", "keywords", "message"), CALLS)
def test_arguments_that_do_not_fit_are_explained(
    make: Any, arguments: tuple[Any, ...], keywords: dict[str, Any], message: str
) -> None:
    with pytest.raises(pq.CallError) as caught:
        make(*arguments, **keywords)
    assert message in str(caught.value)
    assert isinstance(caught.value, TypeError | ValueError)


def test_every_public_class_and_function_knows_its_keywords() -> None:
    results = (
        *(
            "Comparison",
            "Power",
            "RankTable",
            "Run",
            "SignificanceTable",
            "Alarm",
            "Clock",
            "Detection",
            "DetectionScore",
        ),
        *(
            "Watch",
            "Written",
            "Checkpoints",
            "Counts",
            "Grid",
            "Reliability",
            "RocCurve",
            "Setting",
            "Card",
            "OptimalError",
            "verdicts",
        ),
        "CapymoaLearner",
        "sweep",
    )
    """What the package makes itself; and what passes every keyword on to a class of CapyMOA or of a detector."""
    modules = (pq, pq.learners, pq.drift, pq.streams, pq.metrics, pq.forgettings, pq.protocols, pq.testbed)
    bare = []
    for module in modules:
        for name in module.__all__:
            made: Any = getattr(module, name)
            if (
                name in results
                or not callable(made)
                or (isinstance(made, type) and issubclass(made, Exception))
                or _is_role(made)
            ):
                continue
            try:
                made(frobnicate=1)
            except pq.UnknownParameterError:
                continue
            except TypeError as error:
                bare.append(f"{module.__name__}.{name}: {error}")
    assert not bare


def _is_role(made: Any) -> bool:
    """Whether a class is abstract, and only its subclasses are created."""
    return bool(getattr(made, "__abstractmethods__", ())) or getattr(made, "_is_protocol", False)


def test_an_error_of_the_body_is_not_taken_for_a_wrong_argument() -> None:
    from prequential.arguments import checked_call

    @checked_call
    def broken(n: int) -> int:
        return n + "x"  # type: ignore[operator]  # fails on purpose

    with pytest.raises(TypeError, match="unsupported operand") as caught:
        broken(1)
    assert not isinstance(caught.value, pq.CallError)


def test_signatures_of_checked_classes_are_those_that_are_written() -> None:
    import inspect

    assert list(inspect.signature(pq.learners.KNN).parameters) == ["n_neighbors", "window_size"]
    assert list(inspect.signature(pq.KFold).parameters) == ["k", "scheme", "tests"]
    assert all("checked" not in str(inspect.signature(cls)) for cls in LEARNERS.values())
