"""Streams of mixtures: records by index, length and drifts."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import prequential as pq
from prequential.errors import InputError, ParameterError
from prequential.streams import Chunk, Drift
from prequential.testbed.gaussian import Gaussian
from prequential.testbed.mixture import Mixture
from prequential.testbed.mixture_model import MixtureClass
from prequential.testbed.mixture_stream import MixtureStream
from prequential.testbed.toml import mixture_of, nine
from prequential.testbed.transform import Transform

HERE = Gaussian([0, 0], [1, 1])


def stream(*classes: list[Gaussian], n: int = 1000) -> MixtureStream:
    named = [MixtureClass(name, gaussians) for name, gaussians in zip("ABC", classes, strict=False)]
    return MixtureStream(Mixture(classes=named, n_records=n))


def whole(one: pq.Stream, size: int = 4096) -> Chunk:
    chunks = list(one.chunks(size))
    return Chunk(one.schema, 0, np.concatenate([c.X for c in chunks]), np.concatenate([c.y for c in chunks]))


@pytest.mark.parametrize("name", nine())
def test_records_do_not_depend_on_chunks_or_on_what_was_skipped(name: str) -> None:
    one = pq.testbed.stream(name, seed=3)
    expected = whole(one)
    assert len(expected) == one.n_records == 10_001
    for size in (7, 1000, 20_000):
        found = whole(one, size)
        np.testing.assert_array_equal(found.X, expected.X)
        np.testing.assert_array_equal(found.y, expected.y)
    for start in (9_990, 5000, 1, 0):  # backwards, and record by record
        chunk = next(one.chunks(1, start))
        assert chunk.start == start
        np.testing.assert_array_equal(chunk.X, expected.X[start : start + 1])
        np.testing.assert_array_equal(chunk.y, expected.y[start : start + 1])
    np.testing.assert_array_equal(whole(one.skip(4321)).X, expected.X[4321:])


def test_the_same_seed_gives_the_same_records_and_another_seed_others() -> None:
    one, same, other = (whole(pq.testbed.stream("NSCX", seed=seed)) for seed in (5, 5, 6))
    np.testing.assert_array_equal(one.X, same.X)
    assert not (one.X == other.X).any()
    assert (one.y != other.y).any()


def test_a_longer_or_shorter_stream_has_the_same_records_at_the_same_places() -> None:
    usual, short, long = (whole(pq.testbed.stream("NSPC-A", n=n)) for n in (None, 100, 12_000))
    assert (len(short), len(long)) == (100, 12_000)
    np.testing.assert_array_equal(short.X, usual.X[:100])
    np.testing.assert_array_equal(long.X[:10_001], usual.X)


def test_a_stream_longer_than_its_weights_is_refused() -> None:
    fading = Mixture(
        classes=[MixtureClass("A", [Gaussian([0], [1], transforms=[Transform(0, 200, weight=0.0)])])], n_records=200
    )
    with pytest.raises(InputError, match="At record 200 all weights are 0"):
        MixtureStream(fading, n=300)


@pytest.mark.parametrize("n", [0, -5, 2.5])
def test_a_bad_length_is_refused(n: int) -> None:
    with pytest.raises(ParameterError, match="'n' parameter"):
        pq.testbed.stream("NSGT", n=n)


def test_the_schema_names_features_and_classes() -> None:
    schema = pq.testbed.stream("NSGT-5D").schema
    assert [feature.name for feature in schema.features] == ["x0", "x1", "x2", "x3", "x4"]
    assert schema.classes == ("A", "B")


def test_a_manifest_holds_the_model() -> None:
    one = pq.testbed.stream("NSCX", seed=4)
    description = one.describe()
    assert (description["name"], description["n_records"], description["seed"]) == ("NSCX", 10_001, 4)
    again = mixture_of(description["mixture"])  # type: ignore[arg-type]  # a manifest has any values
    assert again == one.mixture


def test_a_stream_can_be_sent_to_another_process() -> None:
    one = pq.testbed.stream("NSGR")
    np.testing.assert_array_equal(whole(pickle.loads(pickle.dumps(one))).X, whole(one).X)


# The changes of the nine streams, by their parameters: middle and width.
@pytest.mark.parametrize(
    ("name", "drifts"),
    [
        ("NSGT", [(5000, 9999)]),
        ("NSGT-F", [(5000, 9999)]),
        ("NSGR", [(5000, 9999)]),
        ("NSLC", [(5000, 9999)]),
        ("NSGT-I", [(2500, 4999), (5000, 1), (7501, 4999)]),
        ("NSPC", [(5000, 8999)]),
        ("NSPC-A", [(5000, 1)]),
        ("NSGT-5D", [(5000, 9999)]),
        ("NSCX", [(250, 499), (1250, 1499), (2500, 4999), (3250, 2499), (7250, 5499), (7500, 4999)]),
    ],
)
def test_the_drifts_are_the_changes_of_the_model_and_real(name: str, drifts: list[tuple[int, int]]) -> None:
    assert pq.testbed.stream(name).drifts == tuple(Drift(at, width, real=True) for at, width in drifts)


def test_a_drift_is_where_the_posterior_first_differs() -> None:
    one = pq.testbed.stream("NSPC-A")
    X = whole(one).X
    before, after, later = (one.posterior(X, t) for t in (4999, 5000, 5001))
    assert np.abs(before - after).max() > 0.5
    np.testing.assert_array_equal(after, later)


def test_a_gaussian_that_appears_is_an_abrupt_drift() -> None:
    assert stream([HERE], [Gaussian([3, 0], [1, 1], start=300)]).drifts == (Drift(300),)


def test_what_is_complete_at_the_first_record_is_no_drift() -> None:
    assert stream([Gaussian([0, 0], [1, 1], transforms=[Transform(0, move=[1, 1])])], [HERE]).drifts == ()


def test_a_change_that_changes_nothing_is_no_drift() -> None:
    unit = Transform(100, 200, rotate=90)
    nothing = Gaussian([5, 5], [1, 1], weight=0.0, transforms=[Transform(100, 200, move=[1, 1])])
    assert stream([Gaussian([0, 0], [1, 1], transforms=[unit]), nothing], [HERE]).drifts == ()


def test_a_change_of_the_records_alone_is_virtual() -> None:
    """Two pairs of a class each lie far from each other, and records go over from one pair to the other."""
    rising, falling = (Transform(100, 200, weight=w) for w in (0.9, 0.1))

    def pair(x: float) -> list[Gaussian]:
        return [
            Gaussian([x, 0], [1, 1], weight=0.1, transforms=[rising]),
            Gaussian([x, 1e3], [1, 1], weight=0.9, transforms=[falling]),
        ]

    assert stream(pair(-1), pair(1)).drifts == (Drift(150, 100, real=False),)
    assert stream([Gaussian([0, 0], [1, 1], transforms=[Transform(9, move=[3, 3])])]).drifts == (Drift(9, real=False),)


def test_whole_turns_are_seen() -> None:
    turning = Gaussian([3, 0], [1, 1], transforms=[Transform(0, 900, turn=720)])
    assert stream([turning], [HERE]).drifts == (Drift(450, 900),)


def test_a_drift_after_the_end_is_left_out() -> None:
    assert pq.testbed.stream("NSGT-I", n=6000).drifts == (Drift(2500, 4999), Drift(5000))


def test_a_part_of_a_stream_knows_the_truth_at_its_own_records() -> None:
    one = pq.testbed.stream("NSCX")
    part = one.skip(4000).take(100)
    X = whole(part).X
    np.testing.assert_array_equal(part.posterior(X, np.arange(100)), one.posterior(X, np.arange(4000, 4100)))
    np.testing.assert_array_equal(part.posterior(X, 7), one.posterior(X, 4007))


def test_an_abrupt_change_between_streams_knows_the_truth_and_a_mixing_one_does_not() -> None:
    one, other = pq.testbed.stream("NSGT"), pq.testbed.stream("NSLC")
    joined = one.drift_to(other, at=3000)
    X = whole(joined).X[2990:3010]
    truth = joined.posterior(X, np.arange(2990, 3010))
    assert truth is not None
    np.testing.assert_array_equal(truth[:10], one.posterior(X[:10], np.arange(2990, 3000)))
    np.testing.assert_array_equal(truth[10:], other.posterior(X[10:], np.arange(10)))
    assert one.drift_to(other, at=3000, width=100).posterior(X, np.arange(20)) is None


def test_a_stream_of_a_file_has_no_known_truth() -> None:
    assert pq.from_arrays([[0.0], [1.0]], ["a", "b"]).posterior(np.zeros((1, 1)), 0) is None


def test_a_change_is_looked_at_only_as_far_as_the_stream_goes() -> None:
    fading = Transform(0, 1500, weight=0.0)
    both = [[Gaussian([x, 0], [1, 1], transforms=[fading])] for x in (0, 2)]
    assert stream(*both).drifts == (), "the shares stay equal; nothing is left at 1500, but that is beyond the end"
    slower = Gaussian([2, 0], [1, 1], transforms=[Transform(0, 1500, weight=0.5)])
    assert stream([Gaussian([0, 0], [1, 1], transforms=[fading])], [slower]).drifts == (Drift(750, 1500),)


def test_a_time_at_which_nothing_has_a_weight_is_refused() -> None:
    one = stream([Gaussian([0, 0], [1, 1], transforms=[Transform(0, 1500, weight=0.0)])])
    with pytest.raises(ParameterError, match="'at' parameter of mixture must be times at which some Gaussian has a w"):
        one.posterior(np.zeros((1, 2)), 1500)


@pytest.mark.parametrize(("name", "expected"), [("NSGT", 0.0294), ("NSGR", 0.0)])
def test_the_bayes_error_is_the_mean_optimal_error(name: str, expected: float) -> None:
    """0.0294 is the numeric integral; table 3 of Cervantes et al. has 2.95 % and 0.00 %."""
    assert MixtureStream(nine()[name]).bayes_error == pytest.approx(expected, abs=5e-5)


def test_a_part_of_a_mixture_does_not_have_the_mean_error_of_the_whole() -> None:
    assert MixtureStream(nine()["NSGT"]).take(100).bayes_error is None
