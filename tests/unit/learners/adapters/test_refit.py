"""``Refit``: a plain loop over scikit-learn's own ``fit`` gives the same predictions, record by record."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import prequential as pq
from prequential.errors import ParameterError
from prequential.testing import check_learner

N = 600


def stream(*, weighted: bool = False, one_class: int = 0) -> pq.Stream:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(N, 3))
    y = ((X[:, 0] + rng.normal(size=N) > 0) + 2 * (X[:, 1] > 1)).clip(max=2)
    y[:one_class] = 1
    labels: list[Any] = [None if rng.random() < 0.1 else int(label) for label in y]
    return pq.from_arrays(X, labels, classes=[0, 1, 2], weight=rng.choice([0.5, 2.0], size=N) if weighted else None)


def by_hand(source: pq.Stream, estimator: Any, window: int, every: int) -> list[float | None]:
    """Return the predictions of a plain loop over ``fit`` and ``predict``."""
    (chunk,) = source.chunks(N)
    model: Any = None
    rows: list[int] = []
    found: list[float | None] = []
    unlabelled = np.isnan(chunk.y) if source.schema.classes is None else chunk.y < 0
    for i in range(N):
        found.append(None if model is None else float(model(chunk.X[i : i + 1])))
        if unlabelled[i]:
            continue
        rows.append(i)
        if len(rows) % every == 0:
            kept = rows[-window:]
            X, y = chunk.X[kept], chunk.y[kept]
            if source.schema.classes is not None and len(set(y.tolist())) == 1:
                model = lambda _, only=y[0]: only  # noqa: E731
                continue
            fitted = clone(estimator)
            if chunk.weight is None:
                fitted.fit(X, y)
            else:
                fitted.fit(X, y, sample_weight=chunk.weight[kept])
            model = lambda x, fitted=fitted: _said(fitted, x)  # noqa: E731
    return found


def _said(fitted: Any, x: Any) -> float:
    if hasattr(fitted, "predict_proba"):  # the first of equal probabilities
        return float(fitted.classes_[fitted.predict_proba(x)[0].argmax()])
    return float(fitted.predict(x)[0])


@pytest.mark.parametrize("chunk_size", [1, 7, 1000])
@pytest.mark.parametrize(
    ("estimator", "window", "every"),
    [
        (DecisionTreeClassifier(max_depth=3, random_state=1), 200, 50),
        (GaussianNB(), 90, 90),
        (make_pipeline(StandardScaler(), LogisticRegression()), 150, 37),
        (KNeighborsClassifier(3), 50, 120),
    ],
)
def test_a_plain_loop_gives_the_same_predictions(estimator: Any, window: int, every: int, chunk_size: int) -> None:
    source = stream(one_class=100)
    learner = pq.learners.Refit(estimator, window=window, every=every)
    run = pq.evaluate(source, learner, predictions=True, chunk_size=chunk_size, engine="serial")
    said = run.predictions(run.learners[0])["prediction"].to_pylist()
    assert [None if one is None else float(one) for one in said] == by_hand(source, estimator, window, every)


def test_weights_are_passed_and_refused_where_fit_takes_none() -> None:
    source = stream(weighted=True)
    tree = DecisionTreeClassifier(max_depth=3, random_state=1)
    run = pq.evaluate(source, pq.learners.Refit(tree, window=200, every=50), predictions=True, engine="serial")
    said = run.predictions(run.learners[0])["prediction"].to_pylist()
    assert [None if one is None else float(one) for one in said] == by_hand(source, tree, 200, 50)
    piped = make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=3, random_state=1))
    assert pq.evaluate(source, pq.learners.Refit(piped, every=100), engine="serial").status == "complete"
    with pytest.warns(pq.LearnerFailedWarning, match="fit of KNeighborsClassifier takes no sample_weight"):
        pq.evaluate(source, pq.learners.Refit(KNeighborsClassifier(), every=100), engine="serial")


def test_regression() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(N, 2))
    source = pq.from_arrays(X, X[:, 0] * 3 + rng.normal(size=N), task="regression")
    learner = pq.learners.Refit(DecisionTreeRegressor(max_depth=2, random_state=0), window=100, every=60)
    run = pq.evaluate(source, {"tree": learner, "linear": pq.learners.Refit(LinearRegression())}, predictions=True)
    said = run.predictions("tree")["prediction"].to_pylist()
    expected = by_hand(source, DecisionTreeRegressor(max_depth=2, random_state=0), 100, 60)
    assert [None if one is None else one for one in said] == expected


def test_missing_values_nominal_features_and_late_classes_are_handled(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    rng = np.random.default_rng(2)
    lines = ["x,colour,y"]
    for i in range(400):
        colour = rng.choice(["red", "blue", "green" if i > 250 else "red"])
        x = "" if rng.random() < 0.1 else f"{rng.normal():.3f}"
        lines.append(f"{x},{colour},{'late' if i > 200 and i % 3 == 0 else rng.choice(['a', 'b'])}")
    path.write_text("\n".join(lines) + "\n")
    rows = ({"x": None if r[0] == "" else float(r[0]), "colour": r[1]} for r in (one.split(",") for one in lines[1:]))
    labels = [one.split(",")[2] for one in lines[1:]]
    source = pq.from_iterable(zip(rows, labels, strict=True))
    learners = {
        "logistic": pq.learners.Refit(LogisticRegression(), window=100, every=50),
        "boosting": pq.learners.Refit(HistGradientBoostingClassifier(max_iter=5), window=200, every=100),
        "codes": pq.learners.Refit(
            make_pipeline(
                ColumnTransformer([("c", OneHotEncoder(handle_unknown="ignore"), [1])]), LogisticRegression()
            ),
            window=100,
            every=50,
            nominal="codes",
        ),
    }
    run = pq.evaluate(source, learners, metrics=["accuracy", "recall"], every=100, engine="serial")
    assert run.status == "complete"
    last = [row for row in run.to_arrow().to_pylist() if row["metric"] == "recall[late]" and row["n"] == 400]
    assert any(row["value"] > 0 for row in last)


def test_a_resumed_run_and_all_engines_give_the_same(tmp_path: Path) -> None:
    learner = pq.learners.Refit(DecisionTreeClassifier(max_depth=3), window=150, every=70)

    def evaluated(**how: Any) -> pq.Run:
        return pq.evaluate(stream(), {"tree": learner, "nb": "naive_bayes"}, every=100, chunk_size=40, **how)

    alone = evaluated(engine="serial").to_arrow()
    assert evaluated(engine="threads", workers=2).to_arrow().equals(alone)
    assert evaluated(engine="processes", workers=2).to_arrow().equals(alone)
    one = learner.fresh(stream().schema, 1)
    other = learner.fresh(stream().schema, 1)
    (chunk,) = stream().chunks(N)
    one.learn(chunk.X[:300], chunk.y[:300])
    other.load_bytes(one.to_bytes())
    for part in (one, other):
        part.learn(chunk.X[300:500], chunk.y[300:500])
    assert (one.scores(chunk.X[500:]) == other.scores(chunk.X[500:])).all()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("prequential")]


def test_the_contract_holds() -> None:
    check_learner(pq.learners.Refit(DecisionTreeClassifier(max_depth=3), window=30, every=10))
    check_learner(pq.learners.Refit(Ridge(), window=30, every=10))


def test_a_fit_that_fails_fails_the_learner_at_the_record_that_needs_it() -> None:
    class Bad:
        def fit(self, X: Any, y: Any) -> None:
            raise RuntimeError("cannot be fitted")

        def predict(self, X: Any) -> Any:
            return np.zeros(len(X))

    source = pq.streams.SEA(seed=1).take(300)
    with pytest.warns(pq.LearnerFailedWarning, match="failed at record 100: RuntimeError: cannot be fitted"):
        pq.evaluate(source, pq.learners.Refit(Bad(), window=100), engine="serial", every=50)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"estimator": object()}, r"'estimator' parameter of Refit must be an object with fit and predict"),
        ({"estimator": GaussianNB}, r"an object with fit and predict\. Pass an object, not the class"),
        ({"window": 0}, r"'window' parameter of Refit"),
        ({"every": 0}, r"'every' parameter of Refit"),
        ({"nominal": "x"}, r"'nominal' parameter of Refit"),
    ],
)
def test_bad_parameters_are_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        pq.learners.Refit(**{"estimator": GaussianNB(), **parameters})


def test_an_estimator_with_fit_only_is_answered_with_refit() -> None:
    with pytest.raises(ParameterError, match=r"pq\.learners\.Refit\(estimator, window=1000\)"):
        pq.as_learner(DecisionTreeClassifier())
