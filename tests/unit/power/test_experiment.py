"""The type I and type II experiment, small enough for seconds."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pytest
from scipy import stats

import prequential as pq
from prequential.learners.naming import derived_seed
from prequential.power.design import TESTS
from prequential.power.journal import Journal

module: Any = import_module("prequential.power.experiment")  # the function has the same name in its package

SMALL: dict[str, Any] = {"schemes": "cross", "runs": 2, "noise": 0.1}
SEA = pq.streams.SEA
FOREST = "random_forest:n_models=2"


class Majority:
    """A user's learner, which may fail."""

    def __init__(self, fails_at: int | None = None) -> None:
        self.counts: dict[object, int] = {}
        self.n, self.fails_at = 0, fails_at

    def predict_one(self, x: dict[str, float]) -> object:
        if self.fails_at is not None and self.n >= self.fails_at:
            raise RuntimeError("worn out")
        return max(self.counts, key=lambda label: self.counts[label]) if self.counts else None

    def learn_one(self, x: dict[str, float], y: object) -> None:
        self.counts[y] = self.counts.get(y, 0) + 1
        self.n += 1


@pytest.mark.parametrize("metric", ["accuracy", "kappa", "auc", "average_precision"])
def test_p_values_are_those_of_scipy_on_the_values_of_the_folds(metric: str) -> None:
    stream = SEA(seed=4).take(1500)
    found = pq.power(stream, FOREST, metric=metric, seed=5, **SMALL)
    for repetition in found.repetitions:
        seed = derived_seed(5, "run", repetition.run)
        learners = {
            name: pq.as_learner(text)
            for name, text in {
                FOREST: FOREST,
                f"{FOREST}, another seed": FOREST,
                f"{FOREST}, noise 0.1": f"noise_filter:base=({FOREST}),p=0.1",
            }.items()
        }
        run = pq.evaluate(
            stream.reseeded(seed),
            learners,
            protocol=pq.KFold(10, "cross"),
            metrics=metric,
            forgetting="cumulative",
            every=500,
            seed=seed,
        )
        trace = run.to_arrow()
        last = trace.filter(pc.equal(trace["n"], 1500)).to_pylist()
        values = {
            name: np.array([row["value"] for row in last if (row["learner"], row["metric"]) == (name, metric)])
            for name in learners
        }
        own, *others = values
        for contrast, other in zip(repetition.contrasts, others, strict=True):
            difference = values[own] - values[other]
            wins, losses = int((difference > 0).sum()), int((difference < 0).sum())
            assert contrast.p["sign"] == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, rel=1e-9)
            assert contrast.p["wilcoxon"] == pytest.approx(stats.wilcoxon(difference, method="exact").pvalue, rel=1e-9)
            assert contrast.value == pytest.approx(values[own].mean(), rel=1e-12)
            assert contrast.other == pytest.approx(values[other].mean(), rel=1e-12)
            pairs = [row for row in run.directory.pairs().to_pylist() if (row["a"], row["b"]) == (own, other)]
            ours, theirs = (sum(r[k] for r in pairs if r["n"] == 1500) for k in ("n_a_right", "n_b_right"))
            statistic = (ours - theirs) ** 2 / (ours + theirs)
            assert contrast.p["mcnemar"] == pytest.approx(stats.chi2.sf(statistic, 1), rel=1e-9)


def test_the_claims_of_the_paper_come_out() -> None:
    """Bifet et al. (2015), section 4.1. Exact tests of 10 independent folds reject with 0.0215 (sign) and 0.0488."""
    found = pq.power(SEA().take(1000), "random_forest:n_models=3", runs=25, noise=0.1).rates()
    same = {test: sum(one.n_rejected for one in found if one.test == test and one.noise is None) for test in TESTS}
    levels = {"sign": 2 * stats.binom.cdf(1, 10, 0.5), "wilcoxon": 0.0488, "mcnemar": 0.05}
    most = {test: stats.binom.isf(3e-7, 75, level) for test, level in levels.items()}  # five sigma
    assert same["sign"] <= most["sign"]
    assert same["wilcoxon"] <= most["wilcoxon"]
    assert same["mcnemar"] > 2 * most["mcnemar"], "far too often"
    power = {(one.case.scheme, one.test): one.rejection_rate for one in found if one.noise}
    for test in ("sign", "wilcoxon"):
        assert power["split", test] < min(power["cross", test], power["bootstrap", test])
        assert power["split", test] > 0.3, "what is worse is found more often than what is the same"


@pytest.mark.parametrize("noise", [0.05, 0.3])
def test_a_noisy_copy_is_worse_by_what_theory_says(noise: float) -> None:
    """The copy of a learner without randomness differs only by the noise: p₀(1 − p) + (1 − p₀)p/(c − 1)."""
    stream, c, n = pq.streams.LED(seed=1).take(2000), 10, 2000 * 4
    found = pq.power(stream, "naive_bayes", schemes="cross", noise=noise, runs=4)
    (same, noisy) = (one for one in found.rates() if one.test == "sign")
    assert same.n_identical == 4
    assert "no test can find" in str(found)
    p0 = np.mean([one.contrasts[1].value for one in found.repetitions])
    # Errors of naive Bayes on LED are not spread evenly: one changed into the right class has at most this probability.
    least, most = noise * p0 - (1 - p0) * noise * 3 / (c - 1), noise * p0
    sigma = np.sqrt(noise * (1 - noise) / n)
    assert least - 5 * sigma < noisy.difference < most + 5 * sigma


def test_two_classes_lose_exactly_what_the_formula_says() -> None:
    found = pq.power(SEA(seed=2).take(4000), "naive_bayes", schemes="cross", noise=0.2, runs=3)
    p0 = np.mean([one.contrasts[1].value for one in found.repetitions])
    noisy = next(one for one in found.rates() if one.noise == 0.2)
    assert abs(noisy.difference - 0.2 * (2 * p0 - 1)) < 5 * np.sqrt(0.2 / 12_000)


def test_engines_and_the_number_of_runs_change_nothing() -> None:
    stream = SEA().take(600)
    one = pq.power(stream, FOREST, engine="serial", **{**SMALL, "runs": 3})
    two = pq.power(stream, FOREST, engine="threads", workers=2, **SMALL)
    assert [r.contrasts for r in two.repetitions] == [r.contrasts for r in one.repetitions[:2]]
    other = pq.power(stream, FOREST, seed=2, **SMALL)
    assert all(a.contrasts != b.contrasts for a, b in zip(two.repetitions, other.repetitions, strict=True))


def test_another_level_of_noise_does_not_change_the_others() -> None:
    stream = SEA().take(600)
    one = pq.power(stream, FOREST, **SMALL)
    two = pq.power(stream, FOREST, **{**SMALL, "noise": [0.3, 0.1]})
    for few, many in zip(one.repetitions, two.repetitions, strict=True):
        assert few.contrasts == (many.contrasts[0], many.contrasts[2])


def test_every_run_of_a_generator_has_records_of_its_own_and_a_file_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bytes] = []
    evaluate = module.evaluate

    def watched(stream: pq.Stream, *args: Any, **options: Any) -> pq.Run:
        seen.append(next(stream.chunks()).X.tobytes())
        run: pq.Run = evaluate(stream, *args, **options)
        return run

    monkeypatch.setattr(module, "evaluate", watched)
    pq.power(SEA().take(200), "naive_bayes", **SMALL)
    pq.power(pq.from_arrays(np.eye(200), ["a", "b"] * 100), "naive_bayes", **SMALL)
    assert seen[0] != seen[1]
    assert seen[2] == seen[3]


def stopping(monkeypatch: pytest.MonkeyPatch, after: int, error: BaseException) -> None:
    """Interrupt the evaluation after a number of calls."""
    evaluate, done = module.evaluate, iter(range(1000))

    def breaking(*args: Any, **options: Any) -> pq.Run:
        if next(done) == after:
            raise error
        run: pq.Run = evaluate(*args, **options)
        return run

    monkeypatch.setattr(module, "evaluate", breaking)


@pytest.fixture
def streams() -> dict[str, pq.Stream]:
    return {"sea": SEA().take(300), "plane": pq.streams.Hyperplane().take(300)}


def test_an_interrupted_experiment_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, streams: dict[str, pq.Stream]
) -> None:
    settings: dict[str, Any] = {**SMALL, "folds": [6, 10], "runs": 3}
    whole = pq.power(streams, FOREST, **settings)
    assert len(whole.repetitions) == 12
    with monkeypatch.context() as patched:
        stopping(patched, 5, KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt) as caught:
            pq.power(streams, FOREST, directory=tmp_path / "a", **settings)
    partial = caught.value.run  # type: ignore[attr-defined]  # Ctrl-C carries the partial result
    assert (len(partial.repetitions), partial.complete) == (5, False)
    assert pq.Power.load(tmp_path / "a").repetitions == partial.repetitions
    with monkeypatch.context() as patched:
        stopping(patched, 7, AssertionError("done again"))
        found = pq.power(streams, FOREST, directory=tmp_path / "a", **settings)
    assert found.complete
    assert found.to_dicts() == whole.to_dicts() == pq.Power.load(tmp_path / "a").to_dicts()
    with monkeypatch.context() as patched:
        stopping(patched, 0, AssertionError("done again"))
        again = pq.power(streams, FOREST, directory=tmp_path / "a", **{**settings, "runs": 2})
    assert [row["n_runs"] for row in again.to_dicts()] == [2] * len(whole.to_dicts())
    assert pq.Power.load(tmp_path / "a").to_dicts() == whole.to_dicts()
    assert pq.Power.load(tmp_path / "a").design == whole.design


def test_other_settings_or_records_in_the_same_directory_are_refused(tmp_path: Path) -> None:
    pq.power(SEA().take(300), FOREST, directory=tmp_path, **SMALL)
    with pytest.raises(pq.InputError, match=r"other settings[\s\S]*seed is 2 here and was 1"):
        pq.power(SEA().take(300), FOREST, directory=tmp_path, seed=2, **SMALL)
    with pytest.raises(pq.InputError, match=r"other settings[\s\S]*streams is"):
        pq.power(SEA(noise=0.2).take(300), FOREST, directory=tmp_path, **SMALL)
    with pytest.raises(pq.InputError, match=r"other settings[\s\S]*learner is"):
        pq.power(SEA().take(300), "random_forest:n_models=3", directory=tmp_path, **SMALL)
    assert len(Journal(tmp_path).repetitions()) == 2


def test_a_learner_that_fails_ends_the_experiment_with_place_and_reason() -> None:
    place = "SEA, cross, 10 folds, tests='held_out', run 1"
    message = re.escape(f"{place}: Majority(fails_at=100) failed at record 109: fold 10: RuntimeError: worn out")
    with pytest.raises(pq.LearnerError, match=message):
        pq.power(SEA().take(300), Majority(fails_at=100), **SMALL)


def test_a_learner_written_in_python_takes_part() -> None:
    found = pq.power(SEA().take(200), Majority(), **SMALL)
    assert {one.n_identical for one in found.rates() if one.noise is None} == {2}


def test_weights_leave_mcnemar_undefined_with_its_reason() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(300, 2)), rng.integers(0, 2, 300)
    found = pq.power(pq.from_arrays(X, y, weight=rng.uniform(1, 2, 300)), FOREST, **SMALL)
    of = {(one.test, one.noise): one for one in found.rates()}
    assert (of["mcnemar", None].n_runs, of["mcnemar", None].n_undefined) == (0, 2)
    assert of["mcnemar", None].reason
    assert of["sign", None].n_runs == 2


def test_streams_of_one_name_are_numbered() -> None:
    found = pq.power([SEA().take(200), SEA(noise=0.3).take(200)], "naive_bayes", **SMALL)
    assert list(found.design.streams) == ["SEA", "SEA-2"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"folds": 5}, r"'folds' parameter of power must be at least 6: with fewer, no test .* at α = 0.05. Got 5"),
        ({"folds": [10, 7], "alpha": 0.01}, "must be at least 8"),
        ({"folds": []}, "at least one number of folds"),
        ({"folds": "ten"}, "'folds' parameter of power must be a list of whole numbers"),
        ({"folds": 1}, "'k' parameter of KFold|at least 6"),
        ({"schemes": "crosss"}, "unknown value 'crosss' of schemes. Did you mean 'cross'\\? Accepted: cross, split"),
        ({"tests": ["held-out"]}, "Did you mean 'held_out'"),
        ({"schemes": []}, "at least one of cross, split, bootstrap"),
        ({"noise": 0}, "'noise' parameter of power must be numbers above 0 and up to 1. Got 0"),
        ({"noise": [0.1, "much"]}, "Got 'much'"),
        ({"runs": 0}, "'runs' parameter of power must be a whole number of at least 1"),
        ({"alpha": 5}, "'alpha' parameter of power"),
        ({"metric": "acuracy"}, "Did you mean 'accuracy'"),
        ({"metric": "recall"}, "a metric with a single value and a known direction"),
        ({"metric": 5}, "the name of a metric"),
        ({"seed": -1}, "'seed' parameter"),
        ({"engine": "gpu"}, "'engine' parameter"),
        ({"directory": 5}, "must be a path"),
    ],
)
def test_bad_settings_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        pq.power(SEA().take(50), "naive_bayes", **{**SMALL, **change})


@pytest.mark.parametrize(
    ("streams", "message"),
    [
        (SEA(), r"SEA never ends. Use a part of it, such as stream.take\(100_000\)"),
        (SEA().take(0), "SEA has no records"),
        ([], "at least one stream"),
        ({"a": 5}, "An object of type int cannot be read as a stream. Accepted: a stream, the path of a file"),
        (5, "An object of type int cannot be read as a stream"),
        (SEA().take(50).delayed(5), "a stream of events with late labels"),
        (pq.from_arrays(np.eye(20), np.arange(20.0), task="regression"), "is a regression stream"),
        (pq.from_iterable(iter([({"x": 1.0}, "a")])), "can be read only once"),
        ("nowhere.csv", "nowhere.csv"),
    ],
)
def test_bad_streams_are_named(streams: Any, message: str) -> None:
    with pytest.raises(pq.InputError, match=message):
        pq.power(streams, "naive_bayes", **SMALL)


def test_only_one_learner_is_taken() -> None:
    with pytest.raises(pq.ParameterError, match="one learner, which is compared with copies of itself"):
        pq.power(SEA().take(50), ["naive_bayes", "sgd"], **SMALL)  # type: ignore[arg-type]  # the mistake


def test_the_positive_class_is_named_and_chosen() -> None:
    stream = pq.from_arrays(np.arange(600.0).reshape(300, 2) % 7, ["fraud" if i % 4 == 0 else "ok" for i in range(300)])
    small: dict[str, Any] = {"schemes": "cross", "runs": 1, "noise": []}
    own = pq.power(stream, FOREST, metric="average_precision", **small)
    given = pq.power(stream, FOREST, metric="average_precision", positive="fraud", **small)
    named = pq.power(stream, FOREST, metric="average_precision of fraud", **small)
    assert "average_precision of ok" in str(own.table())
    assert "average_precision of fraud" in str(given.table())
    assert [one.contrasts for one in named.repetitions] == [one.contrasts for one in given.repetitions]
    assert [one.contrasts for one in own.repetitions] != [one.contrasts for one in given.repetitions]
    recall = pq.power(stream, FOREST, metric="recall", positive="fraud", **small)
    assert "recall[fraud]" in str(recall.table())
    same = pq.power(stream, FOREST, metric="recall[fraud]", **small)
    assert [one.contrasts for one in same.repetitions] == [one.contrasts for one in recall.repetitions]
    with pytest.raises(pq.ParameterError, match="'positive' parameter of power must be one of the classes"):
        pq.power(stream, FOREST, metric="recall", positive="nope", **small)
    with pytest.raises(pq.ParameterError, match="a metric with a single value"):
        pq.power(stream, FOREST, metric="recall", **small)
