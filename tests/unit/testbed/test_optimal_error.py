"""Optimal errors: against closed forms, against each other, and as curves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from prequential.errors import ParameterError
from prequential.testbed.gaussian import Gaussian
from prequential.testbed.mixture import Mixture
from prequential.testbed.mixture_model import MixtureClass
from prequential.testbed.optimal_error import optimal_error
from prequential.testbed.toml import nine
from prequential.testbed.transform import Transform


def pair(distance: float, degrees: float = 0.0, n: int = 2, weights: tuple[float, float] = (1, 1)) -> Mixture:
    """Two unit Gaussians at a distance, along a direction."""
    half = distance / 2 * np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), *[0.0] * n])[:n]
    classes = [
        MixtureClass(name, [Gaussian(sign * half, np.ones(n))], weight=weight)
        for name, sign, weight in zip("AB", (-1, 1), weights, strict=True)
    ]
    return Mixture(classes=classes, n_records=1000)


@pytest.mark.parametrize("distance", [0.5, 2.0, 4.0])
@pytest.mark.parametrize("degrees", [0, 10, 31.7, 45, 90])
def test_the_integral_of_two_gaussians_is_known_in_any_direction(distance: float, degrees: float) -> None:
    """Φ(−distance/2), also if the boundary runs along the points of the grid."""
    found = optimal_error(pair(distance, degrees), at=0)
    assert found.mean == pytest.approx(stats.norm.cdf(-distance / 2), abs=1e-5)
    assert abs(found.mean - stats.norm.cdf(-distance / 2)) <= found.mean_standard_error


def test_unequal_weights_move_the_boundary() -> None:
    """At x = log(3)/2 the weighted densities of N(−1, 1) and N(1, 1) are equal."""
    cut = np.log(3) / 2
    expected = 0.75 * stats.norm.sf(cut, -1) + 0.25 * stats.norm.cdf(cut, 1)
    assert optimal_error(pair(2, 20, weights=(3, 1)), at=0).mean == pytest.approx(expected, abs=1e-5)
    assert optimal_error(pair(2, n=1, weights=(3, 1)), at=0).mean == pytest.approx(expected, abs=1e-8)


def test_three_classes_of_unequal_shape_agree_with_a_plain_sum_of_scipys_densities() -> None:
    shapes = [([0, 0], [1, 0.2], 20), ([1, 1], [0.5, 0.5], 0), ([2, -1], [3, 0.4], 70)]
    classes = [MixtureClass(n, [Gaussian(c, v, rotation=r)]) for n, (c, v, r) in zip("ABC", shapes, strict=True)]
    mixture = Mixture(classes=classes, n_records=10)
    step = 0.0137
    points = np.stack(np.meshgrid(np.arange(-9, 13, step), np.arange(-9, 8, step)), axis=-1)
    densities = []
    for centre, variances, degrees in shapes:
        cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        axes = np.array([[cos, -sin], [sin, cos]])
        densities.append(stats.multivariate_normal(centre, axes @ np.diag(variances) @ axes.T).pdf(points) / 3)
    expected = (np.sum(densities, axis=0) - np.max(densities, axis=0)).sum() * step**2
    found = optimal_error(mixture, at=0)
    assert found.mean == pytest.approx(expected, abs=2e-5)


@pytest.mark.parametrize("name", ["NSLC", "NSPC", "NSCX"])
def test_integral_and_sample_agree(name: str) -> None:
    at = [0, 2500, 5000, 9000]
    exact = optimal_error(nine()[name], at)
    sampled = optimal_error(nine()[name], at, method="sample", n=50_000)
    np.testing.assert_array_less(np.abs(exact.error - sampled.error), 4 * sampled.standard_error + 1e-5)
    assert exact.method == "integrate"
    assert sampled.mean == pytest.approx(sampled.error.mean())


def test_a_standard_error_is_the_spread_of_repeated_samples() -> None:
    found = [optimal_error(pair(2), at=0, method="sample", n=500, seed=seed) for seed in range(200)]
    spread = np.std([one.mean for one in found], ddof=1)
    expected = np.mean([one.mean_standard_error for one in found])
    assert spread / expected == pytest.approx(1, abs=4 / np.sqrt(2 * 199))


def test_five_dimensions_are_sampled() -> None:
    """The centres of NSGT-5D stay 3.15 apart: Φ(−3.15/2)."""
    found = optimal_error(nine()["NSGT-5D"])
    assert found.method == "sample"
    assert abs(found.mean - stats.norm.cdf(-3.15 / 2)) < 4 * found.mean_standard_error
    assert found.mean_standard_error < 3e-4


def test_the_mean_over_a_stream_is_that_over_all_its_records() -> None:
    """In one dimension, at every record, with jumps, appearances and parts of a single record."""
    moves = [Transform(0, 99, move=[1.0]), Transform(100, move=[-1.0]), Transform(101, 250, weight=0.2)]
    classes = [
        MixtureClass("A", [Gaussian([0], [1], transforms=moves)]),
        MixtureClass("B", [Gaussian([2], [0.5]), Gaussian([-3], [1], start=180)]),
    ]
    mixture = Mixture(classes=classes, n_records=300)
    every = optimal_error(mixture, np.arange(300))
    found = optimal_error(mixture)
    assert len(found.at) < 150
    assert found.mean == pytest.approx(every.mean, abs=1e-6)
    assert abs(found.mean - every.mean) <= found.mean_standard_error + 1e-9


def test_a_stream_that_stands_still_has_one_error() -> None:
    found = optimal_error(pair(2))
    np.testing.assert_allclose(found.error, found.mean, atol=1e-12)


def test_a_gaussian_without_weight_costs_nothing() -> None:
    """NSCX starts with class A alone."""
    assert optimal_error(nine()["NSCX"], at=0).mean == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "guess"}, "'integrate' or 'sample'"),
        ({"n": 1, "method": "sample"}, "'n' parameter"),
        ({"at": []}, "one or more times"),
        ({"at": -1}, "of at least 0"),
        ({"at": float("inf")}, "'at' parameter"),
    ],
)
def test_bad_settings_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        optimal_error(pair(2), **options)


def test_a_grid_in_five_dimensions_is_refused() -> None:
    with pytest.raises(ParameterError, match="'sample' in 5 dimensions"):
        optimal_error(nine()["NSGT-5D"], method="integrate")
    with pytest.raises(ParameterError, match="a Mixture"):
        optimal_error("NSGT")  # type: ignore[arg-type]
