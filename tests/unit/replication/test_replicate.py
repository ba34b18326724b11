"""One experiment with several seeds: the runs, and what is reported of them."""

from __future__ import annotations

import re
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import scipy

import prequential as pq
from prequential.plans.plan import Plan

DRIFT = {"type": "drift_to", "at": 1000, "to": {"type": "STAGGER", "concept": 3, "seed": 2}}
DATA: dict[str, Any] = {
    "stream": {"type": "STAGGER", "n": 2000, "change": [DRIFT, {"type": "label_noise", "share": 0.1}]},
    "learner": ["naive_bayes", "no_change", "majority_class"],
    "metrics": ["accuracy", "kappa"],
    "forgetting": ["cumulative", "sliding:200"],
    "detectors": ["page_hinkley:delta=0.005,threshold=20", "adwin"],
    "every": 250,
}
FRAGILE = '''
import os, signal
from pathlib import Path

class Fragile:
    """Predicts the parity of what it has learned; the process is killed at record 1500, once."""

    n = 0

    def predict_one(self, x):
        return ("false", "true")[self.n // 7 % 2]

    def learn_one(self, x, y):
        self.n += 1
        flag = Path(__file__).with_name("killed")
        if self.n == 1500 and Path(__file__).with_name("armed").exists() and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
'''


@pytest.fixture(scope="module")
def found() -> pq.Replication:
    return pq.replicate(pq.Plan(DATA), seeds=8, engine="serial")


def last(run: pq.Run, learner: str, metric: str, forgetting: str = "cumulative") -> float:
    """Read the last value of a run from its trace."""
    table = run.to_arrow()
    for name, wanted in (("learner", learner), ("metric", metric), ("forgetting", forgetting)):
        table = table.filter(pc.equal(table[name].cast(pa.string()), wanted))
    return float(table["value"][-1].as_py())


def test_every_seed_is_the_plan_with_that_seed(found: pq.Replication) -> None:
    assert found.seeds == tuple(range(1, 9))
    assert found.status == "complete"
    stream = pq.Plan(DATA).stream()
    for seed, run in found.runs.items():
        alone = pq.evaluate(
            stream.reseeded(seed),
            ["naive_bayes", "no_change", "majority_class"],
            metrics=["accuracy", "kappa"],
            forgetting=["cumulative", "sliding:200"],
            detectors=["page_hinkley:delta=0.005,threshold=20", "adwin"],
            every=250,
            seed=seed,
        )
        assert run.to_arrow().equals(alone.to_arrow())
        assert run.directory.alarms().equals(alone.directory.alarms())
        assert run.path == found.path / f"seed-{seed}"
        assert Plan.from_toml(run.path / "plan.toml").run().to_arrow().equals(run.to_arrow())


def test_two_processes_give_what_one_gives(found: pq.Replication, tmp_path: Path) -> None:
    other = pq.replicate(pq.Plan(DATA), 8, engine="processes", workers=2, directory=tmp_path / "r")
    assert other.to_arrow().equals(found.to_arrow())
    assert [run.directory.alarms().to_pylist() for run in other.runs.values()] == [
        run.directory.alarms().to_pylist() for run in found.runs.values()
    ]
    assert pq.Replication(tmp_path / "r").table().to_dicts()[0]["value"] == found.table().to_dicts()[0]["value"]


def test_the_table_has_mean_and_standard_deviation_over_seeds(found: pq.Replication) -> None:
    for row in found.table().to_dicts():
        each = [last(run, row["learner"], row["metric"], row["forgetting"]) for run in found.runs.values()]
        assert row["value"] == pytest.approx(np.mean(each), abs=1e-12)
        assert row["std"] == pytest.approx(np.std(each, ddof=1), abs=1e-12)
        assert row["n_seeds"] == 8
    assert "Mean ± standard deviation of 8 seeds." in str(found.table())


def test_the_mean_over_checkpoints_is_the_mean_of_the_trace(found: pq.Replication) -> None:
    frame = found.to_pandas()
    for row in found.table(at="mean").to_dicts():
        ours = frame.query("learner == @row['learner'] and metric == @row['metric']")
        ours = ours[ours["forgetting"] == row["forgetting"]]
        means = ours.groupby("seed")["value"].apply(lambda values: np.mean(values.to_numpy()))
        value = float("nan") if row["value"] is None else row["value"]
        assert value == pytest.approx(means.mean(), abs=1e-12, nan_ok=True)
        if row["value"] is not None:
            assert row["std"] == pytest.approx(means.std(ddof=1), abs=1e-12)


def test_the_mean_over_checkpoints_of_one_run() -> None:
    run = pq.evaluate(pq.streams.SEA(seed=1).take(2000), "naive_bayes", metrics="accuracy", every=500)
    values = run.to_arrow().filter(pc.equal(run.to_arrow()["forgetting"].cast(pa.string()), "cumulative"))["value"]
    (row,) = run.table(at="mean", forgetting="cumulative").to_dicts()
    assert row["value"] == pytest.approx(np.mean(values.to_numpy()), abs=1e-15)
    assert "mean over 4 checkpoints" in str(run.table(at="mean"))
    assert run.table(at=1200).to_dicts()[0]["value"] == values[1].as_py()
    with pytest.raises(pq.InputError, match="must be 'end', 'mean' or a number of records"):
        run.table(at="middle")  # type: ignore[arg-type]


def test_a_mean_over_checkpoints_does_not_hide_an_undefined_one() -> None:
    labels = ["a"] * 300 + ["a", "b"] * 150
    stream = pq.from_arrays(np.arange(600.0).reshape(-1, 1), labels, classes=["a", "b"])
    run = pq.evaluate(stream, "naive_bayes", metrics="auc", forgetting="cumulative", every=200)
    row = run.table(metrics="auc", at="mean").to_dicts()[0]
    assert row["value"] is None
    assert "at 1 of 3 checkpoints" in row["undefined"]


def test_the_tests_over_seeds_are_those_of_scipy(found: pq.Replication) -> None:
    for row in found.tests(metrics="accuracy", forgetting="cumulative").to_dicts():
        a, b = ([last(run, row[side], "accuracy") for run in found.runs.values()] for side in ("a", "b"))
        difference = np.round(np.subtract(a, b), 12)
        assert row["difference"] == pytest.approx(difference.mean())
        expected = scipy.stats.wilcoxon(difference[difference != 0], method="exact").pvalue
        assert row["wilcoxon_p_value"] == pytest.approx(expected)
        wins, differ = int((difference > 0).sum()), int((difference != 0).sum())
        assert row["sign_p_value"] == pytest.approx(scipy.stats.binomtest(wins, differ).pvalue)
    assert "McNemar" not in str(found.tests())
    (row,) = found.tests("no_change", "naive_bayes", metrics="accuracy", forgetting="cumulative").to_dicts()
    assert row["difference"] < 0


def test_ranks_over_seeds_and_over_folds_are_those_of_scipy(found: pq.Replication) -> None:
    ranks = found.ranks("accuracy", forgetting="cumulative")
    columns = [[last(run, name, "accuracy") for run in found.runs.values()] for name in found.learners]
    assert ranks.ranking.friedman.p_value == pytest.approx(scipy.stats.friedmanchisquare(*columns).pvalue)
    assert "on 8 seeds" in str(ranks)
    assert ranks.by_stream().to_dicts()[0]["seed"] == "seed 1"
    run = pq.evaluate(
        pq.streams.SEA(seed=1).take(600),
        ["naive_bayes", "no_change", "sgd"],
        protocol=pq.KFold(6, "bootstrap"),
        metrics="accuracy",
        every=200,
    )
    trace = run.to_arrow().to_pandas()
    trace = trace[trace["forgetting"] == "cumulative"]
    at_end = trace[trace["n"] == 600].pivot(index="fold", columns="learner", values="value")
    expected = scipy.stats.friedmanchisquare(*(at_end[name] for name in run.learners)).pvalue
    assert run.folds.ranks().ranking.friedman.p_value == pytest.approx(expected)
    means = trace.groupby(["learner", "fold"], observed=True)["value"].mean().unstack("learner")
    np.testing.assert_allclose(run.folds.ranks(at="mean").ranking.values, means[run.learners].to_numpy())
    row = run.table(at="mean", forgetting="cumulative").to_dicts()[0]
    assert row["std"] == pytest.approx(means[row["learner"]].std(ddof=1))


def test_detections_are_in_the_form_of_the_papers(found: pq.Replication) -> None:
    table = found.detections(tolerance=400)
    for row, printed in zip(table.to_dicts(), table.rows, strict=True):
        delays, missed, false = [], 0, 0
        for run in found.runs.values():
            alarms = run.directory.alarms().to_pandas()
            ours = alarms[(alarms["learner"] == row["learner"]) & (alarms["detector"] == row["detector"])]["record"]
            hits = ours[(ours >= 1000) & (ours <= 1400)]
            delays += [int(hits.min()) - 1000] if len(hits) else []
            missed += not len(hits)
            false += len(ours) - len(hits)
        assert row["delays"] == delays
        assert (row["n_missed"], row["n_false"]) == (missed, false)
        if len(delays) > 1:
            assert printed.paper() == f"{np.mean(delays):,.0f} ± {np.std(delays, ddof=1):,.0f} ({missed}; {false})"
    assert any(row.delays for row in table.rows)
    assert found.detections(drifts=[1000], tolerance=400).to_dicts() == table.to_dicts()


def test_curves_have_bands(found: pq.Replication, tmp_path: Path) -> None:
    figure = found.plot("accuracy", forgetting="cumulative", learners="naive_bayes")
    band = next(trace for trace in figure.data if trace.fill == "toself")
    each = [last(run, "naive_bayes", "accuracy") for run in found.runs.values()]
    half = len(band.y) // 2
    assert band.y[half - 1] == pytest.approx(np.mean(each) + np.std(each, ddof=1))
    assert band.y[half] == pytest.approx(np.mean(each) - np.std(each, ddof=1))
    assert found.save_figure(tmp_path / "f.svg").stat().st_size > 1000
    page = found.save_report(tmp_path / "report.html").read_text()
    for heading in ("Mean over checkpoints", "Detections", "Tests over seeds", "Ranks"):
        assert f"<h2>{heading}</h2>" in page


def test_only_what_varies_is_drawn_again() -> None:
    data = {**DATA, "learner": ["random_forest:n_models=2"], "detectors": [], "every": 1000, "metrics": ["accuracy"]}

    def results(vary: str) -> list[float]:
        runs = pq.replicate(pq.Plan(data), 3, vary=vary, engine="serial").runs  # type: ignore[arg-type]
        return [last(run, "random_forest:n_models=2", "accuracy") for run in runs.values()]

    both, stream, learners = results("both"), results("stream"), results("learners")
    assert both[0] == stream[0], "seed 1 is the plan's own seed for the learners"
    assert len({*both}) == len({*stream}) == len({*learners}) == 3
    assert both[1] != stream[1] != learners[1]


def experiment(seed: int, **options: Any) -> pq.Run:
    """A function of the user."""
    stream = pq.streams.SEA().reseeded(seed).take(500)
    return pq.evaluate(stream, ["naive_bayes", "no_change"], seed=seed, metrics="accuracy", **options)


def no_run(seed: int, **options: Any) -> None:
    """A function that forgets the options."""


def test_a_function_makes_the_runs() -> None:
    found = pq.replicate(experiment, [3, 5])
    assert found.seeds == (3, 5)
    alone = experiment(5)
    assert found.runs[5].to_arrow().equals(alone.to_arrow())


def test_a_killed_replication_is_resumed_bit_for_bit(tmp_path: Path) -> None:
    (tmp_path / "fragile.py").write_text(FRAGILE)
    data = {**DATA, "learner": [{"python": "fragile.py:Fragile", "name": "fragile"}], "detectors": []}
    plan = pq.Plan(data, None, tmp_path)
    whole = pq.replicate(plan, 3, engine="serial")
    (tmp_path / "armed").touch()
    options: dict[str, Any] = {"directory": tmp_path / "r", "engine": "processes", "workers": 2, "save_seconds": 0}
    with pytest.raises(pq.LearnerError, match=f"exit code -{signal.SIGKILL.value}"):
        pq.replicate(plan, 3, **options)
    partial = pq.Replication(tmp_path / "r")
    assert partial.status == "partial"
    assert len(partial.runs) < 3
    resumed = pq.replicate(plan, 3, **options, resume=True)
    assert resumed.to_arrow().equals(whole.to_arrow())
    assert any(run.manifest.resumed_at for run in resumed.runs.values()), "one continued in the middle"
    more = pq.replicate(plan, 4, **{**options, "engine": "serial"}, resume=True)
    assert more.seeds == (1, 2, 3, 4)


def test_a_learner_that_fails_with_one_seed_is_marked() -> None:
    def odd(seed: int, **options: Any) -> pq.Run:
        class Odd:
            def predict_one(self, x: object) -> str:
                return "groupA"

            def learn_one(self, x: object, y: object) -> None:
                if seed == 2:
                    raise ValueError("odd")

        stream = pq.streams.SEA().reseeded(seed).take(300)
        learners = {"odd": Odd(), "nb": pq.learners.NaiveBayes()}
        return pq.evaluate(stream, learners, seed=seed, metrics="accuracy", engine="serial", **_without_engine(options))

    with pytest.warns(pq.LearnerFailedWarning, match="Seed 2: odd failed at record 0"):
        found = pq.replicate(odd, 3, engine="serial")
    assert found.status == "failed"
    text = str(found.table())
    assert "odd failed at record 0: with seed 2: ValueError: odd" in text


def _without_engine(options: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key not in ("engine", "workers")}


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((DATA,), {"seeds": 3}, "must be a plan, the path of one, or a function"),
        ((pq.Plan(DATA),), {}, "a number of seeds such as 10"),
        ((pq.Plan(DATA), 0), {}, "must be a whole number of at least 1"),
        ((pq.Plan(DATA), [1, 1]), {}, "a run that counts twice is no evidence"),
        ((pq.Plan(DATA), "ten"), {}, "a number of seeds, or a list of seeds"),
        ((pq.Plan(DATA), 3), {"vary": "nothing"}, "vary"),
        ((experiment, 3), {"vary": "stream"}, "A function decides itself"),
        ((no_run, 2), {}, "did not create a run in options"),
        ((pq.Plan(DATA), 3), {"engine": "fast"}, "engine"),
        ((pq.Plan(DATA), 3), {"resume": True}, "needs the directory"),
        ((lambda seed, **options: None, 2), {"engine": "processes", "workers": 2}, "cannot be sent to another process"),
    ],
)
def test_bad_input_is_refused(arguments: tuple[Any, ...], options: dict[str, Any], message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        pq.replicate(*arguments, **options)


def test_a_file_has_no_other_records(tmp_path: Path) -> None:
    pq.write(pq.streams.SEA(seed=1).take(300), tmp_path / "sea.csv")
    plan = pq.Plan({"stream": {"path": str(tmp_path / "sea.csv")}, "learner": ["naive_bayes"]})
    with pytest.raises(pq.InputError, match="has no random draws"):
        pq.replicate(plan, 2, vary="stream")


def test_one_seed_is_not_enough_for_a_test() -> None:
    found = pq.replicate(experiment, 1)
    with pytest.raises(pq.InputError, match=r"at least 2 of them.*Got 1"):
        found.tests()
    with pytest.raises(pq.InputError, match="at least 2 seeds"):
        found.ranks()
    with pytest.raises(pq.InputError, match="have no detectors"):
        found.detections()
    assert "±" not in str(found.table()).replace("Mean ± standard", "").replace("± –", "")
    few = pq.replicate(experiment, 4)
    assert "4 seeds are too few: 6 are needed" in str(few.tests())


def test_a_directory_is_not_overwritten_by_chance(tmp_path: Path) -> None:
    pq.replicate(experiment, 2, directory=tmp_path / "r")
    with pytest.raises(pq.InputError, match="exists already"):
        pq.replicate(experiment, 2, directory=tmp_path / "r")
    with pytest.raises(pq.InputError, match=re.escape("it repeats experiment (vary=''), not STAGGER")):
        pq.replicate(pq.Plan(DATA), 2, directory=tmp_path / "r", resume=True)
    smaller = pq.replicate(experiment, 1, directory=tmp_path / "r", overwrite=True)
    assert [path.name for path in sorted(smaller.path.glob("seed-*"))] == ["seed-1"]
    with pytest.raises(pq.InputError, match="not the directory of a replication"):
        pq.Replication(tmp_path)
    with pytest.raises(pq.InputError, match=r"seeds = 3: pq\.replicate"):
        pq.Plan({**DATA, "seeds": 3}).run()
