"""E-values: what is refused, and p-values that never rise."""

from __future__ import annotations

import numpy as np
import pytest

from prequential.comparisons.e_process import anytime_p_value, log_e_value
from prequential.errors import ParameterError


@pytest.mark.parametrize(("n01", "n10"), [([3, -1], [1, 1]), ([3, 1], [1, -0.5])])
def test_counts_below_0_are_refused(n01: list[float], n10: list[float]) -> None:
    with pytest.raises(ParameterError, match="counts of at least 0"):
        log_e_value(n01, n10)


@pytest.mark.parametrize("prior", [0, -1.0, float("nan")])
def test_a_prior_must_be_positive(prior: float) -> None:
    with pytest.raises(ParameterError, match="'prior' parameter of log_e_value"):
        log_e_value([1], [1], prior=prior)


def test_a_p_value_never_rises_and_is_at_most_1() -> None:
    log_e = np.random.default_rng(1).normal(0.0, 2.0, (3, 50)).cumsum(axis=-1)
    p = anytime_p_value(log_e)
    assert (p <= 1).all()
    assert (p > 0).all()
    assert (np.diff(p, axis=-1) <= 0).all()
    assert anytime_p_value(np.array([-5.0, -1.0])).tolist() == [1.0, 1.0]
