"""Compare the learners of runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import prequential as pq
from prequential.comparisons.paired_losses import PairedLosses
from prequential.comparisons.pairs import count_pairs
from prequential.runs.directory import RunDirectory

FORGETTING = ["cumulative", "sliding:500", "fading:0.99"]


def sea(concept: int = 1, n: int = 2000, seed: int = 1) -> pq.Stream:
    return pq.streams.SEA(concept=concept, noise=0.1, seed=seed).take(n)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pq.Run]:
    home = tmp_path_factory.mktemp("runs")

    def run(name: str, stream: pq.Stream, learners: object, **options: object) -> pq.Run:
        chosen = {"predictions": True, "forgetting": FORGETTING, "every": 400, "directory": home / name, **options}
        return pq.evaluate(stream, learners, **chosen)  # type: ignore[arg-type]

    return {
        "both": run("both", sea(), ["naive_bayes", "sgd"]),
        "three": run("three", sea(), ["naive_bayes", "sgd", "no_change"]),
        "bayes": run("bayes", sea(), ["naive_bayes"]),
        "sgd": run("sgd", sea(), ["sgd"]),
        "short": run("short", sea(n=1500), ["sgd"]),
        "other": run("other", sea(concept=3, seed=5), ["sgd"]),
        "skip": run("skip", sea(), ["sgd"], abstain="skip"),
        "bare": run("bare", sea(), ["sgd", "naive_bayes"], predictions=False),
    }


def recount(run: pq.Run, a: str, b: str) -> tuple[np.ndarray, np.ndarray]:
    tables = [run.predictions(name) for name in (a, b)]
    labels, *said = (
        np.array(column.to_pylist()) for column in (tables[0]["label"], *(table["prediction"] for table in tables))
    )
    return said[0] == labels, said[1] == labels


def assert_same(found: pq.Comparison, expected: pq.Comparison) -> None:
    """Compare to the last bit; NaN equals NaN."""
    pd.testing.assert_frame_equal(found.to_pandas(), expected.to_pandas(), check_exact=True)


def test_two_learners_of_one_run_are_compared_by_their_predictions(runs: dict[str, pq.Run]) -> None:
    found = pq.compare(runs["three"], "naive_bayes", "sgd")
    a, b = recount(runs["three"], "naive_bayes", "sgd")
    for row in found.trace.table.to_pylist():
        if row["forgetting"] == "cumulative":
            n = row["n"]
            assert row["n_a_right"] == (a[:n] & ~b[:n]).sum()
            assert row["n_b_right"] == (~a[:n] & b[:n]).sum()
    assert found.trace.forgetting == FORGETTING
    assert [row["n"] for row in found.trace.last()] == [2000] * 3
    assert found.title == "SEA"


def test_the_errors_are_those_of_the_run(runs: dict[str, pq.Run]) -> None:
    run = runs["three"]
    found = pq.compare(run, "naive_bayes", "sgd")
    frame = run.to_pandas()
    for forgetting in FORGETTING:
        for column, learner in (("error_a", "naive_bayes"), ("error_b", "sgd")):
            rows = frame[(frame.learner == learner) & (frame.forgetting == forgetting) & (frame.metric == "accuracy")]
            np.testing.assert_allclose(1 - rows.value, found.trace.series(forgetting)[column], atol=1e-12)


def test_a_run_of_two_learners_needs_no_names_and_may_be_a_path(runs: dict[str, pq.Run]) -> None:
    one = pq.compare(runs["both"])
    assert (one.trace.a, one.trace.b) == ("naive_bayes", "sgd")
    assert_same(pq.compare(str(runs["both"].path)), one)
    assert_same(runs["both"].compare(), one)
    assert_same(runs["three"].compare("naive_bayes", "sgd"), one)


def test_two_runs_of_one_stream_compare_like_two_learners_of_one_run(runs: dict[str, pq.Run]) -> None:
    apart, together = pq.compare(runs["bayes"], runs["sgd"]), pq.compare(runs["both"])
    assert_same(apart, together)
    assert_same(pq.compare(runs["three"], runs["both"], learners=("naive_bayes", "sgd")), together)


def test_learners_of_the_same_name_are_distinguished_by_their_runs(runs: dict[str, pq.Run]) -> None:
    found = pq.compare(runs["sgd"], runs["both"], learners=("sgd", "sgd"))
    assert (found.trace.a, found.trace.b) == ("sgd (sgd)", "sgd (both)")
    assert all(row["p_value"] == 1 for row in found.trace.last())


def test_other_forgettings_are_counted_from_predictions(runs: dict[str, pq.Run]) -> None:
    found = pq.compare(runs["both"], forgetting=["sliding:123"])
    assert found.trace.forgetting == ["cumulative", "sliding:123"]


def test_pairs_counted_during_the_run_are_read_from_its_directory(
    runs: dict[str, pq.Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = count_pairs([1, 0] * 500, [1, 1, 0, 0] * 250, a="sgd", b="naive_bayes", forgetting=FORGETTING, every=100)
    monkeypatch.setattr(RunDirectory, "pairs", lambda self: pairs, raising=False)
    found = pq.compare(runs["bare"], "naive_bayes", "sgd")  # in the other order than counted
    assert found.trace.last()[0]["n"] == 1000
    assert found.trace.last()[0]["n_a_right"] == 250
    chosen = pq.compare(runs["bare"], "sgd", "naive_bayes", forgetting=["sliding:500"])
    assert chosen.trace.forgetting == ["cumulative", "sliding:500"]
    with pytest.raises(pq.InputError, match=r"not counted under sliding:77\. Did you mean 'sliding:500'"):
        pq.compare(runs["bare"], "sgd", "naive_bayes", forgetting=["sliding:77"])


def test_predictions_made_elsewhere_are_compared_by_their_losses() -> None:
    runs = [pq.score([0, 1, 1], said, name=name) for said, name in (([0, 1, 0], "a"), ([1, 1, 1], "b"))]
    with pytest.raises(pq.InputError, match=r"Comparison\.from_losses"):
        pq.compare(runs[0], runs[1])
    found = pq.Comparison.from_losses([0, 0, 1], [1, 0, 0], a="a", b="b")
    assert found.trace.last()[0]["n_a_right"] == 1


def test_without_pairs_or_predictions_the_message_names_the_option() -> None:
    run = pq.evaluate(pq.streams.SEA(seed=1).take(100), ["naive_bayes", "sgd"], pairs=False)
    with pytest.raises(pq.InputError, match="predictions=True"):
        pq.compare(run)


@pytest.mark.parametrize(
    ("other", "parts"),
    [
        ("short", ["predictions: 2,000 and 1,500"]),
        ("other", ["label, first at prediction"]),
        ("skip", ["abstentions count as: 'wrong' and 'skip'"]),
    ],
)
def test_runs_of_different_streams_are_refused_with_the_differences(
    runs: dict[str, pq.Run], other: str, parts: list[str]
) -> None:
    with pytest.raises(pq.InputError, match="cannot be compared record by record") as caught:
        pq.compare(runs["bayes"], runs[other])
    for part in parts:
        assert part in str(caught.value)


def test_streams_with_other_targets_are_refused_with_both_names(runs: dict[str, pq.Run]) -> None:
    rng = np.random.default_rng(1)
    stream = pq.from_arrays(rng.random((2000, 2)), np.where(rng.random(2000) < 0.5, "u", "v"), name="mine")
    foreign = pq.evaluate(stream, ["sgd"], predictions=True)
    with pytest.raises(pq.InputError) as caught:
        pq.compare(runs["bayes"], foreign)
    text = str(caught.value)
    assert "stream: 'SEA' and 'mine'" in text
    assert "classes: " in text
    assert "label, first at prediction 0" in text


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: pq.compare(r["three"]), r"has 3 learners \(naive_bayes, sgd, no_change\): name the two"),
        (lambda r: pq.compare(r["three"], r["sgd"]), "name one learner of each run"),
        (lambda r: pq.compare(r["both"], "naive_bays", "sgd"), "Did you mean 'naive_bayes'"),
        (lambda r: pq.compare(r["both"], r["three"], learners=("bayes", "sgd")), "has no learner 'bayes'"),
        (lambda r: pq.compare(r["both"], r["three"], learners=("sgd", "no_chance")), "has no learner 'no_chance'"),
        (lambda r: pq.compare(r["both"], "sgd", "sgd"), "cannot be compared with itself"),
        (lambda r: pq.compare(r["both"], r["sgd"], "a"), "name the learners of two runs with learners="),
        (lambda r: pq.compare(r["both"], learners=["sgd"]), "learners= names two learners"),
        (lambda r: pq.compare(r["both"], "sgd"), "'sgd' needs a second learner"),
        (lambda r: pq.compare("nowhere"), "nowhere does not exist"),
        (lambda r: pq.compare(3), "Expected a run or its directory"),  # type: ignore[call-overload]
    ],
)
def test_invalid_comparisons_are_refused(
    runs: dict[str, pq.Run], call: Callable[[dict[str, pq.Run]], object], message: str
) -> None:
    with pytest.raises(pq.InputError, match=message):
        call(runs)


def regression(n: int = 3000) -> pq.Stream:
    rng = np.random.default_rng(1)
    return pq.from_arrays(rng.random((n, 1)), rng.random(n), task="regression")


@pytest.mark.parametrize("loss", ["mse", "mae"])
def test_regression_is_compared_by_any_loss_from_the_trace_or_from_predictions(loss: str) -> None:
    """The trace has the means alone, so its confidence sequence is wider; everything else is the same."""
    learners = ["mean_target", "last_target"]
    forgetting = ["cumulative", "sliding:500", "fading:0.99"]
    runs = [
        pq.evaluate(regression(), learners, metrics=["mae", "mse"], forgetting=forgetting, every=200, predictions=saved)
        for saved in (False, True)
    ]
    traced, predicted = (pq.compare(run, loss=loss, bound=1).trace for run in runs)
    assert isinstance(traced, PairedLosses)
    for label in forgetting:
        one, other = traced.series(label), predicted.series(label)
        for name in ("loss_a", "loss_b", "difference", "q"):
            np.testing.assert_allclose(one[name], other[name], rtol=1e-9, err_msg=f"{label} {name}")
        np.testing.assert_allclose(one["batch_low"], other["batch_low"], rtol=0.02, atol=1e-3)
    wide, narrow = traced.series("cumulative"), predicted.series("cumulative")
    assert (wide["sequence_low"] <= narrow["sequence_low"] + 1e-3).all()
    assert (wide["sequence_high"][-1] - wide["sequence_low"][-1]) < 4 * (
        narrow["sequence_high"][-1] - narrow["sequence_low"][-1]
    )


def test_squared_loss_is_the_default_of_regression_and_follows_from_rmse() -> None:
    run = pq.evaluate(regression(), ["mean_target", "last_target"], metrics="rmse", every=500)
    trace = pq.compare(run).trace
    assert isinstance(trace, PairedLosses)
    assert trace.loss == "mse"
    rmse = [row["value"] for row in run.table(forgetting="cumulative").to_dicts()]
    assert trace.last()[0]["q"] == pytest.approx(2 * np.log(rmse[0] / rmse[1]))


@pytest.mark.parametrize(
    ("settings", "choice", "message"),
    [
        ({}, {"loss": "brier"}, "not a loss of this run"),
        ({}, {"loss": 3}, "name of a loss"),
        ({"metrics": "mae"}, {}, "the trace of .* has no mse"),
        ({}, {"bound": "learned"}, "needs the loss of each record"),
        ({}, {"bound": 0.01}, "more than bound=0.01"),
        ({}, {"bound": 0}, "above 0"),
        ({}, {"forgetting": "sliding:7"}, "does not have mse under sliding:7"),
        ({"forgetting": "sliding:50"}, {}, "cumulative"),
    ],
)
def test_a_loss_that_cannot_be_compared_says_why(
    settings: dict[str, object], choice: dict[str, object], message: str
) -> None:
    run = pq.evaluate(regression(300), ["mean_target", "last_target"], **settings)  # type: ignore[arg-type]
    with pytest.raises(pq.InputError, match=message):
        pq.compare(run, **choice)  # type: ignore[call-overload]


def test_two_runs_of_regression_need_predictions() -> None:
    runs = [pq.evaluate(regression(300), name, every=50) for name in ("mean_target", "last_target")]
    with pytest.raises(pq.InputError, match="predictions=True"):
        pq.compare(runs[0], runs[1])
    saved = [pq.evaluate(regression(300), name, every=50, predictions=True) for name in ("mean_target", "last_target")]
    assert pq.compare(saved[0], saved[1], bound="learned").trace.last()[0]["n_records"] == 299


@pytest.mark.parametrize("loss", ["log_loss", "brier"])
def test_losses_of_probabilities_follow_from_saved_scores_as_from_the_trace(loss: str) -> None:
    stream = pq.streams.SEA(seed=1).take(3000)
    runs = [
        pq.evaluate(stream, ["naive_bayes", "no_change"], metrics=loss, every=200, predictions=saved)
        for saved in (False, True)
    ]
    traced, predicted = (pq.compare(run, loss=loss).trace.series("sliding:1000") for run in runs)
    for name in ("loss_a", "loss_b", "q"):
        np.testing.assert_allclose(traced[name], predicted[name], rtol=1e-12)


def test_a_loss_of_several_folds_or_streams_is_refused() -> None:
    folds = pq.evaluate(regression(300), ["mean_target", "last_target"], protocol="kfold:2,bootstrap")
    with pytest.raises(pq.InputError, match="over the folds"):
        pq.compare(folds, loss="mae")
    with pytest.raises(pq.InputError, match="name a metric"):
        pq.compare([folds, folds], loss="mae")  # type: ignore[call-overload]


def test_weights_are_read_from_the_predictions(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    weight = rng.choice([1.0, 2.0], 500)
    stream = pq.from_arrays(rng.normal(size=(500, 2)), rng.integers(0, 2, 500), weight=weight)
    run = pq.evaluate(stream, ["naive_bayes", "sgd"], predictions=True)
    row = pq.compare(run).trace.last()[0]
    total = sum(float(str(row[name])) for name in ("n_both_right", "n_a_right", "n_b_right", "n_both_wrong"))
    assert total == weight.sum()
    assert "records have weights" in str(row["reason"])


def test_the_pairs_have_their_documented_columns() -> None:
    assert count_pairs([1], [0]).column_names == [
        *("a", "b", "fold", "n", "time", "forgetting"),
        *("n_both_right", "n_a_right", "n_b_right", "n_both_wrong", "n_records", "variance"),
    ]
    assert pa.types.is_dictionary(count_pairs([1], [0]).schema.field("forgetting").type)
