"""Streams with other random draws."""

from __future__ import annotations

import numpy as np
import pytest
from unit.streams.compositions.test_all_compositions import ALL, sources

import prequential as pq
from prequential.streams.chunk import Chunk, concatenate
from prequential.streams.generators import GENERATORS
from prequential.streams.stream import Stream


def some(stream: Stream, n: int = 700) -> Chunk:
    return concatenate(list(stream.take(n).chunks()))


def without_seeds(stream: Stream) -> object:
    """The description of a stream without its seeds."""

    def without(value: object) -> object:
        if isinstance(value, dict):
            return {key: without(one) for key, one in value.items() if key not in ("seed", "n_records")}
        return [without(one) for one in value] if isinstance(value, list) else value

    return without(stream.describe())


@pytest.mark.parametrize("name", GENERATORS)
def test_a_generator_keeps_its_settings_and_makes_other_records(name: str) -> None:
    stream = GENERATORS[name]()  # type: ignore[call-arg]  # every generator has defaults
    first, second = stream.reseeded(1), stream.reseeded(2)
    assert without_seeds(first) == without_seeds(second) == without_seeds(stream)
    assert first.bayes_error == stream.bayes_error
    assert len({some(one).X.tobytes() for one in (stream, first, second, stream.reseeded(1))}) == 3


@pytest.mark.parametrize("name", ALL)
def test_a_composition_keeps_its_settings_and_makes_other_records(name: str) -> None:
    stream = ALL[name](*sources())
    first, second = stream.reseeded(1), stream.reseeded(2)
    assert without_seeds(first) == without_seeds(second) == without_seeds(stream)
    assert len({some(one).X.tobytes() for one in (stream, first, second, stream.reseeded(1))}) == 3


def test_draws_on_a_file_change_and_its_records_stay() -> None:
    rng = np.random.default_rng(1)
    file = pq.from_arrays(rng.normal(size=(400, 2)), rng.integers(0, 2, 400))
    assert file.reseeded(5) is file
    first, second = (some(file.label_noise(0.3).reseeded(seed)) for seed in (1, 2))
    np.testing.assert_array_equal(first.X, some(file).X)
    assert 0 < np.mean(first.y != second.y) < 0.6


def test_equal_seeds_stay_equal_and_different_ones_different() -> None:
    same = pq.streams.SEA(1, seed=4).drift_to(pq.streams.SEA(1, seed=4), at=300).reseeded(9)
    other = pq.streams.SEA(1, seed=4).drift_to(pq.streams.SEA(1, seed=5), at=300).reseeded(9)
    np.testing.assert_array_equal(some(same).X[:300], some(same).X[300:600])
    assert (some(other).X[:300] != some(other).X[300:600]).all()


def test_a_stream_of_the_testbed_gets_other_draws() -> None:
    stream = pq.testbed.stream("NSGT", seed=1)
    again = stream.reseeded(1)
    assert (again.name, again.n_records, again.drifts) == (stream.name, stream.n_records, stream.drifts)
    assert (some(stream).X != some(again).X).all()


def test_what_is_no_seed_is_refused() -> None:
    with pytest.raises(pq.ParameterError, match="'seed' parameter of reseeded must be a whole number"):
        pq.streams.SEA().take(5).reseeded(-1)
