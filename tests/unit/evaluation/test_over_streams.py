"""Compare several learners over several runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.runs import entry, failed, make_run

import prequential as pq
from prequential.evaluation.run import Run

LEARNERS = ("tree", "bayes", "sgd")


def run(
    path: Path, values: tuple[float, ...], name: str = "", learners: tuple[str, ...] = LEARNERS, **changes: Any
) -> Run:
    points = {
        (learner, forgetting, metric): [(1000, value - 0.1), (2000, value + shift)]
        for learner, value in zip(learners, values, strict=True)
        for forgetting, shift in (("cumulative", 0.0), ("sliding:500", 0.02))
        for metric in ("accuracy", "error")
    }
    return Run(make_run(path, points, name=name or path.name, **changes))


@pytest.fixture
def runs(tmp_path: Path) -> list[Run]:
    rng = np.random.default_rng(1)
    return [run(tmp_path / f"s{i}", tuple(rng.random(3) * 0.2 + [0.7, 0.6, 0.5])) for i in range(8)]


def test_runs_are_ranked_by_their_last_checkpoint_over_all_history(runs: list[Run]) -> None:
    ranking = pq.compare(runs).ranking
    assert ranking.learners == LEARNERS
    assert ranking.streams == tuple(f"s{i}" for i in range(8))
    assert (ranking.metric, ranking.better) == ("accuracy", "higher")
    frame = runs[3].to_pandas()
    last = frame[(frame.n == 2000) & (frame.forgetting == "cumulative") & (frame.metric == "accuracy")]
    np.testing.assert_array_equal(ranking.values[3], last.value)


def test_metric_forgetting_and_mean_can_be_chosen(runs: list[Run]) -> None:
    end = pq.compare(runs).ranking.values
    chosen = pq.compare(runs, metric="error", forgetting="sliding:500", at="mean").ranking
    assert (chosen.metric, chosen.better) == ("error", "lower")
    np.testing.assert_allclose(chosen.values, end + (0.02 - 0.1) / 2)


def test_some_learners_can_be_chosen_in_any_order(runs: list[Run]) -> None:
    assert pq.compare(runs, learners=["sgd", "tree"]).ranking.learners == ("sgd", "tree")


def test_paths_and_names_of_streams_are_accepted(runs: list[Run]) -> None:
    named = pq.compare({f"stream {i}": str(r.path) for i, r in enumerate(runs)}).ranking
    assert named.streams[0] == "stream 0"
    np.testing.assert_array_equal(named.values, pq.compare(runs).ranking.values)


def test_runs_of_streams_with_the_same_name_are_numbered(tmp_path: Path) -> None:
    made = [run(tmp_path / f"s{i}", (0.9, 0.8, 0.7 - i / 100), name="SEA") for i in range(3)]
    assert pq.compare(made).ranking.streams == ("SEA", "SEA (2)", "SEA (3)")


def test_the_same_stream_twice_is_refused(tmp_path: Path) -> None:
    """Copies would count as evidence: eight of them give p < 0.0001."""
    made = run(tmp_path / "one", (0.9, 0.8, 0.7), name="SEA")
    with pytest.raises(pq.InputError, match="it would count twice"):
        pq.compare([made] * 8)


def test_an_unknown_metric_gets_a_suggestion(runs: list[Run]) -> None:
    with pytest.raises(pq.InputError, match="Did you mean"):
        pq.compare(runs, metric="acuracy")


def test_different_learners_are_refused_with_all_differences(runs: list[Run], tmp_path: Path) -> None:
    other = run(tmp_path / "other", (0.9, 0.8), learners=("tree", "forest"))
    with pytest.raises(pq.InputError) as caught:
        pq.compare([*runs, other])
    for part in ("has no learner 'bayes'", "has no learner 'sgd'", "also has 'forest'"):
        assert part in str(caught.value)


def test_failed_learners_and_runs_that_are_not_complete_are_refused(runs: list[Run], tmp_path: Path) -> None:
    learners = {"tree": entry(), "bayes": failed(), "sgd": entry()}
    directory = run(tmp_path / "broken", (0.9, 0.8, 0.7)).directory
    directory.write_manifest(replace(directory.manifest, learners=learners, status="failed"))
    with pytest.raises(pq.InputError, match="'bayes' failed in"):
        pq.compare([*runs, Run(directory)])
    assert pq.compare([*runs, Run(directory)], learners=["tree", "sgd"]).ranking.friedman.n_streams == 9
    directory.write_manifest(replace(directory.manifest, status="partial"))
    with pytest.raises(pq.InputError, match=r"Only complete runs can be compared: .*broken is partial"):
        pq.compare([*runs, Run(directory)])


def test_an_undefined_result_is_refused_with_learner_and_stream(runs: list[Run], tmp_path: Path) -> None:
    undefined = run(tmp_path / "undefined", (0.9, float("nan"), 0.7))
    with pytest.raises(pq.InputError, match=r"accuracy \(cumulative\) of 'bayes' on 'undefined' is nan"):
        pq.compare([*runs, undefined])


def test_invalid_rankings_are_refused(runs: list[Run]) -> None:
    with pytest.raises(pq.InputError, match="at least 2 runs"):
        pq.compare(runs[:1])
    with pytest.raises(pq.InputError, match="metric may only be given with a list of runs"):
        pq.compare(runs[0], metric="kappa")  # type: ignore[call-overload]
    with pytest.raises(pq.InputError, match="no metric 'kappa'"):
        pq.compare(runs, metric="kappa")
    with pytest.raises(pq.InputError, match="no forgetting 'sliding:7'"):
        pq.compare(runs, forgetting="sliding:7")
    with pytest.raises(pq.ParameterError, match="'end' or 'mean'"):
        pq.compare(runs, at="last")  # type: ignore[call-overload]
    with pytest.raises(pq.InputError, match="at least 2 learners"):
        pq.compare(runs, learners=["tree"])


def test_a_custom_metric_needs_a_direction(tmp_path: Path) -> None:
    made = [
        Run(make_run(tmp_path / f"{i}", {(a, "cumulative", "gain"): [(10, i + len(a))] for a in ("x", "yy")}))
        for i in range(3)
    ]
    with pytest.raises(pq.InputError, match="better='higher' or better='lower'"):
        pq.compare(made, metric="gain")
    assert pq.compare(made, better="higher").ranking.friedman.mean_ranks == (2, 1)
