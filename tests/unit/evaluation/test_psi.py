"""Ψ for an α that was chosen after the run."""

from __future__ import annotations

import numpy as np
import pytest

import prequential as pq


def test_psi_of_another_alpha_is_that_of_a_run_with_it() -> None:
    late = pq.streams.SEA(seed=1).take(1500).delayed(100)
    learners = ["naive_bayes", "no_change"]
    protocol = pq.Delayed(bins=7, psi_alpha=[2, 5])
    run = pq.evaluate(late, learners, protocol=protocol, metrics=["accuracy", "kappa"], every=300)
    trace = run.to_arrow().to_pandas()
    for alpha in (2, 5):
        found = run.psi(alpha).to_arrow().to_pandas()
        assert len(found) == 2 * 2 * 2 * 5
        for row in found.to_dict("records"):
            ours = trace[trace["metric"] == f"{row['metric']}_psi_{alpha}"]
            for name in ("learner", "forgetting", "n"):
                ours = ours[ours[name] == row[name]]
            assert np.isclose(ours["value"].item(), row["value"], rtol=0, atol=1e-12, equal_nan=True)
    plain = run.psi(1).to_arrow().to_pandas()
    bins = run.delays.bins().to_arrow().to_pandas()
    first = plain.to_dict("records")[0]
    for name in ("learner", "forgetting", "metric", "n"):
        bins = bins[bins[name] == first[name]]
    assert first["value"] == pytest.approx(bins[bins["bin"] <= 7]["value"].mean(), abs=1e-12)


def test_bad_input_is_refused() -> None:
    late = pq.streams.SEA(seed=1).take(300).delayed(20)
    run = pq.evaluate(late, "no_change", protocol=pq.Delayed(bins=3), metrics="accuracy")
    for alpha in (0.5, float("inf"), "two", None):
        with pytest.raises(pq.ParameterError, match="at least 1"):
            run.psi(alpha)  # type: ignore[arg-type]
    plain = pq.evaluate(pq.streams.SEA(seed=1).take(300), "no_change")
    with pytest.raises(pq.InputError, match="needs a run with late labels"):
        plain.psi(2)
