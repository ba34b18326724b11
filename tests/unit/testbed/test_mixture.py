"""Densities, posteriors and records of mixtures, against SciPy and a twin that takes one record at a time."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy import stats
from twins.mixture import joint, state

from prequential.errors import InputError, ParameterError, PlanError
from prequential.testbed.gaussian import Gaussian
from prequential.testbed.mixture import Mixture
from prequential.testbed.mixture_model import MixtureClass
from prequential.testbed.toml import mixture_of, nine
from prequential.testbed.toml_text import table_of
from prequential.testbed.transform import Transform

EVERYTHING: dict[str, Any] = {
    "n_records": 1000,
    "class": [
        {
            "name": "A",
            "weight": 2.0,
            "gaussian": [
                {
                    "centre": [0.0, 1.0, 2.0],
                    "variances": [2.0, 1.0, 0.5],
                    "rotation": [[0, 1, 30.0], [1, 2, -50.0]],
                    "weight": 0.3,
                    "transform": [
                        {"begin": 10, "end": 200, "move": [1.0, 2.0, 3.0], "rotate": [[0, 2, 90.0]], "scale": 3.0},
                        {"begin": 200, "weight": 0.7},
                        {
                            "begin": 300,
                            "end": 900,
                            "turn": [[1, 2, 270.0]],
                            "about": [0.0, 1.0, -1.0],
                            "move": [1, 0, 0],
                        },
                    ],
                },
                {"centre": [3.0, 0.0, 0.0], "variances": [1.0, 1.0, 1.0], "start": 500},
            ],
        },
        {
            "name": "B",
            "gaussian": [
                {
                    "centre": [1.0, -1.0, 0.0],
                    "variances": [1.0, 2.0, 3.0],
                    "transform": [{"begin": 0, "end": 999, "scale": [0.5, 2.0, 1.0], "weight": 0.0}],
                }
            ],
        },
    ],
}
"""Every kind of change, in three dimensions."""
TABLES = {"everything": EVERYTHING, **{name: table_of(one) for name, one in nine().items()}}


def two(**changes: Any) -> Mixture:
    """Two unit Gaussians, 2 apart."""
    return Mixture(
        classes=[MixtureClass("A", [Gaussian([-1, 0], [1, 1])]), MixtureClass("B", [Gaussian([1, 0], [1, 1])])],
        **{"n_records": 100, **changes},
    )


@pytest.mark.parametrize("name", TABLES)
def test_density_and_posterior_are_those_of_the_twin(name: str) -> None:
    mixture = mixture_of(TABLES[name])
    rng = np.random.default_rng(3)
    at = np.concatenate(
        [rng.integers(0, mixture.n_records, 40), [0, mixture.n_records - 1, 499, 500, 5000, 12.5, 450.25]]
    )
    at = at[at < mixture.n_records]
    X, _ = mixture.sample(at, seed=3)
    X[::5] += rng.normal(size=X[::5].shape) * 3
    expected = np.array([joint(TABLES[name], x, t) for x, t in zip(X, at, strict=True)])
    np.testing.assert_allclose(np.exp(mixture.log_joint(X, at)), expected, rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(mixture.density(X, at), expected.sum(axis=1), rtol=1e-9)
    np.testing.assert_allclose(
        mixture.posterior(X, at), expected / expected.sum(axis=1, keepdims=True), rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("name", TABLES)
def test_weights_centres_and_covariances_are_those_of_the_twin(name: str) -> None:
    mixture = mixture_of(TABLES[name])
    tables = [gaussian for one in TABLES[name]["class"] for gaussian in one["gaussian"]]
    at = np.linspace(0, mixture.n_records, 57)
    for gaussian, table in zip(mixture.gaussians, tables, strict=True):
        expected = [state(table, t) for t in at]
        np.testing.assert_allclose(gaussian.weights(at), [weight for weight, _, _ in expected], atol=1e-12)
        np.testing.assert_allclose(gaussian.centres(at), [centre for _, centre, _ in expected], atol=1e-12)
        np.testing.assert_allclose(gaussian.covariances(at), [cov for _, _, cov in expected], atol=1e-12)


@pytest.mark.parametrize("name", [name for name in TABLES if name not in ("everything", "NSGT-5D")])
@pytest.mark.parametrize("at", [0, 3000, 5000, 10_000])
def test_the_density_integrates_to_one(name: str, at: int) -> None:
    """By sums over a grid, exact for Gaussians except for the part outside."""
    mixture = nine()[name]
    centres = np.concatenate([gaussian.centres([at]) for gaussian in mixture.gaussians])
    low, high = centres.min(axis=0) - 20, centres.max(axis=0) + 20
    axes = [np.arange(a, b, 0.2) for a, b in zip(low, high, strict=True)]
    points = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    assert mixture.density(points, at).sum() * 0.2**2 == pytest.approx(1, abs=1e-8)
    joints = np.exp(mixture.log_joint(points, at)).sum(axis=0) * 0.2**2
    np.testing.assert_allclose(joints, mixture.priors(at)[0], atol=1e-8)


@pytest.mark.parametrize("name", TABLES)
def test_records_along_any_direction_are_distributed_as_the_model_says(name: str) -> None:
    """Kolmogorov–Smirnov tests of projections onto random directions, at a few times."""
    mixture = mixture_of(TABLES[name])
    rng = np.random.default_rng(7)
    for k, at in enumerate(np.linspace(0, mixture.n_records - 1, 5)):
        X, _ = mixture.sample(np.full(20_000, at), seed=11, first=k * 20_000)
        direction = rng.normal(size=mixture.n_features)
        means = [float(g.centres([at])[0] @ direction) for g in mixture.gaussians]
        spreads = [float(np.sqrt(direction @ g.covariances([at])[0] @ direction)) for g in mixture.gaussians]

        def cdf(x: Any, at: float = at, means: Any = means, spreads: Any = spreads) -> Any:
            parts = zip(mixture.shares(at)[0], means, spreads, strict=True)
            return sum(share * stats.norm.cdf(x, mean, spread) for share, mean, spread in parts)

        assert stats.kstest(X @ direction, cdf).pvalue > 0.001


@pytest.mark.parametrize("name", TABLES)
def test_classes_have_their_shares_in_every_window(name: str) -> None:
    mixture = mixture_of(TABLES[name])
    at = np.arange(mixture.n_records)
    priors = mixture.priors(at)
    counts = np.zeros((len(at), len(mixture.classes)))
    for seed in range(20):
        _, y = mixture.sample(at, seed=seed)
        counts[at, y] += 1
    for window in np.array_split(at, 10):
        for c in range(len(mixture.classes)):
            p = priors[window, c]
            sigma = np.sqrt(20 * (p * (1 - p)).sum())
            assert abs(counts[window, c].sum() - 20 * p.sum()) <= 5 * sigma


def test_labels_given_the_features_follow_the_posterior() -> None:
    """Among records whose posterior of a class is about p, a share of about p has its label."""
    mixture = nine()["NSCX"]
    at = np.arange(10_001)
    found = [mixture.sample(at, seed=seed) for seed in range(30)]
    posterior = np.concatenate([mixture.posterior(X, at)[:, 1] for X, _ in found])
    y = np.concatenate([y for _, y in found])
    edges = np.linspace(0, 1, 11)
    for low, high in pairwise(edges):
        here = (posterior >= low) & (posterior < high)
        p = posterior[here]
        assert abs(y[here].sum() - p.sum()) <= 4 * np.sqrt((p * (1 - p)).sum())


def test_a_record_far_from_everything_still_has_a_posterior() -> None:
    posterior = two().posterior([[1e6, 0], [-1e6, 3], [0, 1e8]], 0)
    np.testing.assert_array_equal(posterior, [[0, 1], [1, 0], [0.5, 0.5]])


def test_a_class_without_weight_has_neither_records_nor_probability() -> None:
    gone = Gaussian([0, 0], [1, 1], transforms=[Transform(50, weight=0.0)])
    mixture = Mixture(classes=[MixtureClass("A", [gone]), MixtureClass("B", [Gaussian([0, 0], [1, 1])])], n_records=100)
    _, y = mixture.sample(np.arange(100), seed=1)
    assert 0 in y[:50]
    assert (y[50:] == 1).all()
    np.testing.assert_array_equal(mixture.posterior([[0, 0], [0, 0]], [49, 50]), [[0.5, 0.5], [0, 1]])


def test_a_gaussian_does_not_exist_before_its_start() -> None:
    late = MixtureClass("B", [Gaussian([0, 0], [1, 1], start=50)])
    mixture = Mixture(classes=[MixtureClass("A", [Gaussian([0, 0], [1, 1])]), late], n_records=100)
    np.testing.assert_array_equal(mixture.priors([0, 49, 50]), [[1, 0], [1, 0], [0.5, 0.5]])


def test_a_move_and_a_turn_about_a_point_are_applied() -> None:
    turning = Gaussian([3, 1], [1, 1], transforms=[Transform(0, 100, turn=90, about=[1, 1], move=[0, 10])])
    np.testing.assert_allclose(turning.centres([0, 100]), [[3, 1], [1, 13]], atol=1e-12)
    np.testing.assert_allclose(turning.centres([50]), [[1 + np.sqrt(2), 1 + np.sqrt(2) + 5]])
    np.testing.assert_array_equal(turning.covariances([50]), [np.eye(2)])


def test_transforms_are_put_into_their_order() -> None:
    one, other = Transform(0, 10, move=[1, 0]), Transform(10, 20, move=[0, 1])
    assert Gaussian([0, 0], [1, 1], transforms=[other, one]) == Gaussian([0, 0], [1, 1], transforms=[one, other])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Gaussian([0, 0], [1, 0]), "'variances' parameter of Gaussian must be numbers above 0"),
        (lambda: Gaussian([0, 0], [1, -2]), "positive definite"),
        (lambda: Gaussian([0, 0], [1, float("inf")]), "'variances' parameter of Gaussian must be a list of finite"),
        (lambda: Gaussian([0, float("nan")], [1, 1]), "'centre' parameter of Gaussian must be a list of finite"),
        (lambda: Gaussian([0, 0, 0], [1, 1]), "'variances' parameter of Gaussian must be 3 numbers, as 'centre' has"),
        (lambda: Gaussian([], []), "at least one dimension"),
        (lambda: Gaussian("ab", [1, 1]), "'centre' parameter"),  # type: ignore[arg-type]
        (lambda: Gaussian([0], [1], rotation=45), "in the plane of two of the 1 features"),
        (lambda: Gaussian([0, 0], [1, 1], rotation=[[0, 2, 45]]), "in the plane of two of the 2 features"),
        (lambda: Gaussian([0, 0], [1, 1], rotation="45"), "'rotation' parameter of Gaussian must be an angle"),  # type: ignore[arg-type]
        (lambda: Gaussian([0, 0], [1, 1], weight=-0.1), "'weight' parameter of Gaussian must be a finite number of"),
        (lambda: Gaussian([0, 0], [1, 1], start=-1), "'start' parameter"),
        (lambda: Gaussian([0, 0], [1, 1], transforms=[Transform(0, 5, move=[1, 2, 3])]), "must be 2 numbers"),
        (lambda: Gaussian([0, 0], [1, 1], transforms=[Transform(0, 5, scale=[1, 2, 3])]), "must be 2 numbers"),
        (
            lambda: Gaussian([0, 0], [1, 1], start=9, transforms=[Transform(8, 9)]),
            "at least 9, 'start' of its Gaussian",
        ),
        (
            lambda: Gaussian([0, 0], [1, 1], transforms=[Transform(0, 500), Transform(499, 600)]),
            "do not overlap. Got 'one of records 0–500 and one of 499–600'",
        ),
        (lambda: Gaussian([0, 0], [1, 1], transforms=[Transform(0, 99), Transform(50)]), "do not overlap"),
        (lambda: Transform(5, 4), "'end' parameter of Transform must be at least its 'begin', 5"),
        (lambda: Transform(0, 1, scale=0), "'scale' parameter"),
        (lambda: Transform(0, 1, weight=-1), "'weight' parameter of Transform"),
        (lambda: Transform(0, 1, about=[0, 0]), "omitted unless 'turn' is given"),
        (lambda: Transform(0, 1, turn=float("nan")), "'turn' parameter"),
        (lambda: MixtureClass("", [Gaussian([0], [1])]), "'name' parameter"),
        (lambda: MixtureClass("A", []), "at least one Gaussian"),
        (lambda: Mixture(classes=[], n_records=10), "at least one MixtureClass"),
        (lambda: two(n_records=0), "'n_records' parameter of Mixture must be a whole number of at least 1"),
        (lambda: Mixture(classes=[two().classes[0], two().classes[0]], n_records=10), "distinct names"),
        (
            lambda: Mixture(
                classes=[two().classes[0], MixtureClass("C", [Gaussian([0, 0, 0], [1, 1, 1])])], n_records=10
            ),
            "of one dimension. Got [2, 3]",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_what_is_accepted(make: Any, message: str) -> None:
    with pytest.raises(ParameterError) as refused:
        make()
    assert message in str(refused.value)


def test_several_faults_are_reported_together() -> None:
    with pytest.raises(PlanError) as refused:
        Gaussian([0, 0], [1, -1], weight=-1, rotation="x")  # type: ignore[arg-type]
    assert len(refused.value.faults) == 3


@pytest.mark.parametrize(
    ("gaussians", "when"),
    [
        ([Gaussian([0], [1], weight=0.0)], 0),
        ([Gaussian([0], [1], start=10)], 0),
        ([Gaussian([0], [1], transforms=[Transform(20, 60, weight=0.0)])], 60),
        ([Gaussian([0], [1], transforms=[Transform(20, weight=0.0)]), Gaussian([0], [1], start=25)], 20),
        ([Gaussian([0], [1], weight=0, transforms=[Transform(0, 99, weight=1.0)])], 0),
    ],
)
def test_a_time_at_which_nothing_has_a_weight_is_named(gaussians: list[Gaussian], when: int) -> None:
    with pytest.raises(InputError, match=rf"At record {when} all weights are 0"):
        Mixture(classes=[MixtureClass("A", gaussians)], n_records=100)


def test_weight_may_be_zero_after_the_end() -> None:
    Mixture(
        classes=[MixtureClass("A", [Gaussian([0], [1], transforms=[Transform(50, 100, weight=0.0)])])], n_records=100
    )


def test_features_and_times_must_fit() -> None:
    with pytest.raises(ParameterError, match="a matrix with 2 columns"):
        two().density([[0.0, 0.0, 0.0]], 0)
    with pytest.raises(ParameterError, match="one for each of 2 records"):
        two().posterior([[0, 0], [1, 1]], [1, 2, 3])
    with pytest.raises(ParameterError, match="'at' parameter"):
        two().priors(float("nan"))
