"""Generators with a known posterior: the error of the likeliest label is the Bayes error."""

from __future__ import annotations

import numpy as np
import pytest

import prequential as pq
from prequential import streams
from prequential.streams import Generator

KNOWN: dict[str, Generator] = {
    **{f"SEA {c}": streams.SEA(c, noise=0.1, seed=5) for c in (1, 2, 3, 4)},
    **{f"Sine {c}": streams.Sine(c, seed=5) for c in (1, 2, 3, 4)},
    **{f"Mixed {c}": streams.Mixed(c, seed=5) for c in (1, 2)},
    **{f"STAGGER {c}": streams.STAGGER(c, seed=5) for c in (1, 2, 3)},
    "LED": streams.LED(seed=5),
    "LED of 7, much noise": streams.LED(n_features=7, noise=0.3, seed=5),
    "LED, drifting": streams.LED(n_drifting=4, seed=5),
    "LED, drifting elsewhere": streams.LED(n_drifting=7, model_seed=3, seed=5),
    "LED without noise": streams.LED(noise=0.0, seed=5),
    "Hyperplane": streams.Hyperplane(n_features=13, seed=5),
    "RandomTree": streams.RandomTree(n_classes=3, seed=5),
    "RandomTree of numbers": streams.RandomTree(n_nominal=0, max_depth=8, seed=5),
    "RotatingGaussian": streams.RotatingGaussian(period=777, seed=5),
    "RotatingGaussian at rest": streams.RotatingGaussian(period=None, spread=2.0, seed=5),
}
N = 200_000


@pytest.mark.parametrize("name", KNOWN)
def test_the_likeliest_label_is_wrong_as_often_as_the_bayes_error_says(name: str) -> None:
    stream = KNOWN[name]
    chunk = next(stream.chunks(N))
    truth = stream.posterior(chunk.X, np.arange(N))
    assert truth is not None
    assert stream.bayes_error is not None
    np.testing.assert_allclose(truth.sum(axis=1), 1, atol=1e-12)
    p = stream.bayes_error
    wrong = (truth.argmax(axis=1) != chunk.y).mean()
    assert abs(wrong - p) <= 4 * np.sqrt(p * (1 - p) / N), f"{wrong}, not {p}"
    expected = (1 - truth.max(axis=1)).mean()
    assert abs(expected - p) <= 4 * (1 - truth.max(axis=1)).std() / np.sqrt(N) + 1e-12


@pytest.mark.parametrize("name", ["LED", "RotatingGaussian", "SEA 1", "Hyperplane"])
def test_labels_come_as_often_as_the_posterior_says(name: str) -> None:
    """Among records with a class probability of about p, a share of about p has that label."""
    stream = KNOWN[name]
    chunk = next(stream.chunks(N))
    truth = stream.posterior(chunk.X, np.arange(N))
    assert truth is not None
    for c in range(min(3, truth.shape[1])):
        for low in np.arange(0, 1, 0.1):
            here = (truth[:, c] >= low) & (truth[:, c] < low + 0.1)
            p = truth[here, c]
            assert abs((chunk.y[here] == c).sum() - p.sum()) <= 5 * np.sqrt((p * (1 - p)).sum()) + 1e-9


@pytest.mark.parametrize("name", KNOWN)
def test_the_truth_of_a_record_does_not_depend_on_its_company(name: str) -> None:
    stream = KNOWN[name]
    chunk = next(stream.chunks(50, 700))
    whole = stream.posterior(chunk.X, np.arange(700, 750))
    assert whole is not None
    alone = [stream.posterior(chunk.X[i : i + 1], 700 + i) for i in range(50)]
    np.testing.assert_array_equal(np.concatenate([one for one in alone if one is not None]), whole)


@pytest.mark.parametrize(
    "stream",
    [streams.Hyperplane(speed=0.01), streams.Agrawal(), streams.RandomRBF(), streams.Waveform()],
    ids=lambda one: one.name,
)
def test_an_unknown_posterior_is_none(stream: Generator) -> None:
    assert stream.posterior(next(stream.chunks(5)).X, np.arange(5)) is None
    with pytest.raises(pq.InputError, match=f"the true class probabilities of {stream.name} are not known"):
        pq.evaluate(stream.take(10), pq.testbed.Optimal())


def test_a_plane_that_cannot_move_stands_still() -> None:
    stream = streams.Hyperplane(speed=0.1, n_drifting=0)
    assert stream.posterior(next(stream.chunks(5)).X, 0) is not None


def test_the_optimum_of_a_generator_can_be_evaluated() -> None:
    stream = streams.SEA(3, noise=0.0).drift_to(streams.SEA(4, noise=0.0, seed=2), at=1000).take(2000)
    run = pq.evaluate(stream, pq.testbed.Optimal(), metrics="accuracy")
    assert run.table().to_dicts()[0]["value"] == 1


def test_a_display_that_no_digit_shows_has_no_truth() -> None:
    truth = streams.LED(n_features=7, noise=0.0).posterior(np.zeros((1, 7)), 0)
    np.testing.assert_array_equal(truth, np.zeros((1, 10)))


def test_a_value_that_a_nominal_feature_does_not_have_leads_nowhere_unsafe() -> None:
    stream = streams.RandomTree()
    X = np.full((4, 10), 99.0)
    X[1], X[2] = -5, np.nan
    assert stream.posterior(X, 0).sum() == 4
