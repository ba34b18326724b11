"""The options of all commands: one text per option, every key of a plan, and messages that name options."""

from __future__ import annotations

import functools
import inspect
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner, Result

import prequential as pq
from prequential.cli import app, plan_from_options, run
from prequential.plans.plan import SETTINGS
from prequential.plans.protocol import PROTOCOL_KEYS
from prequential.plans.stream import FILE_KEYS
from prequential.streams.readers.csv import CsvStream

GROUP: Any = typer.main.get_command(app)
COMMANDS: dict[str, Any] = {
    **{name: command for name, command in GROUP.commands.items() if name != "testbed"},
    **{f"testbed {name}": command for name, command in GROUP.commands["testbed"].commands.items()},
}
OWN_MEANING = {"--alpha", "--figure", "--folds", "--forgetting", "--learner", "--metric", "--output", "--scheme"}
OWN_MEANING |= {"--at", "--n", "--seeds", "--test-on", "--report", "--plot"}
"""Options whose values or defaults differ from command to command, so that their texts do."""


def call(*words: object, cwd: Path, monkeypatch: pytest.MonkeyPatch, code: int = 0) -> Result:
    monkeypatch.chdir(cwd)
    done = CliRunner().invoke(app, [*map(str, words)], env={"COLUMNS": "200"})
    assert done.exit_code == code, done.output
    return done


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A stream with an id, a time, two features and a label."""
    rows = [f"{i},{2 * i},{i % 3},{i % 7 / 7:.3f},{'up' if i % 7 > 3 else 'down'}" for i in range(300)]
    (tmp_path / "data.csv").write_text("id,time,code,x,class\n" + "\n".join(rows) + "\n")
    return tmp_path


def plan_of(*words: object, cwd: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the plan that a call of ``prequential run`` saves."""
    words = ("run", "data.csv", *words, "-l", "no_change", "-o", "out", "--overwrite", "--no-report", "-q")
    call(*words, cwd=cwd, monkeypatch=monkeypatch)
    return pq.Plan.from_toml(cwd / "out" / "plan.toml").data


def test_an_option_that_commands_share_has_one_text_and_one_panel() -> None:
    texts = defaultdict(set)
    for name, command in COMMANDS.items():
        for parameter in command.params:
            if parameter.param_type_name == "option" and parameter.opts[0] not in OWN_MEANING:
                texts[parameter.opts[0]].add((parameter.help, parameter.rich_help_panel))
        assert command.epilog.startswith("Exit codes: 0 success, 2 bad input"), name
    assert {option: found for option, found in texts.items() if len(found) > 1} == {}


def test_every_key_of_a_plan_has_an_option() -> None:
    options = {plan_from_options.PLAN_KEYS.get(one.name, one.name) for one in COMMANDS["run"].params}
    protocol_keys = {key for keys in PROTOCOL_KEYS.values() for key in keys}
    assert set(SETTINGS) | protocol_keys | set(FILE_KEYS) | {"protocol", "learner"} <= options


def test_the_function_behind_run_stays_short() -> None:
    assert len(inspect.getsource(run.run).splitlines()) <= 100


@pytest.mark.parametrize(
    ("words", "table", "expected"),
    [
        (("--numeric", "code", "--numeric", "x"), "stream", {"numeric": ["code", "x"]}),
        (("--missing-value", "none"), "stream", {"missing": ["none"]}),
        (("--id", "id", "--skip", 5, "--no-header"), None, None),
        (("--pretrain", 10), "protocol", {"type": "prequential", "pretrain": 10}),
        (
            ("--protocol", "delayed", "--delay", 5, "--first-class"),
            "protocol",
            {"type": "delayed", "first_class": True},
        ),
        (("--protocol", "delayed", "--delay", 5, "--remember", 7), "protocol", {"type": "delayed", "remember": 7}),
        (
            ("--protocol", "delayed", "--delay", 5, "--delay-first", "labels", "--no-delay-rest"),
            "stream",
            {"delay": {"type": "fixed", "delay": 5.0, "first": "labels", "rest": False, "seed": 1}},
        ),
        (
            ("--protocol", "delayed", "--delay", 5, "--seed", 4),
            "stream",
            {"delay": {"type": "fixed", "delay": 5.0, "seed": 4}},
        ),
        (
            ("--protocol", "delayed", "--delay", 5, "--delay-seed", 9, "--delay-rest"),
            "stream",
            {"delay": {"type": "fixed", "delay": 5.0, "rest": True, "seed": 9}},
        ),
    ],
)
def test_an_option_becomes_the_key_of_the_plan(
    words: tuple[object, ...],
    table: str | None,
    expected: dict[str, Any] | None,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if table is None:
        words = ("run", "data.csv", *words, "-l", "no_change", "--no-report")
        assert "no column 'id'" in call(*words, cwd=place, monkeypatch=monkeypatch, code=2).stderr
        return
    plan = plan_of(*words, cwd=place, monkeypatch=monkeypatch)[table]
    assert {key: value for key, value in plan.items() if key != "path"} == expected


def test_columns_are_read_as_the_options_say(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "data.csv").write_text("a,b,class\n1,x,up\n2,none,down\n1,y,up\n")
    words = ("run", "data.csv", "-l", "no_change", "--no-report", "-o", "out")
    done = call(*words, cwd=place, monkeypatch=monkeypatch)
    assert "1 numeric and 1 nominal features" in done.stderr
    (place / "data.csv").write_text("a,b,class\n1,3,up\n2,none,down\n1,4,up\n")
    done = call(*words, "--overwrite", "--missing-value", "none", cwd=place, monkeypatch=monkeypatch)
    assert "2 numeric and 0 nominal features" in done.stderr
    (place / "data.csv").write_text("a,b,class\n1,3,up\n2,x,down\n1,4,up\n")
    done = call(*words, "--overwrite", "--numeric", "b", cwd=place, monkeypatch=monkeypatch, code=2)
    assert "column 'b'" in done.stderr, "it is not a number in every row"


def test_labels_that_are_due_after_the_end_can_be_left_out(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = (
        "run",
        "data.csv",
        "--protocol",
        "delayed",
        "--delay",
        50,
        "-l",
        "no_change",
        "--json",
        "--no-report",
        "-o",
    )
    events = [
        json.loads(call(*words, name, *more, cwd=place, monkeypatch=monkeypatch).stdout)["events"]
        for name, more in (("rest", ()), ("none", ("--no-delay-rest",)))
    ]
    assert [(one["n_labels"], one["n_waiting"]) for one in events] == [(300, 0), (250, 50)]


def test_a_missing_prediction_can_count_as_the_first_class(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "silent.py").write_text(
        "class Silent:\n    def predict_one(self, x): return None\n    def learn_one(self, x, y): pass\n"
    )
    words = ("run", "data.csv", "--protocol", "delayed", "--delay", 5, "-l", "silent.py:Silent", "-m", "accuracy", "-o")
    values = []
    for name, more in (("abstains", ()), ("first", ("--first-class",))):
        done = call(*words, name, *more, "--json", "--no-report", cwd=place, monkeypatch=monkeypatch)
        values.append({row["value"] for row in json.loads(done.stdout)["table"] if row["forgetting"] == "cumulative"})
    assert values[0] == {0.0}
    assert all(0.5 < value < 0.6 for value in values[1]), "the share of 'down'"


def test_pairs_of_learners_are_counted_with_pairs(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("run", "data.csv", "-l", "no_change", "-l", "majority_class", "--no-report", "-q", "-o")
    for name, more, code in (("some", ("--pairs",), 0), ("none", ("--no-pairs",), 2)):
        call(*words, name, *more, cwd=place, monkeypatch=monkeypatch)
        call("compare", name, cwd=place, monkeypatch=monkeypatch, code=code)


@pytest.mark.parametrize("more", [(), ("-l", "no_change"), ("--protocol", "delayed", "--delay", "5")])
def test_the_stream_is_opened_and_its_schema_inferred_once(
    more: tuple[str, ...], place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, inferred = [], []
    make, infer = CsvStream.__init__, CsvStream._find_schema

    @functools.wraps(make)  # the reader's options are those of its parameters
    def counted_make(self: CsvStream, *args: Any, **options: Any) -> None:
        opened.append(args)
        make(self, *args, **options)

    def counted_infer(self: CsvStream) -> Any:
        inferred.append(self)
        return infer(self)

    monkeypatch.setattr(CsvStream, "__init__", counted_make)
    monkeypatch.setattr(CsvStream, "_find_schema", counted_infer)
    call("run", "data.csv", *more, "--no-report", "-q", "-o", "out", cwd=place, monkeypatch=monkeypatch)
    assert (len(opened), len(inferred)) == (1, 1)


def test_the_default_learners_fit_the_task_and_are_in_the_saved_plan(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for more, names in (
        ((), ["majority_class", "no_change", "naive_bayes", "sgd"]),
        (("--target", "x", "--task", "regression"), ["mean_target", "last_target"]),
    ):
        words = ("run", "data.csv", *more, "--no-report", "-q", "-o", "out", "--overwrite")
        call(*words, cwd=place, monkeypatch=monkeypatch)
        assert pq.load(place / "out").learners == names
        assert [one["type"] for one in pq.Plan.from_toml(place / "out" / "plan.toml").data["learner"]] == names


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "data.csv", "--every", 0), "--every must be a whole number of at least 1. Got 0 instead."),
        (("run", "data.csv", "--seed", -1), "--seed must be"),
        (("run", "data.csv", "--abstain", "maybe"), "--abstain must be 'wrong' or 'skip'. Got 'maybe' instead."),
        (("run", "data.csv", "--task", "ranking"), "--task must be 'auto' or 'classification' or 'regression'."),
        (("run", "data.csv", "--nominal", "x", "--numeric", "x"), "--numeric must be"),
        (("run", "data.csv", "--separator", "::"), "--separator must be one character"),
        (("run", "data.csv", "--take", -5), "--take must be a whole number of at least 0. Got -5 instead."),
        (("run", "data.csv", "--skip", -5), "--skip must be a whole number of at least 0. Got -5 instead."),
        (("run", "data.csv", "--engine", "gpu"), "--engine must be"),
        (("run", "data.csv", "--workers", 0), "--workers must be"),
        (("run", "data.csv", "--save-seconds", -1), "--save-seconds must be"),
        (("run", "data.csv", "--pretrain", -1), "--pretrain must be"),
        (
            ("run", "data.csv", "--protocol", "kfold", "--folds", 1, "--scheme", "cross"),
            "--folds must be a whole number from 2",
        ),
        (("run", "data.csv", "--protocol", "kfold", "--scheme", "x"), "--scheme must be"),
        (("run", "data.csv", "--protocol", "holdout", "--share", 2), "--share must be"),
        (("run", "data.csv", "--protocol", "holdout"), "--protocol holdout needs either --test-data FILE, or --share"),
        (("run", "data.csv", "--protocol", "kfold"), "--protocol kfold needs --scheme: bootstrap (recommended"),
        (
            ("run", "data.csv", "--protocol", "kfold", "--share", 0.5),
            "--share may only be given with --protocol holdout.",
        ),
        (("run", "data.csv", "--protocol", "delayed", "--delay", -1), "--delay must be"),
        (
            ("run", "data.csv", "--protocol", "delayed", "--delay", 5, "--delay-clock", "hours"),
            "--delay-clock must be 'records' or 'time'. Got 'hours' instead.",
        ),
        (("run", "data.csv", "--protocol", "delayed", "--delay", 5, "--delay-first", "x"), "--delay-first must be"),
        (("run", "data.csv", "--protocol", "delayed", "--delay", 5, "--remember", -1), "--remember must be"),
        (("run", "data.csv", "--protocol", "delayed", "--delay", 5, "--horizon", 0), "--horizon must be"),
        (("run", "data.csv", "--protocol", "delayed", "--delay", 5, "--psi-alpha", 0), "--psi-alpha must be"),
        (("run", "data.csv", "--no-delay-rest"), "--delay-rest may only be given with --delay."),
        (("run", "data.csv", "-f", "fading:1.5"), "The 'alpha' parameter of Fading must be"),
        (("run", "data.csv", "-l", "sgd:learning_rate=-1"), "The 'learning_rate' parameter of SGD must be"),
        (("score", "data.csv", "--label", "x", "--prediction", "code", "--every", 0), "--every must be"),
        (("score", "--delayed", "data.csv", "data.csv", "--disorder", -1), "--disorder must be"),
        (("score", "--delayed", "data.csv", "data.csv", "--bins", 0), "--bins must be"),
        (("detect", "data.csv", "--abstain", "maybe"), "--abstain must be"),
        (("detect", "data.csv", "--tolerance", -1), "--tolerance must be"),
        (("detect", "data.csv", "-d", "adwin", "--drifts", 999), "--drifts must be at record indices from 0 to 299"),
        (("generate", "SEA", "--n", 1.5, "--head", 3), "--n must be a whole number"),
        (("generate", "SEA", "--seed", -1, "--head", 3), "--seed must be"),
        (("generate", "SEA", "--head", 3, "--label-noise", 2), "change 1: --label-noise must be"),
        (("generate", "SEA", "--head", 3, "--missing", 2), "--missing must be"),
        (("generate", "SEA", "--head", 3, "--sparse-labels", 2), "--sparse-labels must be"),
        (("generate", "SEA", "--head", 3, "--feature-noise", -1), "--feature-noise must be"),
        (("generate", "SEA", "--head", 3, "--ratio", "1;2"), "--ratio must be"),
        (("power", "SEA", "--n", 100, "--runs", 0), "--runs must be"),
        (("power", "SEA", "--n", 100, "--noise", 2), "--noise must be"),
        (("power", "SEA", "--n", 100, "--alpha", 2), "--alpha must be"),
        (("power", "SEA", "--n", 100, "--folds", 3), "--folds must be at least 6"),
        (("testbed", "card", "naive_bayes", "--seeds", 0), "--seeds must be"),
        (("testbed", "card", "naive_bayes", "--jobs", 0), "--jobs must be"),
    ],
)
def test_a_message_names_the_option_that_was_typed(
    words: tuple[object, ...], message: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = call(*words, "--json", cwd=place, monkeypatch=monkeypatch, code=2)
    assert message in " ".join(done.stderr.split())
    assert message in json.loads(done.stdout)["error"]


def test_all_faults_of_options_are_listed_together(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("run", "data.csv", "--every", 0, "--abstain", "maybe", "-m", "acuracy", "--workers", 0)
    lines = call(*words, cwd=place, monkeypatch=monkeypatch, code=2).stderr.splitlines()
    assert lines[0] == "prequential: 4 faults"
    assert [line.split()[1] for line in lines[1:]] == ["Unknown", "--every", "--abstain", "--workers"]


def test_a_plan_speaks_of_its_keys_and_not_of_options(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "plan.toml").write_text(
        'every = 0\n[stream]\npath = "data.csv"\ntarget = "class"\n'
        '[protocol]\ntype = "kfold"\nk = 1\nscheme = "cross"\n[[learner]]\ntype = "no_change"\n'
    )
    text = call("run", "plan.toml", cwd=place, monkeypatch=monkeypatch, code=2).stderr
    assert "  - [protocol]: k must be a whole number from 2 to 1,000. Got 1 instead.\n" in text
    assert "  - every must be a whole number of at least 1. Got 0 instead.\n" in text
    (place / "plan.toml").write_text(
        '[stream]\ntype = "SEA"\nn = 9\nchange = [{type = "label_noise", share = 2}]\n[[learner]]\ntype = "sgd"\n'
    )
    for command in (("run", "plan.toml"), ("generate", "plan.toml", "--head", 1), ("power", "plan.toml")):
        text = call(*command, cwd=place, monkeypatch=monkeypatch, code=2).stderr
        assert "plan.toml: [stream]: change 1: The 'share' parameter of label_noise must be" in text


def test_a_fault_in_the_engine_of_a_resumed_run_names_the_option(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan_of(cwd=place, monkeypatch=monkeypatch)
    done = call("run", "out", "--resume", "--workers", 0, cwd=place, monkeypatch=monkeypatch, code=2)
    assert done.stderr.startswith("prequential: --workers must be")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_teaches_and_fits_80_columns(name: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    text = CliRunner().invoke(app, [*name.split(), "--help"], env={"COLUMNS": "80"}).output
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text, "nothing is cut off"
    shown = [line.strip() for line in text.splitlines()]
    written = inspect.cleandoc(COMMANDS[name].help).replace("[bold]", "").replace("[/]", "")
    assert [line for line in written.splitlines() if line and line not in shown] == [], "no line is wrapped"
    assert f"\n prequential {name}" in text, "there is an example"
    assert "Exit codes: 0 success, 2 bad input, 3 a learner failed" in text
