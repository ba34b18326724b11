"""Every generator: records by index, shares and errors as in theory, and checked parameters."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats
from twins.generator import WAVES

import prequential as pq
from prequential import streams
from prequential.streams import Chunk, Generator
from prequential.streams.generators.led import SEGMENTS

STREAMS: dict[str, Callable[[], Generator]] = {
    "SEA": lambda: streams.SEA(seed=3),
    "LED": lambda: streams.LED(seed=3),
    "LED, drifting": lambda: streams.LED(n_drifting=7, seed=3),
    "Waveform": lambda: streams.Waveform(n_features=40, n_drifting=21, seed=3),
    "Hyperplane": lambda: streams.Hyperplane(seed=3),
    "Hyperplane, rotating": lambda: streams.Hyperplane(speed=0.001, seed=3),
    "RandomRBF": lambda: streams.RandomRBF(seed=3),
    "RandomRBF, moving": lambda: streams.RandomRBF(speed=0.01, seed=3),
    "RandomTree": lambda: streams.RandomTree(seed=3),
    "Agrawal": lambda: streams.Agrawal(seed=3),
    "STAGGER": lambda: streams.STAGGER(seed=3),
    "Sine": lambda: streams.Sine(seed=3),
    "Mixed": lambda: streams.Mixed(seed=3),
    "RotatingGaussian": lambda: streams.RotatingGaussian(seed=3),
}


def records(stream: pq.Stream, n: int, *, size: int = 4096) -> Chunk:
    """The first n records, read in chunks."""
    chunks = list(stream.take(n).chunks(size))
    X, y = np.concatenate([c.X for c in chunks]), np.concatenate([c.y for c in chunks])
    return Chunk(stream.schema, 0, X, y)


def assert_share(found: int, n: int, share: float) -> None:
    """A count is binomial; fixed seeds, so the result is always the same."""
    assert stats.binomtest(found, n, share).pvalue > 0.001, f"{found / n} of {n}, not {share}"


def noisy(share: float, noise: float) -> list[float]:
    """The shares of two classes after some labels were flipped."""
    first = share * (1 - noise) + (1 - share) * noise
    return [first, 1 - first]


@pytest.mark.parametrize("name", STREAMS)
def test_records_do_not_depend_on_chunks_or_on_what_was_skipped(name: str) -> None:
    whole = records(STREAMS[name](), 2500)
    for size in (1, 7, 1000):
        found = records(STREAMS[name](), 2500, size=size)
        np.testing.assert_array_equal(found.X, whole.X)
        np.testing.assert_array_equal(found.y, whole.y)
    for skip in (1, 999, 2345):
        found = records(STREAMS[name]().skip(skip), 100)
        np.testing.assert_array_equal(found.X, whole.X[skip : skip + 100])
        np.testing.assert_array_equal(found.y, whole.y[skip : skip + 100])


@pytest.mark.parametrize("name", STREAMS)
def test_two_readers_of_a_stream_do_not_disturb_each_other(name: str) -> None:
    stream = pickle.loads(pickle.dumps(STREAMS[name]()))
    one, other = stream.chunks(10), stream.chunks(10, 500)
    for start in (0, 10, 20):
        for reader, at in ((one, start), (other, start + 500)):
            chunk = next(reader)
            assert chunk.start == at
            np.testing.assert_array_equal(chunk.X, next(stream.chunks(10, at)).X)


@pytest.mark.parametrize("name", STREAMS)
def test_threads_that_read_parts_in_any_order_find_the_same_records(name: str) -> None:
    stream = STREAMS[name]()
    whole = records(stream, 4000)
    starts = [3000, 0, 2000, 1000] * 4
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda start: next(stream.chunks(1000, start)), starts))
    for start, part in zip(starts, parts, strict=True):
        np.testing.assert_array_equal(part.X, whole.X[start : start + 1000])
        np.testing.assert_array_equal(part.y, whole.y[start : start + 1000])


@pytest.mark.parametrize("name", STREAMS)
def test_another_seed_gives_other_records_of_the_same_schema(name: str) -> None:
    stream = STREAMS[name]()
    other = type(stream)(seed=4)  # type: ignore[call-arg]
    assert not np.array_equal(records(stream.take(50), 50).X[:, 0], records(other, 50).X[:, 0])
    drifting = type(stream)(seed=3).drift_to(other, at=100)  # type: ignore[call-arg]
    np.testing.assert_array_equal(records(drifting.skip(100), 50).X, records(other, 50).X)


@pytest.mark.parametrize("name", STREAMS)
def test_nominal_features_and_labels_are_codes_of_the_schema(name: str) -> None:
    stream = STREAMS[name]()
    chunk = records(stream, 5000)
    assert chunk.X.shape[1] == stream.schema.n_features
    assert set(chunk.y.tolist()) == set(range(stream.schema.n_classes)), "every class appears"
    for j, cardinality in enumerate(stream.schema.cardinalities):
        if cardinality:
            assert set(chunk.X[:, j].tolist()) == set(map(float, range(cardinality)))


@pytest.mark.parametrize("name", STREAMS)
def test_a_manifest_tells_all_settings(name: str) -> None:
    stream = STREAMS[name]()
    parameters = {key: value for key, value in stream.describe().items() if key not in ("name", "n_records")}
    again = type(stream)(**parameters)  # type: ignore[arg-type]  # of its class
    np.testing.assert_array_equal(records(again, 100).X, records(stream, 100).X)
    assert stream.describe()["name"] == type(stream).__name__


@pytest.mark.parametrize(
    ("stream", "shares"),
    [
        *((streams.SEA(k, noise=p), noisy(t**2 / 200, p)) for k, t in enumerate((8, 9, 7, 9.5), 1) for p in (0.0, 0.3)),
        (streams.LED(), [0.1] * 10),
        (streams.Waveform(), [1 / 3] * 3),
        (streams.Hyperplane(), [0.5] * 2),
        (streams.Hyperplane(speed=0.01, n_drifting=10, noise=0.2), [0.5] * 2),
        (streams.STAGGER(1), [8 / 9, 1 / 9]),
        (streams.STAGGER(2), [4 / 9, 5 / 9]),
        (streams.STAGGER(3), [1 / 3, 2 / 3]),
        (streams.Sine(1), [1 - math.cos(1), math.cos(1)]),
        (streams.Sine(2), [math.cos(1), 1 - math.cos(1)]),
        (streams.Sine(3), [0.5 + 0.2 / math.pi, 0.5 - 0.2 / math.pi]),
        (streams.Sine(4), [0.5 - 0.2 / math.pi, 0.5 + 0.2 / math.pi]),
        (streams.Mixed(1), [0.5 + 0.1 / math.pi, 0.5 - 0.1 / math.pi]),
        (streams.Mixed(2), [0.5 - 0.1 / math.pi, 0.5 + 0.1 / math.pi]),
        (streams.Agrawal(1), [41 / 61, 20 / 61]),
        (streams.Agrawal(2), [5 / 13, 8 / 13]),
        (streams.Agrawal(4), [5 / 13, 8 / 13]),
        (streams.Agrawal(5), [0.4, 0.6]),
        (streams.Agrawal(3), [(20 * 2 + 20 * 3 + 21 * 3) / 305, (20 * 3 + 20 * 2 + 21 * 2) / 305]),
        (streams.RotatingGaussian(), [0.5] * 2),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_classes_have_the_shares_of_theory(stream: Generator, shares: list[float]) -> None:
    n = 200_000
    counts = np.bincount(records(stream, n).y, minlength=len(shares))
    for count, share in zip(counts.tolist(), shares, strict=True):
        assert_share(count, n, share)


def test_segments_are_inverted_with_the_given_probability_and_the_others_are_irrelevant() -> None:
    n = 200_000
    chunk = records(streams.LED(noise=0.2), n)
    right = np.array([list(map(int, digit)) for digit in SEGMENTS])[chunk.y]
    for j in range(7):
        assert_share(int((chunk.X[:, j] != right[:, j]).sum()), n, 0.2)
    for j in range(7, 24):
        assert_share(int(chunk.X[:, j].sum()), n, 0.5)


def test_seven_drifting_segments_are_found_among_those_that_meant_nothing() -> None:
    chunk = records(streams.LED(noise=0.0, n_drifting=7), 20_000)
    means = np.array([chunk.X[chunk.y == 1][:, j].mean() for j in range(24)])
    assert ((means[:7] > 0.4) & (means[:7] < 0.6)).all()
    assert np.isin(means[7:], (0.0, 1.0)).sum() == 7


@pytest.mark.parametrize(
    "one", [streams.Waveform(n_drifting=21, model_seed=3), streams.LED(n_drifting=7, noise=0.0, model_seed=3)]
)
def test_the_model_seed_alone_decides_which_features_are_swapped(one: Generator) -> None:
    def profile(stream: Generator) -> npt.NDArray[np.float64]:
        chunk = records(stream, 20_000)
        return np.stack([chunk.X[chunk.y == k].mean(axis=0) for k in range(stream.schema.n_classes)])

    settings: dict[str, Any] = {name: getattr(one, name) for name in one.parameters}
    np.testing.assert_allclose(profile(one.reseeded(8)), profile(one), atol=0.12)
    other = type(one)(**{**settings, "model_seed": 4})
    assert np.abs(profile(other) - profile(one)).max() > 0.4


def led_errors(stream: Generator, n: int) -> int:
    chunk = records(stream, n)
    digits = np.array([list(map(int, digit)) for digit in SEGMENTS])
    distance = (chunk.X[:, np.newaxis, :7] != digits).sum(axis=2)
    return int((distance.argmin(axis=1) != chunk.y).sum())


def waveform_errors(stream: Generator, n: int) -> int:
    """The density of a class is that of the noise around every point between two waves, integrated along the line."""
    chunk = records(stream, n)
    X, scores = chunk.X[:, :21], []
    for a, b in ((0, 1), (0, 2), (1, 2)):
        way = np.array(WAVES[a]) - np.array(WAVES[b])
        length = float(np.linalg.norm(way))
        rest = X - np.array(WAVES[b])
        along = rest @ way / length
        across = (rest**2).sum(axis=1) - along**2
        scores.append(-across / 2 + np.log((stats.norm.cdf(length - along) - stats.norm.cdf(-along)) / length + 1e-300))
    return int((np.argmax(scores, axis=0) != chunk.y).sum())


def sea_errors(stream: Generator, n: int) -> int:
    chunk = records(stream, n)
    return int(((chunk.X[:, 0] + chunk.X[:, 1] > 8) != chunk.y).sum())


def hyperplane_errors(stream: Generator, n: int) -> int:
    """Noise changes only labels, so the rule is that of the records without noise."""
    right = records(streams.Hyperplane(noise=0.0, speed=0.001), n)
    chunk = records(stream, n)
    np.testing.assert_array_equal(right.X, chunk.X)
    return int((right.y != chunk.y).sum())


def gaussian_errors(stream: Generator, n: int) -> int:
    chunk = records(stream, n)
    angle = 2 * np.pi * np.arange(n) / 1000
    side = chunk.X[:, 0] * np.cos(angle) + chunk.X[:, 1] * np.sin(angle)
    return int(((side < 0) != chunk.y).sum())


@pytest.mark.parametrize(
    ("stream", "errors"),
    [
        (streams.SEA(noise=0.15), sea_errors),
        (streams.LED(n_features=7), led_errors),
        (streams.LED(noise=0.25), led_errors),
        (streams.Waveform(), waveform_errors),
        (streams.Waveform(n_features=40), waveform_errors),
        (streams.Hyperplane(speed=0.001, noise=0.1), hyperplane_errors),
        (streams.RotatingGaussian(period=1000, spread=0.8), gaussian_errors),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_the_best_rule_has_the_bayes_error(stream: Generator, errors: Callable[[Generator, int], int]) -> None:
    assert stream.bayes_error is not None
    assert_share(errors(stream, 200_000), 200_000, stream.bayes_error)


def test_bayes_errors_are_those_of_the_literature() -> None:
    assert streams.LED().bayes_error == pytest.approx(0.26, abs=0.005)
    assert streams.Waveform().bayes_error == pytest.approx(0.14, abs=2 * math.sqrt(0.14 * 0.86 / 5000))
    assert streams.Agrawal().bayes_error is None
    assert streams.RandomRBF().bayes_error is None
    for stream in (
        streams.STAGGER(),
        streams.Sine(),
        streams.Mixed(),
        streams.RandomTree(),
        streams.Agrawal(perturbation=0),
    ):
        assert stream.bayes_error == 0


def test_the_bayes_error_of_waveform_is_that_of_an_integral_over_the_plane_of_its_waves() -> None:
    """Noise across the plane does not depend on the class, so two dimensions are enough. Midpoints, step 0.02."""
    waves = np.array(WAVES)
    along = (waves[1] - waves[0]) / np.linalg.norm(waves[1] - waves[0])
    rest = waves[2] - waves[0] - ((waves[2] - waves[0]) @ along) * along
    corners = (waves - waves[0]) @ np.column_stack([along, rest / np.linalg.norm(rest)])
    step = 0.02
    x, y = (np.arange(low - 7, high + 7, step) for low, high in zip(corners.min(0), corners.max(0), strict=True))
    points = np.stack(np.meshgrid(x, y), axis=-1)
    densities = []
    for a, b in ((0, 1), (0, 2), (1, 2)):
        way = corners[a] - corners[b]
        length = float(np.linalg.norm(way))
        t = (points - corners[b]) @ (way / length)
        across = ((points - corners[b]) ** 2).sum(axis=-1) - t**2
        spread = (stats.norm.cdf(length - t) - stats.norm.cdf(-t)) / length
        densities.append(np.exp(-across / 2) / math.sqrt(2 * math.pi) * spread)
    assert np.sum(densities) * step**2 / 3 == pytest.approx(1, abs=1e-9)
    best = np.max(densities, axis=0).sum() * step**2 / 3
    assert 1 - best == pytest.approx(streams.Waveform.bayes_error, abs=1e-6)


def test_moving_centroids_change_the_records_and_stay_in_the_cube() -> None:
    still, moving = streams.RandomRBF(seed=2), streams.RandomRBF(speed=0.01, seed=2)
    np.testing.assert_array_equal(records(still, 1).X, records(moving, 1).X)
    far = next(moving.chunks(20_000, 10**15))
    assert np.abs(far.X.mean(axis=0) - 0.5).max() < 0.5
    assert not np.array_equal(far.X, next(still.chunks(20_000, 10**15)).X)


def test_agrawals_features_stay_in_their_ranges() -> None:
    X = records(streams.Agrawal(perturbation=1.0), 50_000).X
    ranges = [(20e3, 150e3), (0, 75e3), (20, 80), (0, 4), (0, 19), (0, 8), (0, 135e3), (1, 30), (0, 5e5)]
    for j, (low, high) in enumerate(ranges):
        assert low <= X[:, j].min()
        assert X[:, j].max() <= high
    assert (X[:, [2, 7]] == np.round(X[:, [2, 7]])).all(), "years are whole"


BAD: list[tuple[str, dict[str, Any]]] = [
    ("SEA", {"concept": 5}),
    ("LED", {"n_features": 8}),
    ("LED", {"noise": 0.6}),
    ("LED", {"n_drifting": 8}),
    ("LED", {"n_drifting": 1, "n_features": 7}),
    ("Waveform", {"n_features": 22}),
    ("Waveform", {"n_drifting": 22}),
    ("Hyperplane", {"n_features": 0}),
    ("Hyperplane", {"n_drifting": 11}),
    ("Hyperplane", {"speed": -1}),
    ("Hyperplane", {"reversal": 2}),
    ("Hyperplane", {"noise": math.nan}),
    ("RandomRBF", {"n_features": 1.5}),
    ("RandomRBF", {"n_classes": 1}),
    ("RandomRBF", {"n_centroids": 0}),
    ("RandomRBF", {"n_drifting": 51}),
    ("RandomRBF", {"speed": math.inf}),
    ("RandomRBF", {"model_seed": 2**64}),
    ("RandomTree", {"n_values": 1}),
    ("RandomTree", {"n_numeric": 0, "n_nominal": 0}),
    ("RandomTree", {"max_depth": 60}),
    ("RandomTree", {"max_depth": 10**6, "n_nominal": 0}),
    ("RandomRBF", {"n_features": 10**12}),
    ("RandomRBF", {"n_centroids": 100_000, "n_features": 10_000}),
    ("RandomTree", {"leaf_share": "all"}),
    ("Agrawal", {"concept": 11}),
    ("Agrawal", {"perturbation": -0.1}),
    ("STAGGER", {"concept": 4}),
    ("Sine", {"concept": 0}),
    ("Sine", {"n_features": 3}),
    ("Mixed", {"concept": True}),
    ("RotatingGaussian", {"period": 0}),
    ("RotatingGaussian", {"spread": 0}),
    *((name, {"seed": seed}) for name in ("LED", "Sine") for seed in (-1, 2**64, "one")),
]


@pytest.mark.parametrize(("name", "settings"), BAD)
def test_a_bad_setting_is_named(name: str, settings: dict[str, Any]) -> None:
    with pytest.raises(pq.ParameterError) as caught:
        getattr(streams, name)(**settings)
    assert str(caught.value).startswith(f"The {next(iter(settings))!r} parameter of {name} must be ")


@pytest.mark.parametrize("name", list(streams.generators.GENERATORS))
def test_a_setting_that_nobody_knows_is_refused_with_those_there_are(name: str) -> None:
    cls = getattr(streams, name)
    with pytest.raises(pq.UnknownParameterError) as caught:
        cls(sede=3)
    listed = ", ".join(cls.defaults())
    assert str(caught.value) == f"{name} has no parameter 'sede'. Did you mean 'seed'? Its parameters: {listed}."
    assert isinstance(caught.value, TypeError)
    assert set(cls.defaults()) == {*cls.parameters, "seed"}


def test_a_plan_knows_every_generator() -> None:
    other = {"type": "Hyperplane", "speed": 0.01, "seed": 2}
    change = [{"type": "drift_to", "at": 200, "to": other}]
    stream = pq.Plan({"stream": {"type": "Hyperplane", "n": 500, "speed": 0.01, "change": change}}).stream()
    assert stream.n_records == 500
    assert [drift.at for drift in stream.drifts] == [200]
