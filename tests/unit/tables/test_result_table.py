"""The result table says what the trace says, and says what it cannot say."""

import json
import math
from pathlib import Path

import pytest
import rich.console
from support.runs import entry, failed, make_run

from prequential.errors import InputError
from prequential.metrics.forgetting import Cumulative, Sliding
from prequential.runs.directory import RunDirectory
from prequential.tables.result_table import result_table
from prequential.tables.terminal import rich_table

nan = math.nan


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    return make_run(
        tmp_path / "run",
        {
            ("tree", "cumulative", "accuracy"): [(1000, 0.5), (2000, 0.81236)],
            ("tree", "cumulative", "error"): [(1000, 0.5), (2000, 0.18764)],
            ("bayes", "cumulative", "accuracy"): [(1000, 0.9), (2000, 0.7)],
            ("bayes", "cumulative", "error"): [(1000, 0.1), (2000, 0.3)],
        },
    )


def test_it_shows_the_last_checkpoint_of_each_learner(run: RunDirectory) -> None:
    table = result_table(run)
    assert [row.values for row in table.rows] == [(0.81236, 0.18764), (0.7, 0.3)]
    text = str(table)
    assert "0.8124" in text
    assert "2,000" in text
    assert "150.0 kB" in text
    assert "complete" in text


def test_at_reads_an_earlier_checkpoint(run: RunDirectory) -> None:
    table = result_table(run, at=1999)
    assert [row.values[0] for row in table.rows] == [0.5, 0.9]
    assert [row.n for row in table.rows] == [1000, 1000]
    assert "at record 1,999" in str(table)


def test_at_before_every_checkpoint_is_refused(run: RunDirectory) -> None:
    with pytest.raises(InputError, match="no checkpoint at or before record 10"):
        result_table(run, at=10)


def test_columns_align(run: RunDirectory) -> None:
    lines = str(result_table(run)).splitlines()
    head, tree, bayes = (line for line in lines if line.startswith(("learner", "tree", "bayes")))
    end = head.index("accuracy") + len("accuracy")
    assert tree[:end].endswith("0.8124")
    assert bayes[:end].endswith("0.7000")


def test_the_best_is_the_highest_or_the_lowest_as_the_metric_says(run: RunDirectory) -> None:
    assert [row.best for row in result_table(run).rows] == [(True, True), (False, False)]
    markdown = result_table(run).to_markdown()
    assert "**0.8124**" in markdown
    assert "**0.1876**" in markdown
    assert "**0.7000**" not in markdown
    latex = result_table(run).to_latex()
    assert r"\textbf{0.8124} & \textbf{0.1876}" in latex
    assert r"\textbf{0.7000}" not in latex
    assert "<strong>0.8124</strong>" in result_table(run)._repr_html_()


def test_values_that_read_the_same_are_both_best(tmp_path: Path) -> None:
    run = make_run(
        tmp_path / "run",
        {("a", "cumulative", "accuracy"): [(2000, 0.80001)], ("b", "cumulative", "accuracy"): [(2000, 0.80002)]},
    )
    assert [row.best for row in result_table(run).rows] == [(True,), (True,)]


def test_a_single_learner_is_not_called_best(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {("a", "cumulative", "accuracy"): [(2000, 0.8)]})
    assert result_table(run).rows[0].best == (False,)


def test_a_learner_that_failed_early_is_not_best_however_good_its_value(tmp_path: Path) -> None:
    run = make_run(
        tmp_path / "run",
        {
            ("early", "cumulative", "accuracy"): [(1000, 0.99)],
            ("a", "cumulative", "accuracy"): [(2000, 0.8)],
            ("b", "cumulative", "accuracy"): [(2000, 0.7)],
        },
        learners={"early": failed(1234, "ValueError:\nno"), "a": entry(), "b": entry()},
        status="failed",
    )
    table = result_table(run)
    assert [row.best for row in table.rows] == [(False,), (True,), (False,)]
    text = str(table)
    assert text.startswith("Failed: 1 of 3 learners (early).")
    assert "early¹" in text
    assert "¹ early failed at record 1,234: ValueError: no" in text
    assert "early failed at record 1,234" in table._repr_html_()
    assert "$^{1}$" in table.to_latex()


def test_an_undefined_value_is_a_dash_with_its_reason(tmp_path: Path) -> None:
    run = make_run(
        tmp_path / "run",
        {("a", "cumulative", "kappa_m"): [(2000, nan)], ("b", "cumulative", "kappa_m"): [(2000, 0.2)]},
    )
    table = result_table(run)
    assert "–¹" in str(table)
    assert "¹ kappa_m is undefined when the majority baseline is always right" in str(table)
    assert "–<sup>1</sup>" in table._repr_html_()
    first = table.to_dicts()[0]
    assert first["value"] is None
    assert first["undefined"].startswith("kappa_m is undefined when the majority baseline is always right")


def test_a_class_without_a_row_at_the_last_checkpoint_is_undefined_not_stale(tmp_path: Path) -> None:
    run = make_run(
        tmp_path / "run",
        {
            ("a", "cumulative", "accuracy"): [(1000, 0.5), (2000, 0.6)],
            ("a", "cumulative", "recall[NEW]"): [(1000, 0.9)],
        },
    )
    table = result_table(run)
    assert table.rows[0].values[0] == 0.6
    assert math.isnan(table.rows[0].values[1])
    assert "recall[NEW] is undefined for a class without a label" in str(table)


def test_a_run_without_checkpoints_says_so(tmp_path: Path) -> None:
    run = make_run(
        tmp_path / "run",
        {},
        metrics=["accuracy"],
        forgetting=["cumulative"],
        learners={"a": failed(0, "TypeError: no")},
        status="failed",
        n_records=0,
    )
    text = str(result_table(run))
    assert "no checkpoint was reached" in text
    assert "a failed at record 0: TypeError: no" in text


@pytest.mark.parametrize(
    ("status", "reason", "warning"),
    [
        ("running", "", "Running: 500 of 2,000 records so far."),
        ("interrupted", "Ctrl-C", "Interrupted: the run ended after 500 of 2,000 records: Ctrl-C."),
        ("partial", "no more rows", "Partial: the run ended after 500 of 2,000 records: no more rows."),
    ],
)
def test_an_unfinished_run_says_so_first(tmp_path: Path, status: str, reason: str, warning: str) -> None:
    points = {("a", "cumulative", "accuracy"): [(500, 0.8)]}
    run = make_run(tmp_path / "run", points, status=status, reason=reason, n_records=500)
    with run.save_points.locked():
        table = result_table(run)
    for text in (str(table), table.to_markdown().lstrip("*"), table._repr_html_().partition("<strong>")[2]):
        assert text.startswith(warning)


def test_folds_are_averaged(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {("a", "cumulative", "accuracy"): [(1000, 0.5), (2000, 0.8)]}, folds=3)
    assert result_table(run).rows[0].values == pytest.approx((0.8,))


def test_several_forgettings_are_groups_of_columns(tmp_path: Path) -> None:
    run = make_run(
        tmp_path / "run",
        {("a", f, m): [(2000, 0.5)] for f in ("cumulative", "sliding:100") for m in ("accuracy", "kappa")},
    )
    table = result_table(run)
    assert [(c.forgetting, c.metric) for c in table.columns] == [
        ("cumulative", "accuracy"),
        ("cumulative", "kappa"),
        ("sliding:100", "accuracy"),
        ("sliding:100", "kappa"),
    ]
    assert r"\multicolumn{2}{c}{sliding:100}" in table.to_latex()
    assert "accuracy (sliding:100)" in table.to_markdown()
    assert "\nsliding:100  accuracy   kappa\n" in str(table)


@pytest.mark.parametrize("chosen", ["sliding:1e2", Sliding(100), ["sliding:100"]])
def test_a_forgetting_is_chosen_by_text_or_object(tmp_path: Path, chosen: object) -> None:
    run = make_run(tmp_path / "run", {("a", f, "accuracy"): [(9, 0.5)] for f in ("cumulative", "sliding:100")})
    table = result_table(run, forgetting=chosen)  # type: ignore[arg-type]
    assert [c.forgetting for c in table.columns] == ["sliding:100"]


def test_a_per_class_metric_is_chosen_whole_or_by_class(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {("a", "cumulative", f"recall[{c}]"): [(9, 0.5)] for c in ("UP", "DOWN")})
    assert [c.metric for c in result_table(run, metrics="recall").columns] == ["recall[UP]", "recall[DOWN]"]
    assert [c.metric for c in result_table(run, metrics=["recall[DOWN]"]).columns] == ["recall[DOWN]"]


def test_what_the_run_has_not_is_refused_with_what_it_has(run: RunDirectory) -> None:
    with pytest.raises(InputError, match=r"no metric 'acuracy'\. Did you mean 'accuracy'\? It has: accuracy, error"):
        result_table(run, metrics=["acuracy"])
    with pytest.raises(InputError, match=r"no forgetting 'sliding:5'.* It has: cumulative"):
        result_table(run, forgetting=[Cumulative(), "sliding:5"])


def test_a_metric_of_which_the_run_knows_nothing_has_no_best(tmp_path: Path) -> None:
    points = {(name, "cumulative", "profit"): [(9, 0.5)] for name in ("a", "b")}
    assert [row.best for row in result_table(make_run(tmp_path / "run", points)).rows] == [(False,), (False,)]


def test_dictionaries_are_tidy_and_fit_for_json(run: RunDirectory) -> None:
    rows = json.loads(json.dumps(result_table(run).to_dicts(), allow_nan=False))
    assert len(rows) == 4
    assert rows[0]["learner"] == "tree"
    assert rows[0]["value"] == 0.81236
    assert rows[0]["best"] is True


def test_text_of_users_is_escaped(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {("<b>a_1|$", "cumulative", "accuracy"): [(9, 0.5)]}, name="50 % & <i>")
    table = result_table(run)
    assert "&lt;b&gt;a_1|$" in table._repr_html_()
    assert "<b>" not in table._repr_html_()
    assert r"\textless{}b\textgreater{}a\_1\textbar{}\$" in table.to_latex()
    assert r"50 \% \&" in table.to_latex()
    assert r"&lt;b&gt;a\_1\|$" in table.to_markdown()


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_terminal_of_any_width_cuts_no_digit(run: RunDirectory, width: int) -> None:
    console = rich.console.Console(width=width, record=True, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123
    with console.file:
        console.print(rich_table(result_table(run)))
    text = console.export_text()
    for part in ("0.8124", "0.1876", "0.7000", "unlabelled", "records/s", "150.0 kB", "complete"):
        assert part in text
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width


def test_a_terminal_shows_the_best_in_bold(run: RunDirectory) -> None:
    console = rich.console.Console(width=100, force_terminal=True, color_system="standard")
    with console.capture() as shown:
        console.print(rich_table(result_table(run)))
    assert "\x1b[1;32m    0.8124\x1b[0m" in shown.get()
    assert "\x1b[1;32m    0.7000" not in shown.get()


def test_a_trace_in_parts_with_other_names_in_each_reads_as_one(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", {("a", "cumulative", "accuracy"): [(1000, 0.5)]})
    other = make_run(
        tmp_path / "other",
        {("b", "cumulative", "kappa"): [(2000, 0.6)], ("a", "cumulative", "accuracy"): [(2000, 0.7)]},
        metrics=["accuracy", "kappa"],
    )
    run.append_trace(other.trace())
    run.write_manifest(other.manifest)
    rows = {row.learner: row for row in result_table(run).rows}
    assert rows["a"].values[0] == 0.7
    assert rows["b"].values[1] == 0.6
