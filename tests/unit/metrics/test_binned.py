"""The parameters of metrics by bin."""

from __future__ import annotations

import math
from typing import Any

import pytest

from prequential.errors import ParameterError
from prequential.metrics.binned import Binned


@pytest.mark.parametrize("alpha", [0.99, 0, -2, math.inf, math.nan, "two", [], [1, 0.5], [2, None]])
def test_alpha_is_a_finite_number_of_at_least_1(alpha: Any) -> None:
    with pytest.raises(ParameterError, match="The 'psi_alpha' parameter of Delayed must be"):
        Binned.checked(10, alpha, "Delayed")


def test_alphas_that_read_the_same_are_refused_and_equal_ones_are_one() -> None:
    assert Binned.checked(10, [1, 2.0, 2], "Delayed") == Binned(10, (1.0, 2.0))
    with pytest.raises(ParameterError, match="differ in their first six digits"):
        Binned.checked(10, [2, 2.0000001], "Delayed")


@pytest.mark.parametrize("bins", [0, 10_001, 1.5, "many"])
def test_there_are_1_to_10000_bins(bins: Any) -> None:
    with pytest.raises(ParameterError, match="The 'bins' parameter of Delayed must be"):
        Binned.checked(bins, 2, "Delayed")
    assert Binned.checked(10_000, 1, "Delayed").bins == 10_000
