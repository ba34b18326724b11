"""Plans: every fault is reported, all of them together."""

from __future__ import annotations

from pathlib import Path

import pytest

import prequential as pq

GOOD = {
    "stream": {"type": "SEA", "n": 2000},
    "learner": [{"type": "naive_bayes"}],
}


def test_a_plan_runs_and_is_saved() -> None:
    run = pq.Plan(GOOD).run()
    assert run.status == "complete"
    assert 'type = "SEA"' in (run.path / "plan.toml").read_text()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"forgetting": [5]}, "5 is not a forgetting"),
        ({"metrics": [5]}, "names of metrics"),
        ({"every": "x"}, "every must be"),
        (
            {"protocol": {"type": "prequential", "pretrain": "x"}},
            "'pretrain' parameter of Prequential must be a whole number",
        ),
        ({"protocol": {"type": "holdout", "share": "a"}}, "'share' parameter of Holdout must be a number"),
        ({"stream": {"path": 5}}, "path must be text"),
        (
            {"stream": {"path": "f.csv", "target": 5, "separator": 5}},
            "target must be text, not 5; separator must be text",
        ),
        ({"stream": {"path": "f.csv", "schema": "x"}}, "schema cannot be given"),
        ({"stream": {"type": "SEA", "n": "a"}}, "n must be a whole number"),
        ({"stream": {"type": "SEA", "n": 10, "drift": [5]}}, 'write change = [{type = "drift_to"'),
        ({"stream": {"generator": "SEA", "n": 10}}, 'write type = "SEA"'),
        ({"stream": {"testbed": "NSGT"}}, 'write type = "NSGT"'),
        ({"stream": {"type": "SEA", "n": 10, "delay": 5, "delay_clock": "time"}}, 'delay = {type = …, clock = "time"}'),
        ({"stream": {"type": "SEA", "n": 10, "change": [{"op": "repeat"}]}}, 'write type = "repeat"'),
        ({"stream": {"type": "SEA", "path": "a.csv"}}, "give one of them"),
        ({"protocol": {"name": "kfold"}}, 'write type = "kfold"'),
        ({"protocol": {"type": "kfold", "folds": 6}}, "write k = 6"),
        ({"protocol": {"type": "kfold", "k": 6}}, "The paper recommends 'bootstrap'"),
        ({"protocol": {"type": "delayed", "alpha": 2}}, "write psi_alpha = 2"),
        ({"protocol": {"type": "holdout", "pretrain": 2}}, "(prequential has it)"),
        ({"protocol": "kfold:6,boostrap"}, "'scheme' parameter of KFold must be 'cross' or 'split' or 'bootstrap'"),
        ({"learner": [{"name": "naive_bayes"}]}, 'write type = "naive_bayes"'),
        ({"learner": [{"type": "naive_bayes", "label": "mine"}]}, 'write name = "mine"'),
        ({"stream": {"type": "SEA", "n": 10, "nois": 0.1}}, "nois"),
        ({"stream": {"type": "SEE", "n": 10}}, "Did you mean 'SEA'"),
        ({"stream": {}}, "needs a 'path' or a 'type'"),
        ({"learner": []}, "at least one"),
        ({"learner": [{"type": 5}]}, "type must be text"),
        ({"learner": [{"python": 5}]}, "python must be text"),
        (
            {"learner": [{"type": "majority_class", "window_size": "a"}]},
            "'window_size' parameter of MajorityClass must be a whole number or None. Got 'a'",
        ),
        ({"learner": [{"type": "sgd", "learning_rate": "x"}]}, "'learning_rate' parameter of SGD must be a number"),
        ({"learner": [{"type": "sgd", "loss": "x"}]}, "'log' or 'log_loss' or 'hinge'"),
        ({"learner": [{"python": "nothing"}]}, "FILE.py:NAME"),
        ({"learner": [{"python": "json:nothing_here"}]}, "json has no"),
    ],
)
def test_a_mistake_is_named(change: dict[str, object], expected: str) -> None:
    with pytest.raises(pq.PlanError) as caught:
        pq.Plan({**GOOD, **change}).check()
    assert expected in str(caught.value)


def test_all_mistakes_are_reported_together(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text('every = "x"\n[stream]\ntype = "SEE"\n[[learner]]\ntype = "nbb"\n')
    with pytest.raises(pq.PlanError) as caught:
        pq.Plan.from_toml(tmp_path / "plan.toml").check()
    assert len(caught.value.faults) == 3


def test_a_plan_file_is_reported_by_its_keys(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(
        'every = 0\n[stream]\ntype = "SEA"\nn = 9\n'
        'delay = {type = "fixed", delay = 5, clock = "hours"}\n[[learner]]\ntype = "sgd"\n'
    )
    plan = pq.Plan.from_toml(tmp_path / "plan.toml")
    with pytest.raises(pq.PlanError) as caught:
        plan.check()
    assert caught.value.faults == (
        "[stream]: delay.clock must be 'records' or 'time'. Got 'hours' instead.",
        "every must be a whole number of at least 1. Got 0 instead.",
    )
    with pytest.raises(pq.PlanError, match=r"plan.toml: \[stream\]: delay.clock must be"):
        plan.stream()


def test_default_learners_are_those_of_the_task_and_only_if_the_plan_has_none() -> None:
    defaults = {"classification": [{"type": "sgd"}], "regression": [{"type": "mean_target"}]}
    assert list(pq.Plan({"stream": GOOD["stream"]}).check(default_learners=defaults).learners) == ["sgd"]
    assert list(pq.Plan(GOOD).check(default_learners=defaults).learners) == ["naive_bayes"]
    with pytest.raises(pq.PlanError) as caught:
        pq.Plan({"stream": {"path": "missing.csv"}}).check(default_learners=defaults)
    assert len(caught.value.faults) == 1


@pytest.mark.parametrize("path", ["missing.csv", "there.csv"])
def test_faults_of_settings_are_reported_whether_or_not_the_stream_opens(tmp_path: Path, path: str) -> None:
    (tmp_path / "there.csv").write_text("x,class\n1,a\n2,b\n")
    plan = {
        "stream": {"path": str(tmp_path / path)},
        "learner": [{"type": "no_change"}],
        "metrics": ["acuracy"],
        "forgetting": ["slidng:5"],
        "every": 0,
        "seed": -1,
        "abstain": "maybe",
    }
    with pytest.raises(pq.PlanError) as caught:
        pq.Plan(plan).check()
    text = str(caught.value)
    for words in ("'accuracy'", "'sliding'", "'every'", "'seed'", "'abstain'"):
        assert words in text
    assert ("missing.csv does not exist" in text) == (path == "missing.csv")


def test_a_metric_is_not_refused_for_a_stream_that_cannot_be_opened(tmp_path: Path) -> None:
    for metric in ("mae", "accuracy"):
        plan = {"stream": {"path": "missing.csv"}, "learner": [{"type": "no_change"}], "metrics": [metric]}
        with pytest.raises(pq.PlanError) as caught:
            pq.Plan(plan).check()
        assert len(caught.value.faults) == 1


def test_text_that_is_not_toml_is_reported_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text("a = \n")
    with pytest.raises(pq.PlanError, match="line 1"):
        pq.Plan.from_toml(tmp_path / "plan.toml")
