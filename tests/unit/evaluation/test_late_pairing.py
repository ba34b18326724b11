"""Learners compared when labels arrive late, by their initial and by their final predictions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import prequential as pq
from prequential.cli import app
from prequential.comparisons.pairs import count_pairs
from prequential.evaluation.begin_run import LearnerFailedWarning
from prequential.report.comparison_section import compared, comparison

LEARNERS = {"bayes": "naive_bayes", "last": "no_change", "most": "majority_class"}
FORGETTING = ["cumulative", "sliding:100", "fading:0.99"]


def stream() -> pq.streams.Stream:
    return pq.streams.SEA(seed=3, noise=0.1).take(900)


def late(**options: Any) -> pq.Run:
    source = stream().delayed(pq.streams.UniformDelay(5, 60))
    asked: dict[str, Any] = {"forgetting": FORGETTING, "every": 250, "metrics": "accuracy"}
    return pq.evaluate(source, LEARNERS, protocol=pq.Delayed(bins=4), **(asked | options))


def rows(run: pq.Run) -> list[dict[str, Any]]:
    keys = ("stage", "a", "b", "forgetting", "n")
    found = sorted(run.directory.pairs().to_pylist(), key=lambda row: [row[key] for key in keys])
    return [{k: None if v != v else v for k, v in row.items()} for row in found]


def test_without_delay_it_is_the_plain_comparison() -> None:
    asked: dict[str, Any] = {"forgetting": FORGETTING, "every": 250, "metrics": "accuracy"}
    plain = pq.evaluate(stream(), LEARNERS, **asked)
    run = pq.evaluate(stream().delayed(0), LEARNERS, protocol=pq.Delayed(bins=1), **asked)
    for a, b in (("bayes", "last"), ("most", "bayes")):
        expected = plain.compare(a, b).to_arrow().drop_columns(["time"])
        for stage in ("initial", "final"):
            found = run.compare(a, b, stage=stage).to_arrow().drop_columns(["time"])
            assert found.schema.names == expected.schema.names
            for name in found.column_names:
                one, other = (table[name].to_numpy(zero_copy_only=False) for table in (found, expected))
                np.testing.assert_array_equal(one, other)


def test_chunks_and_engines_do_not_change_pairs() -> None:
    expected = rows(late())
    assert len(expected) == 2 * 3 * 3 * 4  # stages, pairs, forgettings, checkpoints
    for options in ({"chunk_size": 1}, {"chunk_size": 7}, {"chunk_size": 1000}, {"engine": "threads", "workers": 2}):
        assert rows(late(**options)) == expected


def test_errors_are_those_of_the_trace() -> None:
    """Pairs and metrics are counted apart, so that each checks the other."""
    run = late()
    trace = {(r["learner"], r["metric"], r["forgetting"], r["n"]): r["value"] for r in run.to_arrow().to_pylist()}
    for stage in ("initial", "final"):
        found = run.compare("last", "bayes", stage=stage).to_arrow().to_pylist()
        assert [row["n"] for row in found if row["forgetting"] == "cumulative"][:3] == [250, 500, 750]
        for row in found:
            for learner, error in (("last", "error_a"), ("bayes", "error_b")):
                value = trace[learner, f"accuracy_{stage}", row["forgetting"], row["n"]]
                assert row[error] == pytest.approx(1 - value, abs=1e-12)
    assert run.compare("last", "bayes").stage == "initial"


def test_the_table_the_conclusion_the_figure_and_the_report_name_the_predictions(tmp_path: Path) -> None:
    run = late()
    first, last = (run.compare("bayes", "last", stage=stage) for stage in ("initial", "final"))
    assert "final predictions" in str(last)
    assert "at label" in str(last)
    assert last.conclusion.startswith("By the final predictions, after ")
    assert "labels" in last.conclusion
    assert last.to_dict()["stage"] == "final"
    assert first.plot().layout.xaxis2.title.text == "labels"
    assert first.figure().axes[-1].get_xlabel() == "labels"
    found = compared(run.directory)
    assert [one.stage for one in found] == ["initial"] * 3 + ["final"] * 3
    assert "(initial)" in comparison(run.directory)
    assert "(final)" in comparison(run.directory)


def logs(n: int = 400) -> tuple[pa.Table, pa.Table, dict[str, dict[int, list[int]]]]:
    """Two models; some records only one of them predicts, some twice. Also what they said, by record."""
    rng = np.random.default_rng(5)
    said: dict[str, dict[int, list[int]]] = {"one": {}, "two": {}}
    lines = []
    for i in range(n):
        for model in said:
            if rng.random() < 0.1:
                continue
            for k in range(1 + int(rng.random() < 0.4)):
                answer = int(rng.integers(2))
                said[model].setdefault(i, []).append(answer)
                lines.append((float(i) + k / 4, i, model, answer))
    lines.sort(key=lambda line: line[0])
    predictions = pa.table(dict(zip(("time", "id", "model", "prediction"), zip(*lines, strict=True), strict=True)))
    labels = pa.table(
        {"id": list(range(n)), "time": [i + 30.0 for i in range(n)], "label": [i % 3 % 2 for i in range(n)]}
    )
    return predictions, labels, said


@pytest.mark.parametrize("chunk_size", [1, 7, 1000])
def test_models_of_a_log_are_paired_where_both_predicted(chunk_size: int) -> None:
    predictions, labels, said = logs()
    run = pq.score_delayed(predictions, labels, bins=2, every=100, forgetting=FORGETTING, chunk_size=chunk_size)
    both = sorted(set(said["one"]) & set(said["two"]))
    assert len(both) < len(said["one"])
    truth = np.array(labels["label"].to_pylist())[both]
    for stage, k in (("initial", 0), ("final", -1)):
        right = [np.array([said[model][i][k] for i in both]) == truth for model in ("one", "two")]
        expected = count_pairs(
            *right, a="one", b="two", forgetting=FORGETTING, every=100, time=np.array(both) + 30.0
        ).to_pylist()
        found = [row for row in run.directory.pairs().to_pylist() if row.pop("stage") == stage]
        assert str(found) == str(expected)  # NaN equals NaN
    assert run.compare(stage="final").trace.a == "one"


def test_a_learner_that_fails_ends_only_its_own_pairs() -> None:
    class Breaking:
        n = 0

        def predict_one(self, x: dict[str, float]) -> str:
            return "groupA"

        def learn_one(self, x: dict[str, float], y: str) -> None:
            self.n += 1
            if self.n == 300:
                raise RuntimeError("broken")

    found = []
    for size in (1, 7, 1000):
        with pytest.warns(LearnerFailedWarning, match="broken"):
            run = pq.evaluate(
                stream().delayed(20),
                {"bayes": "naive_bayes", "last": "no_change", "breaks": Breaking()},
                protocol=pq.Delayed(bins=2),
                metrics="accuracy",
                every=100,
                chunk_size=size,
            )
        assert run.manifest.learners["breaks"].status == "failed"
        found.append(rows(run))
    last = {(row["a"], row["b"]): row["n"] for row in found[0]}
    assert last["bayes", "last"] == 900
    assert 299 <= last["bayes", "breaks"] <= 300
    assert found[0] == found[1] == found[2]


def test_abstentions_are_left_out_as_in_the_metrics() -> None:
    """No-change abstains until its first label."""
    run = late(abstain="skip", forgetting="cumulative")
    wrong = late(forgetting="cumulative")
    initial, counted = (one.compare("bayes", "last").to_arrow().to_pylist()[-1] for one in (run, wrong))
    assert counted["n_records"] == 900
    assert 0 < initial["n_records"] < 900


def test_the_command_takes_a_stage(tmp_path: Path) -> None:
    path = tmp_path / "late"
    late(directory=path)
    words = ["compare", str(path), "--learners", "bayes", "last", "--stage", "final", "--json"]
    out = CliRunner().invoke(app, words)
    assert out.exit_code == 0, out.output
    assert json.loads(out.output)["stage"] == "final"


def test_what_cannot_be_compared_is_refused(tmp_path: Path) -> None:
    run = late()
    with pytest.raises(pq.InputError, match="must be one of initial, final"):
        run.compare("bayes", "last", stage="psi_2")
    with pytest.raises(pq.InputError, match="needs a run with late labels"):
        pq.evaluate(stream(), ["naive_bayes", "no_change"]).compare(stage="final")
    with pytest.raises(pq.InputError, match="pairs=True"):
        late(pairs=False).compare("bayes", "last")
    with pytest.raises(pq.InputError, match="into one run"):
        pq.compare(run, late(), learners=("bayes", "last"))
    with pytest.raises(pq.InputError, match="accuracy_final"):
        pq.compare([run, run], stage="final")  # type: ignore[call-overload]  # a stage is refused
    with pytest.raises(pq.InputError, match=r"leave out loss='brier'"):
        run.compare("bayes", "last", loss="brier")
    with pytest.raises(pq.InputError, match="not counted under sliding:7"):
        run.compare("bayes", "last", forgetting="sliding:7")
