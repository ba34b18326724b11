"""``prequential calculate`` and ``prequential test`` as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import scipy
from typer.testing import CliRunner

from prequential.cli import app
from prequential.comparisons import bayesian_signed_rank


def call(*words: object, code: int = 0) -> str:
    done = CliRunner().invoke(app, [*map(str, words)], env={"COLUMNS": "200"})
    assert done.exit_code == code, done.output
    return done.output


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        # Gama et al. 2013, section 3: 18,444 records; 3.16 % at a window of 1,000; 0.995^3000 = 2.9e-7
        ("hoeffding --epsilon 0.01 --delta 0.05", "n = 18444.39727"),
        ("hoeffding --n 18444.39727 --delta 0.05", "epsilon = 0.01"),
        ("window --window-size 1000", "half_width = 0.0316227766"),
        ("window --half-width 0.01", "window_size = 10000"),
        ("fading --alpha 0.995 --n 3000", "weight = 2.946064407e-07"),
        ("fading --alpha 0.995 --epsilon 1e-6", "n = 2756"),
        ("fading --n 3000 --epsilon 1e-6", "alpha = 0.995"),
    ],
)
def test_each_calculator_works_in_every_direction(words: str, expected: str) -> None:
    assert expected in call("calculate", *words.split())
    data = json.loads(call("calculate", *words.split(), "--json"))
    name, _, value = expected.partition(" = ")
    assert data[name] == pytest.approx(float(value), rel=1e-2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("hofding --epsilon 0.01", "Did you mean 'hoeffding'"),
        ("window --alpha 0.5", "window needs one of: --half-width; --window-size. Got --alpha."),
        ("hoeffding --epsilon 0.01", "--delta and --epsilon"),
        ("hoeffding --epsilon -1 --delta 0.05", "epsilon"),
    ],
)
def test_bad_input_says_what_is_accepted(words: str, message: str) -> None:
    assert message in call("calculate", *words.split(), code=2)


@pytest.fixture
def results(tmp_path: Path) -> tuple[Path, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    rng = np.random.default_rng(1)
    values = np.round(rng.normal([0.8, 0.75, 0.6], 0.05, size=(10, 3)), 4)
    lines = ["stream,tree,bayes,sgd", *(f"s{k},{a},{b},{c}" for k, (a, b, c) in enumerate(values))]
    path = tmp_path / "results.csv"
    path.write_text("\n".join(lines) + "\n")
    return path, values


def test_all_tests_are_run_on_a_table(results: tuple[Path, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]) -> None:
    path, values = results
    data = json.loads(call("test", path, "--json"))
    assert data["friedman"]["p_value"] == pytest.approx(scipy.stats.friedmanchisquare(*values.T).pvalue)
    pair = next(one for one in data["pairs"] if (one["a"], one["b"]) == ("tree", "sgd"))
    expected = scipy.stats.wilcoxon(values[:, 0], values[:, 2], method="exact").pvalue
    assert pair["wilcoxon_p_value"] == pytest.approx(expected)
    signs = next(one for one in data["sign_tests"] if (one["a"], one["b"]) == ("tree", "bayes"))
    wins = int((values[:, 0] > values[:, 1]).sum())
    assert signs["n_a_better"] == wins
    assert signs["p_value"] == pytest.approx(scipy.stats.binomtest(wins, 10).pvalue)
    assert data["bayesian_tests"] == []
    bayes = json.loads(call("test", path, "--rope", "0.02", "--json"))["bayesian_tests"]
    margin = bayesian_signed_rank(values[:, 0], values[:, 2], rope=0.02)
    assert (bayes[1]["a"], bayes[1]["b"], bayes[1]["p_a"]) == ("tree", "sgd", margin.p_a)
    assert "practically equivalent with" in call("test", path, "--rope", "0.02", "--better", "lower")
    text = call("test", path, "--better", "lower", "--over", "folds", "-o", path.with_name("cd.svg"))
    assert "on 10 folds, lower is better" in text
    assert path.with_name("cd.svg").stat().st_size > 1000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stream,a\ns1,0.5\ns2,0.6\n", "at least 2 learners"),
        ("a,b\n0.5,0.6\n", "2 streams"),
        ("stream,a,b\ns1,0.5,0.6\ns2,x,0.7\n", "column 'a' is not a number"),
        ("a,b\n0.5,0.6\n0.5\n", "cannot be read as a table"),
        ("a,b\n0.5,0.6\n0.5,\n", "learner 1 is nan"),
    ],
)
def test_a_bad_table_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    assert message in call("test", path, code=2)
    assert "does not exist" in call("test", tmp_path / "none.csv", code=2)


def test_a_wrong_command_is_answered() -> None:
    assert "Did you mean 'list'" in call("detectors", code=2)
