"""Pairs of learners counted during a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from scipy.stats import chi2

import prequential as pq
from prequential.comparisons.pairs import SCHEMA, count_pairs
from prequential.evaluation.begin_run import LearnerFailedWarning

LEARNERS = ["naive_bayes", "no_change", "majority_class"]
FORGETTING = ["cumulative", "sliding:300", "fading:0.99"]


def stream(n: int = 2500, *, weighted: bool = False, sparse: bool = False) -> pq.Stream:
    rng = np.random.default_rng(2)
    y = rng.integers(3, size=n)
    X = np.column_stack([rng.normal(y, 1.5), rng.normal(size=n)])
    labels: np.ndarray = y.astype(object) if sparse else y
    if sparse:
        labels[rng.random(n) < 0.1] = None
    weight = rng.choice([0.0, 0.5, 2.0], size=n) if weighted else None
    return pq.from_arrays(X, labels, weight=weight)


def rows(table: pa.Table, a: str, b: str) -> pa.Table:
    chosen = pc.and_(pc.equal(table["a"].cast(pa.string()), a), pc.equal(table["b"].cast(pa.string()), b))
    return table.filter(chosen).cast(
        pa.schema([(f.name, pa.string() if pa.types.is_dictionary(f.type) else f.type) for f in SCHEMA])
    )


def assert_same(found: pa.Table, expected: pa.Table) -> None:
    """Compare to the last bit; NaN equals NaN."""
    assert found.drop_columns(["variance"]).equals(expected.drop_columns(["variance"]))
    np.testing.assert_array_equal(found["variance"].to_numpy(), expected["variance"].to_numpy())


@pytest.mark.parametrize("options", [{}, {"weighted": True}, {"sparse": True}])
def test_pairs_counted_during_a_run_equal_those_of_its_saved_predictions(options: dict[str, bool]) -> None:
    source = stream(**options)
    run = pq.evaluate(source, LEARNERS, forgetting=FORGETTING, every=700, predictions=True, chunk_size=317)
    found = run.directory.pairs()
    assert len(found) == 3 * 3 * 4  # pairs, forgettings, checkpoints
    (chunk,) = source.chunks(10_000)
    for a, b in (("naive_bayes", "no_change"), ("naive_bayes", "majority_class"), ("no_change", "majority_class")):
        right = []
        for name in (a, b):
            table = run.directory.predictions(name)
            label, said = (table[column].cast(pa.string()) for column in ("label", "prediction"))
            right.append(pc.fill_null(pc.equal(label, said), False).to_numpy())
        expected = count_pairs(
            *right, a=a, b=b, forgetting=FORGETTING, every=700, weight=chunk.weight, labelled=chunk.labelled
        )
        assert_same(rows(found, a, b), rows(expected, a, b))


def test_chunk_sizes_do_not_change_pairs() -> None:
    tables = []
    for size in (1, 7, 1000, 100_000):
        run = pq.evaluate(stream(), LEARNERS, forgetting=FORGETTING, every=700, chunk_size=size)
        tables.append(rows(run.directory.pairs(), "naive_bayes", "no_change"))
    for table in tables[1:]:
        assert_same(table, tables[0])


def test_records_that_only_train_are_not_counted() -> None:
    run = pq.evaluate(stream(), LEARNERS[:2], protocol=pq.Prequential(pretrain=400), every=700, chunk_size=150)
    found = rows(run.directory.pairs(), *LEARNERS[:2])
    trace = run.to_arrow()
    assert found["n"].unique().to_pylist() == trace["n"].unique().to_pylist() == [1100, 1800, 2500]
    whole = found.filter(pc.equal(found["forgetting"], "cumulative"))
    assert whole["n_records"].to_pylist() == [700, 1400, 2100]
    accuracy = {
        row["n"]: row["value"]
        for row in trace.to_pylist()
        if (row["learner"], row["forgetting"], row["metric"]) == ("naive_bayes", "cumulative", "accuracy")
    }
    for row in whole.to_pylist():
        share = (row["n_both_right"] + row["n_a_right"]) / row["n_records"]
        assert share == pytest.approx(accuracy[row["n"]], abs=1e-12)


class Breaks:
    """A learner that fails at its 1000th record."""

    def __init__(self) -> None:
        self.n = 0

    def predict_one(self, x: dict[str, object]) -> int:
        self.n += 1
        if self.n > 999:
            raise RuntimeError("enough")
        return 0

    def learn_one(self, x: dict[str, object], y: object) -> None:
        pass


def test_pairs_of_a_failing_learner_end_at_its_failure_and_the_others_continue() -> None:
    with pytest.warns(LearnerFailedWarning):
        run = pq.evaluate(stream(), {"bad": Breaks(), "bayes": "naive_bayes", "last": "no_change"}, every=700)
    found = run.directory.pairs()
    assert max(rows(found, "bayes", "last")["n"].to_pylist()) == 2500
    assert sorted(set(rows(found, "bad", "bayes")["n"].to_pylist())) == [700, 999]


def test_a_skipped_abstention_is_not_counted() -> None:
    run = pq.evaluate(stream(100), ["no_change", "naive_bayes"], abstain="skip", every=100)
    (row,) = [r for r in run.directory.pairs().to_pylist() if r["forgetting"] == "cumulative"]
    assert row["n"] == 100
    assert row["n_records"] == 99  # both abstain on the first


def test_pairs_from_saved_predictions_start_after_pretraining() -> None:
    protocol = pq.Prequential(pretrain=400)
    run = pq.evaluate(stream(), LEARNERS[:2], protocol=protocol, forgetting=FORGETTING, every=700, predictions=True)
    counted = pq.compare(run).trace.table
    from_predictions = pq.compare(run, forgetting=[*FORGETTING, "sliding:50"]).trace
    for label in FORGETTING:
        expected = {k: v for k, v in pq.compare(run).trace.series(label).items() if k != "reason"}
        for name, values in from_predictions.series(label).items():
            np.testing.assert_array_equal(values, expected[name], err_msg=f"{label} {name}")
    assert counted["n"].unique().to_pylist() == [1100, 1800, 2500]


def test_a_faded_p_value_uses_only_the_records_that_count() -> None:
    """The factor is Σw²/Σw over the weights of the labelled records."""
    run = pq.evaluate(
        stream(sparse=True), LEARNERS[:2], forgetting=["fading:0.999"], protocol=pq.Prequential(pretrain=300)
    )
    (row,) = [r for r in pq.compare(run).trace.last() if r["forgetting"] == "fading:0.999"]
    (chunk,) = stream(sparse=True).chunks(10_000)
    weight = 0.999 ** np.arange(int(chunk.labelled[300:].sum()))
    scale = (weight**2).sum() / weight.sum()
    expected = chi2.sf(abs(row["mcnemar"]) / scale, 1)
    assert 0 < row["p_value"] == pytest.approx(expected, rel=1e-9)


def test_pairs_are_not_counted_under_adwin() -> None:
    run = pq.evaluate(stream(), LEARNERS[:2], forgetting=["adaptive", "sliding:100"])
    assert set(run.directory.pairs()["forgetting"].to_pylist()) == {"cumulative", "sliding:100"}
    with pytest.raises(pq.InputError, match="one learner's own loss"):
        count_pairs([1, 0], [1, 1], forgetting=["adaptive"])


def test_pairs_are_counted_by_default_for_up_to_eight_learners(tmp_path: Path) -> None:
    nine = {f"l{i}": "no_change" for i in range(9)}
    assert not len(pq.evaluate(stream(50), nine, every=50).directory.pairs())
    assert len(pq.evaluate(stream(50), nine, pairs=True, every=50).directory.pairs()) == 36 * 2
    assert not len(pq.evaluate(stream(50), LEARNERS, pairs=False).directory.pairs())
    assert not len(pq.evaluate(stream(50), LEARNERS[0]).directory.pairs())
    run = pq.evaluate(stream(50), LEARNERS, every=50).save(tmp_path / "kept")
    assert len(pq.load(tmp_path / "kept").directory.pairs()) == len(run.directory.pairs()) == 3 * 2


def test_pairs_are_refused_for_regression() -> None:
    rng = np.random.default_rng(1)
    numbers = pq.from_arrays(rng.normal(size=(50, 1)), rng.normal(size=50), task="regression")
    with pytest.raises(pq.InputError, match=r"pairs.* regression stream"):
        pq.evaluate(numbers, ["mean_target", "last_target"], pairs=True)
    assert not len(pq.evaluate(numbers, ["mean_target", "last_target"]).directory.pairs())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weight": [1, -1]}, "at least 0"),
        ({"weight": [1, float("nan")]}, "finite"),
        ({"weight": [1]}, "2 finite numbers"),
        ({"weight": ["a", "b"]}, "numbers"),
        ({"time": [1, 2, 3]}, "2 finite numbers"),
        ({"labelled": [1]}, "labelled"),
        ({"every": 0}, "every"),
    ],
)
def test_invalid_arguments_of_count_pairs_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        count_pairs([1, 0], [1, 1], **options)  # type: ignore[arg-type]


def test_a_holdout_run_is_not_advised_to_save_predictions() -> None:
    run = pq.evaluate(stream(50), LEARNERS[:2], protocol=pq.Holdout(share=0.2), pairs=False)
    with pytest.raises(pq.InputError, match=r"under holdout, which saves no predictions.*pairs=True.*Prequential\(\)"):
        run.compare()
