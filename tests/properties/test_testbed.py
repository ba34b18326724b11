"""Random mixtures: records and posterior depend only on seed and index."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from prequential.testbed.gaussian import Gaussian
from prequential.testbed.mixture import Mixture
from prequential.testbed.mixture_model import MixtureClass
from prequential.testbed.mixture_stream import MixtureStream
from prequential.testbed.transform import Transform

N = 120
small = st.floats(-3, 3, allow_nan=False).map(lambda x: round(x, 3))
positive = st.floats(0.05, 4).map(lambda x: round(x, 3))
angle = st.floats(-720, 720).map(lambda x: round(x, 1))


@st.composite
def planes(draw: Any, n: int) -> list[tuple[int, int, float]]:
    if n == 1:
        return []
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda p: p[0] != p[1])
    return [(*draw(pairs), draw(angle)) for _ in range(draw(st.integers(0, 2)))]


@st.composite
def transforms(draw: Any, n: int, start: int) -> list[Transform]:
    edges = sorted(draw(st.lists(st.integers(start, N + 20), min_size=0, max_size=6)))
    return [
        Transform(
            begin,
            end,
            move=draw(st.lists(small, min_size=n, max_size=n)),
            rotate=draw(planes(n)),
            turn=draw(planes(n)),
            scale=draw(positive),
            weight=draw(st.none() | positive),
        )
        for begin, end in zip(edges[::2], edges[1::2], strict=False)
    ]


@st.composite
def gaussians(draw: Any, n: int, *, from_start: bool) -> Gaussian:
    start = 0 if from_start else draw(st.integers(0, N))
    return Gaussian(
        draw(st.lists(small, min_size=n, max_size=n)),
        draw(st.lists(positive, min_size=n, max_size=n)),
        rotation=draw(planes(n)),
        weight=draw(positive),
        start=start,
        transforms=draw(transforms(n, start)),
    )


@st.composite
def mixtures(draw: Any) -> Mixture:
    n = draw(st.integers(1, 4))
    classes = []
    for c in range(draw(st.integers(1, 3))):
        parts = [draw(gaussians(n, from_start=k == 0)) for k in range(draw(st.integers(1, 3)))]
        classes.append(MixtureClass(f"c{c}", parts, weight=draw(positive)))
    return Mixture(classes=classes, n_records=N)


@settings(max_examples=40, deadline=None)
@given(mixtures(), st.integers(0, 2**64 - 1), st.integers(1, N + 5), st.integers(0, N - 1))
def test_records_and_truth_do_not_depend_on_chunks_or_order(mixture: Mixture, seed: int, size: int, start: int) -> None:
    stream = MixtureStream(mixture, seed=seed)
    (whole,) = stream.chunks(N)
    truth = stream.posterior(whole.X, np.arange(N))
    for chunk in reversed(list(stream.chunks(size, start))):
        here = slice(chunk.start, chunk.start + len(chunk))
        np.testing.assert_array_equal(chunk.X, whole.X[here])
        np.testing.assert_array_equal(chunk.y, whole.y[here])
        np.testing.assert_array_equal(stream.posterior(chunk.X, np.arange(N)[here]), truth[here])
    shuffled = np.random.default_rng(0).permutation(N)
    np.testing.assert_array_equal(stream.posterior(whole.X[shuffled], shuffled), truth[shuffled])


@settings(max_examples=40, deadline=None)
@given(mixtures(), st.integers(0, 2**32))
def test_posteriors_sum_to_one_and_densities_are_sums_of_joints(mixture: Mixture, seed: int) -> None:
    at = np.arange(N)
    X, y = mixture.sample(at, seed=seed)
    posterior = mixture.posterior(X, at)
    np.testing.assert_allclose(posterior.sum(axis=1), 1, atol=1e-12)
    assert (posterior[at, y] > 0).all(), "what was drawn is possible"
    np.testing.assert_allclose(mixture.density(X, at), np.exp(mixture.log_joint(X, at)).sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(mixture.priors(at).sum(axis=1), 1, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(mixtures(), st.integers(0, 2**32))
def test_the_order_of_classes_changes_codes_only(mixture: Mixture, seed: int) -> None:
    X, _ = mixture.sample(np.arange(N), seed=seed)
    turned = Mixture(classes=mixture.classes[::-1], n_records=N)
    np.testing.assert_allclose(
        turned.posterior(X, np.arange(N))[:, ::-1], mixture.posterior(X, np.arange(N)), rtol=1e-9, atol=1e-15
    )
